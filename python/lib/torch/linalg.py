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


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    is_matrix = isinstance(dim, (tuple, list)) and len(dim) == 2 or dim is None and A.dim() == 2
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    if is_matrix:
        return matrix_norm(A, ord, (-2, -1) if dim is None else tuple(dim), keepdim, dtype=dtype)
    return vector_norm(A, ord, dim, keepdim, dtype=dtype)
