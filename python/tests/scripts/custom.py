"""Custom autograd.Function: exp, clamped ReLU, straight-through estimator, linear."""
import torch
from torch.autograd import Function

torch.manual_seed(0)


class MyExp(Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        (result,) = ctx.saved_tensors
        return grad_output * result


class LeakyClip(Function):
    @staticmethod
    def forward(ctx, x, lo, hi, slope=0.1):
        ctx.save_for_backward(x)
        ctx.lo, ctx.hi, ctx.slope = lo, hi, slope
        return x.clamp(lo, hi)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        inside = (x >= ctx.lo) & (x <= ctx.hi)
        return torch.where(inside, g, ctx.slope * g), None, None, None


class RoundSTE(Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


class LinearFn(Function):
    @staticmethod
    def forward(ctx, x, weight, bias=None):
        ctx.save_for_backward(x, weight, bias)
        out = x @ weight.t()
        if bias is not None:
            out = out + bias
        return out

    @staticmethod
    def backward(ctx, g):
        x, weight, bias = ctx.saved_tensors
        gx = gw = gb = None
        print("needs_input_grad:", ctx.needs_input_grad)
        if ctx.needs_input_grad[0]:
            gx = g @ weight
        if ctx.needs_input_grad[1]:
            gw = g.t() @ x
        if bias is not None and ctx.needs_input_grad[2]:
            gb = g.sum(0)
        return gx, gw, gb


x = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
y = MyExp.apply(x)
print(y)
print(y.grad_fn.name())
y.sum().backward()
print("exp grad:", x.grad)

v = torch.tensor([-2.0, -0.5, 0.3, 1.7], requires_grad=True)
out = LeakyClip.apply(v, -1.0, 1.0)
print(out)
out.sum().backward()
print("clip grad:", v.grad)

r = torch.tensor([0.2, 0.7, 1.4], requires_grad=True)
q = RoundSTE.apply(r)
((q - 2) ** 2).sum().backward()
print("rounded:", q.tolist(), "ste grad:", r.grad.tolist())

X = torch.randn(4, 3)
W = torch.randn(2, 3, requires_grad=True)
B = torch.zeros(2, requires_grad=True)
LinearFn.apply(X, W, B).pow(2).sum().backward()
gw, gb = W.grad.clone(), B.grad.clone()
W.grad = B.grad = None
torch.nn.functional.linear(X, W, B).pow(2).sum().backward()
print("weights agree:", torch.allclose(gw, W.grad), "bias agree:", torch.allclose(gb, B.grad))
