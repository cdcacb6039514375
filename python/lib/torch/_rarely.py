"""Operations that few programs use; each is a function of `torch` and a method of tensors."""

import math as _math

import _torch as _C
from torch import return_types as _types
from torch import _methods
from torch._pointwise import logaddexp
from torch._compositions import set_data as _set_data
from torch._functions import broadcast_tensors
from torch._functions import diag as _diag
from torch._tensor import Tensor
from torch.linalg import inv as _inv
from torch.linalg import pinv as _pinv
from torch.linalg._checks import square as _square
from torch.linalg import matrix_exp, multi_dot
from torch.linalg._factors import torch_svd as svd
from torch.linalg._solving import cholesky_inverse, cholesky_solve, det, logdet, triangular_solve
from torch.linalg._solving import torch_slogdet as slogdet


def bitwise_left_shift(input, other):
    return input << other


def bitwise_right_shift(input, other):
    return input >> other


def argwhere(input):
    return _C.nonzero(input)


def is_nonzero(input):
    if input.numel() != 1:
        raise RuntimeError("Boolean value of Tensor with " + ("no values" if input.numel() == 0 else "more than one value") + " is ambiguous")
    return bool(input.item())


def is_same_size(input, other):
    return input.shape == other.shape


def is_signed(input):
    return input.dtype.is_signed


def is_complex(input):
    return False


def isposinf(input):
    return input == _math.inf


def isneginf(input):
    return input == -_math.inf


def isreal(input):
    return _C.ones_like(input, dtype=_C.bool)


def _folded(name, step):
    def folded(input, other):
        a, b = broadcast_tensors(input, other)
        while bool((b != 0).any()):
            a, b = _C.where(b == 0, a, b), _C.where(b == 0, 0, a.remainder(_C.where(b == 0, 1, b)))
        return step(input, other, a.abs())

    folded.__name__ = name
    return folded


