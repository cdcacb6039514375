import torch
from torch.autograd import Function

class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g

x = torch.tensor([1., 2., 3.], requires_grad=True)
y = Square.apply(x)
print(y, y.grad_fn.name() if hasattr(y.grad_fn, "name") else None)
y.sum().backward()
print(x.grad)

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
x.grad = None
(Round.apply(x * 1.3) ** 2).sum().backward()
print(x.grad)

class Both(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b, a + b
    @staticmethod
    def backward(ctx, gm, gs):
        a, b = ctx.saved_tensors
        return gm * b + gs, gm * a + gs
a = torch.arange(4.).reshape(2, 2).requires_grad_()
b = torch.ones(2, 2, requires_grad=True)
m, s = Both.apply(a, b)
print(m, s.shape, m.requires_grad)
(m * 3 + s).sum().backward()
print(a.grad, b.grad)
m, s = Both.apply(a, b)
a.grad = None
m.sum().backward()
print(a.grad)

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
        i, = ctx.saved_tensors
        out = torch.zeros(ctx.shape)
        out[i] = g
        return out
x.grad = None
v, i = Top.apply(x)
v.backward()
print(v, i, i.requires_grad, x.grad)

class Bad(Function):
    @staticmethod
    def forward(ctx, x):
        return x + 1
    @staticmethod
    def backward(ctx, g):
        raise ValueError("no way")
try:
    Bad.apply(x).sum().backward()
except ValueError as e:
    print(e)
class Few(Bad):
    @staticmethod
    def forward(ctx, x, n):
        return x + n
    @staticmethod
    def backward(ctx, g):
        return g
try:
    Few.apply(x, 1).sum().backward()
except RuntimeError as e:
    print(e)
with torch.no_grad():
    print(Square.apply(x).requires_grad)
w = torch.tensor([2.], requires_grad=True)
y = Square.apply(w)
with torch.no_grad():
    w += 1
try:
    y.backward()
except RuntimeError as e:
    print(str(e)[:60])
