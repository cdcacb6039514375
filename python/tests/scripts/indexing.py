"""What stands between brackets."""

import torch
from helper_module import attempt

x = torch.arange(24.0).reshape(4, 6)
print(x[1], x[-1, -1], x[1:3, ::2], x[..., 0], x[:, None].shape, x[None].shape)
i = torch.tensor(2)
print(x[i], x[i, i], x[:i], x[i:], [10, 20, 30][i])

t = torch.tensor([[1, 2], [3, 4]])
print(t.masked_fill(t > 2, 0), t.masked_select(t > 1), torch.where(t > 2), torch.where(t > 2, t, -t))
print(t.nonzero(), torch.nonzero(t > 1, as_tuple=True), t.argmax(), t.argmax(dim=1), torch.tensor([3, 1, 2]).argsort())
print(torch.tensor([3, 1, 2, 1]).sort(), torch.tensor([3, 1, 2, 5]).topk(2))
print(torch.tensor([3, 1, 2, 1, 3]).unique(), torch.unique(torch.tensor([3, 1, 3]), return_counts=True), torch.bincount(torch.tensor([0, 2, 2])))
print(torch.tril(torch.ones(3, 3)), torch.triu(torch.ones(2, 3), diagonal=1), torch.tril_indices(3, 3), torch.eye(2, 3))
print(torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([0, 3, 6])), torch.one_hot if False else torch.nn.functional.one_hot(torch.tensor([0, 2])))
for row in x[:2, :2]:
    print(row, [v.item() for v in row])
a, b = x[0, :2]
print(a, b, a.item(), float(b), int(b), bool(a), len(x), x.tolist()[3][5], 3.0 in x)

attempt(
    lambda: x.item(),
    lambda: bool(x),
    lambda: torch.tensor(3)[0],
    lambda: len(torch.tensor(3)),
    lambda: torch.gather(t, 1, torch.tensor([[2]])),
    lambda: list(torch.tensor(1)),
    lambda: x.topk(9),
)