gcd = _folded("gcd", lambda a, b, divisor: divisor)
lcm = _folded("lcm", lambda a, b, divisor: (a * b).abs() // divisor.clamp(min=1))


def erfc(input):
    """1 - erf(x), of large x by a continued fraction (Abramowitz and Stegun, 7.1.14): the difference has no digits left."""
    x = input.double()
    far, fraction = x.clamp(min=2), 0
    for number in range(60, 0, -1):
        fraction = number / 2 / (far + fraction)
    tail = (-far * far).exp() / _math.sqrt(_math.pi) / (far + fraction)
    found = _C.where(x < 2, 1 - x.erf(), tail)
    return found.to(input.dtype if input.is_floating_point() else _C.float32)


def xlogy(input, other):
    other = other if isinstance(other, Tensor) else _C.tensor(float(other))
    return _C.where(input == 0, _C.where(other.isnan(), _math.nan, 0.0), input * other.log())


def sinc(input):
    around = _C.where(input == 0, 1.0, input) * _math.pi
    return _C.where(input == 0, 1.0, around.sin() / around)


def deg2rad(input):
    return input * (_math.pi / 180)


def rad2deg(input):
    return input * (180 / _math.pi)


def copysign(input, other):
    input = input if input.is_floating_point() else input.to(_C._get_default_dtype())
    other = other if isinstance(other, Tensor) else _C.tensor(float(other))
    return _C.where(other.signbit(), -input.abs(), input.abs())


def float_power(input, exponent):
    exponent = exponent.double() if isinstance(exponent, Tensor) else float(exponent)
    return _C.pow(input.double(), exponent)


def frexp(input):
    """Numbers from 0.5 up to 1 and whole exponents, so that the product with a power of two is the input."""
    x = input.detach().double()
    is_odd = (x == 0) | x.isinf() | x.isnan()
    size = _C.where(is_odd, 1.0, x.abs())
    exponent = size.log2().floor()
    # A logarithm may be rounded up to the next whole number.
    exponent = exponent - (size < 2.0**exponent).double() + (size >= 2.0 ** (exponent + 1)).double() + 1
    mantissa = _C.where(is_odd, x, x / 2.0**exponent)
    return _types.frexp(mantissa.to(input.dtype), _C.where(is_odd, 0.0, exponent).to(_C.int32))


def nextafter(input, other):
    """The next number of the dtype on the way from one to the other."""
    a, b = (x.detach() for x in broadcast_tensors(input, other))
    if a.dtype not in (_C.float32, _C.float64):
        _methods.lacks("nextafter_cpu", a)
    whole = _C.int32 if a.dtype == _C.float32 else _C.int64
    bits = a.contiguous().view(whole)
    moved = (bits + _C.where((b > a) == (a > 0), 1, -1).to(whole)).view(a.dtype)
    smallest = _C.ones_like(bits).view(a.dtype)
    moved = _C.where(a == 0, _C.where(b > 0, smallest, -smallest), moved)
    return _C.where(a.isnan() | b.isnan(), a + b, _C.where(a == b, b, moved))


def ldexp(input, other):
    return input * _C.pow(2.0, other)


def logaddexp2(input, other):
    return logaddexp(input * _math.log(2), other * _math.log(2)) / _math.log(2)


def logcumsumexp(input, dim):
    largest = input.cummax(dim)[0]
    parts = [(part - top).exp() for part, top in zip(input.unbind(dim), largest.unbind(dim))]
    sums, tops, found = None, largest.unbind(dim), []
    for number, part in enumerate(parts):
        sums = part if sums is None else sums * (tops[number - 1] - tops[number]).exp() + part
        found.append(sums.log() + tops[number])
    return _C.stack(found, dim)


def addmv(input, mat, vec, *, beta=1, alpha=1):
    return beta * input + alpha * _C.mv(mat, vec)


def addr(input, vec1, vec2, *, beta=1, alpha=1):
    return beta * input + alpha * _C.outer(vec1, vec2)


def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    return beta * input + alpha * _C.bmm(batch1, batch2).sum(0)


def ger(input, vec2):
    return _C.outer(input, vec2)


def vdot(input, other):
    return _C.dot(input, other)


def msort(input):
    return input.sort(0)[0]


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The values of a flat tensor without those that equal the one before."""
    if dim is not None:
        raise NotImplementedError("unique_consecutive() along a dimension")
    flat = input.detach().flatten()
    begins = _C.ones(len(flat), dtype=_C.bool, device=flat.device)
    begins[1:] = flat[1:] != flat[:-1]
    numbers = begins.cumsum(0) - 1
    out = [flat[begins]]
    if return_inverse:
        out.append(numbers.view(input.shape))
    if return_counts:
        out.append(_C.zeros_like(out[0], dtype=_C.int64).scatter_add_(0, numbers, _C.ones_like(numbers)))
    return out[0] if len(out) == 1 else tuple(out)


def diagflat(input, offset=0):
    return _diag(input.flatten(), offset)


def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Matrices with these diagonals, in two new dimensions."""
    size = input.shape[-1] + abs(offset)
    out = _C.zeros(*input.shape[:-1], size, size, dtype=input.dtype, device=input.device)
    out.diagonal(offset, -2, -1).copy_(input)
    return out.movedim((-2, -1), (dim1, dim2))


def diag(input, diagonal=0):
    return _diag(input, diagonal)


def matrix_power(input, n):
    _square("matrix_power", input, any_dtype=True)
    if n < 0:
        return matrix_power(_inv(input), -n)
    out = _C.eye(input.shape[-1], dtype=input.dtype, device=input.device).expand_as(input)
    for _ in range(n):
        out = out @ input
    return out.clone() if n == 0 else out


def inverse(input):
    return _inv(input)


def pinverse(input, rcond=1e-15):
    return _pinv(input, rcond)


def cholesky(input, upper=False):
    raise RuntimeError(
        "This function was deprecated since version 1.9 and is now removed. `torch.cholesky` is deprecated in favor of "
        "`torch.linalg.cholesky`.\n"
    )


def chain_matmul(*matrices):
    return multi_dot(matrices)


def renorm(input, p, dim, maxnorm):
    """Parts of a dimension that are longer than `maxnorm` are shortened to it."""
    norms = input.norm(p, [at for at in range(input.dim()) if at != dim % input.dim()], True)
    return _C.where(norms > maxnorm, input * (maxnorm / (norms + 1e-7)), input)


def _trapezes(y, x, dx, dim):
    size = y.size(dim)
    sides = (y.narrow(dim, 1, size - 1) + y.narrow(dim, 0, size - 1)) / 2
    return sides * (dx if x is None else x.diff(dim=dim))


def trapezoid(y, x=None, *, dx=1, dim=-1):
    return _trapezes(y, x, dx, dim).sum(dim)


def cumulative_trapezoid(y, x=None, *, dx=1, dim=-1):
    return _trapezes(y, x, dx, dim).cumsum(dim)


def vander(x, N=None, increasing=False):
    powers = _C.arange(len(x) if N is None else N)
    return x.unsqueeze(-1) ** (powers if increasing else powers.flip(0))


def _splits(name, least, of):
    def split(input, sections):
        if input.dim() < least:
            raise RuntimeError(
                f"torch.{name} requires a tensor with at least {least} dimension{'s' if least > 1 else ''}, but got a tensor "
                f"with {input.dim()} dimensions!"
            )
        dim = of(input)
        if isinstance(sections, int) and input.shape[dim] % sections:
            raise RuntimeError(
                f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension {input.shape[dim]} is "
                f"not divisible by the split_size {sections}!"
            )
        return input.tensor_split(sections, dim)

    split.__name__ = name
    return split


hsplit = _splits("hsplit", 1, lambda input: 0 if input.dim() == 1 else 1)
vsplit = _splits("vsplit", 2, lambda input: 0)
dsplit = _splits("dsplit", 3, lambda input: 2)


def as_strided_(input, size, stride, storage_offset=None):
    start = input.storage_offset() if storage_offset is None else storage_offset
    return _set_data(input, input.as_strided(size, stride, start))


def set_(input, source, storage_offset=0, size=None, stride=None):
    """From now on the tensor is the other one, or lies over a storage in that way."""
    if size is None:
        return _set_data(input, source)
    source = getattr(source, "_tensor", source)
    if stride is None:
        stride = [_math.prod(size[at + 1 :]) for at in range(len(size))]
    return _set_data(input, source.as_strided(size, stride, storage_offset))


def real(input):
    return input


def is_conj(input):
    return False


is_neg = is_conj


def fix(input):
    return input.trunc()


def clamp_min(input, min):
    return input.clamp(min=min)


def clamp_max(input, max):
    return input.clamp(max=max)


def adjoint(input):
    return input.mT


def unsafe_chunk(input, chunks, dim=0):
    return input.chunk(chunks, dim)


_ALIASES = {
    "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2",
    "arctanh": "atanh", "greater_equal": "ge", "less_equal": "le", "not_equal": "ne", "trapz": "trapezoid",
    "conj": "real", "resolve_conj": "real", "resolve_neg": "real",
}
_PLACED = (
    "acos acosh asin asinh atan atan2 atanh cosh sinh tan erfc exp2 fix frac log10 logit nan_to_num sinc hypot fmod "
    "logical_and logical_or logical_xor logical_not eq ne lt le gt ge cumsum cumprod addmm baddbmm addmv addr "
    "bitwise_not bitwise_left_shift bitwise_right_shift clamp_min clamp_max copysign deg2rad rad2deg gcd lcm xlogy sgn "
    "float_power ldexp"
)
_methods.place(globals(), _PLACED)
Tensor.real = property(real)
globals().update({alias: globals().get(name) or getattr(Tensor, name) for alias, name in _ALIASES.items()})
_methods.add(globals(), ("Tensor", "broadcast_tensors", "chain_matmul", "multi_dot", "real", "trapezoid"))
