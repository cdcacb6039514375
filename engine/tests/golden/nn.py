"""Writes nn.json beside it: functions of torch.nn.functional with their gradients and refusals.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy
    /tmp/golden/bin/python engine/tests/golden/nn.py

Numbers of float32 and narrower are the shortest decimals that read back as the same number.
"""

import json
import math
import pathlib
import random
import warnings

import numpy
import torch
import torch.nn.functional as F

import figures
from figures import FLOATS, laid, twice, upstream

HERE = pathlib.Path(__file__).parent
INF, NAN = math.inf, math.nan
# Of these PyTorch rounds each step of a composition.
NARROW = ["float16", "bfloat16"]
random.seed(7)
torch.manual_seed(7)
warnings.simplefilter("ignore")
cases = []


def short(tensor):
    numbers = tensor.detach().flatten().tolist()
    if tensor.dtype.is_floating_point and tensor.dtype != torch.float64:
        numbers = [float(str(numpy.float32(x))) for x in numbers]
    return [figures.number(x) for x in numbers]


figures.values = short


def cross_entropy(x, target, weight=None, *, reduction="mean", ignore_index=-100, smoothing=0.0):
    return F.cross_entropy(x, target, weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=smoothing)


def attention(q, k, v, mask=None, *, causal=False, scale=None, gqa=False):
    return F.scaled_dot_product_attention(q, k, v, mask, is_causal=causal, scale=scale, enable_gqa=gqa)


CALLS = {
    "softmax": lambda x, *, dim: F.softmax(x, dim),
    "log_softmax": lambda x, *, dim: F.log_softmax(x, dim),
    "gelu": lambda x, *, approximate: F.gelu(x, approximate=approximate),
    "silu": lambda x: F.silu(x),
    "mse_loss": lambda a, b, *, reduction: F.mse_loss(a, b, reduction=reduction),
    "layer_norm": lambda x, weight=None, bias=None, *, shape, eps=1e-5: F.layer_norm(x, shape, weight, bias, eps),
    "rms_norm": lambda x, weight=None, *, shape, eps=None: F.rms_norm(x, shape, weight, eps),
    "cross_entropy": cross_entropy,
    "attention": attention,
}
# What is one operation here and there.
NAMED = ["softmax", "log_softmax", "gelu", "silu", "mse_loss", "layer_norm", "cross_entropy"]


def case(op, *inputs, constant=None, **options):
    """The input of that number needs no gradient."""
    entry = {"op": op, "inputs": [x if x is None else figures.told(x) for x in inputs], "options": options}
    if constant is not None:
        entry["constant"] = constant
    leaves = []
    for i, x in enumerate(inputs):
        if x is not None and x.dtype.is_floating_point and i != constant:
            x = x.detach().as_strided(x.shape, x.stride(), x.storage_offset()).requires_grad_()
        leaves.append(x)
    cases.append(entry)
    try:
        out = CALLS[op](*leaves, **options)
    except (RuntimeError, TypeError, IndexError, ValueError) as error:
        entry["error"] = str(error).split("\n")[0]
        return
    entry["out"] = {"dtype": str(out.dtype)[6:], "shape": list(out.shape), "values": short(out)}
    name = out.grad_fn.name()
    if op in NAMED and (op != "cross_entropy" or name.startswith("Nll")):
        entry["grad_fn"] = name
    if (second := twice(out, leaves)) is not None:
        entry["twice"] = second
    out.backward(upstream(out))
    entry["grads"] = [short(x.grad) if x is not None and x.grad is not None else None for x in leaves]


def near(shape, dtype):
    return laid(shape, dtype, "unit")


def of(values, dtype="float32"):
    return torch.tensor(values, dtype=getattr(torch, dtype))


# Softmax and its logarithm.
for dtype in FLOATS:
    for shape in [[], [1], [3], [2, 3, 4], [3, 17], [2, 65], [17, 3], [0], [3, 0], [0, 3], [5, 1]]:
        for op in ["softmax", "log_softmax"]:
            case(op, laid(shape, dtype), dim=random.randrange(-max(1, len(shape)), max(1, len(shape))))
for length in [63, 256, 700]:
    for op in ["softmax", "log_softmax"]:
        case(op, laid([2, length], "float32"), dim=1)
