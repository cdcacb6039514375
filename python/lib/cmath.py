"""Functions of complex numbers, with the special values of C99."""

import math
from math import atan2, copysign, e, inf, ldexp, nan, pi, tau

infj, nanj = complex(0.0, inf), complex(0.0, nan)
_LN2 = math.log(2.0)
_MOST, _LEAST = 1.7976931348623157e308, 2.2250738585072014e-308
_LARGE = _MOST / 4.0
_LOG_LARGE = math.log(_LARGE)
_SQRT_LARGE, _SQRT_LEAST = math.sqrt(_LARGE), math.sqrt(_LEAST)


def _hypot(x, y):
    """The length as complex numbers have it, whose last digit can differ from that of math."""
    try:
        return abs(complex(x, y))
    except OverflowError:
        return inf


def _parts(z):
    if type(z) is not complex:
        if not isinstance(z, complex) and not any(
                hasattr(type(z), name) for name in ("__complex__", "__float__", "__index__")):
            raise TypeError(f"must be real number, not {type(z).__name__}")
        z = complex(z)
    return z.real, z.imag


def _finite(x, y):
    return math.isfinite(x) and math.isfinite(y)


def _domain():
    raise ValueError("math domain error")


def _checked(re, im):
    if math.isinf(re) or math.isinf(im):
        raise OverflowError("math range error")
    return complex(re, im)


def _turned(function, z):
    """-i f(iz): how the circular functions come from the hyperbolic ones."""
    x, y = _parts(z)
    s = function(complex(-y, x))
    return complex(s.imag, -s.real)


def sqrt(z, /):
    x, y = _parts(z)
    if not _finite(x, y):
        if math.isinf(y):
            return complex(inf, y)
        if x == inf:
            return complex(inf, nan if y != y else copysign(0.0, y))
        if x == -inf:
            return complex(nan if y != y else 0.0, copysign(inf, y))
        return complex(nan, nan)
    if x == 0.0 and y == 0.0:
        return complex(0.0, y)
    ax, ay = abs(x), abs(y)
    if ax < _LEAST and ay < _LEAST:
        # Scaled up by an even power of two, to keep the digits of subnormal numbers.
        ax = ldexp(ax, 53)
        s = ldexp(math.sqrt(ax + _hypot(ax, ldexp(ay, 53))), -27)
    else:
        ax /= 8.0
        s = 2.0 * math.sqrt(ax + _hypot(ax, ay / 8.0))
    d = ay / (2.0 * s)
    return complex(s, copysign(d, y)) if x >= 0.0 else complex(d, copysign(s, y))


def acos(z, /):
    x, y = _parts(z)
    if not _finite(x, y):
        if x != x or y != y:
            if math.isinf(x):
                return complex(nan, inf)
            if math.isinf(y):
                return complex(nan, -y)
            return complex(pi / 2 if x == 0.0 else nan, nan)
        return complex(atan2(abs(y), x), copysign(inf, -y))
    if abs(x) > _LARGE or abs(y) > _LARGE:
        return complex(atan2(abs(y), x), copysign(math.log(_hypot(x / 2.0, y / 2.0)) + _LN2 * 2.0, -y))
    s1, s2 = sqrt(complex(1.0 - x, -y)), sqrt(complex(1.0 + x, y))
    return complex(2.0 * atan2(s1.real, s2.real), math.asinh(s2.real * s1.imag - s2.imag * s1.real))


def acosh(z, /):
    x, y = _parts(z)
    if not _finite(x, y):
        s = acos(complex(x, y))
        return complex(abs(s.imag), copysign(s.real, y) if y == y else nan)
    if abs(x) > _LARGE or abs(y) > _LARGE:
        return complex(math.log(_hypot(x / 2.0, y / 2.0)) + _LN2 * 2.0, atan2(y, x))
    s1, s2 = sqrt(complex(x - 1.0, y)), sqrt(complex(x + 1.0, y))
    return complex(math.asinh(s1.real * s2.real + s1.imag * s2.imag), 2.0 * atan2(s1.imag, s2.real))


def asin(z, /):
    return _turned(asinh, z)


