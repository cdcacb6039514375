"""Writes the JSON files beside it: what PyTorch, NumPy and ml_dtypes compute, for the tests to compare with.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy ml_dtypes
    /tmp/golden/bin/python engine/tests/golden/make.py

Floats are written as the shortest decimal that reads back as the same float32; NaN and the
infinities are the strings "NaN", "Infinity" and "-Infinity".
"""

import json
import math
import pathlib
import random
import struct
import zlib

import ml_dtypes
import numpy as np
import torch

HERE = pathlib.Path(__file__).parent


def write(name, data):
    data = {"made_with": {"torch": torch.__version__.split("+")[0], "numpy": np.__version__,
                          "ml_dtypes": ml_dtypes.__version__}, **data}
    lines = []
    for key, value in data.items():
        if isinstance(value, list):
            items = ",\n".join(json.dumps(v, separators=(",", ":"), allow_nan=False) for v in value)
            lines.append(f"{json.dumps(key)}:[\n{items}\n]")
        else:
            lines.append(f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'), allow_nan=False)}")
    (HERE / f"{name}.json").write_text("{" + ",\n".join(lines) + "}\n")


def number(x):
    """A float32 for JSON."""
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    return float(np.format_float_scientific(np.float32(x), unique=True, trim="0"))


def numbers(tensor):
    return [number(x) for x in tensor.detach().flatten().tolist()]


# --- formats ------------------------------------------------------------------------------------

FORMATS = {
    # name: (bits, NumPy type, PyTorch type)
    "fp16": (16, np.dtype(np.float16), torch.float16),
    "bf16": (16, np.dtype(ml_dtypes.bfloat16), torch.bfloat16),
    "E4M3": (8, np.dtype(ml_dtypes.float8_e4m3fn), torch.float8_e4m3fn),
    "E5M2": (8, np.dtype(ml_dtypes.float8_e5m2), torch.float8_e5m2),
    "E2M1": (4, np.dtype(ml_dtypes.float4_e2m1fn), None),
}


def all_values(bits, dtype):
    """The float32 value of every pattern, NaN as one pattern."""
    raw = np.arange(1 << bits, dtype=np.uint16 if bits == 16 else np.uint8)
    values = raw.view(dtype).astype(np.float32)
    values[np.isnan(values)] = np.float32("nan")
    return values


def adversarial(name, values, rng):
    """Bits of float32 numbers where rounding goes wrong: the format's own numbers, the midpoints
    between them, and the float32 beside both; the ends of the range; specials."""
    finite = sorted({abs(float(v)) for v in values if math.isfinite(v)})
    step = max(1, len(finite) // 130)
    picked = set(range(0, len(finite), step)) | set(range(min(9, len(finite)))) | \
        set(range(max(0, len(finite) - 5), len(finite)))
    centers = [finite[i] for i in picked]
    centers += [(finite[i] + finite[i + 1]) / 2 for i in picked if i + 1 < len(finite)]
    top, below = finite[-1], finite[-2]
    centers += [top + (top - below) / 2, top + (top - below), 2 * top, finite[1] / 2, finite[1] / 4]
    bits = {0, 0x7f800000, 0x7fc00000, 1, 0x007fffff, 0x00800000, 0x7f7fffff}
    for c in centers:
        with np.errstate(over="ignore"):
            at = int(np.float32(c).view(np.uint32))
        bits |= {b for b in (at - 1, at, at + 1) if 0 <= b <= 0x7f800000}
    bits |= {rng.getrandbits(31) for _ in range(100)}
    bits = {b for b in bits if b <= 0x7f800000 or b == 0x7fc00000}
    signed = sorted(bits) + [b | 1 << 31 for b in sorted(bits)[::3]]
    return signed


def formats():
    rng = random.Random(0)
    decode, encode = [], []
    for name, (bits, dtype, torch_dtype) in FORMATS.items():
        values = all_values(bits, dtype)
        if torch_dtype is not None:
            raw = torch.arange(1 << bits, dtype=torch.int32).to(torch.int16 if bits == 16 else torch.uint8)
            same = raw.view(torch_dtype).float().numpy()
            assert np.array_equal(same, values, equal_nan=True), f"{name}: PyTorch and ml_dtypes decode alike"
        patterns = range(1 << bits) if bits <= 8 else sorted(rng.sample(range(1 << bits), 256))
        decode.append({"format": name, "crc32": zlib.crc32(values.astype("<f4").tobytes()),
                       "patterns": list(patterns), "values": [number(values[p]) for p in patterns]})
        inputs = np.array(adversarial(name, values, rng), dtype=np.uint32)
        with np.errstate(over="ignore", invalid="ignore"):
            stored = inputs.view(np.float32).astype(dtype)
        out = stored.view(np.uint16 if bits == 16 else np.uint8)
        if torch_dtype is not None:
            theirs = out.astype(np.int32)
            out = torch.from_numpy(inputs.view(np.float32).copy()).to(torch_dtype)
            out = out.view(torch.uint16 if bits == 16 else torch.uint8).to(torch.int32).numpy()
            x = np.abs(inputs.view(np.float32))
            # PyTorch keeps the largest E4M3 number for all that lies beyond (since 2026), ml_dtypes NaN.
            own_way = np.isnan(x) | ((x > 464) if name == "E4M3" else False)
            assert np.array_equal(out[~own_way], theirs[~own_way]), f"{name}: PyTorch and ml_dtypes round alike"
        encode.append({"format": name, "inputs": inputs.tolist(), "patterns": out.tolist()})
    finfo = []
    for torch_dtype in (torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2):
        info = torch.finfo(torch_dtype)
        numpy_dtype = np.float32 if torch_dtype == torch.float32 else \
            next(d for _, d, t in FORMATS.values() if t == torch_dtype)
        finfo.append({"dtype": str(torch_dtype).removeprefix("torch."), "bits": info.bits, "max": info.max,
                      "min": info.min, "eps": info.eps, "tiny": info.tiny,
                      "smallest_subnormal": float(ml_dtypes.finfo(numpy_dtype).smallest_subnormal)})
    write("formats", {"decode": decode, "encode": encode, "finfo": finfo})


# --- layouts ------------------------------------------------------------------------------------


def apply(x, op):
    """One step of a chain; `index` and `slice` are Python's brackets."""
    name, *args = op
    if name in ("view", "reshape", "permute", "expand"):
        return getattr(x, name)(args)
    if name == "slice":
        dim, start, end, step = args
        return x[slice(start, end, step)] if dim == 0 else x[(slice(None),) * dim + (slice(start, end, step),)]
    if name == "index":
        dim, at = args
        return x[at] if dim == 0 else x[(slice(None),) * dim + (at,)]
    return getattr(x, name)(*args)


def outcome(shape, ops):
    x = torch.empty(shape)
    copied = False
    for i, op in enumerate(ops):
        try:
            y = apply(x, op)
        except Exception as error:
            return {"shape": shape, "ops": ops[: i + 1], "error": str(error)}
        if op[0] == "reshape" and y.numel() > 0 and y.untyped_storage().data_ptr() != x.untyped_storage().data_ptr():
            copied = True
        x = y
    return {"shape": shape, "ops": ops, "result": {
        "shape": list(x.shape), "strides": list(x.stride()), "offset": x.storage_offset(),
        "contiguous": x.is_contiguous(), "copied": copied}}


def factors(n, rng):
    out = []
    while n > 1 and len(out) < 4:
        d = rng.choice([d for d in range(2, n + 1) if n % d == 0])
        out.append(d)
        n //= d
    out += [n] if n > 1 else []
    out.insert(rng.randrange(len(out) + 1), 1) if rng.random() < 0.3 else None
    return out


def random_op(x, rng):
    """An operation that is mostly, not always, allowed on `x`."""
    rank = x.dim()
    dim = lambda slack=0: rng.randrange(-rank - slack, rank + slack + (rank == 0) + 1) if rng.random() < 0.1 else \
        rng.randrange(-rank, rank) if rank else 0
    kind = rng.choice(["transpose", "permute", "slice", "slice", "expand", "narrow", "view", "view", "reshape",
                       "squeeze", "squeeze_all", "unsqueeze", "select", "index"])
    if kind == "transpose":
        return ["transpose", dim(), dim()]
    if kind == "permute":
        dims = list(range(rank))
        rng.shuffle(dims)
        if rng.random() < 0.1 and dims:
            dims[0] = rng.choice([dims[-1], rank, -1])
        elif rng.random() < 0.05:
            dims = dims[:-1]
        return ["permute", *dims]
    if kind == "slice":
        d = rng.randrange(rank) if rank else 0
        size = x.shape[d] if rank else 1
        bound = lambda: rng.choice([None, rng.randrange(-size - 1, size + 2)])
        return ["slice", d, bound(), bound(), rng.choice([1, 1, 1, 2, 2, 3, 0, -1] if rng.random() < 0.2 else [1, 2, 3])]
    if kind == "expand":
        sizes = [rng.choice([-1, n]) if n != 1 else rng.choice([1, 2, 3, -1]) for n in x.shape]
        if rng.random() < 0.15 and sizes:
            sizes[rng.randrange(len(sizes))] = 5
        return ["expand", *([rng.choice([1, 2])] if rng.random() < 0.3 and rank < 5 else []), *sizes]
    if kind == "narrow":
        size = x.shape[0] if rank else 1
        return ["narrow", 0 if rng.random() < 0.9 else dim(), rng.randrange(-size - 1, size + 2) if rng.random() < 0.2 else 0,
                rng.randrange(-1, size + 2)]
    if kind in ("view", "reshape"):
        sizes = factors(max(1, x.numel()), rng) if rng.random() < 0.85 else [rng.randrange(1, 9) for _ in range(2)]
        if sizes and rng.random() < 0.3:
            sizes[rng.randrange(len(sizes))] = -1
        if sizes and rng.random() < 0.06:
            sizes[0] = rng.choice([-1, -2, 0])
        return [kind, *sizes]
    if kind == "squeeze_all":
        return ["squeeze"]
    if kind in ("squeeze", "unsqueeze"):
        return [kind, dim(1)]
    size = x.shape[0] if rank else 1
    return [kind, 0, rng.randrange(-size, size) if size and rng.random() < 0.85 else rng.choice([size, -size - 1])]


def layouts():
    rng = random.Random(1)
    fixed = [
        ([4, 4], [["transpose", 0, 1], ["view", 16]]),
        ([2, 3], [["transpose", 1, 0], ["view", 2, 3]]),
        ([2, 3], [["transpose", 1, 0], ["reshape", 2, 3]]),
        ([2, 3, 4], [["view", 6, 4]]), ([2, 3, 4], [["view", -1, -1]]), ([2, 3, 4], [["view", 25]]),
        ([2, 3, 4], [["view", -1, 0]]), ([2, 3, 4], [["view", -2, 12]]), ([2, 3, 4], [["reshape", 5, -1]]),
        ([0, 3], [["view", -1, 0]]), ([0, 3], [["view", -1, 3]]), ([0, 3], [["reshape", 5, 0]]),
        ([0, 3], [["transpose", 0, 1], ["view", 7, 0, 2]]), ([2, 0, 3], []), ([0], [["expand", 4, 0]]),
        ([], []), ([], [["view", 1, 1]]), ([], [["unsqueeze", 0]]), ([], [["squeeze", 0]]), ([], [["squeeze", 1]]),
        ([], [["transpose", 0, -1]]), ([], [["transpose", 0, 1]]), ([], [["select", 0, 0]]), ([], [["narrow", 0, 0, 0]]),
        ([], [["slice", 0, None, None, 1]]), ([], [["index", 0, 0]]), ([], [["expand", 2, 3]]), ([1], [["view"]]), ([1, 1], [["squeeze"]]),
        ([2, 3, 4], [["permute", 0, 1]]), ([2, 3, 4], [["permute", 0, 1, 1]]), ([2, 3, 4], [["permute", 0, 1, 5]]),
        ([2, 3, 4], [["permute", -1, 0, -2]]), ([2, 3, 4], [["transpose", 0, 3]]), ([2, 3, 4], [["transpose", -4, 0]]),
        ([2, 3, 4], [["slice", 0, None, None, 0]]), ([2, 3, 4], [["slice", 0, None, None, -1]]),
        ([2, 3, 4], [["slice", 1, 3, 1, 1]]), ([2, 3, 4], [["slice", 0, 2, None, 1]]),
        ([2, 3, 4], [["slice", 2, 1, 100, 2]]), ([2, 3, 4], [["slice", 2, -3, -1, 1]]),
        ([2, 3, 4], [["select", 0, 2]]), ([2, 3, 4], [["select", 1, -4]]), ([2, 3, 4], [["select", 3, 0]]),
        ([2, 3, 4], [["index", 0, 5]]), ([2, 3, 4], [["index", 1, -4]]), ([2, 3, 4], [["index", 2, -1]]),
        ([2, 3, 4], [["narrow", 0, 0, 3]]), ([2, 3, 4], [["narrow", 0, -3, 1]]), ([2, 3, 4], [["narrow", 0, 3, 0]]),
        ([2, 3, 4], [["narrow", 0, 2, 0]]), ([2, 3, 4], [["narrow", 0, 0, -1]]), ([2, 3, 4], [["narrow", 3, 0, 1]]),
        ([2, 3, 4], [["narrow", 1, -1, 2]]),
        ([2, 3, 4], [["expand", 2, 3]]), ([2, 3, 4], [["expand", 2, 3, 5]]), ([2, 3, 4], [["expand", -1, 2, 3, 4]]),
        ([2, 3, 4], [["expand", 5, 2, 3, 4]]), ([2, 3, 4], [["expand", 2, 3, -2]]), ([1, 3], [["expand", 0, 3]]),
        ([2, 3, 4], [["squeeze", 3]]), ([2, 3, 4], [["unsqueeze", 4]]), ([2, 3, 4], [["unsqueeze", -5]]),
        ([2, 3, 4], [["unsqueeze", 3]]), ([2, 3, 4], [["unsqueeze", -1]]), ([2, 3, 4], [["transpose", 0, 1], ["view", 24]]),
        ([4, 1, 3], [["permute", 1, 0, 2], ["view", 12]]), ([3, 1], [["expand", 3, 4], ["view", 12]]),
        ([3, 1], [["expand", 3, 4], ["view", 3, 2, 2]]), ([4, 6], [["slice", 1, None, None, 2], ["view", 2, 2, 3]]),
        ([4, 6], [["slice", 0, None, None, 2], ["view", 12]]), ([6, 1, 4], [["slice", 0, None, None, 2], ["view", 3, 4]]),
    ]
    cases = [outcome(shape, ops) for shape, ops in fixed]
    while len(cases) < 360:
        shape = [rng.choice([1, 1, 2, 3, 4, 5, 6, 0 if rng.random() < 0.1 else 2]) for _ in range(rng.randrange(0, 6))]
        x, ops = torch.empty(shape), []
        for _ in range(rng.randrange(1, 6)):
            op = random_op(x, rng)
            ops.append(op)
            try:
                x = apply(x, op)
            except Exception:
                break
            if x.dim() > 5 or x.numel() > 3000 or (x.dim() == 0 or x.numel() == 0) and rng.random() < 0.8:
                break
        case = outcome(shape, ops)
        # Two answers of PyTorch are accidents: a size below -1 for a new dimension is an "integer overflow",
        # and a scalar has "size 0" for indices other than 0.
        accident = case.get("error") == "numel: integer multiplication overflow" or \
            x.dim() == 0 and ops[-1][0] == "index" and "error" in case
        if not accident and case not in cases:
            cases.append(case)
    broadcast = []
    for a, b in [([2, 3], [2, 4]), ([2, 3], [3, 2]), ([3, 1], [1, 4]), ([5], [2, 1]), ([], [2]), ([0], [1]), ([0], [2]),
                 ([2, 1, 3], [4, 3]), ([7, 1, 1], [8, 1]), ([2, 3, 4], [2, 1, 5]), ([1, 1], [])]:
        try:
            broadcast.append({"a": a, "b": b, "shape": list(torch.broadcast_tensors(torch.empty(a), torch.empty(b))[0].shape)})
        except RuntimeError:
            try:
                torch.empty(a) + torch.empty(b)
            except RuntimeError as error:
                broadcast.append({"a": a, "b": b, "error": str(error)})
    write("layouts", {"cases": cases, "broadcast": broadcast})


# --- random numbers -----------------------------------------------------------------------------


def draw(call, generator):
    name, *args = call
    if name == "rand":
        return numbers(torch.rand(args[0], generator=generator))
    if name == "randn":
        return numbers(torch.randn(args[0], generator=generator))
    if name == "uniform_":
        return numbers(torch.empty(args[0]).uniform_(args[1], args[2], generator=generator))
    if name == "normal_":
        return numbers(torch.empty(args[0]).normal_(args[1], args[2], generator=generator))
    if name == "randint":
        return torch.randint(args[1], args[2], (args[0],), generator=generator).tolist()
    if name == "randperm":
        return torch.randperm(args[0], generator=generator).tolist()
    raise ValueError(name)


def random_numbers():
    sizes = [1, 2, 15, 16, 17, 31, 32, 100]
    sequences = []

    def sequence(seed, calls, keep_state=False):
        generator = torch.Generator().manual_seed(seed)
        entry = {"seed": str(generator.initial_seed()), "calls": [{"call": c, "values": draw(c, generator)} for c in calls]}
        state = bytes(generator.get_state().tolist())
        entry["state_crc32"] = zlib.crc32(state)
        if keep_state:
            entry["state_hex"] = state.hex()
        sequences.append(entry)

    for seed in (0, 1, 42):
        for n in sizes:
            sequence(seed, [["rand", n]])
            sequence(seed, [["randn", n]])
    for seed in (0, 7, 123456789, 2**32 - 1, 2**32 + 7, 2**63 + 5):
        sequence(seed, [["randn", 1], ["rand", 3], ["randn", 16], ["randn", 1], ["randn", 3], ["randn", 17], ["randn", 1],
                        ["randint", 5, 0, 10], ["uniform_", 4, -3.0, 7.0], ["normal_", 3, 2.0, 3.0],
                        ["normal_", 40, -1.0, 0.5], ["randperm", 10], ["randint", 4, -5, 2**40], ["randn", 5], ["rand", 2]])
    sequence(3, [["rand", 1], ["randint", 8, 0, 2**28 - 1], ["randint", 8, 0, 2**28], ["randint", 3, -(2**62), 2**62],
                 ["randint", 3, 7, 8], ["randperm", 0], ["randperm", 1], ["randperm", 100], ["rand", 1]])
    # Across the twist after 624 words, and with a cached normal number in the saved state.
    sequence(11, [["rand", 623], ["rand", 1], ["rand", 2]], keep_state=False)
    sequence(12, [["randn", 3]], keep_state=True)
    errors = []
    for call in (["uniform_", 2, 3.0, 1.0], ["normal_", 2, 0.0, -1.0], ["randint", 2, 5, 5]):
        try:
            draw(call, torch.Generator().manual_seed(0))
        except Exception as error:
            errors.append({"call": call, "error": str(error)})
    write("random", {"sequences": sequences, "errors": errors})


# --- gradients and training ---------------------------------------------------------------------


def inputs(seed, *shapes):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=generator) for shape in shapes]


