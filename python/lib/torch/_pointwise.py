"""Functions of single elements that are made of others."""

import math as _math

import _torch as _C
from _torch import TensorBase as _Base
from torch import _methods
from torch._tensor import Tensor


def _of_floats(function):
    """Of whole numbers and truth values, that of floats."""

    def called(input, *args, **kwargs):
        return function(input if input.is_floating_point() else input.to(_C._get_default_dtype()), *args, **kwargs)

    called.__name__ = function.__name__
    return called


@_of_floats
def tan(input):
    return input.sin() / input.cos()


@_of_floats
def atan(input):
    return _C.atan2(input, _C.ones_like(input))


@_of_floats
def asin(input):
    return _C.atan2(input, (1 - input.square()).sqrt())


@_of_floats
def acos(input):
    return _C.atan2((1 - input.square()).sqrt(), input)


@_of_floats
def sinh(input):
    return (input.exp() - (-input).exp()) / 2


@_of_floats
def cosh(input):
    return (input.exp() + (-input).exp()) / 2


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


_methods.record(globals(), "tan atan asin acos sinh cosh nan_to_num")
_methods.place(
    globals(),
    "sigmoid tanh relu round floor ceil trunc sign square sin cos tan erf log2 log10 log1p exp2 expm1 tril triu bitwise_and "
    "bitwise_or bitwise_xor bitwise_not logical_and logical_or logical_xor logical_not eq ne lt le gt ge cumsum cumprod addmm "
    "nan_to_num fmod",
)
_methods.add(globals(), ("Tensor",))
