"""NumPy's older generator: the same numbers for the same seed."""

import math

import _random
from numpy._array import array

_twister = _random.Random()
_spare = None


def seed(seed=None):
    """Begins anew."""
    global _spare
    _spare = None
    if seed is None:
        _twister.seed()
        return
    if not 0 <= seed < 1 << 32:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    words = [seed]
    for place in range(1, 624):
        words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + place) & 0xFFFFFFFF)
    _twister.setstate((*words, 624))


def _shaped(draw, size, dtype):
    if size is None:
        return draw()
    shape = (size,) if isinstance(size, int) else tuple(size)
    values = [draw() for _ in range(math.prod(shape))]
    return array(values, dtype=dtype).reshape(shape)


def rand(*shape):
    """Uniform from 0 to 1."""
    return random(shape or None)


def random(size=None):
    return _shaped(_twister.random, size, "float64")


def uniform(low=0.0, high=1.0, size=None):
    return _shaped(lambda: low + (high - low) * _twister.random(), size, "float64")


def randint(low, high=None, size=None, dtype=int):
    """Integers from `low` up to but without `high`."""
    if high is None:
        low, high = 0, low
    if low >= high:
        raise ValueError("low >= high")
    span = high - low - 1
    bits = span.bit_length()

    def draw():
        # Words are drawn until the lower bits of one are small enough.
        while True:
            word = _twister.getrandbits(32)
            if span > 0xFFFFFFFF:
                word = word << 32 | _twister.getrandbits(32)
            if (word & ((1 << bits) - 1)) <= span:
                return low + (word & ((1 << bits) - 1))

    return _shaped((lambda: low) if span == 0 else draw, size, dtype)


def _gauss():
    global _spare
    if _spare is not None:
        value, _spare = _spare, None
        return value
    while True:
        x, y = 2 * _twister.random() - 1, 2 * _twister.random() - 1
        square = x * x + y * y
        if 0 < square < 1:
            scale = math.sqrt(-2 * math.log(square) / square)
            _spare = scale * x
            return scale * y


def randn(*shape):
    """Normal with mean 0 and deviation 1."""
    return _shaped(_gauss, shape or None, "float64")


def normal(loc=0.0, scale=1.0, size=None):
    return _shaped(lambda: loc + scale * _gauss(), size, "float64")
