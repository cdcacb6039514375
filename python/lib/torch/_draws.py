"""Random numbers of other distributions, in place."""

import math as _math

import _torch as _C
from torch import _methods
from torch._tensor import Tensor
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


_methods.add(globals(), ("Tensor", "_drawn", "_exponential", "_geometric", "no_grad"))
