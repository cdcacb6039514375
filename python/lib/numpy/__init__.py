"""Arrays with NumPy's names: elements in a tensor, in files as NumPy writes them."""

import math as _math

import _outside
import torch as _torch
from _files import fspath as _fspath
from numpy._array import asarray, array, ndarray
from numpy._dtypes import (
    bool_, dtype, float16, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32,
)
from numpy import _dtypes
from numpy._memmap import fromfile, memmap
from numpy._functions import (
    abs, add, all, allclose, any, argmax, argmin, argsort, around, ceil, clip, concatenate, cos, cumsum, divide, dot, expand_dims,
    floor, isnan, linspace, matmul, max, maximum, mean, min, minimum, multiply, ones_like, outer, power, prod, reshape, round, sign, sin, sort,
    square, stack, std, subtract, sum, tanh, transpose, unique, var, where, zeros_like,
)
from numpy import random

_outside.guard("numpy")
_outside.guard("numpy.random")

pi, e, inf, nan, newaxis = _math.pi, _math.e, _math.inf, _math.nan, None


def arange(start, stop=None, step=1, dtype=None):
    """Numbers from `start` up to `stop`."""
    if stop is None:
        start, stop = 0, start
    if (stop - start) / step < 0:
        stop = start
    kept = _torch.float64 if float in (type(start), type(stop), type(step)) else _torch.int64
    numbers = array(_torch.arange(start, stop, step, dtype=kept))
    return numbers if dtype is None else numbers.astype(dtype)


def array_equal(a1, a2):
    """Whether both have the same shape and the same elements."""
    a1, a2 = asarray(a1), asarray(a2)
    return a1.shape == a2.shape and bool((a1._tensor == a2._tensor).all())


def _filled(shape, value, dtype):
    kind = _dtypes.dtype(dtype)
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return ndarray(_torch.full(shape, value, dtype=kind._torch), kind)


def zeros(shape, dtype=float):
    return _filled(shape, 0, dtype)


def ones(shape, dtype=float):
    return _filled(shape, 1, dtype)


def eye(N):
    return array(_torch.eye(N, dtype=_torch.float64))


def full(shape, fill_value, dtype=None):
    return _filled(shape, fill_value, type(fill_value) if dtype is None else dtype)


def _function(name, of_number):
    def function(x):
        if isinstance(x, (int, float)):
            return of_number(x)
        x = asarray(x)
        x = x if x.dtype.kind == "f" else x.astype(float)
        return ndarray(getattr(x._tensor, name)(), x.dtype)

    function.__name__ = name
    return function


def _root(x):
    return _math.sqrt(x) if x >= 0 else nan


def _logarithm(x):
    return _math.log(x) if x > 0 else (-inf if x == 0 else nan)


sqrt = _function("sqrt", _root)
exp = _function("exp", _math.exp)
log = _function("log", _logarithm)
