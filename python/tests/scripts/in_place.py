"""What writes in place, and who sees it."""

import torch
from helper_module import attempt, shown
import torch.nn.functional as F

x = torch.arange(6.0).view(2, 3)
v = x[:, 1]
x.add_(1).mul_(2).sub_(1).div_(2).pow_(2).clamp_(max=20)
shown(x, v, x._version, v._version)
x.neg_().abs_().sqrt_().exp_().log_()
shown(x)
x.zero_()
x.fill_(2)
x.copy_(torch.tensor([1.0, 2, 3]))
x[0].uniform_(0, 0)
shown(x)
y = torch.ones(3)
z = y
y += 1
shown(z)
y = y + 1
shown(y, z)
z.masked_fill_(z > 1, 5).round_()
z.lerp_(torch.zeros(3), 0.5)
shown(z, z.relu_(), z.sigmoid_(), torch.tensor([1, 2]).bitwise_and_(1))
i = torch.arange(4)
i //= 2
i **= 2
i %= 3
shown(i)
i <<= 1
shown(i, i >> 1, i ^ 1, ~i)
b = torch.zeros(2, dtype=torch.bool)
b |= torch.tensor([True, False])
shown(b, torch.logical_not(b))
t = torch.tensor([0.0, 2.0])
shown(torch.logical_and(b, t), torch.logical_or(b, t), torch.logical_xor(b, t), t.logical_and(t).dtype)
a = torch.zeros(3)
a.addcmul_(torch.ones(3), torch.arange(3.0), value=2).addcdiv_(torch.ones(3), torch.full((3,), 4.0))
shown(a)
s = torch.tensor([3.0, 1, 2])
out = torch.empty(3)
torch.add(s, 1, out=out)
shown(out, torch.mul(s, s, out=out) is out)

w = torch.ones(3, requires_grad=True)
y = w * 2
y.mul_(3)
y[0] = 0
y.sum().backward()
shown(w.grad, y.grad_fn.name())
w.grad = None
base = w.clone()
base[1:].mul_(5)
base.sum().backward()
shown(w.grad)
w.grad = None
t = torch.zeros(2, 3)
t[0] = w
t.sum().backward()
shown(w.grad, t.requires_grad)
h = w * 1
F.relu(h, inplace=True).sum().backward()
shown(w.grad)
with torch.no_grad():
    w.copy_(torch.tensor([4.0, 5, 6]))
    w[0] = 0
w.data.add_(1)
shown(w)


def saved(change):
    a = w * 1
    b = a.exp() if change == "result" else a * a
    (b if change == "result" else a).add_(1)
    b.sum().backward()


attempt(
    lambda: saved("result"),
    lambda: saved("operand"),
    lambda: w.mul_(2),
    lambda: w.view(3)[0].add_(1),
    lambda: torch.tensor([1, 2]).sqrt_(),
    lambda: F.relu(w, inplace=True),
)


def kept_by(write):
    """The gradient of `w` through a square whose operand is written to afterwards."""
    w.grad = None
    a = w * 1
    b = a * a
    write(a)
    b.sum().backward()
    return w.grad, a._version, a.data._version


def renewed(write):
    p = torch.nn.Parameter(torch.ones(2))
    b = p * p
    p.data = torch.zeros(2).add_(1)
    write(p)
    b.sum().backward()
    return p._version


# What is written through `data` nobody notices; a tensor with other data has the version that it had.
attempt(
    lambda: kept_by(lambda a: a.data.mul_(3)),
    lambda: kept_by(lambda a: a.data[1:].zero_()),
    lambda: kept_by(lambda a: a.detach().mul_(3)),
    lambda: renewed(lambda p: None),
    lambda: renewed(lambda p: p.data.add_(1)),
    lambda: renewed(lambda p: p.detach().add_(1)),
)


def written(change):
    """The gradients of `w` and `s` through what `change` does to a fresh tensor."""
    w.grad = s.grad = None
    y = torch.ones(3, 3)
    change(y)
    y.sum().backward()
    shown(w.grad, s.grad)


s = torch.tensor(2.0, requires_grad=True)
written(lambda y: y.mul_(w))
written(lambda y: y.mul_(w).mul_(w).mul_(s))
written(lambda y: y[0].mul_(s).mul_(w))
written(lambda y: y.mul_(s).mul_(y.detach() * 2))
attempt(
    lambda: written(lambda y: y.mul_(w).mul_(y)),
    lambda: written(lambda y: y.mul_(w).mul_(y.detach())),
    lambda: written(lambda y: y.mul_(w).div_(y.detach())),
)

names = "sin_ cos_ tan_ sinh_ cosh_ asin_ acos_ atan_ tanh_ sigmoid_ erf_ log2_ log10_ log1p_ exp2_ expm1_ square_ relu_ sign_"
functions = {name: () for name in (names + " round_ floor_ ceil_ trunc_ tril_ nan_to_num_").split()}
functions |= {"cumsum_": (0,), "cumprod_": (0,), "fmod_": (0.5,)}
for name, given in functions.items():
    for part in (lambda y: y, lambda y: y[1:]):
        x = torch.tensor([[0.3, 0.7], [0.2, 0.6], [0.5, 0.1]], requires_grad=True)
        y = x * 1
        getattr(part(y), name)(*given)
        y.sum().backward()
        shown(y.grad_fn.name(), x.grad)


def written_twice(change):
    y = w * 1
    change(y)
    y.add_(1).sum().backward()


attempt(
    lambda: written_twice(torch.relu_),
    lambda: written_twice(torch.sigmoid_),
    lambda: written_twice(torch.Tensor.tanh_),
    lambda: written_twice(torch.Tensor.tan_),
    lambda: written_twice(lambda y: y.cumprod_(0)),
    lambda: shown(written_twice(lambda y: F.silu(y, inplace=True))),
    lambda: written_twice(lambda y: F.elu(y, inplace=True)),
    lambda: written_twice(lambda y: F.leaky_relu(y, 0.1, True)),
    lambda: written_twice(lambda y: F.hardtanh(y, inplace=True)),
    lambda: torch.tensor([1, 2]).sin_(),
    lambda: torch.tensor([1, 2]).tan_(),
)
for function in (F.elu, F.leaky_relu, F.hardtanh):
    y = w * 1
    w.grad = None
    function(y - 5, inplace=True).sum().backward()
    function(y, inplace=True)
    shown(w.grad, y.grad_fn.name())
