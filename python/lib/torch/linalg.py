"""`torch.linalg`, as far as it goes."""

import _torch as _C
from torch import return_types as _types

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
    if ord in ("nuc", 2, -2):
        values = svdvals(A) if A.dim() == 2 else _C.stack([svdvals(m) for m in A.reshape(-1, *A.shape[-2:])])
        found = {"nuc": values.sum, 2: values.amax, -2: values.amin}[ord](-1)
        found = found.view(A.shape[:-2])
        return found.unsqueeze(-1).unsqueeze(-1) if keepdim else found
    raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")


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


class _LinAlgError(RuntimeError):
    """A matrix for which there is no answer."""

    __module__ = "torch._C"


LinAlgError = _LinAlgError


def _square(name, A):
    if A.dim() < 2 or A.shape[-1] != A.shape[-2]:
        sizes = " by ".join(map(str, A.shape[-2:]))
        raise RuntimeError(f"linalg.{name}: A must be batches of square matrices, but they are {sizes} matrices")


def _each(function, A):
    """Of every matrix in front of the last two dimensions."""
    found = [function(matrix) for matrix in A.reshape(-1, *A.shape[-2:])]
    return [_C.stack(parts).view(*A.shape[:-2], *parts[0].shape) for parts in zip(*found)]


_NOUNS = {"inv": "inversion", "solve": "solve"}


def _eliminated(name, A, B):
    """A solution of A X = B and the determinant of A, by elimination with the largest pivots."""
    size = len(A)
    rows = _C.cat([A, B], 1)
    order, product = list(range(size)), 1.0
    for at in range(size):
        pivot = at + int(rows[at:, at].detach().abs().argmax())
        if pivot != at:
            order = list(range(size))
            order[at], order[pivot] = pivot, at
            rows, product = rows[_C.tensor(order)], -product
        product = product * rows[at, at]
        if rows[at, at].item() == 0:
            if B.shape[1]:
                raise LinAlgError(
                    f"linalg.{name}: The diagonal element {at + 1} is zero, the {_NOUNS[name]} could not be completed because "
                    "the input matrix is singular."
                )
            return B, product
        factors = rows[:, at : at + 1] / rows[at, at]
        others = (_C.arange(size) != at).unsqueeze(1)
        rows = rows - _C.where(others, factors, 0 * factors) * rows[at : at + 1]
    return rows[:, size:] / rows[:, :size].diagonal().unsqueeze(1), product


def solve(A, B, *, left=True):
    _square("solve", A)
    wide = B.unsqueeze(-1) if B.dim() == 1 or B.shape == A.shape[:-1] and B.dim() < A.dim() else B
    if A.dim() == 2:
        X = _eliminated("solve", A.double(), wide.double())[0]
    else:
        both = _C.cat([A, wide], -1).double()
        (X,) = _each(lambda m: _eliminated("solve", m[:, : len(m)], m[:, len(m) :])[:1], both)
    return (X if wide is B else X.squeeze(-1)).to(A.dtype)


def inv(A):
    _square("inv", A)
    one = _C.eye(A.shape[-1], dtype=_C.float64)
    if A.dim() == 2:
        return _eliminated("inv", A.double(), one)[0].to(A.dtype)
    return _each(lambda m: _eliminated("inv", m, one)[:1], A.double())[0].to(A.dtype)


def det(A):
    _square("det", A)
    none = _C.zeros(A.shape[-1], 0, dtype=_C.float64)
    if A.dim() == 2:
        return _eliminated("det", A.double(), none)[1].to(A.dtype)
    return _each(lambda m: _eliminated("det", m, none)[1:], A.double())[0].to(A.dtype)


def slogdet(A):
    found = det(A.double())
    return _types.linalg_slogdet(found.sign().to(A.dtype), found.abs().log().to(A.dtype))


def cholesky(A):
    """L with L Lᵀ = A."""
    _square("cholesky", A)
    size, columns = A.shape[-1], []
    rest = A.double()
    for at in range(size):
        pivot = rest[..., at, at]
        if bool((pivot <= 0).any()):
            raise LinAlgError(
                "linalg.cholesky: The factorization could not be completed because the input is not positive-definite "
                f"(the leading minor of order {at + 1} is not positive-definite)."
            )
        column = rest[..., at] / pivot.sqrt().unsqueeze(-1)
        rest = rest - column.unsqueeze(-1) * column.unsqueeze(-2)
        columns.append(column)
    return _C.stack(columns, -1).tril().to(A.dtype)


def qr(A, mode="reduced"):
    """Q with columns of length 1 at right angles to each other, and R above the diagonal: Q R = A (Householder)."""
    rows, columns = A.shape
    R, reflections = A.double(), []
    for at in range(min(rows - 1, columns)):
        x = R[at:, at]
        length = x.norm()
        v = x.clone()
        v[0] = v[0] + (length if x[0].item() >= 0 else -length)
        norm = v.norm()
        if norm.item() == 0:
            continue
        v = v / norm
        R = _C.cat([R[:at], R[at:] - 2 * v.unsqueeze(1) * (v @ R[at:]).unsqueeze(0)])
        reflections.append((at, v))
    size = rows if mode == "complete" else min(rows, columns)
    Q = _C.eye(rows, size, dtype=_C.float64)
    for at, v in reversed(reflections):
        Q = _C.cat([Q[:at], Q[at:] - 2 * v.unsqueeze(1) * (v @ Q[at:]).unsqueeze(0)])
    return _types.linalg_qr((Q.to(A.dtype), R[:size].triu().to(A.dtype)))


