"""Writes ops.json beside it: operations on random tensors as PyTorch computes them, with their gradients.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy
    /tmp/golden/bin/python engine/tests/golden/ops.py

A tensor is its storage and how it lies there. Numbers are the shortest decimals that read back as the same
double; NaN and the infinities are the strings "NaN", "Infinity" and "-Infinity".
"""

import json
import math
import pathlib
import random

import torch

from figures import FLOATS, WHOLE, laid, number, one, told, twice, upstream, values

HERE = pathlib.Path(__file__).parent
DTYPES = FLOATS + WHOLE + ["bool"]
SHAPES = [[], [1], [3], [2, 3], [3, 1], [1, 4], [2, 1, 3], [4, 5], [17], [2, 3, 4], [0], [3, 0], [65]]

random.seed(2026)
torch.manual_seed(2026)
cases = []


def case(op, inputs, call, **options):
    entry = {"op": op, "inputs": [told(x) for x in inputs], **options}
    leaves = []
    for x in inputs:
        if isinstance(x, torch.Tensor) and x.dtype.is_floating_point:
            x = x.detach().as_strided(x.shape, x.stride(), x.storage_offset()).requires_grad_()
        leaves.append(x)
    try:
        out = call(*leaves)
    except (RuntimeError, TypeError, IndexError, ValueError, ZeroDivisionError) as error:
        entry["error"] = str(error).split("\n")[0]
        cases.append(entry)
        return
    entry["out"] = {"dtype": str(out.dtype)[6:], "shape": list(out.shape), "values": values(out)}
    if out.requires_grad:
        if (second := twice(out, leaves)) is not None:
            entry["twice"] = second
        try:
            out.backward(upstream(out))
        except RuntimeError as error:
            entry["grad_error"] = str(error).split("\n")[0]
        entry["grads"] = [
            values(x.grad) if isinstance(x, torch.Tensor) and x.requires_grad and x.grad is not None else None
            for x in leaves
        ]
    cases.append(entry)


def shape():
    return random.choice(SHAPES)


def partner(of):
    """A shape that broadcasts with another."""
    cut = of[random.randint(0, len(of)):] if random.random() < 0.4 else list(of)
    return [1 if random.random() < 0.3 else n for n in cut]


UNARY = {
    "neg": "any", "abs": "any", "sign": "any", "sqrt": "positive", "rsqrt": "positive", "reciprocal": "nonzero",
    "exp": "any", "exp2": "any", "expm1": "unit", "log": "positive", "log2": "positive", "log10": "positive",
    "log1p": "positive", "sin": "any", "cos": "any", "tanh": "any", "sigmoid": "any", "erf": "any", "relu": "any",
    "floor": "any", "ceil": "any", "trunc": "any", "round": "any", "logical_not": "any", "isnan": "any",
    "isinf": "any", "isfinite": "any",
}
for op, kind in UNARY.items():
    dtypes = ["float64", "float32", "float16", "bfloat16", "int64", "uint8", "bool"]
    for dtype in dtypes:
        if op in ("floor", "ceil", "trunc", "round") and dtype == "bool":
            continue
        case(op, [laid(shape(), dtype, kind)], getattr(torch, op))
    special = torch.tensor([0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 0.5, 2.5, -1.5])
    case(op, [special], getattr(torch, op))

BINARY = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "floor_divide": torch.floor_divide,
    "remainder": torch.remainder, "fmod": torch.fmod, "maximum": torch.maximum, "minimum": torch.minimum,
    "eq": torch.eq, "ne": torch.ne, "lt": torch.lt, "le": torch.le, "gt": torch.gt, "ge": torch.ge,
    "logical_and": torch.logical_and, "logical_or": torch.logical_or, "logical_xor": torch.logical_xor,
}
for op, call in BINARY.items():
    kind = "nonzero" if op in ("div", "floor_divide", "remainder", "fmod") else "any"
    for _ in range(12):
        a = laid(shape(), random.choice(DTYPES), "any")
        dtype = random.choice(DTYPES[:-1] if kind == "nonzero" else DTYPES)
        case(op, [a, laid(partner(list(a.shape)), dtype, kind)], call)
    for scalar in [2, 2.5, -3, True]:
        if op in ("maximum", "minimum") or op.startswith("logical"):
            continue
        a = laid(shape(), random.choice(DTYPES), "any")
        case(op, [a, scalar], lambda x, y: call(x, y))
