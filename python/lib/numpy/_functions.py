"""Functions of arrays, by those of tensors."""

import torch
from numpy._array import array, asarray, ndarray


def _given(tensor):
    """What a function gives back: a number, or an array."""
    return tensor.item() if tensor.dim() == 0 else array(tensor)


def _whole(function):
    """A function of arrays, lists and numbers by that of tensors."""

    def called(a, *args, **kwargs):
        return _given(function(asarray(a)._tensor, *args, **kwargs))

    return called


abs, tanh, floor, ceil, sin, cos, sign, square, isnan, argmax, argmin, argsort, unique = (
    _whole(getattr(torch.Tensor, name))
    for name in "abs tanh floor ceil sin cos sign square isnan argmax argmin argsort unique".split()
)
round = around = _whole(lambda x, decimals=0: torch.round(x, decimals=decimals) if x.is_floating_point() else x)
mean, std, var = (
    _whole(lambda x, axis=None, reduce=reduce: reduce(x if x.is_floating_point() else x.double(), axis))
    for reduce in (torch.Tensor.mean, lambda x, axis: x.std(axis, correction=0), lambda x, axis: x.var(axis, correction=0))
)


def _along(function):
    return _whole(lambda x, axis=None: function(x) if axis is None else function(x, axis))


any, all, prod, sum, max, min = (_along(getattr(torch.Tensor, name)) for name in "any all prod sum amax amin".split())
cumsum = _whole(lambda x, axis=None: x.flatten().cumsum(0) if axis is None else x.cumsum(axis))
sort = _whole(lambda x, axis=-1: x.sort(axis)[0])
expand_dims = _whole(lambda x, axis: x.unsqueeze(axis))
clip = _whole(lambda x, low, high: x.clamp(low, high))
for _name in "sum mean max min std var any all prod argmax argmin argsort cumsum round clip".split():
    setattr(ndarray, _name, globals()[_name])
del _name


def _of_two(function):
    def called(a, b):
        return _given(function(*(asarray(x)._tensor for x in (a, b))))

    return called


dot = matmul = _of_two(lambda a, b: a @ b if a.dim() and b.dim() else a * b)
outer = _of_two(lambda a, b: a.flatten().outer(b.flatten()))
maximum, minimum, power = (_of_two(getattr(torch, name)) for name in "maximum minimum pow".split())


def where(condition, x=None, y=None):
    if x is None:
        return tuple(array(places) for places in asarray(condition)._tensor.nonzero(as_tuple=True))
    return array(torch.where(asarray(condition)._tensor, asarray(x)._tensor, asarray(y)._tensor))


def reshape(a, shape):
    return asarray(a).reshape(shape)


def transpose(a, axes=None):
    return asarray(a).transpose(*(axes or ()))


def zeros_like(a):
    return asarray(a) * 0


def ones_like(a):
    return asarray(a) * 0 + 1


def linspace(start, stop, num=50):
    return array(torch.linspace(start, stop, num, dtype=torch.float64))


def _joined(function):
    return lambda arrays, axis=0: array(function([asarray(a)._tensor for a in arrays], axis))


concatenate, stack = map(_joined, (torch.cat, torch.stack))


def allclose(a, b, rtol=1e-5, atol=1e-8):
    a, b = (asarray(x)._tensor.double() for x in (a, b))
    return torch.allclose(*torch.broadcast_tensors(a, b), rtol=rtol, atol=atol)


def _arithmetic(name):
    def called(a, b, out=None):
        found = getattr(asarray(a), f"__{name}__")(b)
        if out is None:
            return found
        out._tensor.copy_(found._tensor)
        return out

    called.__name__ = name
    return called


add, multiply = _arithmetic("add"), _arithmetic("mul")
subtract, divide = _arithmetic("sub"), _arithmetic("truediv")
