"""Data sets and loaders."""

import torch
from helper_module import shown
from torch.utils.data import DataLoader, Dataset, IterableDataset, RandomSampler, SequentialSampler, Subset, TensorDataset, random_split


class Squares(Dataset):
    def __len__(self):
        return 7

    def __getitem__(self, i):
        if i >= 7:
            raise IndexError
        return {"x": float(i), "y": i * i, "t": torch.tensor([i, i])}


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(5))


data = TensorDataset(torch.arange(10).view(5, 2), torch.arange(5.0))
shown(len(data), data[1], data[1:3])
for x, y in DataLoader(data, batch_size=2):
    shown(x, y)
loader = DataLoader(Squares(), batch_size=3, drop_last=True)
shown(len(loader), [b["y"] for b in loader], next(iter(loader))["t"], next(iter(loader))["x"].dtype)
torch.manual_seed(3)
for (x,) in DataLoader(TensorDataset(torch.arange(8)), batch_size=3, shuffle=True):
    shown(x)
g = torch.Generator().manual_seed(1)
shown([b.tolist() for (b,) in DataLoader(TensorDataset(torch.arange(6)), batch_size=4, shuffle=True, generator=g)])
shown([b.tolist() for b in DataLoader(Stream(), batch_size=2)], list(DataLoader([1, 2, 3], batch_size=None)))
a, b = random_split(Squares(), [5, 2], generator=torch.Generator().manual_seed(0))
shown(len(a), len(b), a.indices, b[0]["y"], Subset(Squares(), [1, 3])[1]["y"])
shown(list(SequentialSampler(range(3))), sorted(RandomSampler(range(4))))
shown(list(DataLoader(range(5), batch_size=2, collate_fn=lambda items: sum(items))))
shown(next(iter(DataLoader([("a", 1), ("b", 2)], batch_size=2))))
