"""Writes einops.json beside it: einops' functions and torch.einsum on small whole numbers, with gradients and
refusals.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy einops
    /tmp/golden/bin/python -P engine/tests/golden/einops.py

With -P the package is imported, not this file of the same name.

A tensor is its storage and how it lies there. The numbers are such that float32 computes with them exactly.
Of a refusal only einops' last sentence is kept; the members of a set are sorted, as their order is chance.
"""

import json
import math
import pathlib
import random
import re

import einops
import torch

HERE = pathlib.Path(__file__).parent
random.seed(2026)
cases = []


def values(tensor):
    return tensor.detach().flatten().tolist()


def laid(shape, dtype="float32", kind="any"):
    """A tensor of that shape whose elements lie in some way: in order, transposed, or stepped."""
    shape = list(shape)
    way = random.choice(["order", "order", "turned", "stepped"]) if shape else "order"
    full = {"order": shape, "turned": shape[::-1], "stepped": shape[:-1] + [2 * (shape or [0])[-1] + 1]}[way]
    count = math.prod(full)
    if kind == "distinct":
        elements = random.sample(range(-count, count + 1), count)
    elif kind == "factor":
        elements = [random.choice([-2, -1, 1, 2]) for _ in range(count)]
    elif dtype == "bool":
        elements = [random.random() < 0.5 for _ in range(count)]
    else:
        elements = [random.randint(0 if dtype == "uint8" else -9, 9) for _ in range(count)]
    x = torch.tensor(elements, dtype=getattr(torch, dtype)).reshape(full)
    if way == "turned":
        x = x.permute(tuple(reversed(range(len(full)))))
    if way == "stepped":
        x = x[..., 1 : 2 * shape[-1] + 1 : 2]
    assert list(x.shape) == shape
    return x


def told(x):
    storage = torch.tensor([], dtype=x.dtype).set_(x.untyped_storage())
    return {"dtype": str(x.dtype)[6:], "shape": list(x.shape), "stride": list(x.stride()),
            "offset": x.storage_offset(), "storage": values(storage)}


def sentence(error):
    """What is compared: the first line of the sentence itself."""
    text = re.split(r"Additional info: \{.*?\}\.\n ", str(error), flags=re.S)[-1].split("\n")[0].strip()
    if text.startswith("('Invalid name for an axis', "):
        return "Invalid name for an axis: " + text.split("'")[3]
    text = re.sub(r"\{([^{}]*)\}", lambda m: "{" + ", ".join(sorted(m[1].split(", "))) + "}", text)
    # "operand 1has size": a blank is missing in PyTorch's.
    text = re.sub(r"(\d)has", r"\1 has", text)
    # Faults that Python itself finds have no words of einops'.
    return "" if "unpack" in text or "division" in text or "modulo" in text else text


def upstream(out):
    """The gradient that arrives: neither symmetric nor constant."""
    weights = torch.tensor([((7 * i) % 5 - 2) / 2 + 0.25 for i in range(out.numel())])
    return weights.reshape(out.shape).to(out.dtype)


def case(op, pattern, inputs, reduction=None, **sizes):
    entry = {"op": op, "pattern": pattern, "inputs": [told(x) for x in inputs], "sizes": list(sizes.items())}
    if reduction:
        entry["reduction"] = reduction
    leaves = []
    for x in inputs:
        x = x.detach().as_strided(x.shape, x.stride(), x.storage_offset())
        leaves.append(x.requires_grad_() if x.dtype.is_floating_point else x)
    try:
        if op == "einsum":
            out = einops.einsum(*leaves, pattern)
        elif op == "torch_einsum":
            out = torch.einsum(pattern, *leaves)
        elif op == "reduce":
            out = einops.reduce(leaves[0], pattern, reduction, **sizes)
        else:
            out = getattr(einops, op)(leaves[0], pattern, **sizes)
    except (einops.EinopsError, RuntimeError, ValueError, NotImplementedError, IndexError, ZeroDivisionError) as error:
        entry["error"] = sentence(error)
        cases.append(entry)
        return
    entry["out"] = {"dtype": str(out.dtype)[6:], "shape": list(out.shape), "values": values(out)}
    assert all(x == x and abs(x) < 2**24 for x in values(out))
    if out.requires_grad:
        out.backward(upstream(out))
        entry["grads"] = [None if x.grad is None else values(x.grad) for x in leaves]
    cases.append(entry)


