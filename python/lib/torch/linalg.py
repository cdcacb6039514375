"""`torch.linalg`, as far as it goes."""

import _torch as _C

_INF = float("inf")


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    x = x if dtype is None else x.to(dtype)
    return x._norm(ord, dim, keepdim)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    A = A if dtype is None else A.to(dtype)
    dim = tuple(at % A.dim() for at in dim)
    if ord == "fro":
        return A._norm(2, dim, keepdim)
    if ord in (1, -1, _INF, -_INF):
        # Sums along one dimension, of which the largest or smallest.
        summed, among = dim if abs(ord) == 1 else dim[::-1]
        sums = A.abs().sum(summed, keepdim=True)
        found = sums.amax(among, keepdim=True) if ord > 0 else sums.amin(among, keepdim=True)
        return found if keepdim else found.squeeze(max(dim)).squeeze(min(dim))
    raise NotImplementedError(f"linalg.matrix_norm: order {ord} needs singular values")


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    is_matrix = isinstance(dim, (tuple, list)) and len(dim) == 2 or dim is None and A.dim() == 2
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    if is_matrix:
        return matrix_norm(A, ord, (-2, -1) if dim is None else tuple(dim), keepdim, dtype=dtype)
    return vector_norm(A, ord, dim, keepdim, dtype=dtype)
