"""Batches of a data set."""

import _torch as _C
from torch.utils.data.dataset import IterableDataset
from torch.utils.data.sampler import BatchSampler, RandomSampler, SequentialSampler, drawn_seed


def default_collate(batch):
    """Examples as one batch: numbers and tensors stacked, parts of tuples and dicts each for itself."""
    first = batch[0]
    if isinstance(first, _C.TensorBase):
        return _C.stack(batch)
    if hasattr(first, "_tensor"):
        return _C.stack([item._tensor for item in batch])
    if isinstance(first, float):
        return _C.tensor(batch, dtype=_C.float64)
    if isinstance(first, int):
        return _C.tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, dict):
        return {name: default_collate([item[name] for item in batch]) for name in first}
    if isinstance(first, (tuple, list)):
        if any(len(item) != len(first) for item in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        parts = [default_collate(part) for part in zip(*batch)]
        return type(first)(*parts) if hasattr(first, "_fields") else parts
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found " + str(type(first))
    )


class DataLoader:
    """Goes through a data set in batches; whatever the number of workers, the program itself fetches them."""

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None, multiprocessing_context=None, generator=None, *, prefetch_factor=None, persistent_workers=False, pin_memory_device="", in_order=True):
        self.dataset, self.batch_size, self.drop_last, self.generator = dataset, batch_size, drop_last, generator
        self.num_workers, self.pin_memory = num_workers, pin_memory
        self._is_stream = isinstance(dataset, IterableDataset)
        if self._is_stream and shuffle:
            raise ValueError(f"DataLoader with IterableDataset: expected unspecified shuffle option, but got shuffle={shuffle}")
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
            raise ValueError("batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last")
        if batch_size is not None and batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        if sampler is None and not self._is_stream:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        self.sampler = sampler
        if batch_sampler is None and batch_size is not None and not self._is_stream:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_sampler = batch_sampler
        is_batched = batch_size is not None or batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if is_batched else _as_tensor)

    def __iter__(self):
        # PyTorch draws a seed for its workers here, even if there are none.
        drawn_seed(self.generator)
        return self._batches()

    def _batches(self):
        if self._is_stream:
            examples = iter(self.dataset)
            if self.batch_size is None:
                yield from map(self.collate_fn, examples)
                return
            for batch in BatchSampler(examples, self.batch_size, self.drop_last):
                yield self.collate_fn(batch)
        elif self.batch_sampler is None:
            for number in self.sampler:
                yield self.collate_fn(self.dataset[number])
        else:
            for numbers in self.batch_sampler:
                yield self.collate_fn([self.dataset[number] for number in numbers])

    def __len__(self):
        if self._is_stream:
            if hasattr(self.dataset, "__len__"):
                count = len(self.dataset)
                return count if self.batch_size is None else (count if self.drop_last else count + self.batch_size - 1) // self.batch_size
            raise TypeError(f"object of type '{type(self.dataset).__name__}' has no len()")
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)


def _as_tensor(example):
    return default_collate([example])[0] if hasattr(example, "_tensor") else example
