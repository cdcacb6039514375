"""Reductions over dimensions."""

import torch
from helper_module import attempt, shown

x = torch.tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
for name in "sum mean prod amax amin std var norm".split():
    f = getattr(x, name)
    several = () if name == "prod" else (f(dim=(0, 1)), f(dim=(0, 1), keepdim=True).shape)
    shown(name, f(), f(dim=0), f(dim=-1, keepdim=True), f(dim=1).shape, *several)
shown(x.logsumexp(0), x.logsumexp((0, 1)), torch.logsumexp(x, -1, keepdim=True), x.softmax(-1), torch.log_softmax(x / 8, 0))
shown(x.max(), x.max(dim=1), x.max(0, keepdim=True).values, x.min(dim=0).indices, x.max(1)[0], torch.max(x, torch.zeros(3)), torch.max(x, torch.tensor(2.5)))
shown(x.argmax(), x.argmin(dim=0), x.argmax(1, keepdim=True), x.median(), x.median(dim=1), torch.tensor([4.0, 1.0, 3.0, 2.0]).median())
shown(x.any(), x.all(), (x > 0).any(dim=0), (x > 0).all(1), (x > 0).sum(), (x > 0).sum(1), x.count_nonzero())
shown(x.cumsum(0), x.cumprod(1), x.diff(dim=1))
shown(x.var(correction=0), x.var(unbiased=False), x.std(dim=1, correction=0), torch.var_mean(x, dim=1), torch.std_mean(x))
shown(x.norm(1), x.norm(float("inf")), torch.linalg.norm(x), torch.linalg.vector_norm(x, 3, dim=0), torch.linalg.matrix_norm(x, 1), torch.linalg.matrix_norm(x))
shown(x.sum(dtype=torch.float64), x.sum(dim=0, dtype=torch.int32), torch.arange(5).sum(), torch.arange(5).prod(), torch.tensor([True, True]).sum())
shown(torch.tensor([1.0, float("nan")]).max(), torch.softmax(x.half(), 1, dtype=torch.float32).dtype)
shown(torch.empty(0).sum(), torch.empty(0).prod(), torch.empty(0).mean(), torch.empty(2, 0).sum(1), torch.empty(0, 3).sum(0))
shown(torch.trace(torch.eye(3)), torch.nan_to_num(torch.tensor([float("nan"), float("inf"), -float("inf"), 1.0])))
shown(torch.isnan(x).any(), torch.isfinite(x).all(), x.isinf().sum())
shown(torch.split(x, 2, dim=1), x.split([1, 2], 1)[1], x.chunk(2), x.unbind(1)[0], torch.roll(x, (1, 1), (0, 1)))
torch.manual_seed(0)
x = torch.rand(1000)
print(x.std().item(), x.var(unbiased=False).item(), x.half().std(), x.view(10, 100).var(1)[:3].tolist(), torch.linspace(-1, 1, 21)[8:13].tolist(), torch.tensor([4.0]).exp())
x = x[:6].view(2, 3)
attempt(
    lambda: x.sum(dim=2),
    lambda: x.sum(dim=(0, 0)),
    lambda: torch.empty(0).max(),
    lambda: torch.empty(2, 0).argmax(1),
    lambda: torch.empty(0, 3).amax(0),
    lambda: x.softmax(2),
    lambda: torch.arange(3).mean(),
)
# Where one is NaN all that are receive the gradient.
for name in "max min median amax".split():
    x = torch.tensor([[float("nan"), 1.0], [2.0, float("nan")]], requires_grad=True)
    getattr(x, name)().backward()
    shown(x.grad)
x = torch.tensor([2.0, 1.0, 2.0], requires_grad=True)
x.max().backward()
shown(x.grad)
