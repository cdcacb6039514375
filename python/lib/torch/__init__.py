"""Tensors with PyTorch's names and semantics, over this project's engine."""

from _torch import *
from torch._tensor import Size, Tensor
from torch import autograd
from torch.autograd import enable_grad, no_grad, set_grad_enabled


def einsum(equation, *operands):
    """The sum over products that the equation names; operands one by one or in a list."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return _einsum(equation, list(operands))


def is_tensor(obj):
    return isinstance(obj, Tensor)


def numel(input):
    return input.numel()


def from_numpy(ndarray):
    """The tensor whose elements an array has."""
    if ndarray.dtype.itemsize != ndarray._tensor.dtype.itemsize:
        raise TypeError(f"can't convert np.ndarray of type numpy.{ndarray.dtype} here")
    return ndarray._tensor
