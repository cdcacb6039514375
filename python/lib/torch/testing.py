"""`torch.testing`"""

import math

import _torch as _C
from torch._tensor import Tensor

_TOLERANCES = {
    _C.float16: (1e-3, 1e-5), _C.bfloat16: (1.6e-2, 1e-5), _C.float32: (1.3e-6, 1e-5), _C.float64: (1e-7, 1e-7)
}


def _as_tensor(value):
    return value if isinstance(value, Tensor) else _C.tensor(value)


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True, check_dtype=True, check_layout=True, check_stride=False, msg=None):
    """Raises an AssertionError that says how far apart the two are, if |actual − expected| > atol + rtol · |expected|
    anywhere; sequences and mappings are compared element by element."""
    if (rtol is None) != (atol is None):
        missing = "atol" if atol is None else "rtol"
        raise ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.")
    fault = _difference(actual, expected, rtol, atol, equal_nan, check_dtype, check_stride, "")
    if fault is not None:
        raise AssertionError(msg(fault) if callable(msg) else fault if msg is None else msg)


def _difference(actual, expected, rtol, atol, equal_nan, check_dtype, check_stride, place):
    """What to say of two that are not close; None if they are."""
    where = f"\n\nThe failure occurred for item {place}" if place else ""
    rest = rtol, atol, equal_nan, check_dtype, check_stride
    if isinstance(expected, dict) and isinstance(actual, dict):
        if actual.keys() != expected.keys():
            missing, added = sorted(expected.keys() - actual.keys()), sorted(actual.keys() - expected.keys())
            return (
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {missing}\nAdditional keys in the actual mapping: {added}{where}"
            )
        pairs = [(f"{place}[{key!r}]", actual[key], expected[key]) for key in expected]
    elif isinstance(expected, (list, tuple)) and isinstance(actual, (list, tuple)):
        if len(actual) != len(expected):
            return f"The length of the sequences mismatch: {len(actual)} != {len(expected)}{where}"
        pairs = [(f"{place}[{number}]", *pair) for number, pair in enumerate(zip(actual, expected))]
    else:
        found = _apart(actual, expected, *rest)
        return None if found is None else found + where
    faults = (_difference(one, other, *rest, at) for at, one, other in pairs)
    return next((fault for fault in faults if fault is not None), None)


def _apart(actual, expected, rtol, atol, equal_nan, check_dtype, check_stride):
    is_number = isinstance(actual, (int, float)) and isinstance(expected, (int, float))
    if not is_number:
        if (actual is None) != (expected is None):
            return f"None mismatch: {actual} is not {expected}"
        if not all(isinstance(x, Tensor) or hasattr(x, "_tensor") for x in (actual, expected)):
            raise TypeError(
                f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}."
            )
    one, other = _as_tensor(actual), _as_tensor(expected)
    checks = {"shape": True, "device": True, "dtype": check_dtype and not is_number, "stride()": check_stride}
    for name, is_checked in checks.items():
        values = [x.stride() if name == "stride()" else getattr(x, name) for x in (one, other)]
        if is_checked and values[0] != values[1]:
            shown = [repr(str(value)) if name == "device" else value for value in values]
            return f"The values for attribute '{name}' do not match: {shown[0]} != {shown[1]}."
    if rtol is None:
        pairs = [_TOLERANCES.get(x.dtype, (0.0, 0.0)) for x in (one, other)]
        if is_number:
            pairs = [(1e-7, 1e-7) if isinstance(x, float) else (0.0, 0.0) for x in (actual, expected)]
        rtol, atol = (max(values) for values in zip(*pairs))
    common = _C.float64 if is_number and float in (type(actual), type(expected)) else _C.promote_types(one.dtype, other.dtype)
    one, other = one.detach().to(common), other.detach().to(common)
    close = _C.isclose(one.double(), other.double(), rtol=rtol, atol=atol, equal_nan=equal_nan)
    if bool(close.all()):
        return None
    apart = (one - other).abs()
    if is_number:
        difference = abs(one.item() - other.item())
        share = difference / abs(other.item()) if other.item() else math.inf
        kind = "equal" if rtol == atol == 0 else "close"
        limits = ["", ""] if kind == "equal" else [f" (up to {atol} allowed)", f" (up to {rtol} allowed)"]
        return (
            f"Scalars are not {kind}!\n\nExpected {expected} but got {actual}.\n"
            f"Absolute difference: {difference}{limits[0]}\nRelative difference: {share}{limits[1]}"
        )
    return _told(one, other, apart, close, rtol, atol)


def _told(one, other, apart, close, rtol, atol):
    kind = "equal" if rtol == atol == 0 else "close"
    wrong, total = int((~close).sum()), close.numel()
    apart = apart.masked_fill(close, 0)
    shares = _C.where(close, 0, apart / other.abs())
    lines = [f"Tensor-likes are not {kind}!", ""]
    if one.dim():
        lines.append(f"Mismatched elements: {wrong} / {total} ({wrong / total:.1%})")
    for name, values, limit in (("absolute", apart, atol), ("relative", shares, rtol)):
        flat = values.flatten()
        at = int(flat.argmax())
        index, left = [], at
        for size in reversed(values.shape):
            index.insert(0, left % size)
            left //= size
        allowed = "" if kind == "equal" else f" (up to {limit} allowed)"
        if one.dim():
            lines.append(f"Greatest {name} difference: {flat[at].item()} at index {tuple(index)}{allowed}")
        else:
            lines.append(f"{name.capitalize()} difference: {flat[at].item()}{allowed}")
    if not one.dim():
        lines[0] = f"Scalars are not {kind}!"
        lines.insert(2, f"Expected {other.item()} but got {one.item()}.")
    return "\n".join(lines)
