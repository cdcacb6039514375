"""Writes index.json and names.json beside it: indexing, writing in place and what else has a name in torch, as
PyTorch does it, with gradients and refusals.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy
    /tmp/golden/bin/python engine/tests/golden/index.py

steps.py says what a case is.
"""

import json
import math
import pathlib
import random

import torch

import figures
from steps import ERRORS, items_of, run

HERE = pathlib.Path(__file__).parent
random.seed(15)
torch.manual_seed(15)
FLOATS = ["float64", "float32", "float16"]
PLAIN = ["float64", "float32", "int64", "uint8", "bool", "int32"]


def one(dtype, kind):
    if dtype == "bool":
        return random.random() < 0.5
    if not getattr(torch, dtype).is_floating_point:
        return random.randint(0 if dtype == "uint8" else -9, 9)
    if kind == "positive":
        return round(random.uniform(0.25, 3), 2)
    if kind == "few":
        return float(random.randint(-1, 2))
    return round(random.uniform(-3, 3), 2)


def laid(shape, dtype="float32", kind="any", ways=("order", "order", "turned", "stepped")):
    return figures.laid(shape, dtype, kind, ways, one)


cases = []


def case(*given, **options):
    cases.append(run(*given, **options))


def bound(size):
    return random.choice([None, None, random.randint(-size - 1, size + 1)])


def indices(size, shape):
    """A tensor of indices of a dimension, some of them negative."""
    return torch.tensor([random.randrange(-size, size) for _ in range(math.prod(shape))], dtype=torch.int64).reshape(shape)


def random_items(shape, tensors, advanced):
    """What stands between the brackets for a tensor of that shape; index tensors are appended to `tensors`."""
    items, d = [], 0
    block = random.choice([[3], [2, 3], [1], [2, 1], []])
    used_ellipsis = False
    while d < len(shape):
        roll = random.random()
        size = shape[d]
        if roll < 0.08:
            items.append(["none"])
            continue
        if roll < 0.14 and not used_ellipsis:
            used_ellipsis = True
            items.append(["ellipsis"])
            d += random.randint(0, len(shape) - d)
            continue
        if advanced and roll < 0.5 and size > 0:
            choice = random.random()
            if choice < 0.65:
                part = block[random.randint(0, len(block)):] if random.random() < 0.3 else block
                tensors.append(indices(size, [1 if random.random() < 0.2 else n for n in part]))
                items.append(["tensor", f"t{len(tensors) - 1}"])
                d += 1
            elif choice < 0.8:
                rank = random.randint(1, min(2, len(shape) - d))
                # As many as the block has, so that they go together.
                mask = torch.zeros(math.prod(shape[d : d + rank]), dtype=torch.bool)
                count = min(len(mask), block[-1] if block else 1)
                mask[torch.randperm(len(mask))[:count]] = True
                tensors.append(mask.reshape(shape[d : d + rank]))
                items.append(["tensor", f"t{len(tensors) - 1}"])
                d += rank
            elif choice < 0.9:
                tensors.append(torch.tensor(random.randrange(-size, size)))
                items.append(["tensor", f"t{len(tensors) - 1}"])
                d += 1
            else:
                items.append(["bool", random.random() < 0.8])
            continue
        if roll < 0.62 and size > 0:
            items.append(["at", random.randrange(-size, size)])
        else:
            items.append(["slice", bound(size), bound(size), random.choice([None, 1, 1, 2, 3])])
        d += 1
        if random.random() < 0.12:
            break
    return items


SHAPES = [[5], [3, 4], [2, 3, 4], [4, 1, 3], [2, 2, 3, 2], [17], [0, 3], [1]]

# x[…]
for _ in range(60):
    x = laid(random.choice(SHAPES), random.choice(FLOATS))
    case([x], [["y", "index", "t0", random_items(list(x.shape), [], False)]])
for _ in range(150):
    x = laid(random.choice(SHAPES), random.choice(FLOATS + ["int64", "bool"]))
    tensors = [x]
    items = random_items(list(x.shape), tensors, True)
    case(tensors, [["y", "index", "t0", items]])