def tensor(x):
    return {"shape": list(x.shape), "values": numbers(x)}


def operations():
    """name -> (shapes of the inputs, function); the gradient is that of the sum of result · weights."""
    pos = lambda x: x.abs() + 0.5
    return {
        "add broadcast": ([(3, 4), (4,)], lambda a, b: a + b),
        "add column": ([(3, 4), (3, 1)], lambda a, b: a + b),
        "sub broadcast": ([(2, 1, 4), (3, 1)], lambda a, b: a - b),
        "mul broadcast": ([(5, 1), (1, 3)], lambda a, b: a * b),
        "mul scalar tensor": ([(2, 3), ()], lambda a, b: a * b),
        "mul self": ([(7,)], lambda a: a * a),
        "pow 2": ([(2, 3)], lambda a: a.pow(2)),
        "pow 3": ([(2, 3)], lambda a: a.pow(3)),
        "mean all": ([(3, 5)], lambda a: a.mean()),
        "sum all": ([(3, 5)], lambda a: a.sum()),
        "squeeze": ([(4, 1)], lambda a: a.squeeze(1)),
        "squeeze of a larger size": ([(4, 2)], lambda a: a.squeeze(1)),
        "transpose": ([(2, 3)], lambda a: a.transpose(0, 1)),
        "matmul": ([(3, 5), (5, 2)], lambda a, b: a @ b),
        "matmul ragged": ([(17, 3), (3, 1)], lambda a, b: a @ b),
        "matmul transposed": ([(5, 3), (5, 2)], lambda a, b: a.transpose(0, 1) @ b),
        "matmul batched": ([(2, 3, 4), (2, 4, 5)], lambda a, b: a @ b),
        "matmul broadcast weight": ([(2, 3, 4), (4, 5)], lambda a, b: a @ b),
        "matmul heads": ([(2, 3, 4, 5), (5, 2)], lambda a, b: a @ b),
        "matmul vector right": ([(3, 4), (4,)], lambda a, b: a @ b),
        "matmul vector left": ([(4,), (4, 3)], lambda a, b: a @ b),
        "matmul dot": ([(6,), (6,)], lambda a, b: a @ b),
        "mse": ([(4,), (4,)], lambda a, b: (a - b).pow(2).mean()),
        "half square of the lecture": ([(3,), (3,)], lambda a, b: ((a * b).sum() - 5).pow(2) * 0.5),
    }