def rearrange(pattern, shape, dtype="float32", **sizes):
    case("rearrange", pattern, [laid(shape, dtype)], **sizes)


def reduce(pattern, reduction, shape, dtype="float32", **sizes):
    kind = "distinct" if reduction in ("min", "max") else "factor" if reduction == "prod" else "any"
    case("reduce", pattern, [laid(shape, dtype, kind)], reduction, **sizes)


def repeat(pattern, shape, dtype="float32", **sizes):
    case("repeat", pattern, [laid(shape, dtype)], **sizes)


def einsum(pattern, *shapes, dtype="float32"):
    case("einsum", pattern, [laid(shape, dtype) for shape in shapes])


def letters(equation, *shapes, dtype="float32"):
    case("torch_einsum", equation, [laid(shape, dtype) for shape in shapes])


rearrange("a b -> a b", [2, 3])
rearrange("a b -> b a", [2, 3])
rearrange("a b c -> c a b", [2, 3, 4])
rearrange("b h w c -> b c h w", [2, 3, 4, 2])
rearrange("b h w c -> (b h) w c", [2, 3, 2, 2])
rearrange("b h w c -> h (b w) c", [2, 3, 2, 2])
rearrange("b h w c -> b (c h w)", [2, 3, 2, 2])
rearrange("b h w c -> (c w h b)", [2, 3, 2, 2])
rearrange("b (h h1) (w w1) c -> (b h1 w1) h w c", [2, 4, 6, 1], h1=2, w1=3)
rearrange("b (h h1) (w w1) c -> b h w (c h1 w1)", [1, 4, 4, 3], h1=2, w1=2)
rearrange("b s (three h d) -> three b h s d", [2, 3, 12], three=3, h=2)
rearrange("(a b c) -> c b a", [24], a=2, c=4)
rearrange("(a b) -> a b", [6], a=2)
rearrange("(a b) -> a b", [6], b=2)
rearrange("(a b) -> a b", [6], a=2, b=3)
rearrange("(a b) -> b a", [6], a=6)
rearrange("... -> ...", [2, 3])
rearrange("... c -> c ...", [2, 3, 4])
rearrange("a ... -> ... a", [2, 3, 4])
rearrange("a ... b -> b ... a", [2, 3])
rearrange("a ... b -> (a ... b)", [2, 3, 4, 2])
rearrange("b ... -> b (...)", [2, 3, 4])
rearrange("... -> (...)", [])
rearrange("... -> (...)", [2, 3])
rearrange("a ... b -> (b ...) a", [2, 3, 2, 2])
rearrange("a ... -> a () (...)", [3])
rearrange("... (h d) -> h ... d", [2, 3, 4], h=2)
rearrange("a b -> a 1 b", [2, 3])
rearrange("a b -> a () b 1", [2, 3])
rearrange("a 1 b -> b a", [2, 1, 3])
rearrange("() a -> a ()", [1, 4])
rearrange("a () (1 b) -> (1 a b)", [2, 1, 3])
rearrange("(1) a -> a (1 1)", [1, 4])
rearrange("1 1 -> 1", [1, 1])
rearrange("1 -> ", [1])
rearrange(" -> 1 ()", [])
rearrange("->", [])
rearrange("a->a", [3])
rearrange("  a   b->b a  ", [2, 3])
rearrange("(a)(b)->(b a)", [2, 3])
rearrange("long_name b2 -> b2 long_name", [2, 3])
rearrange("é b -> b é", [2, 3])
rearrange("a b c -> a (b c)", [2, 0, 3])
rearrange("(a b) c -> a b c", [0, 3], a=2)
rearrange("a b -> b a", [2, 3], a=2)
rearrange("a b -> b a", [2, 3], dtype="int64")
rearrange("a (b c) -> c a b", [2, 4], dtype="bool", b=2)

for reduction in ["sum", "mean", "max", "min", "prod"]:
    reduce("a b -> a", reduction, [3, 4])
    reduce("a b -> b", reduction, [4, 3])
    reduce("a b c -> b", reduction, [2, 3, 4])
    reduce("b (h h2) (w w2) c -> b h w c", reduction, [1, 4, 4, 2], h2=2, w2=2)
    reduce("a b -> ", reduction, [2, 4])
    reduce("... c -> ...", reduction, [2, 3, 2])
