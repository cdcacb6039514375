"""Operations that few programs use; each is a function of `torch` and a method of tensors."""

import math as _math

import _torch as _C
from _torch import TensorBase as _Base
from torch import return_types as _types
from torch._compositions import _in_place, logaddexp
from torch._functions import broadcast_tensors
from torch._functions import diag as _diag
from torch._tensor import _LEGACY, Tensor
from torch.autograd import no_grad
from torch.linalg import det as _det
from torch.linalg import inv as _inv


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
        raise NotImplementedError(f'"nextafter_cpu" not implemented for \'{_LEGACY[a.dtype]}\'')
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
    if n < 0:
        return matrix_power(_inv(input), -n)
    out = _C.eye(input.shape[-1], dtype=input.dtype, device=input.device).expand_as(input)
    for _ in range(n):
        out = out @ input
    return out.clone() if n == 0 else out


def inverse(input):
    return _inv(input)


def det(input):
    return _det(input)


def logdet(input):
    return _det(input).log()


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


def select_scatter(input, src, dim, index):
    out = input.clone()
    out.select(dim, index).copy_(src)
    return out


def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    out = input.clone()
    places = [slice(None)] * (dim % input.dim()) + [slice(start, end, step)]
    out[tuple(places)] = src
    return out


def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    out = input.clone()
    out.diagonal(offset, dim1, dim2).copy_(src)
    return out


def index_put_(input, indices, values, accumulate=False):
    if not accumulate:
        input[tuple(indices)] = values
        return input
    # The number of each place that is written to, among all of the flat tensor.
    numbers = _C.arange(input.numel()).view(input.shape)[tuple(indices)]
    values = values.expand(numbers.shape).reshape(-1)
    return input.copy_(input.flatten().scatter_add(0, numbers.reshape(-1), values).view(input.shape))


def index_put(input, indices, values, accumulate=False):
    return input.clone().index_put_(indices, values, accumulate)


def index_copy(input, dim, index, source):
    return input.clone().index_copy_(dim, index, source)


def index_copy_(input, dim, index, source):
    if index.dtype != _C.int64:
        raise RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {_LEGACY[index.dtype]}")
    input[(slice(None),) * (dim % input.dim()) + (index,)] = source
    return input


def scatter(input, dim, index, src=None, *, value=None, reduce=None):
    return input.clone().scatter_(dim, index, src, value=value, reduce=reduce)


