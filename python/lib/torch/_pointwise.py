"""Functions of single elements that are made of others."""

import math as _math

import _torch as _C
from _torch import TensorBase as _Base
from torch import _methods
from torch._tensor import Tensor


def round(input, *, decimals=None):
    if decimals is None:
        return _Base.round(input)
    if not input.is_floating_point():
        _methods.lacks("round_cpu" if decimals else "round_vml_cpu", input)
    if decimals == 0:
        return _Base.round(input)
    factor = 10.0 ** abs(decimals)
    return _Base.round(input * factor) / factor if decimals > 0 else _Base.round(input / factor) * factor


def clamp(input, min=None, max=None):
    """Limits are numbers, or tensors with one for each element."""
    if not isinstance(min, Tensor) and not isinstance(max, Tensor):
        return _Base.clamp(input, min, max)
    if min is not None:
        input = input.maximum(min if isinstance(min, Tensor) else _C.full_like(input, min))
    return input if max is None else input.minimum(max if isinstance(max, Tensor) else _C.full_like(input, max))


def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    """Numbers in the place of what is none; the largest and the smallest in that of infinities."""
    if not input.is_floating_point():
        return input.clone()
    limits = _C._finfo(input.dtype)
    filled = _C.where(input.isnan(), nan, input)
    filled = _C.where(filled == _math.inf, limits[0] if posinf is None else posinf, filled)
    return _C.where(filled == -_math.inf, limits[1] if neginf is None else neginf, filled)


_methods.record(globals(), "nan_to_num")
_methods.place(
    globals(),
    "round sign square tan asin acos atan sinh cosh erf log2 log10 log1p exp2 expm1 tril triu bitwise_and bitwise_or "
    "bitwise_xor bitwise_not bitwise_left_shift bitwise_right_shift logical_and logical_or logical_xor logical_not eq ne lt le "
    "gt ge cumsum cumprod addmm nan_to_num fmod",
)
_methods.add(globals(), ("Tensor",))
for _name in "and or xor lshift rshift".split():
    setattr(Tensor, f"__i{_name}__", _methods.in_place(f"__{_name}__"))
