"""Norms of vectors and of matrices."""

from torch.linalg import _checks
from torch.linalg._factors import svdvals

_INF = float("inf")


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    x = x if dtype is None else x.to(dtype)
    _checks.floating("vector_norm", x)
    return x._norm(ord, dim, keepdim)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    A = A if dtype is None else A.to(dtype)
    _checks.matrix("matrix_norm", A)
    _checks.floating("matrix_norm", A)
    dim = tuple(at % A.dim() for at in dim)
    if ord == "fro":
        return A._norm(2, dim, keepdim)
    if ord in (1, -1, _INF, -_INF):
        # Sums along one dimension, of which the largest or smallest.
        summed, among = dim if abs(ord) == 1 else dim[::-1]
        sums = A.abs().sum(summed, keepdim=True)
        found = sums.amax(among, keepdim=True) if ord > 0 else sums.amin(among, keepdim=True)
        return found if keepdim else found.squeeze(max(dim)).squeeze(min(dim))
    if ord in ("nuc", 2, -2):
        values = svdvals(A.movedim(dim, (-2, -1)))
        found = {"nuc": values.sum, 2: values.amax, -2: values.amin}[ord](-1)
        for at in sorted(dim) if keepdim else ():
            found = found.unsqueeze(at)
        return found
    raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    is_matrix = isinstance(ord, str) or isinstance(dim, (tuple, list)) and len(dim) == 2 or dim is None and A.dim() == 2
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    if is_matrix:
        return matrix_norm(A, ord, (-2, -1) if dim is None else tuple(dim), keepdim, dtype=dtype)
    return vector_norm(A, ord, dim, keepdim, dtype=dtype)
