"""What the scripts beside this one share: random tensors that lie in memory in some way, how they are told, and how
figures are written.

A tensor is its storage and how it lies there. NaN and the infinities are the strings "NaN", "Infinity" and
"-Infinity", which JSON does not have.
"""

import json
import math
import pathlib
import random

import torch

FLOATS = ["float64", "float32", "float16", "bfloat16"]
WHOLE = ["int64", "int32", "uint8"]


def number(x):
    if isinstance(x, (bool, int, str)) or x is None:
        return x
    if math.isnan(x):
        return "NaN"
    if math.isinf(x):
        return "Infinity" if x > 0 else "-Infinity"
    return x


def values(tensor):
    return [number(x) for x in tensor.detach().flatten().tolist()]


def one(dtype, kind):
    if dtype == "bool":
        return random.random() < 0.5
    if dtype in WHOLE:
        low = 0 if dtype == "uint8" else -9
        return random.choice([x for x in range(low, 10) if x != 0 or kind != "nonzero"])
    if kind == "positive":
        return round(random.uniform(0.1, 4), 3)
    if kind == "unit":
        return round(random.uniform(-0.95, 0.95), 3)
    x = round(random.uniform(-4, 4), 2)
    return x if x or kind != "nonzero" else 1.25


def laid(shape, dtype, kind="any", ways=("order", "order", "turned", "stepped", "repeated"), one=one):
    """A tensor of that shape whose elements lie in some way: in order, transposed, stepped, or repeated."""
    way = random.choice(ways)
    full = list(shape)
    if way == "turned":
        full = full[::-1]
    if way == "stepped" and full:
        full[-1] = 2 * full[-1] + 1
    if way == "repeated" and full:
        full[0] = min(full[0], 1)
    count = math.prod(full)
    x = torch.tensor([one(dtype, kind) for _ in range(count)], dtype=getattr(torch, dtype)).reshape(full)
    if way == "turned":
        x = x.permute(tuple(reversed(range(len(full)))))
    if way == "stepped" and full:
        x = x[..., 1 : 2 * shape[-1] + 1 : 2]
    if way == "repeated" and full:
        x = x.expand(shape)
    assert list(x.shape) == list(shape), (way, shape, x.shape)
    return x


def told(x):
    if isinstance(x, torch.Tensor):
        storage = torch.tensor([], dtype=x.dtype).set_(x.untyped_storage())
        return {"dtype": str(x.dtype)[6:], "shape": list(x.shape), "stride": list(x.stride()),
                "offset": x.storage_offset(), "storage": values(storage)}
    return {"scalar": number(x)}


def upstream(out):
    """The gradient that arrives: neither symmetric nor constant."""
    weights = torch.tensor([((7 * i) % 5 - 2) / 2 + 0.25 for i in range(out.numel())], dtype=torch.float64)
    return weights.reshape(out.shape).to(out.dtype)


def twice(out, leaves):
    """The gradients of the weighed gradients, by the leaves and by the gradient that arrives; for float64 alone, and
    None where there is none."""
    leaves = [x for x in leaves if isinstance(x, torch.Tensor) and x.requires_grad]
    if not leaves or any(x.dtype != torch.float64 for x in [*leaves, out]):
        return None
    arriving = upstream(out).requires_grad_()
    try:
        first = torch.autograd.grad(out, leaves, arriving, create_graph=True, allow_unused=True)
    except RuntimeError:
        return None
    first = [x for x in first if x is not None and x.requires_grad]
    if not first:
        return None
    given = [upstream(x) for x in first]
    try:
        second = torch.autograd.grad(first, [*leaves, arriving], given, retain_graph=True, allow_unused=True)
    except RuntimeError:
        return None
    # Zeros that have no memory get some.
    return [None if x is None else values(x + torch.zeros(x.shape, dtype=x.dtype)) for x in second]


def write(name, **data):
    """Writes the file of that name beside this one, with a line for each entry of a list."""
    def compact(value):
        return json.dumps(value, separators=(",", ":"), allow_nan=False)

    def lines(value):
        return "[\n" + ",\n".join(map(compact, value)) + "\n]" if isinstance(value, list) else compact(value)

    data = {"made_with": torch.__version__.split("+")[0], **data}
    path = pathlib.Path(__file__).with_name(name)
    path.write_text("{" + ",\n".join(f"{compact(key)}:{lines(value)}" for key, value in data.items()) + "}\n")
    print(name, {key: len(value) for key, value in data.items() if isinstance(value, list)}, path.stat().st_size)
