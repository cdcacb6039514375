import torch

x = torch.tensor([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5])
print(x.sort())
print(x.sort(descending=True).values)
print(torch.sort(x, stable=True).indices, torch.argsort(x, stable=True, descending=True))
print(torch.tensor([[3., 1., 2.], [0., 7., 8.]]).sort(dim=0))
print(torch.tensor([1., float('nan'), -1.]).sort())

print(torch.topk(torch.tensor([1., 5., 3., 4.]), 2))
print(torch.tensor([1., 5., 3., 4.]).topk(2, largest=False))
print(torch.tensor([[1, 8, 3], [6, 5, 4]]).topk(2, dim=1).indices)
try:
    torch.arange(3).topk(5)
except RuntimeError as e:
    print(e)

print(x.unique())
print(torch.unique(x, return_counts=True))
u, inv, cnt = torch.unique(x, return_inverse=True, return_counts=True)
print(u, inv, cnt, u[inv].equal(x))
print(x.bincount(), x.bincount(minlength=12), torch.bincount(torch.tensor([0, 1, 1]), weights=torch.tensor([0.5, 1., 2.])))
f = torch.tensor([0.1, 0.4, 0.45, 0.9, 1.0, 0.5])

bounds = torch.tensor([1, 3, 5, 7])
print(torch.searchsorted(bounds, torch.tensor([0, 1, 2, 5, 8])))
print(torch.searchsorted(bounds, torch.tensor([0, 1, 2, 5, 8]), right=True), torch.searchsorted(bounds, 4))
cdf = torch.tensor([0.1, 0.2, 0.4, 0.3]).cumsum(0)
print(cdf, torch.searchsorted(cdf, torch.tensor([0.05, 0.5, 0.95])))
print(torch.isin(x, torch.tensor([1, 5])), torch.isin(x, 9).nonzero().flatten())
print(torch.tensor([[True, False], [True, True]]).nonzero().tolist(), torch.argwhere(x > 4).T)
print(torch.allclose(f, f + 1e-9), torch.isclose(f, f + 1e-3), torch.equal(x, x.clone()), torch.eq(x, 5).sum())
print(x.flip(0).unique(sorted=True), torch.tensor([True, False, True]).unique())
print(x.float().median(), torch.tensor([4., 1., 3., 2.]).median())
