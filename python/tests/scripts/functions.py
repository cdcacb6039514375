"""Operations with derivatives of one's own."""

import torch
from helper_module import attempt
from torch.autograd import Function


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, g):
        (result,) = ctx.saved_tensors
        return g * result


class Clip(Function):
    @staticmethod
    def forward(ctx, x, low, high, slope=0.1):
        ctx.save_for_backward(x)
        ctx.low, ctx.high, ctx.slope = low, high, slope
        return x.clamp(low, high)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where((x >= ctx.low) & (x <= ctx.high), g, ctx.slope * g), None, None, None


class Round(Function):
    @staticmethod
    def forward(x):
        return torch.round(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g):
        return g


class Linear(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight, bias)
        return x @ weight.t() + (0 if bias is None else bias)

    @staticmethod
    def backward(ctx, g):
        x, weight, bias = ctx.saved_tensors
        print("needs_input_grad:", ctx.needs_input_grad)
        return g @ weight if ctx.needs_input_grad[0] else None, g.t() @ x, None if bias is None else g.sum(0)


class Both(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b, a + b

    @staticmethod
    def backward(ctx, gm, gs):
        a, b = ctx.saved_tensors
        return gm * b + gs, gm * a + gs


class Top(Function):
    @staticmethod
    def forward(ctx, x):
        v, i = x.max(0)
        ctx.mark_non_differentiable(i)
        ctx.save_for_backward(i)
        ctx.shape = x.shape
        return v, i

    @staticmethod
    def backward(ctx, g, _):
        (i,) = ctx.saved_tensors
        out = torch.zeros(ctx.shape)
        out[i] = g
        return out


x = torch.tensor([-2.0, -0.5, 0.3, 1.7], requires_grad=True)
for function, args in ((Exp, ()), (Clip, (-1.0, 1.0)), (Round, ()), (Top, ())):
    made = function.apply(x, *args)
    first = made[0] if isinstance(made, tuple) else made
    print(made, first.grad_fn.name())
    (first**2).sum().backward()
    print(x.grad)
    x.grad = None
a = torch.arange(4.0).reshape(2, 2).requires_grad_()
b = torch.ones(2, 2, requires_grad=True)
m, s = Both.apply(a, b)
print(m, s.shape, m.requires_grad)
(m * 3 + s).sum().backward()
print(a.grad, b.grad)
a.grad = None
Both.apply(a, b)[0].sum().backward()
print(a.grad)

torch.manual_seed(0)
X, W, B = torch.randn(4, 3), torch.randn(2, 3, requires_grad=True), torch.zeros(2, requires_grad=True)
Linear.apply(X, W, B).pow(2).sum().backward()
gw, gb = W.grad, B.grad
W.grad = B.grad = None
torch.nn.functional.linear(X, W, B).pow(2).sum().backward()
print("weights agree:", torch.allclose(gw, W.grad), "bias agree:", torch.allclose(gb, B.grad))


class Bad(Exp):
    @staticmethod
    def backward(ctx, g):
        raise ValueError("no way")


class Few(Clip):
    @staticmethod
    def backward(ctx, g):
        return g


def changed():
    y = Exp.apply(x)
    with torch.no_grad():
        y += 1
    y.sum().backward()


with torch.no_grad():
    print(Exp.apply(x).requires_grad)
attempt(lambda: Bad.apply(x).sum().backward(), lambda: Few.apply(x, 0, 1).sum().backward(), changed)