for op in ("floor_divide", "remainder", "fmod"):
    a = torch.tensor([7.0, -7.0, 7.0, -7.0, 0.5, -0.5, math.inf, 3.0])
    b = torch.tensor([2.0, 2.0, -2.0, -2.0, 0.25, 0.0, 2.0, math.inf])
    case(op, [a, b], BINARY[op])
    case(op, [torch.tensor([7, -7, 5]), torch.tensor([0, 2, 1])], BINARY[op])
    case(op, [torch.tensor([7, -7, -9, 9]), torch.tensor([2, 2, -4, -4])], BINARY[op])
case("add", [torch.ones(2, 3), torch.ones(2, 4)], torch.add)
case("mul", [torch.tensor([200, 100], dtype=torch.uint8), 3], torch.mul)
case("add", [torch.tensor([2**31 - 1], dtype=torch.int32), 1], torch.add)
case("sub", [torch.tensor([2**63 - 1]), -1], torch.sub)
for exponent in [2, 3, 0.5, -0.5, -1.0, -2, 0, 1, 2.7, 0.0]:
    for dtype in ["float64", "float32", "int64"]:
        case("pow", [laid(shape(), dtype, "positive"), exponent], torch.pow)
for _ in range(6):
    a = laid(shape(), random.choice(FLOATS), "positive")
    case("pow", [a, laid(partner(list(a.shape)), random.choice(FLOATS), "any")], torch.pow)
case("pow", [torch.tensor([2, -1, 1, 3]), torch.tensor([3, -3, -2, 0])], torch.pow)
for bounds in [(-1, 1), (None, 0.5), (0.25, None), (2, 1), (-1.5, 2)]:
    for dtype in ["float32", "float64", "int64"]:
        case("clamp", [laid(shape(), dtype)], lambda x: torch.clamp(x, *bounds), min=bounds[0], max=bounds[1])
for _ in range(10):
    condition = laid(shape(), "bool")
    sides = [laid(partner(list(condition.shape)), random.choice(DTYPES)) for _ in range(2)]
    case("where", [condition, *sides], torch.where)
case("where", [torch.tensor([True, False]), torch.tensor([1.0, 2.0]), 0], torch.where)
case("where", [torch.tensor([1, 0]), torch.tensor([1.0, 2.0]), 0], torch.where)


def dims_of(x):
    rank = x.dim()
    if rank == 0 or random.random() < 0.25:
        return []
    some = random.sample(range(rank), random.randint(1, rank))
    return [d - rank if random.random() < 0.3 else d for d in some]


REDUCTIONS = {
    "sum": lambda x, d, k: x.sum(d, k) if d else x.sum(),
    "mean": lambda x, d, k: x.mean(d, k) if d else x.mean(),
    "amax": lambda x, d, k: x.amax(d, k),
    "amin": lambda x, d, k: x.amin(d, k),
    "var": lambda x, d, k: x.var(d or None, correction=1, keepdim=k),
    "std": lambda x, d, k: x.std(d or None, correction=0, keepdim=k),
    "norm": lambda x, d, k: torch.linalg.vector_norm(x, 2, d or None, k),
    "logsumexp": lambda x, d, k: torch.logsumexp(x, d or list(range(x.dim())), k),
    "any": lambda x, d, k: x.any(d, k) if d else x.any(),
    "all": lambda x, d, k: x.all(d, k) if d else x.all(),
}
for op, call in REDUCTIONS.items():
    for _ in range(14):
        x = laid(shape(), random.choice(["float64", "float32", "float32", "float16", "int64", "uint8", "bool"]))
        dims = dims_of(x)
        keepdim = bool(dims) and random.random() < 0.5
        case(op, [x], lambda x: call(x, dims, keepdim), dims=dims, keepdim=keepdim)
