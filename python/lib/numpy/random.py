"""NumPy's older generator: the same numbers for the same seed."""

import math

import _random
from numpy._array import array


class RandomState:
    def __init__(self, seed=None):
        self._twister = _random.Random()
        self.seed(seed)

    def seed(self, seed=None):
        """Begins anew."""
        self._spare = None
        if seed is None:
            self._twister.seed()
            return
        if not 0 <= seed < 1 << 32:
            raise ValueError("Seed must be between 0 and 2**32 - 1")
        words = [seed]
        for place in range(1, 624):
            words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + place) & 0xFFFFFFFF)
        self._twister.setstate((*words, 624))

    def rand(self, *shape):
        """Uniform from 0 to 1."""
        return self.random(shape or None)

    def random(self, size=None):
        return _shaped(self._twister.random, size, "float64")

    random_sample = random

    def uniform(self, low=0.0, high=1.0, size=None):
        return _shaped(lambda: low + (high - low) * self._twister.random(), size, "float64")

    def randint(self, low, high=None, size=None, dtype=int):
        """Integers from `low` up to but without `high`."""
        if high is None:
            low, high = 0, low
        if low >= high:
            raise ValueError("low >= high")
        return _shaped(lambda: low + self._below(high - low), size, dtype)

    def _below(self, count):
        """Words are drawn until the lower bits of one are small enough."""
        last = count - 1
        mask = (1 << last.bit_length()) - 1
        while last:
            word = self._twister.getrandbits(32)
            if last > 0xFFFFFFFF:
                word = word << 32 | self._twister.getrandbits(32)
            if word & mask <= last:
                return word & mask
        return 0

    def shuffle(self, x):
        for place in range(len(x) - 1, 0, -1):
            other = self._below(place + 1)
            x[place], x[other] = x[other], x[place]

    def permutation(self, x):
        items = list(range(x)) if isinstance(x, int) else list(x)
        self.shuffle(items)
        return array(items)

    def choice(self, a, size=None, replace=True):
        items = range(a) if isinstance(a, int) else list(a)
        if replace:
            return _shaped(lambda: items[self._below(len(items))], size, array(items[:1]).dtype)
        count = 1 if size is None else size if isinstance(size, int) else math.prod(size)
        if count > len(items):
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        order = iter(self.permutation(len(items)).tolist())
        return _shaped(lambda: items[next(order)], size, array(items[:1]).dtype)

    def _gauss(self):
        if self._spare is not None:
            value, self._spare = self._spare, None
            return value
        while True:
            x, y = 2 * self._twister.random() - 1, 2 * self._twister.random() - 1
            square = x * x + y * y
            if 0 < square < 1:
                scale = math.sqrt(-2 * math.log(square) / square)
                self._spare = scale * x
                return scale * y

    def randn(self, *shape):
        """Normal with mean 0 and deviation 1."""
        return _shaped(self._gauss, shape or None, "float64")

    def normal(self, loc=0.0, scale=1.0, size=None):
        return _shaped(lambda: loc + scale * self._gauss(), size, "float64")

    def standard_normal(self, size=None):
        return self.normal(size=size)


def _shaped(draw, size, dtype):
    if size is None:
        return draw()
    shape = (size,) if isinstance(size, int) else tuple(size)
    values = [draw() for _ in range(math.prod(shape))]
    return array(values, dtype=dtype).reshape(shape)


# The one that the module's own functions draw from.
_shared = RandomState()
choice, normal, permutation, rand, randint = (
    _shared.choice, _shared.normal, _shared.permutation, _shared.rand, _shared.randint
)
randn, random, random_sample, seed, shuffle, standard_normal, uniform = (
    _shared.randn, _shared.random, _shared.random_sample, _shared.seed, _shared.shuffle, _shared.standard_normal,
    _shared.uniform,
)
