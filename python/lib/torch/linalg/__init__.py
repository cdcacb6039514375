"""`torch.linalg`, of real numbers."""

import math as _math

import _torch as _C
from torch.autograd import named as _named
from torch.linalg import _checks
from torch.linalg._checks import LinAlgError
from torch.linalg._factors import cholesky, cholesky_ex, eigh, eigvalsh, lu, qr, svd, svdvals
from torch.linalg._norms import matrix_norm, norm, vector_norm
from torch.linalg._solving import (
    det, inv, inv_ex, lstsq, matrix_rank, pinv, slogdet, solve, solve_triangular, tensorinv, tensorsolve,
)


def multi_dot(tensors):
    """A product of matrices in the order that takes the fewest FLOPs."""
    sizes = [tensors[0].shape[0] if tensors[0].dim() == 2 else 1, *(tensor.shape[-1] for tensor in tensors[:-1])]
    sizes.append(tensors[-1].shape[-1] if tensors[-1].dim() == 2 else 1)
    # For each run of factors what it costs, and where it is best parted.
    cost = {(at, at): (0, at) for at in range(len(tensors))}
    for length in range(1, len(tensors)):
        for first in range(len(tensors) - length):
            last = first + length
            cost[first, last] = min(
                (cost[first, at][0] + cost[at + 1, last][0] + sizes[first] * sizes[at + 1] * sizes[last + 1], at)
                for at in range(first, last)
            )

    def product(first, last):
        if first == last:
            return tensors[first]
        at = cost[first, last][1]
        return product(first, at) @ product(at + 1, last)

    return product(0, len(tensors) - 1)


def cond(A, p=None):
    """How much larger a relative error may become when A is solved for."""
    if p is None or p in (2, -2):
        values = svdvals(A)
        return values[..., -1] / values[..., 0] if p == -2 else values[..., 0] / values[..., -1]
    return matrix_norm(A, p) * matrix_norm(inv(A), p)


def matrix_exp(A):
    """The sum of all powers by their factorials: of the matrix halved until it is small, then squared as often."""
    _checks.square("matrix_exp", A)
    x = A.double()
    size = x.detach().abs().sum(-2).amax().item() if A.numel() else 0.0
    halvings = max(0, _math.ceil(_math.log2(size)) + 1) if size > 0 else 0
    x = x / 2**halvings
    total = term = _C.eye(A.shape[-1], dtype=_C.float64).expand_as(x)
    for number in range(1, 19):
        term = term @ x / number
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return _named(total.to(A.dtype), "LinalgMatrixExpBackward0")


def vander(x, *, N=None):
    return x.vander(N, increasing=True)


def matmul(input, other):
    return input @ other


def matrix_power(A, n):
    return A.matrix_power(n)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return A.diagonal(offset, dim1, dim2)


def cross(input, other, *, dim=-1):
    return input.cross(other, dim)


def vecdot(x, y, *, dim=-1):
    return (x * y).sum(dim)