for _ in range(8):
    x = laid(shape(), random.choice(["float64", "float32", "int64", "uint8"]), "nonzero")
    dim = random.randrange(x.dim()) if x.dim() and random.random() < 0.7 else None
    case("prod", [x], lambda x: x.prod() if dim is None else x.prod(dim), dims=[] if dim is None else [dim],
         keepdim=False)
for x in ([2.0, 0.0, 3.0], [0.0, 5.0, 0.0], [4.0]):
    case("prod", [torch.tensor(x)], lambda x: x.prod(), dims=[], keepdim=False)
for x in ([0.0, math.inf, 3.0], [2.0, -math.inf, 3.0], [0.0, 0.0, math.inf], [math.nan, 0.0, 2.0], math.inf):
    case("prod", [torch.tensor(x)], lambda x: x.prod(), dims=[], keepdim=False)
    case("prod", [torch.tensor(x)], lambda x: x.prod(0), dims=[0], keepdim=False)
case("prod", [torch.tensor([[0.0, math.inf], [math.inf, 2.0]])], lambda x: x.prod(1), dims=[1], keepdim=False)
case("prod", [torch.tensor([[1.0, 2.0], [0.0, 3.0]])], lambda x: x.prod(0), dims=[0], keepdim=False)
case("matmul", [torch.ones(2, 2, dtype=torch.bool)] * 2, torch.matmul)
case("sum", [torch.ones(2, 3)], lambda x: x.sum(5), dims=[5], keepdim=False)
case("sum", [torch.ones(2, 3)], lambda x: x.sum([0, 0]), dims=[0, 0], keepdim=False)
case("amax", [torch.tensor([1.0, 3.0, 3.0, math.nan])], lambda x: x.amax([], False), dims=[], keepdim=False)
for dtype in WHOLE + ["float64", "float32"]:
    for _ in range(3):
        m, k, n = (random.choice([1, 2, 3, 5]) for _ in range(3))
        case("matmul", [laid([m, k], dtype), laid([k, n], dtype)], torch.matmul)


# By place. What is along a dimension: args are what comes after the tensors.
def placed(op, inputs, call, *args):
    case(op, inputs, lambda *tensors: call(*tensors, *args), args=list(args))


def along(x):
    return random.randrange(-x.dim(), x.dim()) if x.dim() else random.choice([0, -1])


PLAIN = ["float64", "float32", "float16", "int64", "uint8", "bool"]
for _ in range(14):
    x = laid(random.choice([s for s in SHAPES if 0 not in s]), random.choice(PLAIN))
    dim = along(x)
    at = [random.randint(1, n) for n in x.shape]
    if at:
        at[dim] = random.randint(1, 5)
    size = x.shape[dim] if at else 1
    index = torch.randint(0, size, at)
    case("gather", [x, index], lambda x, index: torch.gather(x, dim, index), args=[dim])
    rows = torch.randint(0, size, [random.randint(0, 4)])
    case("index_select", [x, rows], lambda x, rows: torch.index_select(x, dim, rows), args=[dim])
    if at and x.dtype != torch.bool:
        source = laid(at, str(x.dtype)[6:])
        case("scatter_add", [x, index, source], lambda x, index, s: torch.scatter_add(x, dim, index, s), args=[dim])
case("gather", [torch.ones(2, 3), torch.tensor([[0, 3]])], lambda x, i: torch.gather(x, 1, i), args=[1])
case("gather", [torch.ones(2, 3), torch.tensor([[0], [0], [0]])], lambda x, i: torch.gather(x, 1, i), args=[1])
case("index_select", [torch.ones(2, 3), torch.tensor([[0]])], lambda x, i: torch.index_select(x, 1, i), args=[1])
for _ in range(4):
    table = laid([random.randint(2, 6), random.randint(1, 4)], "float32")
    index = torch.randint(0, table.shape[0], random.choice([[], [3], [2, 4]]))
    case("embedding", [table, index], lambda w, i: torch.nn.functional.embedding(i, w))
