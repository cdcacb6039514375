"""Half precision: what is rounded to it, and what is not."""

import torch
import torch.nn.functional as F
from helper_module import shown

KINDS = (torch.bfloat16, torch.float16)
INF = float("inf")


def tensors(values):
    return [torch.tensor(values).to(kind) for kind in KINDS]


def slopes(function, *values):
    """The gradients of a function's sum in each kind."""
    found = []
    for kind in KINDS:
        leaves = [torch.tensor(value).to(kind).requires_grad_() for value in values]
        function(*leaves).sum().backward()
        found += [leaf.grad for leaf in leaves]
    return found


# A number beside a tensor is rounded, but not one that it is multiplied or divided by.
for x in tensors([0.1, 0.3, 5.3, -0.7, 257.0]):
    for number in (0.1, 0.3, 257, torch.tensor(0.3), torch.tensor(0.1, dtype=torch.float64)):
        shown(x == number, x < number, x >= number, x + number, x - number, number - x, x * number, x / number)
        shown(x % number, torch.fmod(x, number), x // number, x**number, 2.3**x, number * x, number / x, 0.3 // x)
    shown(x ** 2.3, x.add(0.3), x.clone().sub_(0.1), x.clone().pow_(1.3), torch.where(x > 0, x, 0.1), x.clamp(max=0.3))
    shown(x + torch.tensor([257, 1, 1, 1, 2049]), torch.tensor([257, 3, 3, 3, 2049]) * x, torch.div(x, 0.3, rounding_mode="trunc"))
shown(*slopes(lambda x: x**3, [0.3, 5.5]), *slopes(lambda x: 0.1 - x, [0.3]))

# Roots and small powers, of which bfloat16 rounds the steps. Behind the last full vector PyTorch rounds once more.
every = torch.arange(0, 2**16, 7, dtype=torch.int32).to(torch.int16)
for kind in KINDS:
    x = every.view(kind)
    x = x[(x > 0) & (x < INF)][:4480]
    for power in (x**0.5, x**-0.5, x**3, x**-2):
        print(power.view(torch.int16).sum())
for x in (torch.tensor([-INF, -0.0, 0.0, INF, -1.0]), torch.tensor([-INF, -0.0, 0.0, INF, -1.0]).bfloat16()):
    shown(x**0.5, x**-0.5)
for power in (-0.5, 3, 4, -2):
    shown(*slopes(lambda x: x**power, [0.3, 4.0, 5.5, 0.07]))

# A sum of squares may be beyond what holds its root.
for values in ([300.0], [300.0, -400.0], [1e-4, 1e-4], [0.0, 0.0]):
    for x in tensors(values):
        shown(x.norm(), x.norm(1), x.norm(3), x.norm(INF), F.normalize(x, dim=0), x.std(unbiased=False), x.var(unbiased=False))
for x in tensors([[300.0, 400.0], [3e-4, 4e-4]]):
    shown(F.cosine_similarity(x, x), F.cosine_similarity(x, -x, dim=0))
for gradient in tensors([300.0, 400.0]):
    parameter = torch.nn.Parameter(torch.zeros_like(gradient))
    parameter.grad = gradient.clone()
    shown(torch.nn.utils.clip_grad_norm_([parameter], 1.0), parameter.grad)
shown(*slopes(lambda x: x.norm(), [3.0, 4.0]), *slopes(lambda x: x.norm(), [0.0, 0.0]))
norm = torch.tensor([3.0, 4.0]).half().requires_grad_().norm()
print(norm.grad_fn.name(), norm.dtype)

# Functions that are computed in several steps, and slopes that are differences.
values = [-20.0, -7.0, -3.0, -0.5, 0.0, 0.5, 3.0, 6.0, 12.0, 15.0, 20.0, 25.0]
for function in (F.softplus, lambda x: F.softplus(x, 2, 5), F.logsigmoid, F.elu, lambda x: F.elu(x, 0.5), torch.sigmoid, torch.tanh):
    shown(*(function(x) for x in tensors(values)))
    # PyTorch rounds more often in that of logsigmoid.
    shown(*slopes(function, values[:7] if function is F.logsigmoid else values))
x = torch.tensor([-5.0, -1.0, 0.5, 2.0, 30.0], requires_grad=True)
for function in (F.softplus, F.logsigmoid, F.elu):
    (slope,) = torch.autograd.grad(function(x).sum(), x, create_graph=True)
    print(function(x).grad_fn.name())
    shown(slope.detach(), *(found[:4] for found in torch.autograd.grad(slope.sum(), x)))
for target in (0.0, 1.0):
    goal = torch.tensor([target] * 3)
    shown(*slopes(lambda x: F.binary_cross_entropy_with_logits(x, goal.to(x.dtype), reduction="sum"), [-7.0, 0.5, 7.0]))
    weight = torch.tensor([3.0])
    shown(*slopes(lambda x: F.binary_cross_entropy_with_logits(x, goal.to(x.dtype), pos_weight=weight.to(x.dtype), reduction="sum"), [-7.0, 0.5, 7.0]))
goal = torch.tensor([0.25, 0.75], requires_grad=True)
x = torch.tensor([-1.0, 2.0], requires_grad=True)
F.binary_cross_entropy_with_logits(x, goal).backward()
shown(x.grad, goal.grad)

# Rounded once, at the end.
for x, y in zip(tensors([-400.0, 5.3, 0.3, -1.3, 257.0]), tensors([0.1, -0.3, 0.7, 2.2, 1.7])):
    shown(x.addcmul(x, x, value=0.1), torch.addcmul(x, x, y), torch.addcdiv(x, y, x + 0.5, value=0.3))
    shown(torch.lerp(x, y, 0.3), torch.lerp(x, y, 0.7), torch.lerp(x, y, y), x.add(y, alpha=0.3), x.sub(y, alpha=0.3))
    shown(x.clone().add_(y, alpha=-0.1), x.clone().sub_(y, alpha=0.1), x + 0.3 * y)
    shown(torch.addmm(x, x[1:, None] * y, y[:, None] * y / 8), torch.addmm(y, y[:, None] * y, y[:, None] * y, beta=0.3, alpha=0.7))
shown(*slopes(torch.addmm, [[0.5, 1.5]], [[1.0, 2.0], [3.0, -1.0]], [[0.5, 0.25], [2.0, -4.0]]))
shown(*slopes(lambda c, a, b: torch.addmm(c, a, b, beta=0.5, alpha=2), [[0.5, 1.5]], [[1.0, 2.0]], [[0.5, 0.25], [2.0, -4.0]]))
print(torch.addmm(*(torch.ones(2, 2, requires_grad=True) for _ in range(3))).grad_fn.name())
