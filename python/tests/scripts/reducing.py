"""Reductions over dimensions."""

import torch
from helper_module import attempt

x = torch.tensor([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
for name in "sum mean prod amax amin std var norm logsumexp".split():
    print(name)
    if name in ("logsumexp",):
        print(x.logsumexp(0), x.logsumexp((0, 1)), torch.logsumexp(x, -1, keepdim=True))
        continue
    f = getattr(x, name)
    print(f(), f(dim=0), f(dim=-1, keepdim=True), f(dim=1).shape)
    if name != "prod":
        print(f(dim=(0, 1)), f(dim=(0, 1), keepdim=True).shape)
print(x.max(), x.max(dim=1), x.max(0, keepdim=True).values, x.min(dim=0).indices, x.max(1)[0], torch.max(x, torch.zeros(3)))
print(x.argmax(), x.argmin(dim=0), x.argmax(1, keepdim=True), x.median(), x.median(dim=1))
print(x.any(), x.all(), (x > 0).any(dim=0), (x > 0).all(1), (x > 0).sum(), (x > 0).sum(1), x.count_nonzero())
print(x.cumsum(0), x.cumprod(1), x.diff(dim=1))
print(x.var(correction=0), x.var(unbiased=False), x.std(dim=1, correction=0), torch.var_mean(x, dim=1), torch.std_mean(x))
print(x.norm(), x.norm(1), x.norm(float("inf")), x.norm(dim=1), torch.linalg.norm(x), torch.linalg.vector_norm(x, 3, dim=0))
print(x.sum(dtype=torch.float64), x.sum(dim=0, dtype=torch.int32), torch.arange(5).sum(), torch.arange(5).prod(), torch.tensor([True, True]).sum())
print(torch.tensor([1.0, float("nan")]).max())
print(torch.empty(0).sum(), torch.empty(0).prod(), torch.empty(0).mean(), torch.empty(2, 0).sum(1), torch.empty(0, 3).sum(0))
print(torch.trace(torch.eye(3)), torch.nan_to_num(torch.tensor([float("nan"), float("inf"), -float("inf"), 1.0])), torch.cosine_similarity(x[0], x[1], dim=0))
print(torch.allclose(x, x + 1e-9), torch.isclose(x, x + 1), torch.equal(x, x))
print(torch.isnan(x).any(), torch.isfinite(x).all(), x.isinf().sum())

attempt(
    lambda: x.sum(dim=2),
    lambda: x.sum(dim=(0, 0)),
    lambda: torch.empty(0).max(),
    lambda: torch.empty(2, 0).argmax(1),
    lambda: torch.empty(0, 3).amax(0),
    lambda: x.softmax(2),
    lambda: torch.arange(3).mean(),
)