for _ in range(12):
    x = laid(shape(), random.choice(PLAIN))
    dim = along(x)
    placed("cumsum", [x], torch.cumsum, dim)
    placed("flip", [x], lambda x, d: torch.flip(x, [d] if x.dim() else []), dim)
    if x.dim():
        placed("roll", [x], torch.roll, random.randint(-4, 4), dim)
    x = laid(random.choice([s for s in SHAPES if 0 not in s]), random.choice(PLAIN))
    dim, down = along(x), random.random() < 0.5
    placed("sort", [x], lambda x, d, down: torch.sort(x, dim=d, descending=down, stable=True)[0], dim, down)
    placed("argsort", [x], lambda x, d, down: torch.sort(x, dim=d, descending=down, stable=True)[1], dim, down)
    if x.dtype != torch.bool:
        keep = random.random() < 0.5
        placed("argmax", [x], lambda x, d, k: torch.argmax(x, d, k), dim, keep)
        placed("argmin", [x], lambda x, d, k: torch.argmin(x, d, k), dim, keep)
        k = random.randint(0, x.shape[dim] if x.dim() else 1)
        distinct = torch.randperm(x.numel()).reshape(x.shape).float()
        placed("topk", [distinct], lambda x, k, d, down: torch.topk(x, k, d, down)[0], k, dim, down)
case("sort", [torch.tensor([3.0, math.nan, 1.0, math.inf, 1.0])], lambda x: torch.sort(x)[0], args=[0, False])
case("argmax", [torch.tensor([3.0, math.nan, 1.0, math.nan])], lambda x: torch.argmax(x, 0, False), args=[0, False])
case("topk", [torch.ones(3)], lambda x: torch.topk(x, 5)[0], args=[5, -1, True])
for _ in range(8):
    x = laid(random.choice([[2, 3], [3, 3], [4, 5], [2, 3, 4], [3, 1], [0, 2]]), random.choice(PLAIN))
    offset = random.randint(-3, 3)
    placed("triu", [x], torch.triu, offset)
    placed("tril", [x], torch.tril, offset)
    if x.dtype.is_floating_point:
        placed("diagonal", [x], torch.diagonal, offset, 0, 1)
        placed("masked_fill", [x, laid(list(x.shape), "bool")], torch.masked_fill, 2.5)
placed("one_hot", [torch.tensor([[0, 2], [1, 1]])], torch.nn.functional.one_hot, 4)
for _ in range(12):
    first = laid(random.choice([[2, 3], [3], [1, 4], [2, 3, 4], [0, 3]]), random.choice(FLOATS + ["int64"]))
    dim = along(first)
    others = []
    for _ in range(random.randint(0, 2)):
        at = list(first.shape)
        at[dim] = random.randint(0, 3)
        others.append(laid(at, random.choice(FLOATS + ["int64"])))
    case("cat", [first, *others], lambda *t: torch.cat(t, dim), args=[dim])
    same = [laid(list(first.shape), "float32") for _ in range(2)]
    case("stack", same, lambda *t: torch.stack(t, dim), args=[dim])
    parts = random.randint(1, 4)
    case("chunk", [first], lambda x: torch.cat([2 * c for c in torch.chunk(x, parts, dim)], dim), args=[parts, dim])
    case("flatten", [first], lambda x: torch.flatten(x, 0, -1), args=[0, -1])
case("cat", [torch.ones(2, 3), torch.ones(2, 4, 1)], lambda *t: torch.cat(t, 0), args=[0])
case("cat", [torch.ones(2, 3), torch.ones(2, 4)], lambda *t: torch.cat(t, 0), args=[0])
case("stack", [torch.ones(2), torch.ones(3)], lambda *t: torch.stack(t), args=[0])
for size, step in [(2, 1), (3, 2), (1, 3), (5, 1)]:
    x = torch.arange(20.0).reshape(4, 5)
    case("unfold", [x.to(torch.int64)], lambda x: x.unfold(1, size, step), args=[1, size, step])

