"""Random numbers in place."""

import _torch as _C
from torch import _methods
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


@no_grad
def exponential_(input, lambd=1, *, generator=None):
    """Waits of an event that comes `lambd` times in a unit of time."""
    if lambd <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd}")
    uniform = _C.rand(input.shape, generator=generator, dtype=_C.float64)
    return input.copy_(-(-uniform).log1p() / lambd)


_methods.add(globals(), ("no_grad",))