EXTREMES = [[1e4, -1e4, 0.0], [1e4, 1e4, 1e4], [-1e4, -1e4, -1e4 + 1], [-INF, -INF, -INF], [-INF, 1.0, 2.0],
            [INF, 1.0, 2.0], [NAN, 1.0, 2.0], [-INF, NAN, -INF], [88.0, -88.0, 0.0], [3e38, -3e38, 0.0]]
for op in ["softmax", "log_softmax"]:
    case(op, of(EXTREMES), dim=1)
    case(op, of(EXTREMES).T, dim=0)
    case(op, of(EXTREMES, "float64"), dim=-1)
    case(op, of(EXTREMES, "bfloat16"), dim=-1)
    for x in [torch.ones(3).long(), torch.ones(3).bool(), torch.ones(3).to(torch.float8_e5m2)]:
        case(op, x, dim=0)
    case(op, torch.ones(2, 3), dim=2)

# Elementwise functions.
for dtype in FLOATS:
    for shape in [[], [3], [2, 3, 4], [17], [0]]:
        case("gelu", laid(shape, dtype), approximate="none")
        case("gelu", laid(shape, dtype), approximate="tanh")
        case("silu", laid(shape, dtype))
        for reduction in ["none", "mean", "sum"]:
            case("mse_loss", laid(shape, dtype), laid(shape, dtype), reduction=reduction)
WIDE = [INF, -INF, NAN, 0.0, -0.0, 30.0, -30.0, 1e4, -1e4, 1e-20, 3e38]
# PyTorch's vectors have NaN for gelu(∞), its numbers ∞.
case("gelu", of(INF), approximate="none")
case("gelu", of(WIDE[1:]), approximate="none")
case("gelu", of(WIDE), approximate="tanh")
case("silu", of(WIDE))
case("mse_loss", of(WIDE), of(WIDE[::-1]), reduction="none")
case("mse_loss", laid([2, 3], "float32"), laid([3], "float64"), reduction="mean")
case("mse_loss", laid([2, 1], "float16"), laid([2, 3], "float32"), reduction="sum")
case("mse_loss", laid([2, 3], "float32"), laid([2, 3], "int64"), reduction="mean")
case("mse_loss", torch.ones(2, 3), torch.ones(2), reduction="mean")
for x in [torch.ones(3).long(), torch.ones(3).bool(), torch.ones(3).to(torch.float8_e5m2)]:
    case("gelu", x, approximate="none")
    case("silu", x)
    case("mse_loss", x, x, reduction="mean")

# Norms.
for dtype in FLOATS:
    for shape, last in [([3], 1), ([2, 5], 1), ([4, 17], 1), ([2, 3, 4], 1), ([2, 3, 4], 2), ([2, 65], 1), ([0, 3], 1),
                        ([33, 2], 1), ([2, 1], 1), ([2, 0], 1)]:
        at = shape[-last:]
        x = laid(shape, dtype)
        while 0 not in shape and at != [1] and x.reshape(-1, math.prod(at)).double().std(1).min() < 0.2:
            x = laid(shape, dtype)  # rounding alone would decide
        weight, bias = laid(at, dtype), laid(at, dtype)
        given = random.choice([[], [weight], [weight, bias], [weight, bias], [None, bias]])
        case("layer_norm", x, *given, shape=at, eps=random.choice([1e-5, 0.1]))
        case("rms_norm", x, *given[:1], shape=at, eps=random.choice([None, 1e-5, 0.1]))
for dtype in ["float16", "bfloat16"]:
    case("layer_norm", laid([3, 5], dtype), laid([5], "float32"), laid([5], "float32"), shape=[5])
case("rms_norm", laid([3, 5], "float32"), laid([5], "float64"), shape=[5])
case("layer_norm", laid([3, 400], "float32"), laid([400], "float32"), laid([400], "float32"), shape=[400])
case("rms_norm", laid([3, 400], "float32"), laid([400], "float32"), shape=[400])
case("layer_norm", of([[1e4, 1e4 + 1, 1e4 + 2], [0, 0, 0], [5, 5, 5], [1e-20, 0, -1e-20]]), shape=[3])
case("rms_norm", of([[1e4, -1e4, 1e4], [0, 0, 0], [1e-20, 0, -1e-20]]), shape=[3])
case("rms_norm", torch.full((1, 4), 1e-3).half(), shape=[4])
for op in ["layer_norm", "rms_norm"]:
    case(op, of([[INF, 1, 2], [NAN, 1, 2], [-INF, INF, 0], [1, 2, 4]]), shape=[3])
    case(op, torch.ones(2, 4), torch.ones(3), shape=[4])
    case(op, torch.ones(2, 4), shape=[])
    case(op, torch.ones(2, 4), shape=[3])
    case(op, torch.ones(2, 4), shape=[3, 2])
    case(op, torch.ones(2, 4).long(), shape=[4])
    case(op, torch.ones(2, 4).to(torch.float8_e5m2), shape=[4])