F = torch.nn.functional
for _ in range(8):
    x = laid(random.choice([[3], [2, 5], [2, 3, 4], [1, 7], []]), random.choice(["float64", "float32"]))
    placed("softmax", [x], lambda x, d: F.softmax(x, d), d := along(x))
    placed("log_softmax", [x], lambda x, d: F.log_softmax(x, d), d)
    for approximate in ["none", "tanh"]:
        placed("gelu", [x], lambda x, a: F.gelu(x, approximate=a), approximate)
    case("silu", [x], F.silu)
    width = random.randint(2, 6)
    dtype = random.choice(["float64", "float32"])
    x = laid([*random.choice([[], [3], [2, 3]]), width], dtype)
    while x.unique().numel() < 2:  # rounding alone would decide
        x = laid(list(x.shape), dtype)
    weight, bias = laid([width], dtype), laid([width], dtype)
    case("layer_norm", [x, weight, bias], lambda x, w, b: F.layer_norm(x, [width], w, b, 1e-5), args=[[width], 1e-5])
    case("rms_norm", [x, weight], lambda x, w: F.rms_norm(x, [width], w, 1e-6), args=[[width], 1e-6])
    case("linear", [x, laid([4, width], dtype), laid([4], dtype)], F.linear)
    logits = laid([random.randint(1, 5), random.randint(2, 6)], dtype)
    target = torch.randint(0, logits.shape[1], [logits.shape[0]])
    for reduction in ["none", "mean", "sum"]:
        case("cross_entropy", [logits, target], lambda x, t: F.cross_entropy(x, t, reduction=reduction),
             args=[reduction])
    lead = random.choice([[], [2], [2, 3]])
    q, k, v = (laid([*lead, n, m], dtype) for n, m in [(3, 4), (5, 4), (5, 2)])
    case("sdpa", [q, k, v], lambda q, k, v: F.scaled_dot_product_attention(q, k, v), args=[False])
    q, k, v = (laid([*lead, 4, 3], dtype) for _ in range(3))
    case("sdpa", [q, k, v], lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), args=[True])
case("layer_norm", [torch.ones(2, 3), torch.ones(2), torch.ones(2)],
     lambda x, w, b: F.layer_norm(x, [2], w, b), args=[[2], 1e-5])
case("cross_entropy", [torch.ones(2, 3), torch.tensor([0, 1, 2])], F.cross_entropy, args=["mean"])

promotions = []
ALL = DTYPES + ["int16", "int8", "float8_e4m3fn", "float8_e5m2"]
for a in ALL:
    for b in ALL:
        try:
            promotions.append([a, b, str(torch.promote_types(getattr(torch, a), getattr(torch, b)))[6:]])
        except RuntimeError:
            promotions.append([a, b, None])
for _ in range(60):
    case("result_type", [x := laid(random.choice([[], [2]]), random.choice(DTYPES)),
                         y := random.choice([True, 3, 2.5, laid(random.choice([[], [2]]), random.choice(DTYPES))])],
         lambda x, y: torch.empty(0, dtype=torch.result_type(x, y)))
arange = []
for start, end, step in [(0, 5, 1), (2, 11, 3), (5, 0, -2), (0.0, 1.0, 0.25), (0, 1.0, 0.3), (0, 0, 1), (1, 4, 0.5)]:
    x = torch.arange(start, end, step)
    arange.append({"args": [start, end, step], "dtype": str(x.dtype)[6:], "values": values(x)})
linspace = []
for start, end, steps in [(0, 1, 5), (-2, 3, 7), (1, 1, 3), (0, 10, 1), (5, -5, 4), (0, 1, 0), (0.1, 0.7, 13)]:
    linspace.append({"args": [start, end, steps], "values": values(torch.linspace(start, end, steps))})

data = {"made_with": torch.__version__.split("+")[0], "promotions": promotions, "arange": arange,
        "linspace": linspace, "cases": cases}
lines = []
for key, value in data.items():
    if key == "cases":
        items = ",\n".join(json.dumps(v, separators=(",", ":"), allow_nan=False) for v in value)
        lines.append(f'"cases":[\n{items}\n]')
    else:
        lines.append(f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'), allow_nan=False)}")
(HERE / "ops.json").write_text("{" + ",\n".join(lines) + "}\n")
print(len(cases), "cases")