def asinh(z, /):
    x, y = _parts(z)
    if not _finite(x, y):
        if x != x:
            return complex(copysign(inf, x) if math.isinf(y) else nan, y if y == 0.0 else nan)
        if y != y:
            return complex(x if math.isinf(x) else nan, nan)
        return complex(copysign(inf, x), atan2(y, abs(x)))
    if abs(x) > _LARGE or abs(y) > _LARGE:
        return complex(copysign(math.log(_hypot(x / 2.0, y / 2.0)) + _LN2 * 2.0, x), atan2(y, abs(x)))
    s1, s2 = sqrt(complex(1.0 + y, -x)), sqrt(complex(1.0 - y, x))
    return complex(math.asinh(s1.real * s2.imag - s2.real * s1.imag), atan2(y, s1.real * s2.real - s1.imag * s2.imag))


def atan(z, /):
    return _turned(atanh, z)


def atanh(z, /):
    x, y = _parts(z)
    if not _finite(x, y):
        if math.isinf(y) or math.isinf(x) and y == y:
            return complex(copysign(0.0, x), copysign(pi / 2, y))
        return complex(copysign(0.0, x) if math.isinf(x) else x if x == 0.0 else nan, nan)
    if copysign(1.0, x) < 0.0:
        s = atanh(complex(-x, -y))
        return complex(-s.real, -s.imag)
    ay = abs(y)
    if x > _SQRT_LARGE or ay > _SQRT_LARGE:
        h = _hypot(x / 2.0, y / 2.0)
        return complex(x / 4.0 / h / h, -copysign(pi / 2.0, -y))
    if x == 1.0 and ay < _SQRT_LEAST:
        if ay == 0.0:
            _domain()
        return complex(-math.log(math.sqrt(ay) / math.sqrt(_hypot(ay, 2.0))), copysign(atan2(2.0, -ay) / 2.0, y))
    square = ay * ay
    return complex(math.log1p(4.0 * x / ((1.0 - x) * (1.0 - x) + square)) / 4.0,
                   -atan2(-2.0 * y, (1.0 - x) * (1.0 + x) - square) / 2.0)


def cos(z, /):
    x, y = _parts(z)
    return cosh(complex(-y, x))


def _far(x, y):
    """The parts of sinh and cosh where x or y is no finite number."""
    if math.isinf(y) and x == x:
        _domain()
    if math.isinf(x) and y == y:
        if y == 0.0:
            return x, inf, 1.0, y
        return x, inf, math.cos(y), math.sin(y)
    return None


def cosh(z, /):
    x, y = _parts(z)
    if not _finite(x, y):
        far = _far(x, y)
        if far:
            return complex(inf * far[2], copysign(0.0, x) * y if y == 0.0 else x * far[3])
        if math.isinf(x):
            return complex(inf, nan)
        return complex(nan, 0.0 if x == 0.0 or y == 0.0 else nan)
    if abs(x) > _LOG_LARGE:
        less = x - copysign(1.0, x)
        return _checked(*_scaled(math.cos(y), math.cosh, math.sin(y), math.sinh, less))
    return complex(math.cos(y) * math.cosh(x), math.sin(y) * math.sinh(x))


def _scaled(first, grow, second, grow_too, less):
    """Products that stay finite where the function alone would not."""
    try:
        return first * grow(less) * e, second * grow_too(less) * e
    except OverflowError:
        return inf, inf


def sin(z, /):
    return _turned(sinh, z)


def sinh(z, /):
    x, y = _parts(z)
    if not _finite(x, y):
        far = _far(x, y)
        if far:
            return complex(x * far[2], y if y == 0.0 else inf * far[3])
        if math.isinf(x):
            return complex(inf, nan)
        return complex(0.0 if x == 0.0 else nan, y if y == 0.0 else nan)
    if abs(x) > _LOG_LARGE:
        less = x - copysign(1.0, x)
        return _checked(*_scaled(math.cos(y), math.sinh, math.sin(y), math.cosh, less))
    return complex(math.cos(y) * math.sinh(x), math.sin(y) * math.cosh(x))


def tan(z, /):
    return _turned(tanh, z)


