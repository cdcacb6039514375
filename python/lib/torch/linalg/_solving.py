"""Equations with matrices."""

import _torch as _C
from torch import return_types as _types
from torch._functions import broadcast_shapes
from torch._tensor import _LEGACY
from torch.autograd import named
from torch.linalg._checks import LinAlgError, each, square
from torch.linalg._factors import qr, svd, svdvals

_WORDS = {
    "inv": "linalg.inv: The diagonal element {} is zero, the inversion could not be completed because the input matrix is singular.",
    "solve": "torch.linalg.solve: The solver failed because the input matrix is singular.",
}


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
                raise LinAlgError(_WORDS[name].format(at + 1), at + 1)
            return B, product
        factors = rows[:, at : at + 1] / rows[at, at]
        others = (_C.arange(size) != at).unsqueeze(1)
        rows = rows - _C.where(others, factors, 0 * factors) * rows[at : at + 1]
    return rows[:, size:] / rows[:, :size].diagonal().unsqueeze(1), product


def solve(A, B, *, left=True):
    """X with A X = B, or with X A = B."""
    square("solve", A)
    if A.dtype != B.dtype:
        raise RuntimeError(
            "linalg.solve: Expected A and B to have the same dtype, but found A of type "
            f"{_LEGACY[A.dtype]} and B of type {_LEGACY[B.dtype]} instead"
        )
    is_vector = B.dim() == 1 or B.shape == A.shape[:-1] and B.dim() < A.dim()
    wide = B.unsqueeze(-1) if is_vector else B
    if not left:
        return solve(A.mT, wide.mT).mT
    if wide.shape[-2] != A.shape[-1]:
        sizes = ["x".join(map(str, x.shape[-2:])) for x in (A, wide)]
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation AX = B ({sizes[0]} and {sizes[1]})"
        )
    if A.dim() == 2 and wide.dim() == 2:
        X = _eliminated("solve", A.double(), wide.double())[0]
    else:
        front = broadcast_shapes(A.shape[:-2], wide.shape[:-2])
        both = _C.cat([A.expand(*front, *A.shape[-2:]), wide.expand(*front, *wide.shape[-2:])], -1).double()
        (X,) = each(lambda m: _eliminated("solve", m[:, : len(m)], m[:, len(m) :])[:1], both)
    return named((X.squeeze(-1) if is_vector else X).to(A.dtype), "LinalgSolveExBackward0")


def inv(A):
    square("inv", A)
    one = _C.eye(A.shape[-1], dtype=_C.float64)
    if A.dim() == 2:
        found = _eliminated("inv", A.double(), one)[0]
    else:
        (found,) = each(lambda m: _eliminated("inv", m, one)[:1], A.double())
    return named(found.to(A.dtype), "LinalgInvExBackward0")


def inv_ex(A, *, check_errors=False):
    """The inverse, and the number of the first pivot that is zero."""
    try:
        return _types.linalg_inv_ex(inv(A), _C.zeros(A.shape[:-2], dtype=_C.int32))
    except LinAlgError as error:
        if check_errors or A.dim() > 2:
            raise
        return _types.linalg_inv_ex(A, _C.tensor(error.place, dtype=_C.int32))


def det(A):
    square("det", A)
    return named(_determinant(A).to(A.dtype), "LinalgDetBackward0")


def _determinant(A):
    none = _C.zeros(A.shape[-1], 0, dtype=_C.float64)
    if A.dim() == 2:
        return _eliminated("det", A.double(), none)[1]
    return each(lambda m: _eliminated("det", m, none)[1:], A.double())[0]


def _slogdet(kind):
    def slogdet(A):
        square("slogdet", A)
        found = _determinant(A)
        size = named(found.abs().log().to(A.dtype), "LinalgSlogdetBackward0")
        return kind(found.sign().detach().to(A.dtype), size)

    return slogdet


slogdet, torch_slogdet = _slogdet(_types.linalg_slogdet), _slogdet(_types.slogdet)


def logdet(A):
    found = _determinant(A)
    return named(found.log().to(A.dtype), "WhereBackward0")


def solve_triangular(A, B, *, upper, left=True, unitriangular=False):
    """X with A X = B, or with X A = B, of a matrix that is zero above or below its diagonal."""
    square("solve_triangular", A)
    if not left:
        return solve_triangular(A.mT, B.mT, upper=not upper, unitriangular=unitriangular).mT
    size = A.shape[-1]
    found = {}
    for at in reversed(range(size)) if upper else range(size):
        row = B[..., at, :]
        for known, x in found.items():
            row = row - A[..., at, known].unsqueeze(-1) * x
        found[at] = row if unitriangular else row / A[..., at, at].unsqueeze(-1)
    return named(_C.stack([found[at] for at in range(size)], -2), "LinalgSolveTriangularBackward0")


def cholesky_solve(input, L, upper=False):
    """X with A X = input, where L Lᵀ = A."""
    low = L.mT if upper else L
    return solve_triangular(low.mT, solve_triangular(low, input, upper=False), upper=True)


def cholesky_inverse(input, upper=False):
    return cholesky_solve(_C.eye(input.shape[-1], dtype=input.dtype).expand_as(input), input, upper)


def triangular_solve(b, A, upper=True, transpose=False, unitriangular=False):
    turned = A.mT if transpose else A
    found = solve_triangular(turned, b, upper=upper != transpose, unitriangular=unitriangular)
    return _types.triangular_solve(found, A)


def pinv(A, rcond=None):
    U, S, Vh = svd(A.double(), False)
    limit = (max(A.shape[-2:]) * _C._finfo(A.dtype)[2] if rcond is None else rcond) * S[..., :1]
    inverse = _C.where(S > limit, 1 / S, 0)
    return (Vh.mT @ (inverse.unsqueeze(-1) * U.mT)).to(A.dtype)


def matrix_rank(A, tol=None, *, atol=None, rtol=None):
    values = svdvals(A)
    if tol is not None or atol is not None or rtol is not None:
        limit = (tol if atol is None else atol) or 0
        limit = _C.maximum(limit + 0 * values[..., :1], (rtol or 0) * values[..., :1])
    else:
        limit = max(A.shape[-2:]) * _C._finfo(A.dtype)[2] * values[..., :1]
    return (values > limit).sum(-1)


def lstsq(A, B, rcond=None, *, driver=None):
    """X for which ‖A X − B‖ is least, and of several the shortest."""
    if A.dim() != 2 or A.shape[0] < A.shape[1]:
        solution = pinv(A) @ B
    else:
        Q, R = qr(A.double())
        solution = solve(R, Q.T @ B.double()).to(A.dtype)
    is_over = A.shape[-2] > A.shape[-1]
    residuals = (A @ solution - B).square().sum(-2) if is_over else A.new_empty(0)
    return _types.linalg_lstsq(solution, residuals, matrix_rank(A), A.new_empty(0))


def tensorinv(A, ind=2):
    shape = (*A.shape[ind:], *A.shape[:ind])
    return inv(A.reshape(A.shape[:ind].numel(), -1)).view(shape)


def tensorsolve(A, B, dims=None):
    for dim in dims or ():
        A = A.movedim(dim, -1)
    return solve(A.reshape(B.numel(), -1), B.flatten()).view(A.shape[B.dim() :])
