"""Random numbers of other distributions, in place."""

import math as _math

import _torch as _C
from torch import _methods
from torch._functions import broadcast_tensors
from torch.autograd import no_grad


@no_grad
def random_(input, *bounds, generator=None):
    """Whole numbers from 0 or `from` on, below `to` or all that the dtype holds exactly."""
    if bounds:
        low, high = (0, bounds[0]) if len(bounds) == 1 else bounds
    else:
        digits = {_C.float64: 53, _C.float32: 24, _C.float16: 11, _C.bfloat16: 8, _C.bool: 1, _C.int64: 63}
        bits = digits.get(input.dtype, 8 * input.dtype.itemsize - input.dtype.is_signed)
        if input.dtype == _C.int64:
            return input.copy_(_C.randint(-1, 2**63 - 1, input.shape, generator=generator) + 1)
        low, high = 0, 2**bits + input.is_floating_point()
    return input.copy_(_C.randint(low, high, input.shape, generator=generator))


def _drawn(name, rule):
    @no_grad
    def drawn(input, *args, generator=None, **kwargs):
        return input.copy_(rule(_C.rand(input.shape, generator=generator, dtype=_C.float64), *args, **kwargs))

    drawn.__name__ = name
    return drawn


@no_grad
def log_normal_(input, mean=1, std=2, *, generator=None):
    # Normal numbers one by one, as a tensor with gaps gets them.
    apart = _C.empty((*input.shape, 2), dtype=_C.float64)[..., 0]
    return input.copy_(apart.normal_(mean, std, generator=generator).exp())


def _exponential(u, lambd=1):
    if lambd <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    return -(-u).log1p() / lambd


def _geometric(u, p):
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    return (u.log() / _math.log1p(-p)).ceil()


exponential_, geometric_ = _drawn("exponential_", _exponential), _drawn("geometric_", _geometric)
cauchy_ = _drawn("cauchy_", lambda u, median=0, sigma=1: median + sigma * (_math.pi * (u - 0.5)).tan())


def _each(rule):
    """Draws one by one: each takes as many numbers as it needs."""

    @no_grad
    def drawn(*inputs, generator=None):
        inputs = broadcast_tensors(*inputs)

        def uniform():
            return _C.rand((), generator=generator, dtype=_C.float64).item()

        values = [rule(uniform, *numbers) for numbers in zip(*(input.flatten().tolist() for input in inputs))]
        return _C.tensor(values, dtype=inputs[0].dtype).view(inputs[0].shape)

    return drawn


def _poisson(uniform, rate):
    """Products of uniform numbers; of large rates transformed rejection (Hörmann 1993)."""
    if rate < 0:
        raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
    if rate < 10:
        count, product = 0, uniform() if rate else 0.0
        while product > _math.exp(-rate):
            count, product = count + 1, product * uniform()
        return float(count)
    root = _math.sqrt(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse, limit = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)
    while True:
        u, v = uniform() - 0.5, uniform()
        edge = 0.5 - abs(u)
        count = _math.floor((2 * a / edge + b) * u + rate + 0.43)
        if edge >= 0.07 and v <= limit:
            return float(count)
        if count < 0 or edge < 0.013 and v > edge:
            continue
        left = _math.log(v) + _math.log(inverse) - _math.log(a / (edge * edge) + b)
        if left <= count * _math.log(rate) - rate - _math.lgamma(count + 1):
            return float(count)


def _binomial(uniform, count, chance):
    """Waits from success to success; of many expected ones transformed rejection (Hörmann 1993)."""
    if count <= 0 or chance <= 0:
        return 0.0
    if chance >= 1:
        return count
    if chance > 0.5:
        return count - _binomial(uniform, count, 1 - chance)
    if count * chance >= 10:
        return _many(uniform, count, chance)
    found, waited = 0.0, 0.0
    while True:
        waited += _math.ceil(_math.log(uniform()) / _math.log1p(-chance))
        if waited > count:
            return found
        found += 1


def _many(uniform, count, chance):
    deviation = _math.sqrt(count * chance * (1 - chance))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * chance
    limit, odds = 0.92 - 4.2 / b, chance / (1 - chance)
    alpha, middle = (2.83 + 5.1 / b) * deviation, _math.floor((count + 1) * chance)
    while True:
        u, v = uniform() - 0.5, uniform()
        edge = 0.5 - abs(u)
        found = _math.floor((2 * a / edge + b) * u + count * chance + 0.5)
        if edge >= 0.07 and v <= limit:
            return float(found)
        if not 0 <= found <= count:
            continue
        bound = (middle + 0.5) * _math.log((middle + 1) / (odds * (count - middle + 1)))
        bound += (count + 1) * _math.log((count - middle + 1) / (count - found + 1))
        bound += (found + 0.5) * _math.log(odds * (count - found + 1) / (found + 1))
        bound += _tail(middle) + _tail(count - middle) - _tail(found) - _tail(count - found)
        if _math.log(v * alpha / (a / (edge * edge) + b)) <= bound:
            return float(found)


def _tail(k):
    """What Stirling's formula of k! lacks."""
    return _math.lgamma(k + 1) - (k + 0.5) * _math.log(k + 1) + (k + 1) - _math.log(2 * _math.pi) / 2


poisson, binomial = _each(_poisson), _each(_binomial)
_methods.add(globals(), ("binomial", "broadcast_tensors", "no_grad", "poisson"))