case("layer_norm", torch.ones(2, 4), None, torch.ones(3), shape=[4])
for dtypes in [("float32", "float64"), ("float32", "float16"), ("float64", "float32"), ("float16", "float64")]:
    x, weight = (torch.ones(4, dtype=getattr(torch, dtype)) for dtype in dtypes)
    case("layer_norm", x, weight, shape=[4])

# Cross-entropy.
for dtype in FLOATS:
    for batch, classes, extra in [(1, 3, []), (4, 5, []), (3, 65 if dtype == "float32" else 9, []), (17, 2, []), (0, 3, []), (2, 3, [4]),
                                  (2, 3, [2, 5]), (1, 4, [2, 1, 3]), (3, 1, []), (None, 5, [])]:
        lead = [] if batch is None else [batch]
        x = laid([*lead, classes, *extra], dtype)
        target = torch.randint(0, classes, [*lead, *extra])
        ignored = random.choice([-100, -100, 0, 1])
        if ignored == -100 and target.numel() > 1 and random.random() < 0.4:
            target.view(-1)[1] = -100
        weight = random.choice([None, laid([classes], dtype, "positive")])
        for reduction in ["none", "mean", "sum"]:
            case("cross_entropy", x, target, weight, constant=2, reduction=reduction, ignore_index=ignored)
        case("cross_entropy", x, target, weight, constant=2, smoothing=random.choice([0.1, 0.5, 1.0]),
             reduction=random.choice(["none", "mean", "sum"]), ignore_index=ignored)
        if batch != 0:
            share = laid([*lead, classes, *extra], dtype, "positive").abs()
            case("cross_entropy", x, share, weight, reduction=random.choice(["none", "mean", "sum"]),
                 smoothing=random.choice([0.0, 0.2]), constant=2 if dtype in NARROW else None)
case("cross_entropy", laid([3, 300], "float32"), torch.tensor([0, 299, 150]))
case("cross_entropy", laid([3, 300], "float32"), torch.tensor([0, 299, 150]), laid([300], "float32", "positive"),
     constant=2, smoothing=0.1)
case("cross_entropy", of(EXTREMES), torch.tensor([0, 1, 2, 0, 1, 0, 1, 0, 1, 2]), reduction="none")
case("cross_entropy", of([[1e4, 0.0, -1e4]]), torch.tensor([2]))
case("cross_entropy", laid([3, 4], "float32"), torch.full([3], -100))
case("cross_entropy", laid([3, 4], "float32"), torch.full([3], -100), smoothing=0.1)
case("cross_entropy", laid([3, 4], "float32"), torch.tensor([0, 1, 3], dtype=torch.uint8))
case("cross_entropy", laid([3, 4], "float32"), torch.tensor([[0], [1], [3]]).expand(3, 2)[:, 1])
x = torch.ones(4, 3)
for target in [torch.ones(3).long(), torch.ones(4, 1).long(), torch.tensor(1), torch.tensor([0, 1, 3, 0]),
               torch.tensor([0, 1, -1, 0]), torch.ones(4), torch.ones(4).int(), torch.ones(4).bool(),
               torch.ones(4, 3).long()]:
    case("cross_entropy", x, target)
case("cross_entropy", x, torch.tensor([0, 1, 3, 0]), smoothing=0.1)
case("cross_entropy", x[0], torch.tensor([1, 2]))
case("cross_entropy", x, torch.ones(4, 3), ignore_index=1)
target = torch.ones(4).long()
for weight in [torch.ones(2), torch.ones(1, 3), torch.ones(3).double()]:
    case("cross_entropy", x, target, weight, constant=2)
