"""Writes print.json beside it: tensors and what Python's repr makes of them, as PyTorch has it.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy
    /tmp/golden/bin/python engine/tests/golden/print.py

A tensor is its storage and how it lies there. The storage holds the listed numbers over and over, `count` in
all, each rounded to the dtype; NaN and the infinities are the strings "NaN", "Infinity" and "-Infinity".
"repr" is what the text on a CPU and that on a GPU have in common at the start, then how each goes on.
"""

import math
import os
import random
from unittest import mock

import torch
from torch import _tensor_str

from figures import number, write

SPECIAL = [math.nan, math.inf, -math.inf]
BOUNDS = {"int64": (-(2**63), 2**63 - 1), "int32": (-(2**31), 2**31 - 1), "uint8": (0, 255)}
FLOATS = ["float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2"]
DTYPES = FLOATS + list(BOUNDS) + ["bool"]
OPS = {
    "": lambda x: x,
    "mul": lambda x: x * 2.0,
    "neg": torch.neg,
    "relu": torch.relu,
    "sum": torch.sum,
    "view": lambda x: x.view(-1),
    "transpose": lambda x: x.transpose(0, -1),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "select": lambda x: x[0],
    "clone": lambda x: x.transpose(0, -1).contiguous(),
    "double": torch.Tensor.double,
}

random.seed(2027)
cases = []


def on_a_gpu(x):
    """What PyTorch writes of a tensor there: _str_intern puts the device before all other suffixes."""
    add = _tensor_str._add_suffixes

    def with_device(text, suffixes, *rest, **named):
        return add(text, ["device='cuda:0'", *suffixes], *rest, **named)

    with mock.patch.object(_tensor_str, "_add_suffixes", with_device):
        return repr(x)


def case(values, shape, dtype="float32", stride=None, offset=0, leaf=False, op=""):
    contiguous = [math.prod(shape[d + 1 :]) for d in range(len(shape))]
    stride = contiguous if stride is None else stride
    end = offset + 1 + sum((n - 1) * s for n, s in zip(shape, stride)) if math.prod(shape) else offset
    storage = torch.tensor([values[i % len(values)] for i in range(end)], dtype=getattr(torch, dtype))
    x = storage.as_strided(shape, stride, offset).requires_grad_(leaf)
    assert leaf or not op
    out = OPS[op](x)
    texts = [repr(out), on_a_gpu(out)]
    common = os.path.commonprefix(texts)
    cases.append({"dtype": dtype, "values": [number(v) for v in values[:end]], "count": end, "shape": shape,
                  "stride": stride, "offset": offset, "leaf": leaf, "op": op,
                  "repr": [common, *(text[len(common):] for text in texts)]})


def whole(dtype, size=None):
    low, high = BOUNDS[dtype]
    return random.randint(max(low, -size), min(high, size)) if size else random.randint(low, high)


def some(dtype, count=40):
    """Numbers of one kind."""
    if dtype == "bool":
        return [random.random() < 0.5 for _ in range(count)]
    if dtype in BOUNDS:
        size = random.choice([9, 120, 10**6, None])
        return [whole(dtype, size) for _ in range(count)]
    kind = random.choice(["unit", "unit", "whole", "large", "small", "wide", "halves", "special", "zero"])
    make = {
        "unit": lambda: random.gauss(0, 1),
        "whole": lambda: float(random.randint(-99, 99)),
        "large": lambda: random.uniform(-1, 1) * 10 ** random.choice([4, 8, 9, 20]),
        "small": lambda: random.uniform(1, 5) * 10 ** random.choice([-3, -4, -5]),
        "wide": lambda: random.choice([-1, 1]) * 10 ** random.uniform(-6, 6),
        # Exactly between two numbers of four digits.
        "halves": lambda: random.randint(-999, 999) / 32,
        "special": lambda: random.choice([*SPECIAL, 0.0, round(random.gauss(0, 30), random.choice([0, 2]))]),
        "zero": lambda: random.choice([0.0, -0.0, *SPECIAL]),
    }[kind]
    return [float(f"{make():.7g}") for _ in range(count)]


def shape_of(rank, most):
    return [random.randint(1, most) for _ in range(rank)]


# Every dtype with every number of dimensions, some of them turned, stepped or repeated.
for dtype in DTYPES:
    for rank in [0, 0, 1, 1, 2, 2, 3, 4]:
        shape = shape_of(rank, [1, 30, 6, 4, 3][rank])
        stride = None
        if rank and random.random() < 0.4:
            stride = random.choice([[0] * rank, [2 + d for d in range(rank)], [1, 7, 11, 50][:rank]])
        case(some(dtype), shape, dtype, stride, random.choice([0, 0, 3]))
    case(some(dtype), [random.randint(1001, 3000)], dtype)
    case(some(dtype), [random.randint(7, 20), random.randint(150, 300)], dtype)
    for shape in ([0], [0, 3], [2, 0, 4]):
        case(some(dtype), shape, dtype)

