"""`torch.linalg`: norms, and products of several matrices."""

from torch._tensor import _LEGACY

_INF = float("inf")


def _floating(name, x):
    if not x.is_floating_point():
        raise NotImplementedError(f"linalg.{name}: Expected a floating point or complex tensor as input. Got {_LEGACY[x.dtype]}")


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    x = x if dtype is None else x.to(dtype)
    _floating("vector_norm", x)
    return x._norm(ord, dim, keepdim)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """Frobenius' norm, or the largest or smallest sum of magnitudes of a column (1, -1) or a row (inf, -inf)."""
    A = A if dtype is None else A.to(dtype)
    if A.dim() < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    _floating("matrix_norm", A)
    dim = tuple(at % A.dim() for at in dim)
    if ord == "fro":
        return A._norm(2, dim, keepdim)
    if ord not in (1, -1, _INF, -_INF):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    summed, among = dim if abs(ord) == 1 else dim[::-1]
    sums = A.abs().sum(summed, keepdim=True)
    found = sums.amax(among, keepdim=True) if ord > 0 else sums.amin(among, keepdim=True)
    return found if keepdim else found.squeeze(max(dim)).squeeze(min(dim))


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    is_matrix = isinstance(ord, str) or isinstance(dim, (tuple, list)) and len(dim) == 2 or dim is None and A.dim() == 2
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    if is_matrix:
        return matrix_norm(A, ord, (-2, -1) if dim is None else tuple(dim), keepdim, dtype=dtype)
    return vector_norm(A, ord, dim, keepdim, dtype=dtype)


def matmul(input, other):
    return input @ other


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
