"""Functions of numbers, those of integers exact."""

from _math import *
from _math import _log, _log2, _log10
from _operator import index as _index

pi = 3.141592653589793
e = 2.718281828459045
tau = 6.283185307179586
inf = float("inf")
nan = float("nan")


def _of_large(logarithm, factor):
    """A logarithm that takes integers beyond the floats, too: n = m * 2**k, so log n = log m + k log 2."""

    def result(x):
        if isinstance(x, int):
            if x <= 0:
                raise ValueError("expected a positive input")
            shift = x.bit_length() - 1000
            if shift > 0:
                return logarithm(x >> shift) + shift * factor
        return logarithm(x)

    return result


_natural = _of_large(_log, 0.6931471805599453)
log2 = _of_large(_log2, 1.0)
log10 = _of_large(_log10, 0.30102999566398120)


def log(x, base=None):
    return _natural(x) if base is None else _natural(x) / _natural(base)


def _rounded(name, change):
    def result(x):
        method = getattr(type(x), name, None)
        if method is not None:
            return method(x)
        return change(float(x))

    return result


floor = _rounded("__floor__", float.__floor__)
ceil = _rounded("__ceil__", float.__ceil__)


def trunc(x):
    method = getattr(type(x), "__trunc__", None)
    if method is None:
        raise TypeError(f"type {type(x).__name__} doesn't define __trunc__ method")
    return method(x)


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    if rel_tol < 0 or abs_tol < 0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    return abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol)


def gcd(*integers):
    result = 0
    for value in integers:
        value = _index(value)
        while value:
            result, value = value, result % value
    return abs(result)


def lcm(*integers):
    result = 1
    for value in integers:
        value = _index(value)
        if value == 0:
            return 0
        result = result // gcd(result, value) * value
    return abs(result)


def isqrt(n):
    n = _index(n)
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    if n == 0:
        return 0
    # Newton's steps from above only fall until the root.
    root = 1 << (n.bit_length() + 1) // 2
    while (step := (root + n // root) // 2) < root:
        root = step
    return root


def factorial(n):
    n = _index(n)
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    return prod(range(2, n + 1))


def perm(n, k=None):
    if k is None:
        return factorial(n)
    n, k = _index(n), _index(k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    return prod(range(n - k + 1, n + 1)) if k <= n else 0


def comb(n, k):
    n, k = _index(n), _index(k)
    ways = perm(n, min(k, n - k)) if k <= n else perm(n, k)
    return ways // factorial(min(k, n - k)) if k <= n else 0


def prod(iterable, *, start=1):
    for value in iterable:
        start = start * value
    return start


def sumprod(p, q, /):
    p, q = list(p), list(q)
    if len(p) != len(q):
        raise ValueError("Inputs are not the same length")
    products = [a * b for a, b in zip(p, q)]
    return fsum(products) if any(isinstance(value, float) for value in products) else sum(products)


def dist(p, q, /):
    p, q = list(p), list(q)
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return hypot(*(a - b for a, b in zip(p, q)))