# What decides between the notations, and how wide the columns are.
for values in [
    [0.0], [-0.0], [1.0], [-1.0], [math.nan], [math.inf], [-math.inf], [0.5, math.nan], [5.0, math.nan, -math.inf],
    [1.0, 1000.0], [1.0, 1001.0], [0.5, 500.0], [0.5, 500.5], [1e8], [1e8 + 8], [1.5e8], [1e-4], [0.000101], [9.9e-5],
    [0.0, 1e-5, math.inf], [1e30, -1e30], [3.4e38, 1e-45], [0.03125, 0.09375], [0.00005, 0.1], [0.99999, 1.0],
    [9999.99999, 12.0], [1.00005e9, 2.5e10, math.nan], [123456.0, 7000.0], [1e6, 1e5, math.inf], [1.0, 2.0, -0.0],
    [0.1, -0.00001], [16777216.0, 1e7], [-5e-5, 0.0], [1.0, 100005.0, 100015.0, 100025.0, -100035.0],
]:
    case(values, [len(values)])
    case(values, [len(values)], "float64")
for values in [[1e300, 1e-300], [5e-324], [1.7976931348623157e308], [0.1 + 0.2], [2.5e-100], [1.25], [1e22, 1e23]]:
    case(values, [len(values)], "float64")
for dtype in BOUNDS:
    case(list(BOUNDS[dtype]), [2, 2], dtype)
for values in [[65504.0, 1.0], [6e-8, 1.0], [0.1, 0.2], [2048.0, 5.0]]:
    case(values, [2], "float16")
    case(values, [2], "bfloat16")
case([448.0, 0.0019, math.nan], [3], "float8_e4m3fn")
case([57344.0, 1e-5, math.inf], [3], "float8_e5m2")

# Summaries: around the threshold, with short dimensions among long ones, of views.
for shape in [[1000], [1001], [10, 100], [7, 143], [6, 167], [1001, 1], [1, 1001], [2, 3, 400], [11, 11, 11], [5, 5, 5, 9],
              [8, 2, 9, 9], [2] * 10, [1] * 6 + [1200], [6, 6, 6, 6]]:
    case([round(random.gauss(0, 3), 3) for _ in range(37)], shape)
# What is left out counts for nothing.
case([1.5] * 500 + [1e9] + [2.5] * 499 + [1.5], [1001])
case([1.0] * 500 + [0.25] + [2.0] * 500, [1001])
case([i / 8 for i in range(41)], [40, 50], stride=[1, 40], offset=5)
case([i / 8 for i in range(41)], [30, 40], stride=[0, 1])
case([i / 8 for i in range(41)], [10**6, 10**6], stride=[0, 0])
case(list(range(97)), [9, 9, 20], "int64", stride=[3, 500, 7], offset=2)

# Lines that end at the width or just beyond it.
for count in [7, 8, 9, 10, 11, 12, 16]:
    case([round(random.gauss(0, 1), 4) for _ in range(count)], [count])
    case([float(random.randint(-9, 9)) for _ in range(count)], [count])
for count in range(62, 78):
    case([int("1" * (count % 17 + 1)), 2], [random.randint(3, 30)], "int64")
case([0.5], [1] * 80)

# Gradients; the suffixes that fit on the last line and those that do not.
for op in OPS:
    for dtype, shape in [("float32", [3]), ("float32", [2, 5]), ("float64", [2, 2, 3]), ("float32", [6, 6]),
                         ("float16", [4, 2]), ("float32", [40, 50])]:
        case([random.randint(-60, 60) / 8 for _ in range(31)], shape, dtype, leaf=True, op=op)
for count in range(1, 12):
    values = [random.randint(-80, 80) / 16 for _ in range(count)]
    case(values, [count], leaf=True)
    case(values, [count], "bfloat16", leaf=True)
    case(values, [count], "float64", leaf=True, op="relu")
    case(values, [count], leaf=True, op="unsqueeze")
case([1.5], [], leaf=True)
case([1.5], [], "float64", leaf=True, op="mul")
case([1.0], [0, 2], leaf=True)
case([1.0], [0], "float64", leaf=True, op="neg")
case([1.0], [0, 5, 100000, 1], "float16", leaf=True, op="mul")

write("print.json", cases=cases)