def tanh(z, /):
    x, y = _parts(z)
    if not _finite(x, y):
        if math.isinf(x):
            return complex(copysign(1.0, x), copysign(0.0, math.sin(y) * math.cos(y)) if math.isfinite(y) else 0.0)
        if math.isinf(y) and x == x:
            _domain()
        return complex(nan, y if y == 0.0 else nan)
    if abs(x) > _LOG_LARGE:
        return complex(copysign(1.0, x), 4.0 * math.sin(y) * math.cos(y) * math.exp(-2.0 * abs(x)))
    tx, ty, cx = math.tanh(x), math.tan(y), 1.0 / math.cosh(x)
    both = tx * ty
    below = 1.0 + both * both
    return complex(tx * (1.0 + ty * ty) / below, ((ty / below) * cx) * cx)


def exp(z, /):
    x, y = _parts(z)
    if not _finite(x, y):
        if math.isinf(y) and (math.isfinite(x) or x == inf):
            _domain()
        if x == -inf:
            return complex(copysign(0.0, math.cos(y)), copysign(0.0, math.sin(y))) if math.isfinite(y) else 0j
        if x == inf:
            return complex(inf * math.cos(y), y if y == 0.0 else inf * math.sin(y)) if y == y else complex(inf, nan)
        return complex(nan, y if y == 0.0 else nan)
    if x > _LOG_LARGE:
        return _checked(*_scaled(math.cos(y), math.exp, math.sin(y), math.exp, x - 1.0))
    grown = math.exp(x)
    return complex(grown * math.cos(y), grown * math.sin(y))


def _log(x, y):
    """The logarithm, and whether it is one: at zero there is none."""
    if not _finite(x, y):
        return complex(inf if math.isinf(x) or math.isinf(y) else nan, atan2(y, x)), True
    ax, ay = abs(x), abs(y)
    fine = True
    if ax > _LARGE or ay > _LARGE:
        re = math.log(_hypot(ax / 2.0, ay / 2.0)) + _LN2
    elif ax < _LEAST and ay < _LEAST:
        fine = ax > 0.0 or ay > 0.0
        re = math.log(_hypot(ldexp(ax, 53), ldexp(ay, 53))) - 53 * _LN2 if fine else -inf
    else:
        h = _hypot(ax, ay)
        if 0.71 <= h <= 1.73:
            most, least = max(ax, ay), min(ax, ay)
            re = math.log1p((most - 1) * (most + 1) + least * least) / 2.0
        else:
            re = math.log(h)
    return complex(re, atan2(y, x)), fine


def log(z, base=None, /):
    result, fine = _log(*_parts(z))
    if base is not None:
        below, also = _log(*_parts(base))
        if not also or below == 0:
            _domain()
        return result / below
    return result if fine else _domain()


def log10(z, /):
    result, fine = _log(*_parts(z))
    if not fine:
        _domain()
    return complex(result.real / math.log(10.0), result.imag / math.log(10.0))


def phase(z, /):
    x, y = _parts(z)
    return atan2(y, x)


def polar(z, /):
    x, y = _parts(z)
    r = _hypot(x, y)
    if math.isinf(r) and _finite(x, y):
        raise OverflowError("math range error")
    return r, atan2(y, x)


def rect(r, phi, /):
    for value in (r, phi):
        if isinstance(value, complex) or not any(hasattr(type(value), name) for name in ("__float__", "__index__")):
            raise TypeError(f"must be real number, not {type(value).__name__}")
    r, phi = float(r), float(phi)
    if math.isinf(phi) and r == r and r != 0.0:
        _domain()
    if not _finite(r, phi):
        if math.isinf(r) and math.isfinite(phi) and phi != 0.0:
            return complex(r * math.cos(phi), r * math.sin(phi))
        if math.isinf(r):
            return complex(r if phi == 0.0 else inf, copysign(0.0, r) * phi if phi == 0.0 else nan)
        return complex(0.0 if r == 0.0 else nan, 0.0 if r == 0.0 or phi == 0.0 else nan)
    if phi == 0.0:
        return complex(r, r * phi)
    return complex(r * math.cos(phi), r * math.sin(phi))


def isfinite(z, /):
    x, y = _parts(z)
    return math.isfinite(x) and math.isfinite(y)


def isinf(z, /):
    x, y = _parts(z)
    return math.isinf(x) or math.isinf(y)


def isnan(z, /):
    x, y = _parts(z)
    return x != x or y != y


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    a, b = complex(*_parts(a)), complex(*_parts(b))
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    difference = abs(a - b)
    return difference <= rel_tol * abs(b) or difference <= rel_tol * abs(a) or difference <= abs_tol
