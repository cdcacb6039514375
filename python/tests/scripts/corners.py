"""Corners where a formula, a default or a class is easily taken for another."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset

x = torch.tensor([200.0, -200.0, 0.5], requires_grad=True)
nn.BCELoss()(x.sigmoid(), torch.tensor([1.0, 0.0, 1.0])).backward()
print(x.grad)

x = torch.tensor([1.5, 2.5], requires_grad=True)
print(x.round().to(torch.int8), x.long().numpy(), (x > 2).requires_grad, x.bool())

print(F.cosine_similarity(torch.tensor([[1.0, 0.0], [1.0, 1.0]]), torch.tensor([1.0, 0.0])))
print(torch.tensor([[1.0, 2.0], [3.0, 5.0]]).var(False))
for call in [lambda: F.glu(torch.ones(2, 3)), lambda: torch.ones(2).prod(False), lambda: torch.ones(2).cumsum(False)]:
    try:
        print(call())
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__)

torch.manual_seed(0)
x = torch.ones(4)
nn.Dropout(0.5, inplace=True)(x)
print(x.count_nonzero() < 4, x.max())

x = torch.tensor([1.0, 2.0], requires_grad=True)
F.smooth_l1_loss(x, torch.tensor([1.0, 1.0]), beta=0.0).backward()
print(x.grad)


@torch.no_grad()
def steps(model, x):
    for _ in range(2):
        x = model(x)
        got = yield x
        print("sent", got)
    return x


going = steps(nn.Linear(2, 2), torch.ones(1, 2))
print(next(going).requires_grad, torch.is_grad_enabled(), going.send(3).requires_grad)
try:
    going.send(4)
except StopIteration as end:
    print(end.value.requires_grad)


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(3))

    def __len__(self):
        return 3


print(len(DataLoader(Stream(), batch_size=2)), [batch.tolist() for batch in DataLoader(Stream(), batch_size=2)])
for options in [{"batchsize": 3}, {"batch_size": 2, "batch_sampler": [[0]]}]:
    try:
        list(DataLoader([1, 2, 3], **options))
    except (TypeError, ValueError) as error:
        print(type(error).__name__)

print(bool(np.array([0])), bool(np.array(2)), float(np.array(2.5)), int(np.array(7)))
try:
    print("yes" if np.array([1, 2]) else "no")
except ValueError as error:
    print(error)

torch.set_printoptions(edgeitems=0)
print(str(torch.ones(2000)).startswith("tensor([...]"))
