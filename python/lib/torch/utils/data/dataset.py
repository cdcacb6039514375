"""Where examples come from."""

import math

import _torch as _C

__all__ = ["Dataset", "IterableDataset", "Subset", "TensorDataset", "random_split"]


class Dataset:
    """Examples by their numbers."""

    def __class_getitem__(cls, item):
        return cls

    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class IterableDataset(Dataset):
    """Examples one after the other."""


class TensorDataset(Dataset):
    """Tensors of as many rows; an example is a row of each."""

    def __init__(self, *tensors):
        if any(tensor.size(0) != tensors[0].size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return self.tensors[0].size(0)


class Subset(Dataset):
    """Some examples of another data set."""

    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, idx):
        return self.dataset[[self.indices[at] for at in idx] if isinstance(idx, list) else self.indices[idx]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    """Parts of a data set that have nothing in common, drawn at random; lengths may be shares of the whole."""
    count = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        shares = lengths
        lengths = [math.floor(count * share) for share in shares]
        for number in range(count - sum(lengths)):
            lengths[number % len(lengths)] += 1
    if sum(lengths) != count:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = _C.randperm(count, generator=generator).tolist()
    starts = [sum(lengths[:number]) for number in range(len(lengths))]
    return [Subset(dataset, order[start : start + length]) for start, length in zip(starts, lengths)]
