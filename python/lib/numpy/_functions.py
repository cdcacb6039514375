"""Functions of arrays, by those of tensors."""

import torch
from numpy._array import array, asarray


def _whole(function):
    """A function of arrays, lists and numbers by that of tensors."""

    def called(a, *args, **kwargs):
        found = function(asarray(a)._tensor, *args, **kwargs)
        return found.item() if found.dim() == 0 else array(found)

    return called


abs, tanh, floor, ceil = (_whole(getattr(torch.Tensor, name)) for name in "abs tanh floor ceil".split())
round = around = _whole(lambda x, decimals=0: torch.round(x, decimals=decimals) if x.is_floating_point() else x)
argmax, argmin, argsort = (_whole(getattr(torch.Tensor, name)) for name in "argmax argmin argsort".split())
max, min, sum = (
    _whole(lambda x, axis=None, reduce=reduce: reduce(x) if axis is None else reduce(x, axis))
    for reduce in (torch.Tensor.amax, torch.Tensor.amin, torch.Tensor.sum)
)
mean, std = (
    _whole(lambda x, axis=None, reduce=reduce: reduce(x if x.is_floating_point() else x.double(), axis))
    for reduce in (torch.Tensor.mean, lambda x, axis: x.std(axis, correction=0))
)


def linspace(start, stop, num=50):
    return array(torch.linspace(start, stop, num, dtype=torch.float64))


def concatenate(arrays, axis=0):
    return array(torch.cat([asarray(a)._tensor for a in arrays], axis))


def stack(arrays, axis=0):
    return array(torch.stack([asarray(a)._tensor for a in arrays], axis))


def allclose(a, b, rtol=1e-5, atol=1e-8):
    a, b = (asarray(x)._tensor.double() for x in (a, b))
    return torch.allclose(*torch.broadcast_tensors(a, b), rtol=rtol, atol=atol)