case("cross_entropy", x, target, torch.ones(3))
case("cross_entropy", x, torch.ones(4, 3), torch.ones(2))
for smoothing in [1.5, -0.5]:
    case("cross_entropy", x, target, smoothing=smoothing)
case("cross_entropy", x.long(), target)
case("cross_entropy", x.to(torch.float8_e5m2), target)
x = torch.ones(2, 3, 4, 5)
for at in [[2, 4, 4], [2, 4], [3, 4, 5]]:
    case("cross_entropy", x, torch.zeros(at).long())
case("cross_entropy", x, torch.zeros(2, 4, 5).byte())
case("cross_entropy", x, torch.zeros(2, 4, 5).long(), torch.ones(2), constant=2)
case("cross_entropy", x, torch.zeros(2, 4, 5).long(), torch.ones(3))
case("cross_entropy", x[0], torch.zeros(2, 4).long())
case("cross_entropy", x.view(2, 3, 20), torch.zeros(2).long())

# Attention.
for dtype in FLOATS:
    for lead in [[], [2], [2, 3]] if dtype == "float32" else [[2]]:
        q, k, v = (near([*lead, n, m], dtype) for n, m in [(3, 4), (5, 4), (5, 2)])
        case("attention", q, k, v)
        case("attention", q, k, v, scale=0.3)
        case("attention", q, k, v, causal=True)
        mask = torch.rand(3, 5) < 0.6
        mask[1] = False
        case("attention", q, k, v, mask)
        added = near([*lead, 3, 5], dtype)
        case("attention", q, k, v, added)
        added = near([3, 5], dtype).clone()
        added[2] = -INF
        added[0, 1] = -INF
        case("attention", q, k, v, added)
        q, k, v = (near([*lead, n, 3], dtype) for n in (6, 4, 4))
        case("attention", q, k, v, causal=True)
for lead in [[], [2]]:
    q, k, v = (near([*lead, h, n, 3], "float32") for h, n in [(4, 3), (2, 5), (2, 5)])
    case("attention", q, k, v, gqa=True)
    case("attention", q, k, v, gqa=True, causal=True)
    case("attention", q, k, near([*lead, 4, 5, 3], "float32"), gqa=True)
case("attention", near([1, 4, 3, 3], "float32"), near([1, 2, 5, 3], "float32"), near([1, 2, 5, 3], "float32"),
     torch.rand(1, 4, 3, 5) < 0.5, gqa=True)
case("attention", near([1, 4, 3, 3], "float32"), near([1, 1, 5, 3], "float32"), near([1, 1, 5, 3], "float32"),
     near([3, 5], "float32"), gqa=True)
case("attention", near([2, 3, 4], "float32"), near([2, 70, 4], "float32"), near([2, 70, 4], "float32"))
case("attention", near([70, 4], "float32"), near([70, 4], "float32"), near([70, 4], "float32"), causal=True)
case("attention", 100 * near([3, 4], "float32"), 100 * near([5, 4], "float32"), near([5, 4], "float32"))
case("attention", torch.ones(2, 3), torch.ones(0, 3), torch.ones(0, 3))
q, k, v = torch.ones(2, 3, 4), torch.ones(2, 5, 4), torch.ones(2, 5, 6)
case("attention", q, k, v, torch.ones(3, 5).bool(), causal=True)
case("attention", q, torch.ones(2, 5, 3), v)
case("attention", q, k, torch.ones(2, 4, 6))
case("attention", torch.ones(1, 2, 3, 4), torch.ones(1, 3, 5, 4), torch.ones(1, 3, 5, 6))
case("attention", q, k.double(), v)
case("attention", q[0, 0], k[0, 0], v[0, 0])
for mask in [torch.ones(3, 5).long(), torch.ones(3, 5).double()]:
    case("attention", q, k, v, mask)
case("attention", torch.ones(1, 4, 3, 8), torch.ones(1, 3, 5, 8), torch.ones(1, 3, 5, 8), gqa=True)
case("attention", torch.ones(3, 8), torch.ones(5, 8), torch.ones(5, 8), gqa=True)

text = ",\n".join(json.dumps(entry, separators=(",", ":"), allow_nan=False) for entry in cases)
(HERE / "nn.json").write_text(f'{{"made_with":"{torch.__version__.split("+")[0]}","cases":[\n{text}\n]}}\n')
print(len(cases), "cases,", sum("error" in entry for entry in cases), "of them refusals")
