"""Functions of tensors that read best in Python."""

import _torch as _C
from torch._tensor import Tensor
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


def broadcast_to(input, size):
    return input.expand(size)


def full_like(input, fill_value, *, dtype=None, device=None, requires_grad=False):
    dtype = input.dtype if dtype is None else dtype
    device = input.device if device is None else device
    return _C.full(input.shape, fill_value, dtype=dtype, device=device, requires_grad=requires_grad)


def as_tensor(data, dtype=None, device=None):
    if isinstance(data, Tensor):
        return data.to(device=device, dtype=dtype)
    return _C.tensor(data, dtype=dtype, device=device)


def ravel(input):
    return input.flatten()


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


def multinomial(input, num_samples, replacement=False, *, generator=None):
    """Indices with probabilities in proportion to the numbers of each row."""
    if input.dim() not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not replacement and num_samples > input.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    with no_grad():
        if bool((input < 0).any()) or not bool(input.isfinite().all()):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if not replacement or num_samples == 1:
            # Who comes first where each comes at its own rate.
            waits = -(1 - _C.rand(input.shape, generator=generator, dtype=_C.float64)).log()
            rates = input.double().cpu() / waits
            return rates.topk(num_samples, -1).indices.to(input.device)
        bounds = input.double().cpu().cumsum(-1)
        drawn = _C.rand((*input.shape[:-1], num_samples), generator=generator, dtype=_C.float64)
        reached = drawn.unsqueeze(-1) * bounds[..., -1:].unsqueeze(-2)
        return (bounds.unsqueeze(-2) <= reached).sum(-1).to(input.device)