reduce("b (h 2) (w 2) -> h w b", "mean", [2, 4, 6])
reduce("(2 a) -> a", "max", [8])
reduce("2 a -> a", "sum", [2, 3])
reduce("a 1 -> a 1", "sum", [3, 1])
reduce("a b -> b a", "sum", [2, 3])
reduce("a b -> () b 1", "sum", [2, 3])
reduce("a ... -> a", "sum", [2, 3, 2])
reduce("... -> ", "max", [2, 3])
reduce("... -> ", "max", [])
reduce("a ... -> a", "sum", [3])
reduce("a b c d -> (d b)", "sum", [2, 3, 2, 2])
reduce("a b -> a", "sum", [2, 0])
reduce("a b -> b", "max", [2, 0])
reduce("a b -> a", "sum", [2, 3], dtype="int32")
reduce("a b -> a", "max", [2, 3], dtype="int64")
reduce("a b -> a", "prod", [2, 3], dtype="int64")
reduce("a b -> b a", "mean", [2, 3], dtype="int64")
for reduction in ["any", "all"]:
    reduce("a b c -> b", reduction, [2, 6, 1], dtype="bool")
    reduce("a b c -> c a", reduction, [2, 2, 3], dtype="bool")
    reduce("(a 2) -> a", reduction, [8], dtype="int64")
    reduce("a b -> ", reduction, [2, 3], dtype="float32")

repeat("h w -> h w c", [2, 3], c=3)
repeat("h w -> c h w", [2, 3], c=2)
repeat("h w -> (r h) w", [2, 3], r=2)
repeat("h w -> (h r) w", [2, 3], r=2)
repeat("h w -> (h2 h) (w3 w)", [2, 2], h2=2, w3=3)
repeat("h w -> (h h2) (w w2)", [2, 2], h2=2, w2=2)
repeat("h w -> (h 2) (2 w)", [2, 3])
repeat("h w -> 2 w 3 h", [2, 3])
repeat("... -> ... 2", [2, 3])
repeat("... -> 2 ...", [])
repeat("... c -> (... r) c", [2, 2, 3], r=2)
repeat("(a b) -> b c a", [6], a=2, c=2)
repeat("a b -> b a", [2, 3])
repeat("a 1 -> a 4", [3, 1])
repeat("-> a b", [], a=2, b=2)
repeat("a -> a 1 b", [3], b=1)
repeat("a -> a b", [3], b=0)
repeat("a -> (a b)", [3], dtype="int64", b=2)
repeat("a -> b a c", [2], a=2, b=2, c=2)

einsum("i j, j k -> i k", [2, 3], [3, 4])
einsum("batch q d, batch k d -> batch q k", [2, 3, 4], [2, 5, 4])
einsum("b h q d, b h k d -> b h q k", [2, 2, 3, 2], [2, 2, 4, 2])
einsum("b h q k, b h k d -> b q h d", [2, 2, 3, 4], [2, 2, 4, 2])
einsum("batch seq d_in, d_out d_in -> batch seq d_out", [2, 3, 4], [5, 4])
einsum("... d_in, d_out d_in -> ... d_out", [2, 3, 4], [5, 4])
einsum("out_dim in_dim, ... in_dim -> ... out_dim", [3, 4], [2, 2, 4])
einsum("... a, ... a -> ...", [2, 3, 4], [3, 4])
einsum("a b c, c b d, a g k -> a b k", [2, 3, 2], [2, 3, 2], [2, 2, 3])
einsum("i, j -> i j", [2], [3])
einsum("i, j -> j i", [2], [3])
einsum("i, i ->", [4], [4])
einsum("i i ->", [3, 3])
einsum("i i -> i", [3, 3])
einsum("i j -> j i", [2, 3])
einsum("i j -> i", [2, 3])
einsum("_ a, _ b -> a b", [2, 3], [2, 4])
einsum("b h w, h w channel -> b channel", [2, 3, 2], [3, 2, 4])
einsum("a ..., ... b -> a b ...", [2, 3, 2], [3, 2, 2])
einsum("(a) b -> b a", [2, 3])