def svd(A, full_matrices=True):
    """U, singular values from the largest one down, and Vᴴ with U S Vᴴ = A: rotations until columns are at right angles
    (one-sided Jacobi). Signs of vectors are a choice; that of other programs may be another."""
    if A.dim() != 2:
        raise NotImplementedError("linalg.svd() of a batch")
    if A.shape[0] < A.shape[1]:
        V, S, Uh = svd(A.T, full_matrices)
        return _types.linalg_svd((Uh.T, S, V.T))
    U, V = A.detach().double(), _C.eye(A.shape[1], dtype=_C.float64)
    for _ in range(60):
        is_done = True
        for one in range(A.shape[1]):
            for other in range(one + 1, A.shape[1]):
                a, b = U[:, one], U[:, other]
                skew = a.dot(b).item()
                high, low = a.dot(a).item(), b.dot(b).item()
                if abs(skew) <= 1e-15 * (high * low) ** 0.5 or skew == 0:
                    continue
                is_done = False
                ratio = (low - high) / (2 * skew)
                tangent = (1 if ratio >= 0 else -1) / (abs(ratio) + (1 + ratio * ratio) ** 0.5)
                cosine = (1 + tangent * tangent) ** -0.5
                turn = _C.tensor([[cosine, cosine * tangent], [-cosine * tangent, cosine]], dtype=_C.float64)
                pair = _C.tensor([one, other])
                U[:, pair] = U[:, pair] @ turn
                V[:, pair] = V[:, pair] @ turn
        if is_done:
            break
    S, order = U.norm(dim=0).sort(descending=True)
    U, V = U[:, order] / S.clamp(min=1e-300), V[:, order]
    if full_matrices and A.shape[0] > A.shape[1]:
        rest = qr(U, "complete")[0][:, A.shape[1] :]
        U = _C.cat([U, rest], 1)
    return _types.linalg_svd(tuple(x.to(A.dtype) for x in (U, S, V.T)))


def eigh(A, UPLO="L"):
    """Eigenvalues of symmetric matrices from the smallest one up, and vectors as columns: rotations until nothing is left
    beside the diagonal (Jacobi). Of each vector the sign is a choice."""
    _square("eigh", A)
    if A.dim() > 2:
        values, vectors = _each(lambda m: eigh(m, UPLO), A)
        return _types.linalg_eigh(values, vectors)
    half = A.detach().double()
    half = half.tril() if UPLO == "L" else half.triu().T
    rows = (half + half.tril(-1).T).tolist()
    size = len(rows)
    vectors = [[float(row == column) for column in range(size)] for row in range(size)]
    for _ in range(60):
        beside = sum(rows[i][j] ** 2 for i in range(size) for j in range(i))
        if beside <= 1e-32 * sum(rows[i][i] ** 2 for i in range(size)):
            break
        for p in range(size):
            for q in range(p + 1, size):
                if rows[p][q] == 0:
                    continue
                ratio = (rows[q][q] - rows[p][p]) / (2 * rows[p][q])
                tangent = (1 if ratio >= 0 else -1) / (abs(ratio) + (1 + ratio * ratio) ** 0.5)
                cosine = (1 + tangent * tangent) ** -0.5
                sine = cosine * tangent
                for row in (*rows, *vectors):
                    row[p], row[q] = cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]
                above, below = rows[p], rows[q]
                rows[p] = [cosine * a - sine * b for a, b in zip(above, below)]
                rows[q] = [sine * a + cosine * b for a, b in zip(above, below)]
    values, order = _C.tensor([rows[i][i] for i in range(size)], dtype=_C.float64).sort()
    vectors = _C.tensor(vectors, dtype=_C.float64).view(size, size)[:, order]
    return _types.linalg_eigh(values.to(A.dtype), vectors.to(A.dtype))


def eigvalsh(A, UPLO="L"):
    return eigh(A, UPLO)[0]


def svdvals(A):
    return svd(A, False)[1]


def matrix_rank(A, *, atol=None, rtol=None):
    values = svdvals(A)
    limit = max(A.shape) * _C._finfo(A.dtype)[2] * values[0] if rtol is None and atol is None else (atol or 0) + (rtol or 0) * values[0]
    return (values > limit).sum()


def cond(A, p=None):
    values = svdvals(A)
    return values[0] / values[-1]


def pinv(A):
    U, S, Vh = svd(A.double(), False)
    inverse = _C.where(S > max(A.shape) * _C._finfo(A.dtype)[2] * S[0], 1 / S, 0)
    return (Vh.T @ (inverse.unsqueeze(1) * U.T)).to(A.dtype)


def lstsq(A, B, rcond=None, *, driver=None):
    """X for which ‖A X − B‖ is least, of a matrix with at least as many rows as columns."""
    if A.dim() != 2 or A.shape[0] < A.shape[1]:
        raise NotImplementedError("linalg.lstsq() of batches, or of fewer rows than columns")
    Q, R = qr(A.double())
    X = solve(R, Q.T @ B.double()).to(A.dtype)
    return _types.linalg_lstsq(X, A.new_empty(0), matrix_rank(A), A.new_empty(0))


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
