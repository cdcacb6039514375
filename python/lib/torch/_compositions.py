"""Operations that are made of others; each is a function of `torch` and a method of tensors."""

import math as _math

import _torch as _C
from torch._tensor import Tensor
from torch import _methods


def count_nonzero(input, dim=None):
    return (input != 0).sum() if dim is None else (input != 0).sum(dim)


def diff(input, n=1, dim=-1):
    for _ in range(n):
        size = input.size(dim)
        after, before = input.narrow(dim, 1, size - 1), input.narrow(dim, 0, size - 1)
        input = after != before if input.dtype == _C.bool else after - before
    return input


def unique(input, sorted=True, return_inverse=False, return_counts=False):
    """The values that occur, in order; where each element is among them, and how often it is there."""
    flat = input.detach().flatten()
    ordered, places = flat.sort()
    is_new = _C.ones(len(flat), dtype=_C.bool, device=flat.device)
    is_new[1:] = ordered[1:] != ordered[:-1]
    out = [ordered[is_new]]
    numbers = is_new.cumsum(0) - 1
    if return_inverse:
        out.append(_C.empty_like(numbers).scatter_(0, places, numbers).view(input.shape))
    if return_counts:
        out.append(_C.zeros_like(out[0], dtype=_C.int64).scatter_add_(0, numbers, _C.ones_like(numbers)))
    return out[0] if len(out) == 1 else tuple(out)


def bincount(input, weights=None, minlength=0):
    """How often each of 0, 1, 2, … occurs."""
    if input.is_floating_point():
        _methods.lacks("bincount_cpu", input)
    if input.dim() != 1 or input.numel() and int(input.min()) < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    size = max(minlength, int(input.max()) + 1 if input.numel() else 0)
    if weights is None:
        counted = _C.ones_like(input, dtype=_C.int64)
    else:
        counted = weights if weights.dtype == _C.float32 else weights.double()
    return _C.zeros(size, dtype=counted.dtype, device=input.device).scatter_add_(0, input.long(), counted)


def trace(input):
    if input.dim() != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.dim()}")
    return input.diagonal().sum()


def diag(input, diagonal=0):
    """A diagonal of a matrix, or a matrix with that diagonal."""
    if input.dim() == 2:
        return input.diagonal(diagonal).clone()
    if input.dim() != 1:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.dim()}D")
    size = len(input) + abs(diagonal)
    out = _C.zeros(size, size, dtype=input.dtype, device=input.device)
    out.diagonal(diagonal).copy_(input)
    return out


def unflatten(input, dim, sizes):
    sizes, shape, at = list(sizes), list(input.shape), range(input.dim())[dim]
    known = _math.prod(size for size in sizes if size != -1)
    if known * (1 if -1 not in sizes else shape[at] // (known or 1)) != shape[at]:
        raise RuntimeError(
            f"unflatten: Provided sizes {sizes} don't multiply up to the size of dim {at} ({shape[at]}) in the input tensor"
        )
    return input.view(shape[:at] + sizes + shape[at + 1 :])


def broadcast_to(input, *size):
    return input.expand(*size)


def moveaxis(input, source, destination):
    return input.movedim(source, destination)


def inner(input, other):
    if 0 in (input.dim(), other.dim()):
        return input * other
    if input.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(input.shape)} and {list(other.shape)}"
        )
    return tensordot(input, other, ([-1], [-1]))


def tensordot(a, b, dims=2):
    """The sum over products along dimensions of both: the last and the first ones, or those that are named."""
    ours, theirs = (range(a.dim() - dims, a.dim()), range(dims)) if isinstance(dims, int) else dims
    ours, theirs = ([at % x.dim() for at in named] for named, x in ((ours, a), (theirs, b)))
    kept, others = ([at for at in range(x.dim()) if at not in named] for x, named in ((a, ours), (b, theirs)))
    if a.dtype != b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    count, shape = _math.prod(a.shape[at] for at in ours), [a.shape[at] for at in kept] + [b.shape[at] for at in others]
    a, b = a.permute(kept + ours), b.permute(theirs + others)
    # A single number is a product of vectors, which autocast leaves as they are.
    product = a.flatten().dot(b.flatten()) if _math.prod(shape) == 1 else a.reshape(-1, count) @ b.reshape(count, -1)
    return product.view(shape)


def argwhere(input):
    return _C.nonzero(input)


def clamp_min(input, min):
    return input.clamp(min=min)


def clamp_max(input, max):
    return input.clamp(max=max)


def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None):
    """How many elements of each sorted lane are less, or with `right` not more; NaN comes after all of them."""
    if not isinstance(input, Tensor):
        input = _C.tensor(input)
    if sorted_sequence.dim() > 1 and sorted_sequence.shape[:-1] != input.shape[:-1]:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor "
            f"and input value tensor must match, but we got boundaries tensor {list(sorted_sequence.shape)} and input value "
            f"tensor {list(input.shape)}"
        )
    right = right if side is None else side == "right"
    lanes = sorted_sequence if sorted_sequence.dim() == 1 else sorted_sequence.unsqueeze(-2)
    sought = input.unsqueeze(-1)
    is_before = lanes <= sought if right else lanes < sought
    found = (is_before | (sought != sought)).sum(-1)
    return found.int() if out_int32 else found


def isin(elements, test_elements, *, assume_unique=False, invert=False):
    elements, test_elements = (it if isinstance(it, Tensor) else _C.tensor(it) for it in (elements, test_elements))
    return (elements.unsqueeze(-1) == test_elements.flatten()).any(-1) != invert


_methods.record(globals(), "trace")
_methods.place(globals(), "addcmul addcdiv lerp")
_methods.add(globals(), ("Tensor", "searchsorted", "tensordot"))
Tensor.clip_, Tensor.absolute, Tensor.swapdims = Tensor.clamp_, Tensor.abs, Tensor.swapaxes
Tensor.multiply, Tensor.subtract, Tensor.negative, Tensor.clip = Tensor.mul, Tensor.sub, Tensor.neg, Tensor.clamp
Tensor.divide = Tensor.true_divide = Tensor.div
Tensor.greater, Tensor.less = Tensor.gt, Tensor.lt