# x[…] = value, of leaves and of what was computed; views see it.
for i in range(120):
    shape = random.choice(SHAPES)
    x = laid(shape, random.choice(["float64", "float32", "float32", "int64"]))
    tensors = [x]
    items = random_items(list(shape), tensors, i % 3 != 0)
    names = {f"t{j}": t for j, t in enumerate(tensors)}
    try:
        target = list(x[items_of(items, names)].shape)
    except ERRORS:
        continue
    has_repeats = False
    places = torch.arange(x.numel()).reshape(shape)[items_of(items, names)].flatten()
    has_repeats = len(set(places.tolist())) < places.numel()
    if has_repeats:
        continue
    if random.random() < 0.3:
        value = 2 if random.random() < 0.5 else 1.5
        steps = [["y", "mul", "t0", 1], ["v", "transpose", "y", 0, -1], ["_", "set_index", "y", items, value]]
    else:
        part = [1 if random.random() < 0.2 else n for n in target[random.randint(0, len(target)):]]
        if random.random() < 0.2:
            part = [1] * (len(target) - len(part) + 1) + part
        tensors.append(laid(part, str(x.dtype)[6:], ways=("order", "turned")))
        value = f"$t{len(tensors) - 1}"
        steps = [["y", "mul", "t0", 1], ["v", "transpose", "y", 0, -1], ["_", "set_index", "y", items, value]]
    steps += [random.choice([["z", "mul", "v", 2], ["z", "mul", "y", 3]])]
    case(tensors, steps)
for _ in range(20):
    x = laid(random.choice([[5], [3, 4], [2, 3, 4]]), random.choice(["float64", "float32"]))
    rows = indices(x.shape[0], [4])
    values_ = laid([4, *x.shape[1:]], str(x.dtype)[6:])
    case([x, rows, values_], [["y", "mul", "t0", 1], ["_", "index_put_", "y", ["t1"], "$t2", True], ["z", "mul", "y", 2]])
m = torch.arange(12.0).reshape(3, 4)
pairs = lambda *at: torch.tensor(at)
REFUSED = [
    [["at", 3]], [["at", 0], ["at", 4]], [["at", 0], ["at", 0], ["at", 0]], [["slice", None, None, -1]],
    [["slice", None, None, 0]], [["tensor", "t1"]], [["slice", None, None, None], ["tensor", "t2"]],
    [["tensor", "t3"], ["tensor", "t4"]], [["tensor", "t5"]], [["slice", None, None, None], ["tensor", "t5"]],
    [["tensor", "t6"]], [["tensor", "t7"]], [["tensor", "t8"]], [["tensor", "t9"]], [["tensor", "t3"], ["at", 0], ["at", 0]],
    [["bool", True]], [["bool", True], ["bool", False]], [["at", 1], ["bool", True]], [["ellipsis"], ["bool", True]],
    [["tensor", "t3"], ["bool", True], ["tensor", "t3"]], [["ellipsis"]], [["none"], ["ellipsis"], ["none"]],
    [["tensor", "t10"]], [["tensor", "t11"], ["at", 1]],
]
pool = [m, pairs(3), pairs(-5), pairs(0, 1), pairs(0, 1, 2), torch.tensor([True, False]), torch.ones(3, 3).bool(),
        torch.tensor([1.0]), torch.tensor([1], dtype=torch.int32), torch.ones(3, 4, 2).bool(),
        torch.tensor([1, 0, 1], dtype=torch.uint8), torch.tensor(True)]
for items in REFUSED:
    case(pool, [["y", "index", "t0", items]])
    # Of uint8 PyTorch speaks of another operation.
    if items != [["tensor", "t10"]]:
        case(pool, [["y", "mul", "t0", 1], ["_", "set_index", "y", items, 5], ["z", "mul", "y", 1]])
scalar = torch.tensor(1.5)
for items in [[["at", 0]], [["ellipsis"]], [["none"]], [["bool", True]], [["bool", False]], [["tensor", "t1"]],
              [["slice", None, None, None]], [["tensor", "t2"]], [["tensor", "t3"]]]:
    case([scalar, torch.tensor(0), torch.tensor([0]), torch.tensor(True)], [["y", "index", "t0", items]])
for items, value in [([["tensor", "t1"]], torch.ones(3)), ([["at", 0]], torch.ones(3)), ([["at", 0]], torch.ones(1, 1, 4)),
                     ([["slice", 0, 2, None]], torch.ones(3, 4)), ([["tensor", "t1"]], torch.ones(1, 2, 4)),
                     ([["tensor", "t1"]], torch.ones(4).double()), ([["at", 0]], torch.ones(4).double()),
                     ([["tensor", "t3"]], torch.ones(3)), ([["tensor", "t2"]], torch.ones(4))]:
    case([m, pairs(0, 1), pairs(7), m > 3, value],
         [["y", "mul", "t0", 1], ["_", "set_index", "y", items, "$t4"], ["z", "mul", "y", 1]])

