"""Indexing exam: every kind of index."""
import torch

x = torch.arange(60).reshape(3, 4, 5)
i = torch.tensor([0, 2])
j = torch.tensor([1, 3])
exprs = [
    "x[0, 1, 2]", "x[-1, -2, -3]", "x[..., 0]", "x[0, ...]", "x[:, None, 1].shape",
    "x[None].shape", "x[..., None].shape", "x[1:, ::2, 1::3]", "x[i].shape", "x[i, j]",
    "x[i, :, j].shape", "x[:, i, j]", "x[i[:, None], j]", "x[[0, 1], [1, 2], [2, 3]]",
    "x[x > 56]", "x[x % 17 == 0]", "x[True].shape", "x[False].shape", "x[x[:, 0, 0] > 10].shape",
    "x[:, [True, False, True, False], 0]", "x[2, torch.tensor([[0, 1], [2, 3]])]",
    "x[torch.tensor(1)].shape", "x[i, 0, ..., None].shape", "x[0, i, None, 1:3]",
    "x[slice(0, 2), -1]", "x[(1, 2, 3)]", "x[range(2)].shape", "x[[[0, 1], [1, 2]]].shape",
    "x[3]", "x[0, 4]", "x[0, 0, 0, 0]", "x[torch.tensor([0, 3])]", "x[::-1]", "x[::0]",
    "x[1.5]", "x['a']", "x[torch.tensor([True, False])]", "x[i, torch.tensor([0, 1, 2])]",
    "x[torch.tensor([0.5])]", "x[..., ...]", "x[5:].shape", "x[2:1].shape", "x[-10:2].shape",
    "x[[]].shape", "x[torch.tensor([], dtype=torch.long)].shape", "x[i.byte()].shape",
]
for e in exprs:
    try:
        print(e, "=>", eval(e))
    except Exception as err:
        print(e, "=>", type(err).__name__, "|", err)

y = torch.zeros(3, 4)
y[i, j] = 5.
y[[1]] = torch.arange(4.)
y[y == 0] = -1
y[..., -1] *= 2
print(y)
y[[0, 0, 0], [0, 0, 0]] += 1
print(y[0, 0].item())
y.index_put_((torch.tensor([0, 0]), torch.tensor([0, 0])), torch.tensor([1., 1.]), accumulate=True)
print(y[0])
for bad in ["y[0] = torch.ones(3)", "y[:, 0] = torch.ones(2)", "y[y > 0] = torch.ones(2)", "y[7] = 1"]:
    try:
        exec(bad)
    except Exception as err:
        print(bad, "=>", type(err).__name__, "|", err)
