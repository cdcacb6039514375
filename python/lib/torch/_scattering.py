"""Writing to chosen places."""

import _torch as _C
from _torch import TensorBase as _Base
from torch import _methods
from torch._tensor import _LEGACY, Tensor


def index_fill(input, dim, index, value):
    return input.clone().index_fill_(dim, index, value)


def index_fill_(input, dim, index, value):
    if isinstance(value, Tensor) and value.dim():
        raise RuntimeError(
            f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.dim()} dimension(s)."
        )
    for at in index.tolist():
        input.select(dim, at).fill_(value)
    return input


def index_add(input, dim, index, source, *, alpha=1):
    return input.clone().index_add_(dim, index, source, alpha=alpha)


def index_put_(input, indices, values, accumulate=False):
    if not accumulate:
        input[tuple(indices)] = values
        return input
    # The number of each place that is written to, among all of the flat tensor.
    numbers = _C.arange(input.numel()).view(input.shape)[tuple(indices)]
    values = values.expand(numbers.shape).reshape(-1)
    return input.copy_(input.flatten().scatter_add(0, numbers.reshape(-1), values).view(input.shape))


def index_put(input, indices, values, accumulate=False):
    return input.clone().index_put_(indices, values, accumulate)


def index_copy(input, dim, index, source):
    return input.clone().index_copy_(dim, index, source)


def index_copy_(input, dim, index, source):
    if index.dtype != _C.int64:
        raise RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {_LEGACY[index.dtype]}")
    input[(slice(None),) * (dim % input.dim()) + (index,)] = source
    return input


def scatter(input, dim, index, src=None, *, value=None, reduce=None):
    return input.clone().scatter_(dim, index, src, value=value, reduce=reduce)


def scatter_(input, dim, index, src=None, *, value=None, reduce=None):
    """Writes the source, or one value, to the places that the index tells; or adds it there, or multiplies by it."""
    src = value if src is None else src
    if reduce is None:
        return _Base.scatter_(input, dim, index, src)
    if reduce not in ("add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    src = src if isinstance(src, Tensor) else _C.full_like(index, src, dtype=input.dtype)
    return input.scatter_add_(dim, index, src) if reduce == "add" else input.scatter_reduce_(dim, index, src, "prod")


def masked_scatter(input, mask, source):
    return input.clone().masked_scatter_(mask, source)


def masked_scatter_(input, mask, source):
    mask = mask.expand_as(input)
    input[mask] = source.flatten()[: int(mask.sum())]
    return input


def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    """For each place the sum, mean, product or extreme of what the index sends there, and of what was there."""
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    src = src[tuple(slice(size) for size in index.shape)]
    counts = _C.zeros_like(input).scatter_add_(dim, index, _C.ones_like(src))
    if reduce in ("sum", "mean"):
        base = input if include_self else _C.where(counts > 0, 0, input)
        sums = base.scatter_add(dim, index, src)
        counted = (counts + include_self).clamp(min=1)
        return sums if reduce == "sum" else sums / counted if input.is_floating_point() else sums // counted
    ends = {"prod": 1, "amax": _C._finfo(_C.float64)[1], "amin": _C._finfo(_C.float64)[0]}
    if not input.is_floating_point():
        ends.update(amax=-(2**62), amin=2**62)
    out = input.clone() if include_self else _C.where(counts > 0, ends[reduce], input)
    combine = {"prod": _C.mul, "amax": _C.maximum, "amin": _C.minimum}[reduce]
    lanes, places, given = out.movedim(dim, 0), index.movedim(dim, 0), src.movedim(dim, 0)
    for place, values in zip(places.unbind(0), given.unbind(0)):
        here = lanes[tuple(slice(size) for size in (len(lanes), *place.shape))]
        now = here.gather(0, place.unsqueeze(0))
        here.scatter_(0, place.unsqueeze(0), combine(now, values.unsqueeze(0)))
    return out


def scatter_reduce_(input, dim, index, src, reduce, *, include_self=True):
    return input.copy_(scatter_reduce(input, dim, index, src, reduce, include_self=include_self))


_methods.add(globals(), ("Tensor",))