# By index along a dimension.
for _ in range(60):
    shape = random.choice([[5], [3, 4], [2, 3, 4]])
    dtype = random.choice(["float64", "float32", "int64"])
    x, dim = laid(shape, dtype), random.randrange(-len(shape), len(shape))
    size = shape[dim]
    count = random.randint(1, size)
    part = list(shape)
    part[dim] = count
    repeated = torch.randint(0, size, [count])
    source = laid(part, dtype)
    op = random.choice(["index_add", "scatter", "scatter_add", "scatter_value"])
    if op == "index_add":
        case([x, repeated, source], [["y", "index_add", "t0", dim, "$t1", "$t2", random.choice([1, 2, -3])]])
    else:
        at = [random.randint(1, n) for n in shape]
        at[dim] = count
        full = torch.stack([torch.randperm(size)[:count] for _ in range(math.prod(at) // count)])
        lanes = [n for d, n in enumerate(at) if d != dim % len(at)]
        index = full.reshape([*lanes, count]).movedim(-1, dim)
        # With a gradient PyTorch takes none that is larger.
        source = laid([n + (dtype == "int64" and random.randint(0, 1)) for n in at], dtype)
        if op == "scatter_value":
            case([x, index], [["y", "scatter", "t0", dim, "$t1", 1.5 if dtype != "int64" else 3]])
        else:
            case([x, index, source], [["y", op, "t0", dim, "$t1", "$t2"]])
ones = torch.ones
for op, index, source in [
    ("scatter", pairs([3]), ones(1, 1)), ("scatter", pairs([1, 1]), ones(1, 1)), ("scatter", pairs([1]), ones(1, 1).double()),
    ("scatter", pairs(1), ones(1, 1)), ("scatter", torch.tensor([[1.0]]), ones(1, 1)),
    ("scatter", pairs([1]).int(), ones(1, 1)), ("scatter_add", pairs([-1]), ones(1, 1)),
]:
    case([m, index, source], [["y", op, "t0", 0, "$t1", "$t2"]])
for index, source in [(pairs(0, 3), ones(2, 4)), (pairs(0), ones(2, 4)), (pairs(0, 1), ones(2, 3)),
                      (pairs(0, 1), ones(2, 4).double()), (pairs([0, 1]), ones(2, 4)), (torch.tensor([0.0, 1]), ones(2, 4)),
                      (pairs(-1), ones(1, 4))]:
    case([m, index, source], [["y", "index_add", "t0", 0, "$t1", "$t2", 1]])
case([m, torch.zeros(1, 5).long()], [["y", "scatter", "t0", 0, "$t1", 1.0]])
case([m, pairs([-1])], [["y", "gather", "t0", 0, "$t1"]])
for index in [pairs(12), pairs(-12, 1), pairs([0, 5], [3, 3]), torch.tensor([1.0]), torch.tensor(3)]:
    case([m, index], [["y", "take", "t0", "$t1"]])
case([ones(0), pairs(1)], [["y", "take", "t0", "$t1"]])
for _ in range(12):
    shape = random.choice([[5], [3, 4], [2, 3, 4], [], [0, 2]])
    x = laid(shape, random.choice(["float64", "float32", "int64"]), ways=("order", "turned", "repeated"))
    case([x, laid(shape[random.randint(0, len(shape)):], "bool")], [["y", "masked_select", "t0", "$t1"]])
    case([laid(shape, random.choice(["int64", "bool", "float32"]), "few")], [["y", "nonzero", "t0"]])
case([m, ones(4)], [["y", "masked_select", "t0", "$t1"]])
case([m, ones(3).bool()], [["y", "masked_select", "t0", "$t1"]])

# In place, with what others see and what gradients become of it.
IN_PLACE = ["neg_", "abs_", "exp_", "sqrt_", "relu_", "zero_", "sin_", "tanh_", "sigmoid_", "reciprocal_", "log_"]
for op in IN_PLACE:
    for _ in range(2):
        x = laid(random.choice([[5], [3, 4], [2, 3]]), random.choice(["float64", "float32"]), "positive")
        if op in ("tanh_", "sigmoid_"):
            # Where they are not flat.
            x = (x / 4).round(decimals=3)
        case([x], [["y", "mul", "t0", 2], ["v", "transpose", "y", 0, -1], ["_", op, "y"], ["z", "mul", "v", 3]])
        case([x], [["y", "mul", "t0", 2], ["v", "index", "y", [["slice", 1, None, 2]]], ["_", op, "v"], ["z", "mul", "y", 3]])
        case([x], [["y", "exp", "t0"], ["_", op, "y"], ["z", "mul", "y", 3]])
        case([x], [["y", "mul", "t0", 2], ["_", op, "y"], ["_", "add_", "y", 1], ["z", "mul", "y", 3]])
for op in ["add_", "sub_", "mul_", "div_", "pow_", "remainder_", "floor_divide_"]:
    for _ in range(8):
        shape = random.choice([[5], [3, 4], [2, 3]])
        dtypes = [random.choice(["float64", "float32", "float32", "float32", "int64", "bool", "uint8"]) for _ in range(2)]
        a = laid(shape, dtypes[0], "positive")
        part = [1 if random.random() < 0.2 else n for n in shape[random.randint(0, len(shape)):]]
        b = laid([2, *shape] if random.random() < 0.1 else part, dtypes[1], "positive")
        if op in ("div_", "remainder_", "floor_divide_", "pow_") and not b.dtype.is_floating_point:
            b = b.abs() + 1 if b.dtype != torch.bool else torch.ones_like(b)
        start = ["y", "clone", "t0"]
        case([a, b], [start, ["_", op, "y", "$t1"], ["z", "mul", "y", 2]])
        case([a, b], [start, ["w", "index", "y", [["slice", 1, None, None]]], ["v", "transpose", "w", 0, -1],
                      ["_", op, "v", random.choice([2, 3, 2.5])], ["z", "mul", random.choice(["y", "w", "v"]), 2]])
    case([a], [["y", "clone", "t0"], ["_", op, "y", "$y"], ["z", "mul", "y", 2]])
x, w, i3 = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.5, 1.5, -1.0]), torch.tensor([1, 2, 3])
y2 = ["y", "mul", "t0", 2]
half = [["slice", 0, 2, None]]
for steps in [
    [["_", "add_", "t0", 1], ["z", "mul", "t0", 1]],
    [["v", "index", "t0", half], ["_", "add_", "v", 1], ["z", "mul", "v", 1]],
    [["y", "exp", "t0"], ["_", "add_", "y", 1], ["z", "mul", "y", 1]],
    [y2, ["z", "mul", "y", "$y"], ["_", "add_", "y", 1], ["q", "mul", "z", 1]],
    [y2, ["z", "mul", "y", "$t1"], ["_", "add_", "y", 1], ["q", "mul", "z", 1]],
    [y2, ["z", "mul", "y", 3], ["_", "add_", "y", 1], ["q", "mul", "z", 1]],
    [y2, ["_", "mul_", "y", "$t1"], ["_", "mul_", "y", "$t1"], ["z", "mul", "y", 1]],
    [y2, ["_", "relu_", "y"], ["_", "add_", "y", 1], ["z", "mul", "y", 1]],
    [y2, ["v", "index", "y", half], ["u", "index", "y", [["at", 0]]], ["_", "mul_", "v", 3], ["z", "add", "u", "$v"]],
    [y2, ["v", "index", "y", half], ["_", "mul_", "y", 3], ["z", "mul", "v", "$v"]],
    [y2, ["v", "index", "y", half], ["_", "mul_", "y", 3], ["_", "add_", "v", 1], ["z", "mul", "y", 1]],
    [y2, ["v", "index", "y", half], ["w", "index", "v", [["at", 1]]], ["_", "mul_", "w", "$t1"], ["z", "mul", "y", 1]],
    [y2, ["v", "index", "y", half], ["w", "index", "v", [["at", 1]]], ["_", "mul_", "w", 5], ["z", "mul", "v", 1]],
    [y2, ["v", "split", "y", 2, 0], ["_", "add_", "v", 1], ["z", "mul", "v", 1]],
    [y2, ["v", "unbind", "y", 1], ["_", "add_", "v", 1], ["z", "mul", "v", 1]],
    [y2, ["v", "chunk", "y", 2, 0], ["_", "add_", "v", 1], ["z", "mul", "v", 1]],
    [y2, ["v", "tensor_split", "y", 2, 0], ["_", "add_", "v", 1], ["z", "mul", "y", 1]],
    [["d", "detach", "t0"], ["_", "add_", "d", 1], ["z", "mul", "t0", 1]],
    [y2, ["d", "detach", "y"], ["e", "exp", "y"], ["_", "zero_", "d"], ["z", "mul", "y", "$y"]],
    [["e", "mul", "t0", "$t1"], ["d", "detach", "t1"], ["_", "zero_", "d"], ["z", "mul", "e", 1]],
    [["y", "clone", "t2"], ["_", "mul_", "y", 1.5], ["z", "mul", "y", 1]],
    [["y", "clone", "t2"], ["_", "div_", "y", 2], ["z", "mul", "y", 1]],
    [["y", "clone", "t2"], ["_", "add_", "y", "$t0"], ["z", "mul", "y", 1]],
    [y2, ["_", "add_", "y", "$t2"], ["z", "mul", "y", 1]],
    [["y", "expand", "t0", [2, 3]], ["_", "add_", "y", 1], ["z", "mul", "y", 1]],
    [y2, ["v", "expand", "y", [2, 3]], ["_", "add_", "v", 1], ["z", "mul", "y", 1]],
    [y2, ["v", "expand", "y", [2, 3]], ["_", "mul_", "y", 3], ["z", "mul", "v", "$v"]],
    [y2, ["v", "unfold", "y", 0, 2, 1], ["_", "mul_", "y", 3], ["z", "mul", "v", "$v"]],
    [y2, ["v", "unfold", "y", 0, 2, 1], ["z", "mul", "v", "$v"]],
    [y2, ["a", "index", "y", [["slice", 1, None, None]]], ["b", "index", "y", half], ["_", "copy_", "a", "$b"], ["z", "mul", "y", 1]],
    [y2, ["a", "index", "y", [["slice", 1, None, None]]], ["b", "index", "y", half], ["_", "add_", "a", "$b"], ["z", "mul", "y", 1]],
    [y2, ["_", "copy_", "y", "$t1"], ["z", "mul", "y", 1]],
    [y2, ["v", "index", "y", [["at", 0]]], ["s", "index", "t1", [["at", 1]]], ["_", "copy_", "v", "$s"], ["z", "mul", "y", 1]],
    [["y", "clone", "t2"], ["_", "copy_", "y", "$t0"], ["z", "mul", "y", 1]],
    [y2, ["_", "copy_", "y", "$t2"], ["z", "mul", "y", 1]],
    [y2, ["_", "fill_", "y", 4], ["z", "mul", "y", 1]],
    [y2, ["v", "index", "y", half], ["_", "zero_", "v"], ["z", "mul", "y", 1]],
    [y2, ["m", "gt", "y", 3], ["_", "masked_fill_", "y", "$m", 7.5], ["z", "mul", "y", 1]],
    [y2, ["m", "gt", "y", 3], ["s", "index", "t1", [["at", 1]]], ["_", "masked_fill_", "y", "$m", "$s"], ["z", "mul", "y", 1]],
    [y2, ["m", "gt", "y", 3], ["_", "masked_fill_", "y", "$m", "$t1"], ["z", "mul", "y", 1]],
    [["y", "clone", "t2"], ["m", "gt", "t0", 1], ["_", "masked_fill_", "y", "$m", 1.5], ["z", "mul", "y", 1]],
    [y2, ["_", "clamp_", "y", 3, 5], ["z", "mul", "y", 1]],
    [y2, ["v", "index", "y", half], ["_", "clamp_", "v", None, 3], ["z", "mul", "y", 1]],
    [y2, ["_", "requires_grad_", "y", False], ["z", "mul", "y", 1]],
    [["_", "requires_grad_", "t2", True], ["z", "mul", "t2", 1]],
    [["y", "clone", "t2"], ["_", "exp_", "y"], ["z", "mul", "y", 1]],
    [y2, ["q", "exp", "y"], ["v", "index", "q", half], ["_", "mul_", "v", 2], ["z", "mul", "q", 1]],
    [y2, ["q", "matmul", "y", "$t1"], ["_", "mul_", "y", 2], ["z", "mul", "q", 1]],
    [y2, ["c", "mul", "y", 1], ["v", "index", "c", half], ["_", "mul_", "v", "$v"], ["z", "mul", "c", 1]],
]:
    case([x, w, i3], steps)
    case([laid([3], "float64", "positive"), laid([3], "float64", "positive"), i3], steps)

json.dump(cases, (HERE / "index.json").open("w"), separators=(",", ":"))
print(len(cases), "cases of indexing,", sum("error" in c for c in cases), "of them refusals")
cases = []

# Names.
for _ in range(24):
    m_, k, n, b = (random.choice([1, 2, 3, 5]) for _ in range(4))
    dtype = random.choice(["float64", "float32", "int64"])
    A, B = laid([m_, k], dtype), laid([k, n], dtype)
    case([A, B], [["y", "mm", "t0", "$t1"]])
    case([laid([b, m_, k], dtype), laid([b, k, n], dtype)], [["y", "bmm", "t0", "$t1"]])
    case([A, laid([k], dtype)], [["y", "mv", "t0", "$t1"]])
    case([laid([k], dtype), laid([k], dtype)], [["y", "dot", "t0", "$t1"]])
    case([laid([k], dtype), laid([n], random.choice([dtype, "float32"]))], [["y", "outer", "t0", "$t1"]])
    own = random.choice([[m_, n], [n], [1, n], [m_, 1], []])
    factors = [random.choice([1, 0, 0.5, 2, -1.5]) for _ in range(2)] if dtype != "int64" else [random.choice([1, 0, 2]) for _ in range(2)]
    case([laid(own, dtype), A, B], [["y", "addmm", "t0", "$t1", "$t2", *factors]])
    case([laid(random.choice([[b, m_, n], [n], [1, m_, n]]), dtype), laid([b, m_, k], dtype), laid([b, k, n], dtype)],
         [["y", "baddbmm", "t0", "$t1", "$t2", *factors]])
E2 = {"a": ones(2, 2), "d": ones(2, 2).double(), "w": ones(2, 3), "v": ones(2), "e": ones(2).double(), "u": ones(3),
      "i": ones(2, 2).long(), "h": ones(2, 2).half(), "B": ones(1, 2, 2), "D": ones(1, 2, 2).double(), "C": ones(2, 2, 2),
      "s": torch.tensor(1.0), "q": ones(2, 2).int(), "bo": ones(2, 2).bool()}
keys = list(E2)
for text in ["mm a d", "mm B a", "mm a v", "mm w w", "bmm B D", "bmm a B", "bmm B a", "bmm B C", "mv a u", "mv v u", "mv a e",
             "matmul a e", "matmul a u", "dot v u", "dot a u", "dot v e", "matmul v e", "outer a v", "outer v a", "matmul a d",
             "matmul i q", "matmul h d", "matmul B D", "matmul w w", "matmul v w", "matmul s a", "matmul bo bo", "mm bo bo", "matmul B w",
             "isclose a d"]:
    op, a, b = text.split()
    rest = [1e-5, 1e-8, False] if op == "isclose" else []
    case([E2[a], E2[b]], [["y", op, "t0", "$t1", *rest]])
for text in ["addmm u a a", "addmm e a a", "addmm v B a", "addmm v w a", "addmm a a d", "baddbmm u B B", "baddbmm B B D", "baddbmm D B B"]:
    op, a, b, c = text.split()
    case([E2[a], E2[b], E2[c]], [["y", op, "t0", "$t1", "$t2", 1, 1]])
nan = math.nan
for _ in range(10):
    shape = random.choice([[5], [3, 4], [2, 3, 4], []])
    x = laid(shape, random.choice(["float64", "float32", "int64"]), "few")
    for op in ["max_dim", "min_dim", "max_place", "min_place"]:
        dim = random.randrange(-len(shape), len(shape)) if shape else random.choice([0, -1])
        case([x], [["y", op, "t0", dim, random.random() < 0.5]])
    y = laid(shape, random.choice(["float64", "float32"]))
    case([y], [["y", "median_dim", "t0", dim, False]])
    case([x if x.dtype.is_floating_point else y], [["y", random.choice(["max", "min"]), "t0"]])
    case([y], [["y", "median", "t0"]])
special = torch.tensor([1.0, nan, 2.0, nan, math.inf])
other = torch.tensor([nan, nan, 2.0, 1.0, 3.0])
for op in ["fmax", "fmin", "maximum", "minimum"]:
    case([special, other], [["y", op, "t0", "$t1"]])
    for _ in range(3):
        case([laid([3, 4], random.choice(PLAIN), "few"), laid([4], random.choice(PLAIN), "few")], [["y", op, "t0", "$t1"]])
for op in ["max_dim", "min_dim", "median_dim", "max_place"]:
    case([special], [["y", op, "t0", 0, False]])
    case([torch.zeros(0, 3)], [["y", op, "t0", 0, False]])
    case([torch.zeros(3, 0)], [["y", op, "t0", 0, False]])
case([torch.zeros(0)], [["y", "max", "t0"]])
case([special], [["y", "median", "t0"]])
for _ in range(10):
    shape = random.choice([[5], [3, 4], [2, 3, 4], [], [0, 2]])
    x = laid(shape, random.choice(["float64", "float32", "int64"]), ways=("order", "turned", "stepped", "repeated"))
    case([x], [["y", "repeat", "t0", [random.randint(0, 3) for _ in range(len(shape) + random.randint(0, 1))]]])
    case([x], [["y", "tile", "t0", [random.randint(1, 3) for _ in range(random.randint(0, 4))]]])
    dim = random.randrange(-len(shape), len(shape)) if shape else None
    case([x], [["y", "repeat_interleave", "t0", random.randint(0, 3), random.choice([None, dim])]])
    count = shape[dim] if shape else 1
    case([x, torch.randint(0, 3, [count])], [["y", "repeat_interleave", "t0", "$t1", dim]])
    if shape:
        source = random.sample(range(len(shape)), random.randint(1, len(shape)))
        target = random.sample(range(len(shape)), len(source))
        case([x], [["y", "movedim", "t0", source, target]])
        case([x], [["y", "swapaxes", "t0", dim, random.randrange(len(shape))]])
        parts = random.randint(1, 4)
        case([x], [["y", "tensor_split", "t0", parts, dim, random.randrange(parts)]])
        if count:
            case([x], [["y", "unbind", "t0", dim, random.randrange(count)]])
for steps in [[["y", "repeat", "t0", [2]]], [["y", "movedim", "t0", [0, 1], [0]]], [["y", "movedim", "t0", [0, 0], [0, 1]]],
              [["y", "movedim", "t0", [0, 1], [1, 1]]], [["y", "swapaxes", "t0", 0, 3]],
              [["y", "repeat_interleave", "t0", "$t1", 0]], [["y", "repeat_interleave", "t0", "$t2", 0]],
              [["y", "repeat_interleave", "t0", "$t3", 0]], [["y", "tensor_split", "t0", 0, 0, 0]]]:
    case([ones(2, 3), pairs(1, 2, 3), pairs(-1, 2), torch.tensor([1.0, 2.0])], steps)
for _ in range(12):
    shape = random.choice([[5], [3, 4], [2, 3, 4], []])
    part = shape[random.randint(0, len(shape)):]
    dtype = random.choice(["float64", "float32"])
    a, b, c = (laid(s, dtype, "positive", ("order", "turned", "repeated")) for s in (shape, part, shape))
    case([a, b], [["y", "lerp", "t0", "$t1", random.choice([0.25, 0.75, 1.0, 2.0])]])
    case([a, b, c], [["y", "lerp", "t0", "$t1", "$t2"]])
    for op in ["addcmul", "addcdiv"]:
        case([a, b, c], [["y", op, "t0", "$t1", "$t2", random.choice([1, 0.5, -2])]])
    case([laid(shape, "int64"), laid(part, "int64"), c], [["y", "addcmul", "t0", "$t1", "$t2", 2]])
    case([laid(shape, dtype), b], [["y", "div_rounded", "t0", "$t1", random.choice(["floor", "trunc"])]])
    case([laid(shape, "int64")], [["y", "div_rounded", "t0", random.choice([2, -3, 2.0]), random.choice(["floor", "trunc"])]])
    x = laid(shape, random.choice(["float64", "float32"]), ways=("order", "turned", "repeated"))
    for op in ["tan", "sinh", "cosh", "asin", "acos", "atan"]:
        kind = x
        if op in ("asin", "acos"):
            kind = (x / 3.2).round(decimals=3)
        case([kind], [["y", op, "t0"]])
    case([x, laid(part, "float32", "positive")], [["y", "atan2", "t0", "$t1"]])
    case([x], [["y", "softplus", "t0", random.choice([1.0, 2.0, 10.0]), random.choice([20.0, 5.0])]])
    case([x], [["y", "logsigmoid", "t0"]])
    case([x], [["y", "leaky_relu", "t0", 0.1]])
    case([x], [["y", "elu", "t0", random.choice([1.0, 0.5])]])
    case([x], [["y", "hardtanh", "t0", random.choice([-1.0, -0.5]), 1.0]])
    dims = random.sample(range(len(shape)), random.randint(0, len(shape)))
    case([x], [["y", "std_mean0", "t0", dims, 1 if x.numel() > 1 and len(dims) != 0 else 0, False]])
    case([x], [["y", "var_mean1", "t0", dims, 0, True]])
    z = laid(shape, dtype, "few")
    if shape:
        case([z], [["y", "cumprod", "t0", random.randrange(len(shape))]])
        case([z], [["y", "prod", "t0", random.randrange(len(shape))]])
        case([z], [["y", "cumsum", "t0", random.randrange(len(shape))]])
    case([z], [["y", "prod", "t0"]])
    close = a + torch.tensor([random.choice([0.0, 1e-6, 1e-4]) for _ in range(a.numel())], dtype=a.dtype).reshape(a.shape)
    case([a, close], [["y", "isclose", "t0", "$t1", random.choice([1e-5, 0.0, 1e-3]), 1e-8, False]])
    for op in ["bitwise_and", "bitwise_or", "bitwise_xor"]:
        p, q = random.choice(["int64", "uint8", "bool", "int32"]), random.choice(["int64", "uint8", "bool", "int32"])
        case([laid(shape, p), laid(part, q)], [["y", op, "t0", "$t1"]])
    case([laid(shape, random.choice(["int64", "uint8", "bool", "int32"]))], [["y", "bitwise_not", "t0"]])
    for op in ["bitwise_left_shift", "bitwise_right_shift"]:
        p = random.choice(["int64", "uint8", "int32"])
        case([laid(shape, p), laid(part, p)], [["y", op, "t0", "$t1"]])
        case([laid(shape, p)], [["y", op, "t0", random.choice([1, 3, 70, 31])]])
edge = torch.tensor([0.0, -0.0, math.inf, -math.inf, nan, 1.0, -1.0, 40.0, -40.0, 1e-4])
for op, *rest in [("tan",), ("sinh",), ("cosh",), ("atan",), ("softplus", 1.0, 20.0), ("logsigmoid",), ("leaky_relu", 0.1),
                  ("elu", 1.0), ("hardtanh", -1.0, 1.0), ("asin",), ("acos",)]:
    case([edge], [["y", op, "t0", *rest]])
case([edge.repeat_interleave(10), edge.repeat(10)], [["y", "atan2", "t0", "$t1"]], grads=False)
case([edge, edge], [["y", "isclose", "t0", "$t1", 1e-5, 1e-8, True]])
case([edge, edge], [["y", "isclose", "t0", "$t1", 1e-5, 1e-8, False]])
case([pairs(10), pairs(11)], [["y", "isclose", "t0", "$t1", 0.1, 0.0, False]])
for steps in [[["y", "isclose", "t0", "$t0", -1, 0.0, False]], [["y", "lerp", "t0", "$t1", 0.5]], [["y", "lerp", "t2", "$t2", 0.5]],
              [["y", "lerp", "t0", "$t0", "$t1"]], [["y", "addcdiv", "t2", "$t2", "$t2", 1]], [["y", "div_rounded", "t2", 0, "trunc"]],
              [["y", "bitwise_and", "t0", "$t2"]], [["y", "bitwise_not", "t0"]], [["y", "softplus", "t2", 1, 20]], [["y", "elu", "t2", 1]],
              [["y", "leaky_relu", "t2", 0.1]], [["y", "logsigmoid", "t2"]], [["y", "hardtanh", "t0", 1, -1]],
              [["y", "bitwise_left_shift", "t0", 1]], [["y", "std_mean0", "t2", [0], 0, False]], [["y", "expand_as", "t0", "$t3"]],
              [["y", "view_as", "t3", "$t4"]], [["y", "expand_as", "t0", "$t4"]], [["y", "size", "t0", 3]]]:
    case([ones(1), ones(1).double(), ones(1).long(), ones(2, 3), ones(3, 2)], steps)

json.dump(cases, (HERE / "names.json").open("w"), separators=(",", ":"))
print(len(cases), "cases of names,", sum("error" in c for c in cases), "of them refusals")
