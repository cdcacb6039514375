"""Operations that are made of others; each is a function of `torch` and a method of tensors."""

import builtins as _builtins
import math as _math

import _torch as _C
from torch import return_types as _types
from torch._tensor import _LEGACY, Tensor
from torch import _methods


def count_nonzero(input, dim=None):
    return (input != 0).sum() if dim is None else (input != 0).sum(dim)


def nansum(input, dim=None, keepdim=False):
    filled = _C.where(input.isnan(), 0, input)
    return filled.sum() if dim is None else filled.sum(dim, keepdim)


def nanmean(input, dim=None, keepdim=False):
    counted = (~input.isnan()).sum() if dim is None else (~input.isnan()).sum(dim, keepdim)
    return nansum(input, dim, keepdim) / counted


def diff(input, n=1, dim=-1):
    for _ in range(n):
        size = input.size(dim)
        after, before = input.narrow(dim, 1, size - 1), input.narrow(dim, 0, size - 1)
        input = after != before if input.dtype == _C.bool else after - before
    return input


def aminmax(input, *, dim=None, keepdim=False):
    dims = () if dim is None else dim
    return _types.aminmax((input.amin(dims, keepdim), input.amax(dims, keepdim)))


def _running(name, extreme):
    def running(input, dim):
        parts = input.unbind(dim)
        best, place, values, indices = parts[0], _C.zeros_like(parts[0], dtype=_C.int64), [], []
        for number, part in enumerate(parts):
            is_better = extreme(part, best) | part.isnan()
            best, place = _C.where(is_better, part, best), _C.where(is_better, number, place)
            values.append(best)
            indices.append(place)
        return getattr(_types, name)(_C.stack(values, dim), _C.stack(indices, dim))

    running.__name__ = name
    return running


cummax = _running("cummax", _C.ge)
cummin = _running("cummin", _C.le)


def kthvalue(input, k, dim=-1, keepdim=False):
    """The k-th smallest of each lane, and where it is."""
    if not 1 <= k <= input.size(dim):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim % (input.dim() or 1)}")
    values, indices = input.sort(dim)
    values, indices = (x.narrow(dim, k - 1, 1) for x in (values, indices))
    return _types.kthvalue(*((values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))))


def mode(input, dim=-1, keepdim=False):
    """The most frequent value of each lane, the smallest of several, and the last place that it has."""
    counts = _counts(input, dim)
    most = counts == counts.amax(dim, True)
    worst = input.amax(dim, True)
    values = _C.where(most, input, worst).amin(dim, True)
    places = _C.arange(input.size(dim)).view([-1 if at == dim % input.dim() else 1 for at in range(input.dim())])
    indices = _C.where(input == values, places, -1).amax(dim, True)
    return _types.mode(*((values, indices) if keepdim else (values.squeeze(dim), indices.squeeze(dim))))


