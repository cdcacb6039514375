"""NumPy's older generator, of which there is one: the same numbers for the same seed."""

import math

import _random
import torch
from numpy._array import array

_twister = _random.Random()
# Of two normal numbers that come together the second one waits here.
_spare = []


def seed(seed=None):
    """Begins anew."""
    _spare.clear()
    if seed is None:
        _twister.seed()
        return
    if not 0 <= seed < 1 << 32:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    words = [seed]
    for place in range(1, 624):
        words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + place) & 0xFFFFFFFF)
    _twister.setstate((*words, 624))


seed()


def _shaped(draw, size, dtype):
    if size is None:
        return draw()
    # Memory is asked for before numbers are drawn.
    shape = torch.empty(size, dtype=torch.float64).shape
    return array([draw() for _ in range(math.prod(shape))], dtype=dtype).reshape(shape)


def _below(count):
    """Words are drawn until the lower bits of one are small enough."""
    last = count - 1
    mask = (1 << last.bit_length()) - 1
    while last:
        word = _twister.getrandbits(32)
        if last > 0xFFFFFFFF:
            word = word << 32 | _twister.getrandbits(32)
        if word & mask <= last:
            return word & mask
    return 0


def _gauss():
    if _spare:
        return _spare.pop()
    while True:
        x, y = 2 * _twister.random() - 1, 2 * _twister.random() - 1
        square = x * x + y * y
        if 0 < square < 1:
            scale = math.sqrt(-2 * math.log(square) / square)
            _spare.append(scale * x)
            return scale * y


def random(size=None):
    """Uniform from 0 to 1."""
    return _shaped(_twister.random, size, "float64")


def rand(*shape):
    return random(shape or None)


def uniform(low=0.0, high=1.0, size=None):
    return _shaped(lambda: low + (high - low) * _twister.random(), size, "float64")


def normal(loc=0.0, scale=1.0, size=None):
    return _shaped(lambda: loc + scale * _gauss(), size, "float64")


def randn(*shape):
    """Normal with mean 0 and deviation 1."""
    return normal(size=shape or None)


def randint(low, high=None, size=None, dtype=int):
    """Integers from `low` up to but without `high`."""
    if high is None:
        low, high = 0, low
    if low >= high:
        raise ValueError("low >= high")
    return _shaped(lambda: low + _below(high - low), size, dtype)


def shuffle(x):
    for place in range(len(x) - 1, 0, -1):
        other = _below(place + 1)
        x[place], x[other] = x[other], x[place]


def permutation(x):
    items = list(range(x)) if isinstance(x, int) else list(x)
    shuffle(items)
    return array(items)


def choice(a, size=None, replace=True):
    items = range(a) if isinstance(a, int) else list(a)
    dtype = array(items[:1]).dtype
    if replace:
        return _shaped(lambda: items[_below(len(items))], size, dtype)
    count = 1 if size is None else size if isinstance(size, int) else math.prod(size)
    if count > len(items):
        raise ValueError("Cannot take a larger sample than population when 'replace=False'")
    order = iter(permutation(len(items)).tolist())
    return _shaped(lambda: items[next(order)], size, dtype)
