"""gather / scatter / take_along_dim / where in typical use."""
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

# label smoothing
eps = 0.1
smooth = torch.full((3, 4), eps / 3)
smooth.scatter_(1, labels[:, None], 1 - eps)
print(smooth)
print(smooth.sum(1))

# segment sums
values = torch.tensor([10., 20., 30., 40., 50.])
groups = torch.tensor([0, 1, 0, 2, 1])
print(torch.zeros(3).scatter_add_(0, groups, values))
print(torch.zeros(3).index_add_(0, groups, values))
for red in ["sum", "prod", "mean", "amax", "amin"]:
    out = torch.zeros(3).scatter_reduce(0, groups, values, reduce=red, include_self=False)
    print(red, out)
print(torch.ones(3).scatter_reduce(0, groups, values, "sum"))
print(torch.ones(3).scatter_(0, torch.tensor([2]), 5., reduce="add"))

# sort and gather
order = logits.argsort(dim=1, descending=True)
print(order)
print(torch.take_along_dim(logits, order, dim=1))
print(torch.take_along_dim(logits, torch.tensor([0, 11])))
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

perm = torch.tensor([2, 0, 1])
inv = torch.empty_like(perm)
inv[perm] = torch.arange(3)
print(inv, perm[inv], logits[perm][inv].equal(logits))
try:
    logits.gather(1, torch.tensor([[4]]))
except (RuntimeError, IndexError) as e:
    print(type(e).__name__, e)
try:
    logits.gather(1, torch.tensor([1, 2]))
except RuntimeError as e:
    print(e)
