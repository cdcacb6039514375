"""Functions of tensors that read best in Python."""

import _torch as _C
from torch._tensor import Size, Tensor
from torch.autograd import no_grad


def einsum(equation, *operands):
    """The sum over products that the equation names; operands one by one or in a list."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return _C._einsum(equation, list(operands))


def is_tensor(obj):
    return isinstance(obj, Tensor)


def numel(input):
    return input.numel()


def is_floating_point(input):
    return input.is_floating_point()


def where(condition, input=None, other=None):
    if input is None and other is None:
        return _C._nonzero_as_tuple(condition)
    return _C.where(condition, input, other)


def nonzero(input, *, as_tuple=False):
    return _C._nonzero_as_tuple(input) if as_tuple else _C.nonzero(input)


def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    return input.norm(p, dim, keepdim, dtype)


def roll(input, shifts, dims=None):
    return input.roll(shifts, dims)


def as_tensor(data, dtype=None, device=None):
    data = getattr(data, "_tensor", data)
    if isinstance(data, Tensor):
        return data.to(device=device, dtype=dtype)
    return _C.tensor(data, dtype=dtype, device=device)


def ravel(input):
    return input.flatten()


def multinomial(input, num_samples, replacement=False, *, generator=None):
    """Indices with probabilities in proportion to the numbers of each row."""
    if input.dim() not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > input.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    with no_grad():
        if bool((input < 0).any()) or not bool(input.isfinite().all()):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if bool((input.sum(-1) == 0).any()):
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
        if not replacement or num_samples == 1:
            # Who comes first where each comes at its own rate.
            waits = -(1 - _C.rand(input.shape, generator=generator, dtype=_C.float64)).log()
            rates = input.double().cpu() / waits
            return rates.topk(num_samples, -1).indices.to(input.device)
        bounds = input.double().cpu().cumsum(-1)
        drawn = _C.rand((*input.shape[:-1], num_samples), generator=generator, dtype=_C.float64)
        reached = drawn.unsqueeze(-1) * bounds[..., -1:].unsqueeze(-2)
        return (bounds.unsqueeze(-2) <= reached).sum(-1).to(input.device)


def normal(mean, std=1.0, size=None, *, generator=None, dtype=None, device=None, requires_grad=False):
    """Normal numbers; with tensors, each has a mean and a deviation of its own."""
    tensors = [x for x in (mean, std) if isinstance(x, Tensor)]
    if not tensors:
        made = {"generator": generator, "dtype": dtype, "device": device, "requires_grad": requires_grad}
        return _C._normal(mean, std, size, **made)
    with no_grad():
        if bool((std < 0).any()) if isinstance(std, Tensor) else std < 0:
            raise RuntimeError("normal expects all elements of std >= 0.0")
        shape = broadcast_tensors(*tensors)[0].shape
        out = _C.empty(shape, dtype=tensors[0].dtype, device=tensors[0].device)
        if isinstance(std, Tensor):
            return out.normal_(0, 1, generator=generator).mul_(std).add_(mean)
        return out.normal_(0, std, generator=generator).add_(mean)


def broadcast_shapes(*shapes):
    """The shape that tensors of these shapes have together."""
    shapes = [(shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes]
    together = [1] * max(map(len, shapes), default=0)
    for number, shape in enumerate(shapes):
        for back in range(-1, -1 - len(shape), -1):
            if shape[back] == 1 or shape[back] == together[back]:
                continue
            if together[back] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {shape[back]} at {back}! Mismatching argument at index "
                    f"{number} had {shape}; but expected shape should be broadcastable to {together}"
                )
            together[back] = shape[back]
    return Size(together)


def broadcast_tensors(*tensors):
    # Tensors of no room: the error where shapes do not fit is theirs.
    together = _C.zeros(())
    for tensor in tensors:
        together = together + _C.zeros(()).expand(tensor.shape)
    shape = together.shape
    return tuple(tensor.expand(shape) for tensor in tensors)


def cat(tensors, dim=0, *, axis=None, out=None):
    """Tensors one behind the other along a dimension that they have."""
    if not len(tensors):
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    return _C.cat(tensors, dim if axis is None else axis, out=out)


concat = concatenate = cat


def hstack(tensors):
    tensors = [tensor.view(1) if tensor.dim() == 0 else tensor for tensor in tensors]
    return _C.cat(tensors, 0 if tensors[0].dim() == 1 else 1)


def vstack(tensors):
    return _C.cat([tensor.view(1, -1) if tensor.dim() < 2 else tensor for tensor in tensors])


def meshgrid(*tensors, indexing="ij"):
    """The coordinates of a grid, one tensor for each of its dimensions."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    if indexing not in ("ij", "xy"):
        raise RuntimeError(f"torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: {indexing}")
    rank = len(tensors)
    views = [tensor.view([-1 if at == place else 1 for at in range(rank)]) for place, tensor in enumerate(tensors)]
    grids = broadcast_tensors(*views)
    return tuple(grid.transpose(0, 1) for grid in grids) if indexing == "xy" and rank > 1 else grids


def result_type(tensor1, tensor2):
    one, other = (x if isinstance(x, Tensor) else _C.tensor(x) for x in (tensor1, tensor2))
    if isinstance(tensor1, Tensor) and isinstance(tensor2, Tensor):
        return (one[:0].flatten()[:0] + other.flatten()[:0]).dtype if one.dim() and other.dim() else (one + other).dtype
    tensor, number = (one, tensor2) if isinstance(tensor1, Tensor) else (other, tensor1)
    return (_C.zeros((1,) if tensor.dim() else (), dtype=tensor.dtype) + number).dtype


def can_cast(from_, to):
    """Whether a conversion keeps the kind: truth values, whole numbers, floats."""
    kind = lambda dtype: 0 if dtype is _C.bool else 2 if dtype.is_floating_point else 1
    return kind(from_) <= kind(to)


def asarray(obj, *, dtype=None, device=None):
    return as_tensor(obj, dtype, device)


_PRINTED = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": 2**62, "edgeitems": 3, "linewidth": 80},
}
_printed = {**_PRINTED["default"], "sci_mode": None}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """How tensors are printed from now on; what is not named stays."""
    if profile is not None:
        if profile not in _PRINTED:
            raise ValueError(f"unknown profile: {profile}")
        _printed.update(_PRINTED[profile])
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    _printed.update({name: int(min(value, 2**62)) for name, value in given.items() if value is not None})
    # A wish for exponents does not outlast the next call without one.
    _printed["sci_mode"] = sci_mode
    _C._set_print_options(**_printed)