def _counts(input, dim):
    """How often each value occurs in its lane."""
    lanes = input.movedim(dim, -1)
    return (lanes.unsqueeze(-1) == lanes.unsqueeze(-2)).sum(-1).movedim(-1, dim)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The values that occur, in order; where each element is among them, and how often it is there."""
    if dim is not None:
        return _unique_along(input.detach(), dim, return_inverse, return_counts)
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


def _unique_along(input, dim, return_inverse, return_counts):
    """The parts of a dimension that differ, as lists of numbers are ordered."""
    parts = [tuple(part.flatten().tolist()) for part in input.unbind(dim)]
    known = _builtins.sorted(set(parts))
    numbers = {part: number for number, part in enumerate(known)}
    first = [parts.index(part) for part in known]
    out = [input.index_select(dim, _C.tensor(first, dtype=_C.int64))]
    if return_inverse:
        out.append(_C.tensor([numbers[part] for part in parts]))
    if return_counts:
        out.append(_C.tensor([parts.count(part) for part in known]))
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


def histogram(input, bins, *, range=None, weight=None, density=False):
    """How much lies in each of several bins, the last of which has its upper edge; and the edges."""
    flat = input.detach().flatten()
    if isinstance(bins, Tensor):
        edges = bins
    else:
        low, high = (flat.min().item(), flat.max().item()) if range is None else range
        low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
        edges = _C.linspace(low, high, bins + 1).to(input.dtype)
    places = (flat.unsqueeze(-1) >= edges).sum(-1) - 1
    places = _C.where(flat == edges[-1], len(edges) - 2, places)
    is_inside = (places >= 0) & (places < len(edges) - 1)
    each = _C.ones_like(flat) if weight is None else weight.flatten()
    counts = _C.zeros(len(edges) - 1, dtype=input.dtype).scatter_add_(0, places[is_inside], each[is_inside])
    return _types.histogram(counts / counts.sum() / edges.diff() if density else counts, edges)


def nanmedian(input, dim=None, keepdim=False):
    """The lower middle of what is a number."""
    lanes, along = (input.flatten(), 0) if dim is None else (input, dim)
    values, places = _C.where(lanes.isnan(), _math.inf, lanes).sort(along)
    middle = ((~lanes.isnan()).sum(along, True) - 1).clamp(min=0) // 2
    found, where = values.gather(along, middle), places.gather(along, middle)
    found = _C.where(lanes.isnan().all(along, True), _math.nan, found)
    if dim is None:
        return found.squeeze(0)
    return _types.nanmedian(*((found, where) if keepdim else (found.squeeze(along), where.squeeze(along))))


def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """The quantile of what is a number."""
    lanes, along = (input.flatten(), 0) if dim is None else (input, dim)
    lanes = lanes.movedim(along, -1)
    shape, lanes = lanes.shape[:-1], lanes.reshape(-1, lanes.shape[-1])
    each = [lane[~lane.isnan()] for lane in lanes]
    empty = _C.full_like(q, _math.nan) if isinstance(q, Tensor) else _C.tensor(_math.nan, dtype=input.dtype)
    found = _C.stack([quantile(lane, q, interpolation=interpolation) if len(lane) else empty for lane in each], -1)
    found = found.view((*found.shape[:-1], *shape))
    return found.unsqueeze(along + (found.dim() - len(shape) if along >= 0 else 0)) if keepdim and dim is not None else found


def histc(input, bins=100, min=0, max=0):
    """How many elements are in each of equal bins between two numbers."""
    if not input.is_floating_point():
        _methods.lacks("histogram_cpu", input)
    low, high = (min, max) if min != max else (input.min().item(), input.max().item())
    inside = input[(input >= low) & (input <= high)].detach()
    places = ((inside - low) / ((high - low) or 1) * bins).long().clamp(max=bins - 1)
    return _C.zeros(bins, dtype=input.dtype).scatter_add_(0, places, _C.ones_like(inside))


def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    """Between two neighbours of the sorted elements, on a line or as it is said."""
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got "
            f"{interpolation}"
        )
    if dim is None:
        input, dim = input.flatten(), 0
    ordered = input.sort(dim)[0]
    shares = q.flatten().tolist() if isinstance(q, Tensor) else [q]
    if not all(0 <= share <= 1 for share in shares):
        if isinstance(q, Tensor):
            raise RuntimeError("quantile() q values must be in the range [0, 1]")
        raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
    found = []
    for share in shares:
        place = share * (input.size(dim) - 1)
        low = int(place)
        high = low + (place > low)
        share = {"linear": place - low, "lower": 0, "higher": 1, "midpoint": 0.5, "nearest": _builtins.round(place) - low}
        found.append(ordered.select(dim, low).lerp(ordered.select(dim, high), share[interpolation]))
    found = [part.unsqueeze(dim) for part in found] if keepdim else found
    return _C.stack(found) if isinstance(q, Tensor) and q.dim() else found[0]


def trace(input):
    if input.dim() != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.dim()}")
    return input.diagonal().sum()


def dist(input, other, p=2):
    return (input - other).norm(p)


def cov(input, *, correction=1):
    """Rows are variables, columns what was observed of them."""
    input = input.view(1, -1) if input.dim() == 1 else input
    centred = input - input.mean(1, True)
    return (centred @ centred.T / (input.shape[1] - correction)).squeeze()


def corrcoef(input):
    found = cov(input)
    if found.dim() == 0:
        return found / found
    deviations = found.diagonal().sqrt()
    return (found / deviations.unsqueeze(1) / deviations).clamp(-1, 1)


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


def t_(input):
    return set_data(input, input.t())


def squeeze_(input, dim=None):
    return set_data(input, input.squeeze(dim))


def unsqueeze_(input, dim):
    return set_data(input, input.unsqueeze(dim))


def transpose_(input, dim0, dim1):
    return set_data(input, input.transpose(dim0, dim1))


def set_data(input, view):
    """From now on the tensor has the shape and the strides of a view of itself."""
    input.data = view
    return input


def moveaxis(input, source, destination):
    return input.movedim(source, destination)


def take_along_dim(input, indices, dim=None):
    if indices.dtype != _C.int64:
        raise RuntimeError(f"torch.take_along_dim(): dtype of indices should be Long but got {_LEGACY[indices.dtype]}")
    if dim is None:
        return input.flatten().gather(0, indices.flatten())
    shape = [max(sizes) for sizes in zip(input.shape, indices.shape)]
    wide = [size if at == dim % input.dim() else most for at, (size, most) in enumerate(zip(input.shape, shape))]
    places = [size if at == dim % input.dim() else most for at, (size, most) in enumerate(zip(indices.shape, shape))]
    return input.expand(wide).gather(dim, indices.expand(places))


def fliplr(input):
    return input.flip(1)


def flipud(input):
    return input.flip(0)


def rot90(input, k=1, dims=(0, 1)):
    first, second = dims
    return (
        input.clone(),
        input.flip(second).transpose(first, second),
        input.flip(first).flip(second),
        input.flip(first).transpose(first, second),
    )[k % 4]


def kron(input, other):
    rank = max(input.dim(), other.dim())
    input, other = (x.view([1] * (rank - x.dim()) + list(x.shape)) for x in (input, other))
    left = input.view([size for n in input.shape for size in (n, 1)])
    right = other.view([size for n in other.shape for size in (1, n)])
    return (left * right).reshape([a * b for a, b in zip(input.shape, other.shape)])


def inner(input, other):
    return input * other if 0 in (input.dim(), other.dim()) else tensordot(input, other, ([-1], [-1]))


def tensordot(a, b, dims=2):
    """The sum over products along dimensions of both: the last and the first ones, or those that are named."""
    ours, theirs = (range(a.dim() - dims, a.dim()), range(dims)) if isinstance(dims, int) else dims
    ours, theirs = ([at % x.dim() for at in named] for named, x in ((ours, a), (theirs, b)))
    kept, others = ([at for at in range(x.dim()) if at not in named] for x, named in ((a, ours), (b, theirs)))
    count = _math.prod(a.shape[at] for at in ours)
    product = a.permute(kept + ours).reshape(-1, count) @ b.permute(theirs + others).reshape(count, -1)
    return product.view([a.shape[at] for at in kept] + [b.shape[at] for at in others])


def cross(input, other, dim=-1):
    (a, b, c), (x, y, z) = input.unbind(dim), other.unbind(dim)
    return _C.stack([b * z - c * y, c * x - a * z, a * y - b * x], dim)


def searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None):
    """How many elements of each sorted lane are less, or with `right` not more."""
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
    found = (lanes <= sought if right else lanes < sought).sum(-1)
    return found.int() if out_int32 else found


def isin(elements, test_elements, *, assume_unique=False, invert=False):
    elements, test_elements = (it if isinstance(it, Tensor) else _C.tensor(it) for it in (elements, test_elements))
    return (elements.unsqueeze(-1) == test_elements.flatten()).any(-1) != invert


def addcmul_(input, tensor1, tensor2, *, value=1):
    return input.copy_(_C.addcmul(input, tensor1, tensor2, value=value))


def addcdiv_(input, tensor1, tensor2, *, value=1):
    return input.copy_(_C.addcdiv(input, tensor1, tensor2, value=value))


def lerp_(input, end, weight):
    return input.copy_(_C.lerp(input, end, weight))


_methods.record(globals(), "cummax cummin kthvalue trace")
_methods.add(globals(), ("Tensor", "searchsorted", "set_data", "tensordot"))
Tensor.clip_, Tensor.absolute, Tensor.swapdims = Tensor.clamp_, Tensor.abs, Tensor.swapaxes
Tensor.multiply, Tensor.subtract, Tensor.negative, Tensor.clip = Tensor.mul, Tensor.sub, Tensor.neg, Tensor.clamp
Tensor.divide = Tensor.true_divide = Tensor.div
Tensor.greater, Tensor.less = Tensor.gt, Tensor.lt
