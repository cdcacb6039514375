"""select_scatter, slice_scatter, put, take, index_copy, index_fill, diagonal_scatter."""
import torch

x = torch.zeros(3, 4)
print(x.select_scatter(torch.arange(4.), 0, 1))
print(x.slice_scatter(torch.ones(3, 2), 1, 1, 3))
print(x.diagonal_scatter(torch.tensor([1., 2., 3.])))
print("untouched:", x.abs().sum().item())
src = torch.arange(12.).view(3, 4)
print(src.take(torch.tensor([0, 5, -1])), torch.take_along_dim(src, torch.tensor([[3], [0], [1]]), 1))
print(x.clone().put_(torch.tensor([1, 6, 6]), torch.tensor([1., 2., 3.]), accumulate=True))
print(x.index_copy(1, torch.tensor([3, 0]), src[:, :2]))
print(x.index_fill(0, torch.tensor([2, 0]), 7))
print(x.index_add(0, torch.tensor([0, 0, 2]), src, alpha=2))
print(src.index_select(1, torch.tensor([2, 2, 0])))
idx = torch.tensor([[0, 1, 2, 0], [2, 0, 0, 1]])
print(src.gather(0, idx))
print(torch.zeros(3, 4).scatter_(0, idx, src[:2]))
print(torch.zeros(3, 4).scatter(1, torch.tensor([[1], [2], [3]]), 1.))
print(torch.zeros(3, 4).scatter_add_(1, torch.zeros(3, 4, dtype=torch.long), src))
for red in ("sum", "prod", "mean", "amax", "amin"):
    base = torch.full((3,), 2.)
    r = base.scatter_reduce(0, torch.tensor([0, 1, 0, 1]), torch.tensor([1., 2., 3., 4.]), red)
    s = base.scatter_reduce(0, torch.tensor([0, 1, 0, 1]), torch.tensor([1., 2., 3., 4.]), red, include_self=False)
    print(red, r, s)
errs = {
    "gather dtype": lambda: src.gather(0, idx.int()),
    "gather dim": lambda: src.gather(0, torch.tensor([0, 1])),
    "gather oob": lambda: src.gather(0, torch.tensor([[3]])),
    "scatter oob": lambda: torch.zeros(3, 4).scatter_(1, torch.tensor([[4]]), 1.),
    "scatter dtype": lambda: torch.zeros(3, 4).scatter_(1, torch.tensor([[0]]), torch.ones(1, 1, dtype=torch.double)),
    "index_select oob": lambda: src.index_select(0, torch.tensor([5])),
    "index_select f": lambda: src.index_select(0, torch.tensor([0.])),
    "index_add shape": lambda: x.index_add(0, torch.tensor([0]), src),
    "take oob": lambda: src.take(torch.tensor([12])),
    "masked_fill dt": lambda: x.masked_fill(torch.ones(3, 4), 1),
    "masked_select sh": lambda: x.masked_select(torch.ones(2, dtype=torch.bool)),
    "where sh": lambda: torch.where(x > 0, torch.ones(2), x),
    "reduce name": lambda: x.scatter_reduce(0, idx, src, "median"),
    "index_fill t": lambda: x.index_fill(0, torch.tensor([0]), torch.tensor([1., 2.])),
}
for name, f in errs.items():
    try:
        print(name, "=> no error", f())
    except Exception as e:
        print(name, "=>", type(e).__name__, "|", str(e).split("\n")[0])
print(x.masked_scatter(src > 8, torch.tensor([1., 2., 3., 4.])))
