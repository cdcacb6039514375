"""What stands between brackets, and what is assigned there."""

import torch
from helper_module import attempt, shown

x = torch.arange(60).reshape(3, 4, 5)
i = torch.tensor([0, 2])
j = torch.tensor([1, 3])
exprs = [
    "x[0, 1, 2]", "x[-1, -2, -3]", "x[..., 0]", "x[0, ...]", "x[:, None, 1].shape",
    "x[None].shape", "x[..., None].shape", "x[1:, ::2, 1::3]", "x[i].shape", "x[i, j]",
    "x[i, :, j].shape", "x[:, i, j]", "x[i[:, None], j]", "x[[0, 1], [1, 2], [2, 3]]",
    "x[x > 56]", "x[x % 17 == 0]", "x[True].shape", "x[False].shape", "x[x[:, 0, 0] > 10].shape",
    "x[:, [True, False, True, False], 0]", "x[2, torch.tensor([[0, 1], [2, 3]])]",
    "x[torch.tensor(1)].shape", "x[: i[1]].shape", "[10, 20, 30][i[1]]", "x[i, 0, ..., None].shape", "x[0, i, None, 1:3]",
    "x[slice(0, 2), -1]", "x[(1, 2, 3)]", "x[range(2)].shape", "x[[[0, 1], [1, 2]]].shape", "x[[[0, 1]]].shape", "x[[True, False, True]].shape",
    "x[3]", "x[0, 4]", "x[0, 0, 0, 0]", "x[torch.tensor([0, 3])]", "x[::-1]", "x[::0]",
    "x[1.5]", "x['a']", "x[torch.tensor([True, False])]", "x[i, torch.tensor([0, 1, 2])]",
    "x[torch.tensor([0.5])]", "x[..., ...].shape", "x[5:].shape", "x[2:1].shape", "x[-10:2].shape",
    "x[[]]", "x[[], :].shape", "x[:, []].shape", "x[torch.tensor([], dtype=torch.long)].shape", "x[i.byte()].shape", "torch.tensor(3)[0]",
]
for e in exprs:
    print(e, "=>", end=" ")
    attempt(lambda: eval(e))
for row in x[0, :2, :2]:
    print(row, [v.item() for v in row])
a, b = x[0, 0, :2]
print(a, b, a.item(), float(b), int(b), bool(a), len(x), x.tolist()[2][3][4], 3.0 in x, 99 in x)

y = torch.zeros(4, 5)
for statement in (
    "y[0] = 1",
    "y[:, 0] = 2",
    "y[1, 1:4] = torch.tensor([7.0, 8.0, 9.0])",
    "y[-1, -1] = 3.5",
    "y[2:, 2:4] = torch.tensor([[1.0], [2.0]])",
    "y[y == 0] = -1",
    "y[y > 5] *= 10",
    "y[[0, 3], [4, 0]] = torch.tensor([100.0, 200.0])",
    "y[..., 1] += 0.5",
    "y[:, [0, 2]] = y[:, [2, 0]]",
    "y[torch.tensor([1, 2])] = torch.zeros(5)",
    "y[y < 0] = torch.tensor(0.25)",
    "y[[1]] = torch.arange(5.0)",
    "y[[0, 0, 0], [0, 0, 0]] += 1",
    "y.index_put_((torch.tensor([0, 0]), torch.tensor([0, 0])), torch.tensor([1.0, 1.0]), accumulate=True)",
    "y[torch.eye(4, 5, dtype=torch.bool)] = torch.tensor([10.0, 20.0, 30.0, 40.0])",
    "y[y < 5] = torch.arange(float((y < 5).sum()))",
    "y[0], y[2] = y[2].clone(), y[0].clone()",
    "y[::2, ::2] = 0",
    "y[0] = torch.ones(3)",
    "y[:, 0] = torch.ones(2)",
    "y[y > 0] = torch.ones(2)",
    "y[7] = 1",
):
    print(statement, "=>", end=" ")
    attempt(lambda: exec(statement) or y.tolist())

# A float in a tensor of integers loses what is behind the point.
k = torch.zeros(3, dtype=torch.int64)
k[0], k[1], k[2] = 2.9, -2.9, True
h = torch.zeros(5, dtype=torch.long)
where = torch.tensor([0, 1, 1, 3, 3, 3])
h[where] += 1
print(k, h.tolist(), h.zero_().index_put_((where,), torch.ones(6, dtype=torch.long), accumulate=True))
g = torch.zeros(2, 3).index_put_((torch.tensor([0, 1]), torch.tensor([2, 0])), torch.tensor([5.0, 6.0]))
shown(g, torch.index_put(g, (torch.tensor([1]),), torch.tensor(9.0)), g[1])

# The tensor that a view is of.
b = torch.arange(24)
v = b.view(2, 3, 4)
w, s = v[0].t(), b.split(6)
print(v._base is b, w._base is b, w._base is v._base, b._base, x._base is not None, s[0]._base is b, s[1]._base is s[2]._base, v.T._base is b, b[2:5]._base is b, b.clone()._base)
print(x.contiguous() is x, w.contiguous() is w, w.contiguous().is_contiguous())
