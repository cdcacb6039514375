"""Matrices as products of simpler ones."""

import _torch as _C
from torch import _methods
from torch import return_types as _types
from torch.autograd import named
from torch.linalg import _checks
from torch.linalg._checks import LinAlgError, each, square


def cholesky(A, *, upper=False):
    """L with L Lᵀ = A."""
    square("cholesky", A)
    if A.dtype not in (_C.float32, _C.float64):
        _methods.lacks("cholesky_cpu", A)
    size, columns = A.shape[-1], []
    rest = (A.tril() + A.tril(-1).mT).detach().double()
    if A.requires_grad:
        # Half of a derivative goes to each side of the diagonal, though only one is read.
        both = (A + A.mT).double() / 2
        rest = rest + (both - both.detach())
    for at in range(size):
        pivot = rest[..., at, at]
        if bool((pivot <= 0).any()):
            raise LinAlgError(
                "linalg.cholesky: The factorization could not be completed because the input is not positive-definite "
                f"(the leading minor of order {at + 1} is not positive-definite).",
                at + 1,
            )
        column = rest[..., at] / pivot.sqrt().unsqueeze(-1)
        rest = rest - column.unsqueeze(-1) * column.unsqueeze(-2)
        columns.append(column)
    found = named(_C.stack(columns, -1).tril().to(A.dtype), "LinalgCholeskyExBackward0")
    return found.mT if upper else found


def cholesky_ex(A, *, upper=False, check_errors=False):
    """L, and the order of the first minor that is not positive-definite."""
    try:
        return _types.linalg_cholesky_ex(cholesky(A, upper=upper), _C.zeros(A.shape[:-2], dtype=_C.int32))
    except LinAlgError as error:
        if check_errors or A.dim() > 2:
            raise
        return _types.linalg_cholesky_ex(A.tril(), _C.tensor(error.place, dtype=_C.int32))


def lu(A, *, pivot=True):
    """P, L and U with P L U = A: L has ones on its diagonal, and P orders rows so that pivots are the largest."""
    _checks.matrix("lu", A)
    _checks.floating("lu", A)
    if A.dim() > 2:
        return _types.linalg_lu(tuple(each(lambda m: lu(m, pivot=pivot), A)))
    rows, columns = A.shape
    size, order = min(rows, columns), list(range(rows))
    U, L = A.double(), _C.zeros(rows, 0, dtype=_C.float64)
    for at in range(size):
        largest = at + int(U[at:, at].detach().abs().argmax()) if pivot else at
        swapped = list(range(rows))
        swapped[at], swapped[largest] = largest, at
        order = [order[place] for place in swapped]
        U, L = U[_C.tensor(swapped)], L[_C.tensor(swapped)]
        below = (_C.arange(rows) > at).double()
        column = below * U[:, at] / _C.where(U[at, at] == 0, 1.0, U[at, at])
        L = _C.cat([L, (column + (_C.arange(rows) == at)).unsqueeze(1)], 1)
        U = U - column.unsqueeze(1) * U[at]
    P = _C.eye(rows, dtype=A.dtype)[:, _C.tensor(order)]
    return _types.linalg_lu((P, *(named(x.to(A.dtype), "LinalgLuBackward0") for x in (L, U[:size].triu()))))


def qr(A, mode="reduced"):
    """Q with columns of length 1 at right angles to each other, and R above the diagonal: Q R = A (Householder)."""
    if mode not in ("reduced", "r", "complete"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    _checks.matrix("qr", A)
    _checks.floating("qr", A)
    if A.dim() > 2:
        return _types.linalg_qr(tuple(each(lambda m: qr(m, mode), A)))
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
    Q = Q.new_empty(0) if mode == "r" else Q
    return _types.linalg_qr(tuple(named(x.to(A.dtype), "LinalgQrBackward0") for x in (Q, R[:size].triu())))


def _jacobi(A):
    """U, S and V of a matrix with at least as many rows as columns: rotations until columns are at right angles (one-sided
    Jacobi). Signs of vectors are a choice; that of other programs may be another."""
    U, V = A.detach().double().clone(), _C.eye(A.shape[1], dtype=_C.float64)
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
    return U, S, V


def svd(A, full_matrices=True, *, driver=None):
    """U, singular values from the largest one down, and Vᴴ with U S Vᴴ = A."""
    _checks.matrix("svd", A)
    _checks.floating("svd", A)
    if A.dim() != 2:
        return _types.linalg_svd(tuple(each(lambda m: svd(m, full_matrices), A)))
    if A.shape[0] < A.shape[1]:
        V, S, Uh = svd(A.T, full_matrices)
        return _types.linalg_svd((Uh.T, S, V.T))
    U, S, V = _jacobi(A)
    if A.requires_grad and _C.is_grad_enabled():
        U, S, V = _with_history(A.double(), U, S, V)
    if full_matrices and A.shape[0] > A.shape[1]:
        rest = qr(U.detach(), "complete")[0][:, A.shape[1] :]
        U = _C.cat([U, rest], 1)
    return _types.linalg_svd(tuple(named(x.to(A.dtype), "LinalgSvdBackward0") for x in (U, S, V.T)))


def _with_history(A, U, S, V):
    """The same values as functions of A, by their first derivatives (Townsend 2016, Differentiating the singular value
    decomposition)."""
    change = A - A.detach()
    inner = U.T @ change @ V
    apart = S.square() - S.square().unsqueeze(1)
    share = _C.where(apart == 0, 0.0, 1 / apart)
    beyond = change @ V - U @ inner
    U_of = U + U @ (share * (inner * S + S.unsqueeze(1) * inner.T)) + beyond / S
    beyond = change.T @ U - V @ inner.T
    V_of = V + V @ (share * (S.unsqueeze(1) * inner + inner.T * S)) + beyond / S
    return U_of, S + inner.diagonal(), V_of


def svdvals(A, *, driver=None):
    return svd(A, False)[1]


def torch_svd(input, some=True, compute_uv=True):
    """`torch.svd`, which gives V itself."""
    U, S, Vh = svd(input, not some)
    return _types.svd(U, S, Vh.mT)


def eigh(A, UPLO="L"):
    """Eigenvalues of symmetric matrices from the smallest one up, and vectors as columns: rotations until nothing is left
    beside the diagonal (Jacobi). Of each vector the sign is a choice."""
    square("eigh", A)
    if A.dim() > 2:
        values, vectors = each(lambda m: eigh(m, UPLO), A)
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
    if A.requires_grad and _C.is_grad_enabled():
        # The same values as functions of A, by their first derivatives.
        inner = vectors.T @ (A.double() - A.detach().double()) @ vectors
        apart = values - values.unsqueeze(1)
        values = values + inner.diagonal()
        vectors = vectors + vectors @ (_C.where(apart == 0, 0.0, 1 / apart) * inner)
    return _types.linalg_eigh(*(named(x.to(A.dtype), "LinalgEighBackward0") for x in (values, vectors)))


def eigvalsh(A, UPLO="L"):
    return eigh(A, UPLO)[0]
