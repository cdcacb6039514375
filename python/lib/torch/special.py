"""`torch.special`: functions of mathematics beyond the elementary ones."""

import math as _math

import _torch as _C
import torch
from torch.autograd import named as _named
from torch.nn.functional import log_softmax, softmax

# Coefficients B(2k) / (2k (2k - 1)) of Stirling's series (Abramowitz and Stegun, 6.1.40).
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
# Above this it is exact to the last digit of float64.
_FAR = 10


def _real(input):
    return input if input.is_floating_point() else input.float()


def _shifted(x):
    """Numbers above `_FAR`, and all that were passed on the way there, as a list."""
    passed = []
    for _ in range(_FAR):
        passed.append(x)
        x = x + 1
    return x, passed


def _lgamma_positive(x):
    far, passed = _shifted(x)
    series, power = 0.0, 1 / far
    for coefficient in _STIRLING:
        series = series + coefficient * power
        power = power / (far * far)
    whole = (far - 0.5) * far.log() - far + 0.5 * _math.log(2 * _math.pi) + series
    product = passed[0]
    for part in passed[1:]:
        product = product * part
    return whole - product.log()


def gammaln(input):
    """The logarithm of the absolute value of the gamma function."""
    x = _real(input).double()
    is_negative = x < 0.5
    found = _lgamma_positive(_C.where(is_negative, 1 - x, x))
    reflected = _math.log(_math.pi) - (_math.pi * x).sin().abs().log() - found
    found = _C.where(is_negative, reflected, found)
    is_pole = (x <= 0) & (x == x.floor()) | x.isinf()
    found = _C.where(is_pole, _math.inf, found)
    return _named(_C.where((x == 1) | (x == 2), 0 * x, found).to(_real(input).dtype), "LgammaBackward0")


# Of Cephes' psi(), which PyTorch computes float32 with: the same rounding on the way.
_ASYMPTOTIC = (8.33333333333333333333e-2, -2.10927960927960927961e-2, 7.57575757575757575758e-3, -4.16666666666666666667e-3)
_ASYMPTOTIC += (3.96825396825396825397e-3, -8.33333333333333333333e-3, 8.33333333333333333333e-2)


def _digamma_of_singles(x):
    is_negative = x < 0
    turned = _math.pi / (_math.pi * x.double().frac()).tan()
    x = _C.where(is_negative, 1 - x, x)
    sums = 0 * x
    for _ in range(_FAR):
        is_near = x < _FAR
        sums = _C.where(is_near, sums - 1 / x, sums)
        x = _C.where(is_near, x + 1, x)
    square = 1 / (x * x)
    series = 0 * x
    for coefficient in _ASYMPTOTIC:
        series = series * square + coefficient
    found = sums + x.log() - 0.5 / x - series * square
    found = _C.where(x == _FAR, sums + 2.25175258906672110764, found)
    return _C.where(is_negative, found - turned.float(), found)


def _digamma_of_doubles(x):
    is_negative = x < 0.5
    far, passed = _shifted(_C.where(is_negative, 1 - x, x))
    series, power = 0.0, 1 / (far * far)
    for number, coefficient in enumerate(_STIRLING):
        series = series + (2 * number + 1) * coefficient * power
        power = power / (far * far)
    found = far.log() - 0.5 / far - series
    for part in passed:
        found = found - 1 / part
    return _C.where(is_negative, found - _math.pi / (_math.pi * x).tan(), found)


def digamma(input):
    """The derivative of the logarithm of the gamma function, which has poles at 0 and at negative whole numbers."""
    x = _real(input)
    found = _digamma_of_singles(x) if x.dtype == _C.float32 else _digamma_of_doubles(x.double())
    found = _C.where((x < 0) & (x == x.floor()), _math.nan, _C.where(x == 0, -_math.inf, found))
    return _named(found.to(x.dtype), "DigammaBackward0")


psi = digamma


def multigammaln(input, p):
    parts = sum(gammaln(input - number / 2) for number in range(p))
    return p * (p - 1) / 4 * _math.log(_math.pi) + parts


def erfinv(input):
    """Where the error function has that value: a first guess (Giles 2012), then steps of Newton."""
    y = _real(input).double()
    inside = y.detach().clamp(-1 + 1e-16, 1 - 1e-16)
    tail = ((1 - inside) * (1 + inside)).log()
    first = 2 / (_math.pi * 0.147) + tail / 2
    x = inside.sign() * (((first * first - tail / 0.147).sqrt() - first).sqrt())
    for _ in range(4):
        x = x - (x.erf() - inside) * (x * x).exp() * (_math.sqrt(_math.pi) / 2)
    # One more step, of which autograd sees the value.
    x = x - (x.erf() - y) * (x * x).exp() * (_math.sqrt(_math.pi) / 2)
    x = _C.where(y.abs() == 1, y * _math.inf, _C.where(y.abs() > 1, _math.nan, x))
    return _named(x.to(_real(input).dtype), "ErfinvBackward0")


def entr(input):
    """-x log x, 0 at 0."""
    x = _real(input)
    inner = -x * _C.where(x > 0, x, 1).log()
    return _C.where(x > 0, inner, _C.where(x == 0, 0 * x, -_math.inf))


def ndtr(input):
    """The share of a normal distribution below it."""
    return 0.5 * torch.erfc(-_real(input) / _math.sqrt(2))


def ndtri(p):
    return _math.sqrt(2) * erfinv(2 * p - 1)


def xlog1py(input, other):
    return _C.where(torch.as_tensor(input) == 0, 0.0, input * torch.as_tensor(other).log1p())


def i0(input):
    """The modified Bessel function of order 0, by its series."""
    x = _real(input).double()
    quarter = x * x / 4
    total, part = _C.ones_like(x), _C.ones_like(x)
    for number in range(1, 200):
        part = part * quarter / (number * number)
        total = total + part
    return total.to(_real(input).dtype)


def logsumexp(input, dim, keepdim=False):
    return input.logsumexp(dim, keepdim)


expit, logit, exp2, expm1, log1p = torch.sigmoid, torch.logit, torch.exp2, torch.expm1, torch.log1p
erf, erfc, round, sinc, xlogy = torch.erf, torch.erfc, torch.round, torch.sinc, torch.xlogy
