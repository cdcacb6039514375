"""What matrices must be, in PyTorch's words."""

import _torch as _C
from torch._tensor import _LEGACY


class _LinAlgError(RuntimeError):
    """A matrix for which there is no answer; `place` is the pivot or the minor that shows it."""

    __module__ = "torch._C"

    def __init__(self, message="", place=0):
        super().__init__(message)
        self.place = place


LinAlgError = _LinAlgError


def floating(name, A):
    if not A.is_floating_point():
        raise NotImplementedError(f"linalg.{name}: Expected a floating point or complex tensor as input. Got {_LEGACY[A.dtype]}")


def matrix(name, A):
    if A.dim() < 2:
        raise RuntimeError(f"linalg.{name}: The input tensor A must have at least 2 dimensions.")


def square(name, A, any_dtype=False):
    matrix(name, A)
    if A.shape[-1] != A.shape[-2]:
        sizes = " by ".join(map(str, A.shape[-2:]))
        raise RuntimeError(f"linalg.{name}: A must be batches of square matrices, but they are {sizes} matrices")
    if not any_dtype:
        floating(name, A)


def each(function, A):
    """Of every matrix in front of the last two dimensions."""
    found = [function(matrix) for matrix in A.reshape(-1, *A.shape[-2:])]
    return [_C.stack(parts).view(*A.shape[:-2], *parts[0].shape) for parts in zip(*found)]
