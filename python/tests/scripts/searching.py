"""Sorting, finding, gathering and scattering."""

import torch
import torch.nn.functional as F
from helper_module import attempt, shown

x = torch.tensor([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5])
shown(x.sort(), x.sort(descending=True).values, torch.sort(x, stable=True).indices, torch.argsort(x, stable=True, descending=True))
shown(torch.tensor([[3.0, 1.0, 2.0], [0.0, 7.0, 8.0]]).sort(dim=0), torch.tensor([1.0, float("nan"), -1.0]).sort())
shown(torch.tensor([1.0, 5.0, 3.0, 4.0]).topk(2), torch.topk(torch.tensor([1.0, 5.0, 3.0, 4.0]), 2, largest=False), torch.tensor([[1, 8, 3], [6, 5, 4]]).topk(2, dim=1).indices)
u, inv, cnt = torch.unique(x, return_inverse=True, return_counts=True)
shown(x.flip(0).unique(sorted=True), torch.unique(x, return_counts=True), u, inv, cnt, u[inv].equal(x), torch.tensor([True, False, True]).unique())
shown(x.bincount(), x.bincount(minlength=12), torch.bincount(torch.tensor([0, 1, 1]), weights=torch.tensor([0.5, 1.0, 2.0])))
bounds = torch.tensor([1, 3, 5, 7])
shown(torch.searchsorted(bounds, torch.tensor([0, 1, 2, 5, 8])), torch.searchsorted(bounds, torch.tensor([0, 1, 2, 5, 8]), right=True), torch.searchsorted(bounds, 4))
shown(torch.searchsorted(torch.tensor([0.1, 0.3, 0.7, 1.0]), torch.tensor([0.05, 0.5, 0.95])), torch.isin(x, torch.tensor([1, 5])), torch.isin(x, 9).nonzero().flatten())
shown(torch.allclose(x + 0.5, x + 0.5 + 1e-9), torch.isclose(x + 0.5, x + 0.501), torch.equal(x, x.clone()), torch.eq(x, 5).sum(), x.float().median())
t = torch.tensor([[1, 2], [3, 4]])
shown(t.masked_fill(t > 2, 0), t.masked_select(t > 1), torch.where(t > 2), torch.where(t > 2, t, -t), t.argmax(), t.argmax(dim=1))
shown(t.nonzero(), torch.nonzero(t > 1, as_tuple=True), torch.argwhere(x > 4).T)
shown(torch.tril(torch.ones(3, 3)), torch.triu(torch.ones(2, 3), diagonal=1), torch.tril_indices(3, 3), torch.triu_indices(2, 3, offset=1), torch.eye(2, 3))

logits = torch.tensor([[0.1, 2.0, -1.0, 0.5], [1.5, 0.2, 0.3, 0.9], [-0.5, 0.0, 3.0, 1.0]])
labels = torch.tensor([1, 3, 2])
shown(logits.gather(1, labels.unsqueeze(1)), logits.gather(0, torch.tensor([[0, 1, 2, 0]])))
shown(torch.zeros(3, 4).scatter_(1, labels.unsqueeze(1), 1.0), torch.zeros(3, 4, dtype=torch.long).scatter(1, labels[:, None], 1))
shown(F.one_hot(labels), F.one_hot(labels, num_classes=5).shape)
# Sums of groups.
values, groups = torch.tensor([10.0, 20.0, 30.0, 40.0, 50.0]), torch.tensor([0, 1, 0, 2, 1])
shown(torch.zeros(3).scatter_add_(0, groups, values), torch.scatter_add(torch.ones(3), 0, groups, values), torch.zeros(3).index_add_(0, groups, values))
order = logits.argsort(dim=1, descending=True)
shown(order, logits.gather(1, order), logits.take(torch.tensor([0, 11, -1])), torch.empty_like(order).scatter_(1, order, torch.arange(4).expand(3, 4)))
# The two largest of each row.
kth = logits.topk(2, dim=-1).values[:, -1:]
shown(logits.masked_fill(logits < kth, float("-inf")), torch.where(logits < kth, torch.tensor(float("-inf")), logits), torch.where(logits > 0, logits, 0.0))
shown(torch.where(logits > 0, 1, 0), torch.where(torch.tensor([True, False]), 1.0, torch.tensor([2, 3])).dtype)
src = torch.arange(12.0).view(3, 4)
shown(torch.zeros(3, 4).index_add(0, torch.tensor([0, 0, 2]), src, alpha=2), src.index_select(1, torch.tensor([2, 2, 0])))
attempt(
    lambda: torch.arange(3).topk(5),
    lambda: torch.gather(t, 1, torch.tensor([[2]])),
    lambda: src.gather(0, torch.tensor([[0]]).int()),
    lambda: src.gather(0, torch.tensor([[0.0]])),
    lambda: torch.zeros(3, 4).scatter_(1, torch.tensor([[4]]), 1.0),
    lambda: torch.zeros(3, 4).scatter_(1, torch.tensor([[0]]), torch.ones(1, 1, dtype=torch.double)),
    lambda: src.index_select(0, torch.tensor([5])),
    lambda: src.index_select(0, torch.tensor([0.0])),
    lambda: src.index_add(0, torch.tensor([0]), src),
    lambda: src.take(torch.tensor([12])),
    lambda: src.masked_fill(torch.ones(3, 4), 1),
    lambda: src.masked_select(torch.ones(2, dtype=torch.bool)),
    lambda: torch.where(src > 0, torch.ones(2), src),
)
numbers = torch.tensor([1.0, 2.0, float("nan")])
shown(torch.searchsorted(numbers[:2], float("nan")), torch.searchsorted(numbers, torch.tensor([float("nan"), 1.5])))
shown(torch.searchsorted(numbers[:2], torch.tensor([float("nan"), 2.0]), right=True))