def deep_linear(dim, layers, batch, seed):
    """x @ w1 @ w2 … @ head, squeezed; weights and data drawn in this order from one generator."""
    generator = torch.Generator().manual_seed(seed)
    weights = [torch.randn(dim, dim, generator=generator) / math.sqrt(dim) for _ in range(layers)]
    weights.append(torch.randn(dim, 1, generator=generator) / math.sqrt(dim))
    for w in weights:
        w.requires_grad_()
    x = torch.randn(batch, dim, generator=generator)
    y = x @ torch.arange(dim, dtype=torch.float32)
    return weights, x, y


def forward(weights, x):
    for w in weights:
        x = x @ w
    return x.squeeze(-1)


def training():
    cases = []
    for dim, layers, batch in ((4, 2, 2), (16, 0, 4), (16, 2, 4)):
        for name, lr, make in (
            ("sgd", 0.01, lambda p: torch.optim.SGD(p, lr=0.01)),
            ("adagrad", 0.01, lambda p: torch.optim.Adagrad(p, lr=0.01)),
            ("adagrad", 0.1, lambda p: torch.optim.Adagrad(p, lr=0.1, eps=1e-5)),
        ):
            weights, x, y = deep_linear(dim, layers, batch, seed=5)
            start = [tensor(w) for w in weights]
            optimizer = make(weights)
            losses, first_grads = [], None
            for _ in range(20):
                optimizer.zero_grad()
                loss = torch.nn.functional.mse_loss(forward(weights, x), y)
                loss.backward()
                first_grads = first_grads or [tensor(w.grad) for w in weights]
                losses.append(number(loss.item()))
                optimizer.step()
            cases.append({"dim": dim, "layers": layers, "batch": batch, "optimizer": name, "lr": lr,
                          "eps": optimizer.defaults.get("eps"), "x": tensor(x), "y": tensor(y), "weights": start,
                          "first_grads": first_grads, "losses": losses, "final_weights": [tensor(w) for w in weights]})
    return cases


def autograd():
    ops = []
    for i, (name, (shapes, function)) in enumerate(operations().items()):
        args = [x.requires_grad_() for x in inputs(100 + i, *shapes)]
        result = function(*args)
        weights = inputs(200 + i, result.shape)[0]
        (result * weights).sum().backward()
        ops.append({"name": name, "inputs": [tensor(a) for a in args], "result": tensor(result),
                    "weights": tensor(weights), "grads": [tensor(a.grad) for a in args]})
    write("autograd", {"operations": ops, "training": training()})


if __name__ == "__main__":
    torch.set_num_threads(1)
    formats()
    layouts()
    random_numbers()
    autograd()
