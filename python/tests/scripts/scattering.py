"""gather, scatter, take and where in typical use."""
import torch

logits = torch.tensor([[0.1, 2.0, -1.0, 0.5],
                       [1.5, 0.2, 0.3, 0.9],
                       [-0.5, 0.0, 3.0, 1.0]])
labels = torch.tensor([1, 3, 2])
picked = logits.gather(1, labels.unsqueeze(1))
print(picked, picked.shape)
print(logits.gather(0, torch.tensor([[0, 1, 2, 0]])))

# one-hot by scatter
one_hot = torch.zeros(3, 4).scatter_(1, labels.unsqueeze(1), 1.0)
print(one_hot)
print(torch.zeros(3, 4, dtype=torch.long).scatter(1, labels[:, None], 1))
print(torch.nn.functional.one_hot(labels), torch.nn.functional.one_hot(labels, num_classes=5).shape)

# segment sums
values = torch.tensor([10., 20., 30., 40., 50.])
groups = torch.tensor([0, 1, 0, 2, 1])
print(torch.zeros(3).scatter_add_(0, groups, values))
print(torch.zeros(3).index_add_(0, groups, values))

# sort and gather
order = logits.argsort(dim=1, descending=True)
print(order)
print(logits.gather(1, order), logits.take(torch.tensor([0, 11, -1])))
rank = torch.empty_like(order).scatter_(1, order, torch.arange(4).expand(3, 4))
print(rank)

# top-k filtering
k = 2
kth = logits.topk(k, dim=-1).values[:, -1:]
print(logits.masked_fill(logits < kth, float("-inf")))
print(torch.where(logits < kth, torch.tensor(float("-inf")), logits))
print(torch.where(logits > 0, logits, 0.0))
print(torch.where(logits > 0, 1, 0).dtype, torch.where(logits > 0, 1, 0))
print(torch.where(labels > 1, labels, -labels))
print(torch.where(torch.tensor([True, False]), 1.0, torch.tensor([2, 3])).dtype)
src = torch.arange(12.0).view(3, 4)
print(torch.zeros(3, 4).index_add(0, torch.tensor([0, 0, 2]), src, alpha=2), src.index_select(1, torch.tensor([2, 2, 0])))
errs = {
    "gather dtype": lambda: src.gather(0, torch.tensor([[0]]).int()),
    "scatter oob": lambda: torch.zeros(3, 4).scatter_(1, torch.tensor([[4]]), 1.0),
    "scatter dtype": lambda: torch.zeros(3, 4).scatter_(1, torch.tensor([[0]]), torch.ones(1, 1, dtype=torch.double)),
    "index_select oob": lambda: src.index_select(0, torch.tensor([5])),
    "index_select f": lambda: src.index_select(0, torch.tensor([0.0])),
    "index_add shape": lambda: src.index_add(0, torch.tensor([0]), src),
    "take oob": lambda: src.take(torch.tensor([12])),
    "masked_fill dt": lambda: src.masked_fill(torch.ones(3, 4), 1),
    "masked_select sh": lambda: src.masked_select(torch.ones(2, dtype=torch.bool)),
    "where sh": lambda: torch.where(src > 0, torch.ones(2), src),
}
for name, f in errs.items():
    try:
        print(name, "=> no error", f())
    except Exception as e:
        print(name, "=>", type(e).__name__, "|", str(e).split("\n")[0])