letters("bij,bjk->bik", [2, 3, 4], [2, 4, 2])
letters("bij,bjk", [2, 3, 4], [2, 4, 2])
letters("ij,jk", [2, 3], [3, 2])
letters("ba", [2, 3])
letters("bA", [2, 3])
letters("ii", [3, 3])
letters("ii->i", [3, 3])
letters("iij->ij", [3, 3, 2])
letters("iji->j", [3, 2, 3])
letters("iii->i", [3, 3, 3])
letters("iijj->ij", [2, 2, 3, 3])
letters("bii,bi->b", [2, 3, 3], [2, 3])
letters("ij->", [2, 3])
letters("i,ij,j->", [2], [2, 3], [3])
letters("i,j,k->kji", [2], [3], [2])
letters("ij,kl->ijkl", [2, 3], [2, 2])
letters("ij,ij->ij", [2, 3], [2, 3])
letters("ij,ij->ij", [1, 3], [2, 1])
letters("ij,ij->", [1, 3], [2, 1])
letters("i,i->i", [1], [3])
letters("i,i->", [1], [3])
letters("ij,jk->ik", [2, 1], [3, 2])
letters("...ij,...jk->...ik", [2, 3, 4], [2, 4, 2])
letters("...ij,...jk->...ik", [2, 1, 3, 2], [3, 2, 2])
letters("...ij,...jk", [2, 3, 2], [2, 2])
letters("...i,...i->...", [2, 1, 3], [4, 3])
letters("...i->i", [2, 3, 4])
letters("i...->...", [2, 3])
letters("...", [2, 3])
letters("...->", [2, 3])
letters("i->...i", [3])
letters("i...,...->i...", [2, 3, 4], [1, 4])
letters("...ii->...i", [2, 3, 3])
letters(" i j , j k -> i k ", [2, 3], [3, 2])
letters("", [])
letters(",i->i", [], [3])
letters("ab,bc,cd,de->ae", [2, 3], [3, 2], [2, 3], [3, 2])
letters("abc,cd,b->ad", [2, 3, 2], [2, 3], [3])
letters("ab,ab,ab->b", [2, 3], [2, 3], [2, 3])
letters("ab,ac,bc->abc", [2, 3], [2, 2], [3, 2])
letters("abcd,cdef->abef", [2, 1, 3, 2], [3, 2, 2, 2])
letters("dacb,ecdf->bfae", [2, 3, 2, 2], [2, 2, 2, 3])
letters("ij,k->ik", [2, 3], [4])
letters("ij,jk->ik", [2, 0], [0, 3])
letters("ij,jk->ik", [0, 2], [2, 3])
letters("ij,jk->ik", [2, 3], [3, 2], dtype="int64")
letters("ij->i", [2, 3], dtype="int32")
letters("ij->i", [2, 1], dtype="int32")
letters("ij,ij->ij", [2, 3], [2, 3], dtype="bool")
letters("ij,jk->ik", [2, 3], [3, 2], dtype="bool")

for _ in range(60):
    sizes = {"a": 2, "b": 3, "c": 2, "d": 3, "E": 2}
    left, shapes = [], []
    for _ in range(random.randint(1, 4)):
        labels = [random.choice("abcdE") for _ in range(random.randint(0, 4))]
        # A label that stands twice has one size; one that stands once may be broadcast.
        shape = [1 if labels.count(x) == 1 and random.random() < 0.2 else sizes[x] for x in labels]
        if random.random() < 0.3:
            at = random.randint(0, len(labels))
            labels.insert(at, "...")
            shape[at:at] = [random.choice([1, n]) for n in [3, 2][random.randint(0, 2):]]
        left.append("".join(labels))
        shapes.append(shape)
    known = sorted(set("".join(left)) - {"."})
    right = random.sample(known, random.randint(0, len(known)))
    if any("..." in labels for labels in left) and random.random() < 0.7:
        right.insert(random.randint(0, len(right)), "...")
    letters(",".join(left) + random.choice(["->" + "".join(right)] * 4 + [""]), *shapes)

