"""Writes init.json beside it: what PyTorch's CPU generator puts into tensors of every real dtype, chances and dropout's
masks, torch.nn.init, and the weights that torch.nn's modules begin with.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy
    /tmp/golden/bin/python engine/tests/golden/init.py
"""


import torch
from torch import nn

from figures import write

F64, F32, F16, BF16 = torch.float64, torch.float32, torch.float16, torch.bfloat16


def name(dtype):
    return str(dtype).removeprefix("torch.")


def numbers(x):
    return [float(f"{v:.17g}" if x.dtype == F64 else f"{v:.9g}") for v in x.detach().double().flatten().tolist()]


def bits(x):
    return "".join(str(int(v)) for v in x.flatten().tolist())


fills = []


def fill(op, args, shape, dtype, strides=None, seed=5):
    generator = torch.Generator().manual_seed(seed)
    x = torch.zeros(shape, dtype=dtype)
    if strides:
        x = torch.zeros(200, dtype=dtype).as_strided(shape, strides)
    case = {"op": op, "args": args, "seed": seed, "shape": shape, "strides": strides, "dtype": name(dtype)}
    try:
        getattr(x, op)(*args, generator=generator)
        case["values"] = numbers(x)
    except (RuntimeError, NotImplementedError) as error:
        case["error"] = str(error).splitlines()[0]
    # What comes next tells how much was drawn.
    case["next"] = torch.randint(0, 1 << 20, (2,), generator=generator).tolist()
    fills.append(case)


for dtype in (F64, F32, F16, BF16):
    for n in (0, 1, 2, 15, 16, 17, 31, 40):
        fill("normal_", [0.5, 2.0], [n], dtype)
        fill("uniform_", [-0.3, 0.7], [n], dtype)
    fill("normal_", [0.0, 1.0], [5, 8], dtype, [1, 5])
    fill("normal_", [0.0, 1.0], [5, 8], dtype, [16, 2])
    fill("uniform_", [0.0, 1.0], [3, 5, 4], dtype, [1, 12, 3])
    fill("uniform_", [1.0, 1.001], [64], dtype)
    fill("uniform_", [-1.0, 1.0], [300], dtype, seed=8)
    fill("uniform_", [2.0, 2.0], [3], dtype)
for dtype in (torch.int64, torch.bool):
    fill("normal_", [0.0, 1.0], [3], dtype)
    fill("uniform_", [0.0, 1.0], [3], dtype)
for dtype in (F64, F32, BF16, torch.int64, torch.bool):
    for p in (0.0, 0.3, 1.0):
        for n in (1, 15, 16, 17, 63):
            fill("bernoulli_", [p], [n], dtype)
    fill("bernoulli_", [0.5], [6, 7], dtype, [1, 6])
fill("bernoulli_", [1.5], [2], F32)
fill("normal_", [0.0, -1.0], [2], F32)
fill("uniform_", [1.0, 0.0], [2], F32)

chances = []
for dtype in (F64, F32, F16, BF16):
    for n in (1, 15, 17, 65):
        generator = torch.Generator().manual_seed(n)
        p = torch.rand(n, dtype=dtype, generator=generator)
        chances.append({"dtype": name(dtype), "seed": n, "p": numbers(p), "drawn": bits(torch.bernoulli(p, generator=generator))})

masks = []
for n in (0, 1, 15, 16, 17, 65, 1000):
    for p in (0.1, 0.5, 0.9):
        for dtype in (F32, F16):
            torch.manual_seed(n + 1)
            x = torch.arange(1, n + 1).remainder(7).add(1).to(dtype)
            y = nn.functional.dropout(x, p)
            masks.append({"n": n, "p": p, "seed": n + 1, "dtype": name(dtype), "kept": bits(y != 0),
                          "values": numbers(y[:40])})

inits = []


def init(function, shape, dtype=F32, seed=3, **settings):
    generator = torch.Generator().manual_seed(seed)
    x = torch.zeros(shape, dtype=dtype)
    case = {"function": function, "shape": shape, "dtype": name(dtype), "seed": seed, "settings": settings}
    try:
        getattr(nn.init, function)(x, generator=generator, **settings)
        case["values"] = numbers(x)
    except ValueError as error:
        case["error"] = str(error)
    inits.append(case)


for shape in ([3, 4], [17, 5], [1, 1], [2, 3, 4]):
    init("normal_", shape, mean=1.0, std=0.5)
    init("uniform_", shape, a=-2.0, b=1.0)
    for gain in (1.0, 5 / 3):
        init("xavier_uniform_", shape, gain=gain)
    for mode in ("fan_in", "fan_out"):
        for nonlinearity, a in (("leaky_relu", 0.0), ("leaky_relu", 0.2), ("relu", 0.0), ("tanh", 0.0), ("linear", 0.0),
                                ("sigmoid", 0.0), ("selu", 0.0)):
            init("kaiming_uniform_", shape, a=a, mode=mode, nonlinearity=nonlinearity)
for dtype in (F32, F64):
    for shape in ([3, 4], [17, 5]):
        for mean, std, a, b in ((0.0, 1.0, -2.0, 2.0), (0.0, 0.02, -2.0, 2.0), (0.5, 1.0, -0.2, 0.9), (0.0, 1.0, 1.5, 4.0),
                                (3.0, 1.0, -1.0, 1.0)):
            init("trunc_normal_", shape, dtype, mean=mean, std=std, a=a, b=b)
    init("xavier_uniform_", [17, 5], dtype)
    init("kaiming_uniform_", [17, 5], dtype)
init("xavier_uniform_", [4])
init("kaiming_uniform_", [])
init("kaiming_uniform_", [0, 3])

modules = []
for make, args in ((nn.Linear, (3, 4)), (nn.Linear, (17, 5)), (nn.Linear, (5, 3, False)), (nn.Linear, (64, 1)), (nn.Embedding, (5, 3)),
                   (nn.Embedding, (17, 4)), (nn.LayerNorm, (5,)), (nn.RMSNorm, (5,)), (nn.MultiheadAttention, (8, 2))):
    torch.manual_seed(11)
    module = make(*args)
    modules.append({"module": make.__name__, "args": args,
                    "state": [[key, list(value.shape), numbers(value)] for key, value in module.state_dict().items()]})

write("init.json", fills=fills, chances=chances, masks=masks, inits=inits, modules=modules)
