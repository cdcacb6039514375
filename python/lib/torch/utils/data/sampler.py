"""In which order examples come."""

import _torch as _C


def drawn_seed(generator):
    """What `torch.empty((), dtype=torch.int64).random_()` draws: 63 bits."""
    return int(_C.randint(-1, 2**63 - 1, (), generator=generator)) + 1


class Sampler:
    """Numbers of examples."""

    def __class_getitem__(cls, item):
        return cls


class SequentialSampler(Sampler):
    """One after the other."""

    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    """In an order drawn at random, or each drawn anew."""

    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self.num_samples = len(data_source) if num_samples is None else num_samples

    def __iter__(self):
        generator, count = self.generator, len(self.data_source)
        if generator is None:
            # A generator of its own, whose seed comes from the default one: as in PyTorch one number is drawn there.
            generator = _C.Generator().manual_seed(drawn_seed(None))
        left = self.num_samples
        while left > 0:
            if self.replacement:
                drawn = _C.randint(0, count, (min(left, 32),), generator=generator)
            else:
                drawn = _C.randperm(count, generator=generator)[:left]
            yield from drawn.tolist()
            left -= len(drawn)
        if not self.replacement:
            # PyTorch draws one more order for what is left over, though nothing is.
            _C.randperm(count, generator=generator)

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    """Several numbers at a time."""

    def __init__(self, sampler, batch_size, drop_last):
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self):
        batch = []
        for number in self.sampler:
            batch.append(number)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self):
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