rearrange("(a 2) -> a 2", [4])
rearrange("(a b) -> a b", [5], a=2)
rearrange("(a b) -> a b", [6])
rearrange("(a b c) -> c b a", [6], a=1)
rearrange("(a b) -> a b", [6], a=2, b=2)
rearrange("(a b) -> a b", [6], a=0)
rearrange("a b -> a", [2, 3])
rearrange("a -> a b", [2])
rearrange("a b c -> a d e", [2, 3, 4])
rearrange("a ... -> a", [2, 3])
rearrange("a -> a ...", [2])
rearrange("a a -> a", [2, 2])
rearrange("a b -> a b b", [2, 3])
rearrange("(a a) -> a", [4])
rearrange("a b c -> c b a", [2, 3])
rearrange("a b ... -> a b ...", [2])
rearrange("(a ...) -> a ...", [2])
rearrange("a ... ... -> a ...", [2, 3])
rearrange("a .. -> a ..", [2, 3])
rearrange("a... -> a...", [2, 3])
rearrange("a .... -> a ....", [2, 3])
rearrange("a. ... -> a ...", [2, 3])
rearrange("(1) a -> a (())", [1, 4])
rearrange("(a (b c)) -> a b c", [8])
rearrange("(a b -> a b", [6])
rearrange("a b) -> a b", [2, 3])
rearrange("a b -> (b a", [2, 3])
rearrange("a b -> )b a(", [2, 3])
rearrange("a b", [2, 3])
rearrange("a -> a -> a", [2])
rearrange("a, b -> b a", [2, 3])
rearrange("a-b -> b a", [2, 3])
rearrange("a\tb -> b a", [2, 3])
rearrange("_a b -> b _a", [2, 3])
rearrange("a_ b -> b a_", [2, 3])
rearrange("_ b -> b _", [2, 3])
rearrange("2a b -> b 2a", [2, 3])
rearrange("0 b -> b 0", [0, 3])
rearrange("1 b -> b", [2, 3])
rearrange("() b -> b", [2, 3])
rearrange("(1 1) b -> b", [2, 3])
rearrange("a b -> b a", [2, 3], a=3)
rearrange("a b -> b a", [2, 3], c=3)
rearrange("a b -> b a", [2, 3], _a=3)
rearrange("a 2 -> a", [2, 2])
reduce("a b -> a c", "sum", [2, 3])
reduce("a b -> a 2", "max", [2, 3])
reduce("(a 2) -> a", "max", [5])
reduce("3 a -> a", "max", [2, 3])
reduce("a -> ...", "max", [2])
reduce("(h 2) (w w2) -> h w", "mean", [4, 4])
reduce("a b -> a", "median", [2, 3])
reduce("a b -> a", "max", [2, 0])
reduce("a b -> a", "mean", [2, 4], dtype="int64")
reduce("a b -> a", "mean", [2, 4], dtype="bool")
repeat("a b -> a c", [2, 3], c=2)
repeat("a -> a b", [2])
repeat("a -> a b c", [2])
repeat("a 2 -> a 2", [2, 2])
repeat("... a -> a", [2, 3])
repeat("a -> a b b", [2], b=2)
repeat("a -> a 0", [2])
einsum("i j, j k", [2, 3], [3, 4])
einsum("i j -> i k", [2, 3])
einsum("(i j) -> i", [6])
einsum("() j -> j", [1, 3])
einsum("1 j -> j", [1, 3])
einsum("2 j -> j", [2, 3])
einsum("a b -> (a b)", [2, 3])
einsum("a b -> a a", [2, 3])
einsum("a b, b c -> a c", [2, 3], [4, 5])
einsum("a b, b c -> a c", [2, 3])
einsum("a b -> a", [2, 3], [2])
einsum("a b c -> a", [2, 3])
einsum("a a -> a", [2, 3])
einsum("a$b -> a", [2, 3])
einsum(" ".join(f"x{i}" for i in range(53)) + " -> x1", [2])
letters("ij,jk->ik", [2, 3], [4, 5])
letters("ij->ijk", [2, 3])
letters("ij->ii", [2, 3])
letters("ij,jk", [2, 3])
letters("ij", [2, 3], [3])
letters("i", [2, 3])
letters("ijk", [2, 3])
letters("ij...->...", [2])
letters("i1->i", [2, 3])
letters("ij->i-", [2, 3])
letters("i->i->i", [2])
letters("i.j->i", [2, 3])
letters("i....->i", [2, 3])
letters("ij->i.j", [2, 3])
letters("ij->...i...", [2, 3])
letters("ii->i", [2, 3])
letters("ii->i", [2, 1])
letters("...i,...i->...i", [2, 3], [4, 3])
letters("...i,...i->...i", [2, 3], [5, 4, 3])
letters("i,i,i->i", [2], [2], [3])
letters("é->é", [2])

refusals = sum("error" in entry for entry in cases)
made_with = f"torch {torch.__version__.split('+')[0]}, einops {einops.__version__}"
lines = ",\n".join(json.dumps(entry, separators=(",", ":"), allow_nan=False) for entry in cases)
(HERE / "einops.json").write_text(f'{{"made_with":{json.dumps(made_with)},\n"cases":[\n{lines}\n]}}\n')
print(len(cases), "cases,", refusals, "of them refusals")