def scatter_(input, dim, index, src=None, *, value=None, reduce=None):
    """Writes the source, or one value, to the places that the index tells; or adds it there, or multiplies by it."""
    src = value if src is None else src
    if reduce is None:
        return _Base.scatter_(input, dim, index, src)
    if reduce not in ("add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    src = src if isinstance(src, Tensor) else _C.full_like(index, src, dtype=input.dtype)
    return input.scatter_add_(dim, index, src) if reduce == "add" else input.scatter_reduce_(dim, index, src, "prod")


def masked_scatter(input, mask, source):
    return input.clone().masked_scatter_(mask, source)


def masked_scatter_(input, mask, source):
    mask = mask.expand_as(input)
    input[mask] = source.flatten()[: int(mask.sum())]
    return input


def scatter_reduce(input, dim, index, src, reduce, *, include_self=True):
    """For each place the sum, mean, product or extreme of what the index sends there, and of what was there."""
    if reduce not in ("sum", "prod", "mean", "amax", "amin"):
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    src = src[tuple(slice(size) for size in index.shape)]
    counts = _C.zeros_like(input).scatter_add_(dim, index, _C.ones_like(src))
    if reduce in ("sum", "mean"):
        base = input if include_self else _C.where(counts > 0, 0, input)
        sums = base.scatter_add(dim, index, src)
        counted = (counts + include_self).clamp(min=1)
        return sums if reduce == "sum" else sums / counted if input.is_floating_point() else sums // counted
    ends = {"prod": 1, "amax": _C._finfo(_C.float64)[1], "amin": _C._finfo(_C.float64)[0]}
    if not input.is_floating_point():
        ends.update(amax=-(2**62), amin=2**62)
    out = input.clone() if include_self else _C.where(counts > 0, ends[reduce], input)
    combine = {"prod": _C.mul, "amax": _C.maximum, "amin": _C.minimum}[reduce]
    lanes, places, given = out.movedim(dim, 0), index.movedim(dim, 0), src.movedim(dim, 0)
    for place, values in zip(places.unbind(0), given.unbind(0)):
        here = lanes[tuple(slice(size) for size in (len(lanes), *place.shape))]
        now = here.gather(0, place.unsqueeze(0))
        here.scatter_(0, place.unsqueeze(0), combine(now, values.unsqueeze(0)))
    return out


def scatter_reduce_(input, dim, index, src, reduce, *, include_self=True):
    return input.copy_(scatter_reduce(input, dim, index, src, reduce, include_self=include_self))


def fill_diagonal_(input, fill_value, wrap=False):
    if len(set(input.shape)) > 1 and input.dim() > 2:
        raise RuntimeError("all dimensions of input must be of equal length")
    input.diagonal().fill_(fill_value) if input.dim() == 2 else input[(_C.arange(len(input)),) * input.dim()].fill_(fill_value)
    return input


@no_grad
def random_(input, *bounds, generator=None):
    """Whole numbers from 0 or `from` on, below `to` or all that the dtype holds exactly."""
    if bounds:
        low, high = (0, bounds[0]) if len(bounds) == 1 else bounds
    else:
        digits = {_C.float64: 53, _C.float32: 24, _C.float16: 11, _C.bfloat16: 8, _C.bool: 1, _C.int64: 63}
        bits = digits.get(input.dtype, 8 * input.dtype.itemsize - input.dtype.is_signed)
        if input.dtype == _C.int64:
            return input.copy_(_C.randint(-1, 2**63 - 1, input.shape, generator=generator) + 1)
        low, high = 0, 2**bits + input.is_floating_point()
    return input.copy_(_C.randint(low, high, input.shape, generator=generator))


def _drawn(name, rule):
    @no_grad
    def drawn(input, *args, generator=None, **kwargs):
        return input.copy_(rule(_C.rand(input.shape, generator=generator, dtype=_C.float64), *args, **kwargs))

    drawn.__name__ = name
    return drawn


@no_grad
def log_normal_(input, mean=1, std=2, *, generator=None):
    # Normal numbers one by one, as a tensor with gaps gets them.
    apart = _C.empty((*input.shape, 2), dtype=_C.float64)[..., 0]
    return input.copy_(apart.normal_(mean, std, generator=generator).exp())


exponential_ = _drawn("exponential_", lambda u, lambd=1: -(-u).log1p() / lambd)
geometric_ = _drawn("geometric_", lambda u, p: (u.log() / _math.log1p(-p)).ceil())
cauchy_ = _drawn("cauchy_", lambda u, median=0, sigma=1: median + sigma * (_math.pi * (u - 0.5)).tan())


def hsplit(input, sections):
    return input.tensor_split(sections, 0 if input.dim() == 1 else 1)


def vsplit(input, sections):
    return input.tensor_split(sections, 0)


def dsplit(input, sections):
    return input.tensor_split(sections, 2)


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


_HELPERS = ("Tensor", "_Base", "_det", "_diag", "_drawn", "_folded", "_in_place", "_inv", "_trapezes", "broadcast_tensors", "no_grad")
_ALIASES = {
    "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2",
    "arctanh": "atanh", "greater_equal": "ge", "less_equal": "le", "not_equal": "ne", "trapz": "trapezoid",
    "row_stack": "vstack",
}
_PLACED = (
    "acos acosh asin asinh atan atan2 atanh cosh sinh tan erfc exp2 fix frac log10 logit nan_to_num sinc hypot fmod "
    "logical_and logical_or logical_xor logical_not eq ne lt le gt ge cumsum cumprod addmm baddbmm addmv addr "
    "bitwise_not bitwise_left_shift bitwise_right_shift clamp_min clamp_max copysign deg2rad rad2deg gcd lcm xlogy sgn "
    "float_power ldexp"
)
for _name in _PLACED.split():
    globals()[_name + "_"] = _in_place(_name)
for _name, _function in list(globals().items()):
    if callable(_function) and _name not in _HELPERS and not _name.startswith("__"):
        setattr(Tensor, _name, _function)
