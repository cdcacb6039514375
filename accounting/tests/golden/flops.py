"""Writes flops.json beside it: FLOPs as torch.utils.flop_counter.FlopCounterMode counts them.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch==2.15.0 transformers==5.23.0
    /tmp/golden/bin/python accounting/tests/golden/flops.py

The counter sees operations, not formulas: of each matrix product 2 m n k, of fused attention the whole square (causal or
not), of everything else nothing. Every count here is of operations that PyTorch ran, on the CPU, or on the meta device
(shapes without numbers) where an entry says so. "ops" are the counts by operation, in aten's names; "total" adds them up.
"forward" and "backward" are counted apart; a backward pass that recomputes (checkpointing) counts that too.

    products       x @ w of [B, D] and [D, K]; x_grad: whether x requires a gradient. w does.
    two_layers     (x @ w1) @ w2 of [B, D], [D, D], [D, K]; each stage is one backward pass for the gradients named
    cruncher       small.py's deep linear model, without biases (mm) or with (addmm)
    gpt            small.py's model and its loss
                   checkpointing: "early_stop" is the default of checkpoint(use_reentrant=False), which stops recomputing a
                   block once all that was saved is back: its last product, down, is not run again; "whole" recomputes all
    transformers   models of the library, with labels; by_module: of the forward pass alone, as the counter files products
                   of a backward pass under wrong modules. experts_implementation: how the library runs routed experts, whose
                   tokens are exactly top_k per token; the counter sees nothing of grouped_mm, so that its counts lack them
    einsum         torch.einsum and its backward pass for all operands, from left to right (no opt_einsum)
    operations     single operations, forward, and backward for all operands; 0 where the counter sees none
    attention      attention of q [B, heads, T, d], k [B, kv_heads, S, d], v [B, kv_heads, S, dv]
"""

import torch
import torch.nn.functional as F
import transformers
from torch.nn.attention import sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode
from transformers import AutoModelForCausalLM
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from small import BACKENDS, GPT, LIBRARY, Cruncher
from write import write

torch.manual_seed(0)
torch.backends.opt_einsum.enabled = False
transformers.logging.set_verbosity_error()


def count(f):
    """What f returns, its counts by operation, and by module."""
    with FlopCounterMode(display=False) as counter:
        value = f()
    modules = {name: sum(ops.values()) for name, ops in counter.get_flop_counts().items()}
    ops = {str(op).removeprefix("aten."): n for op, n in counter.get_flop_counts().get("Global", {}).items()}
    assert sum(ops.values()) == counter.get_total_flops()
    return value, {"total": sum(ops.values()), "ops": dict(sorted(ops.items()))}, modules


def step(forward):
    """The counts of a function that gives a loss, and of its backward pass."""
    loss, ahead, _ = count(forward)
    _, back, _ = count(loss.backward)
    return {"forward": ahead, "backward": back}


def tensors(shapes, device="cpu", grad=True):
    return [torch.randn(s, device=device, requires_grad=grad) for s in shapes]


products = []
for b, d, k, device in [(1024, 256, 64, "cpu"), (1, 1, 1, "cpu"), (3, 17, 65, "cpu"), (0, 5, 7, "cpu"), (63, 64, 1, "cpu"),
                        (1, 4096, 4096, "meta"), (16384, 32768, 8192, "meta")]:
    for x_grad in (False, True):
        x, w = torch.randn(b, d, device=device, requires_grad=x_grad), torch.randn(d, k, device=device, requires_grad=True)
        products.append({"B": b, "D": d, "K": k, "x_grad": x_grad, "device": device, **step(lambda: (x @ w).pow(2).sum())})

two_layers = []
for b, d, k in [(1024, 256, 64), (3, 17, 5), (1, 1, 1)]:
    x, w1, w2 = tensors([(b, d), (d, d), (d, k)])

    def both():
        h1 = x @ w1
        h2 = h1 @ w2
        return h1, h2, h2.pow(2).mean()

    _, ahead, _ = count(both)
    stages = []
    for names in (["h2"], ["w2"], ["h1"], ["h1", "w2"], ["w1"], ["h1", "w1", "w2"], ["h1", "w1", "w2", "x"]):
        h1, h2, loss = both()
        known = {"x": x, "w1": w1, "w2": w2, "h1": h1, "h2": h2}
        _, back, _ = count(lambda: torch.autograd.grad(loss, [known[n] for n in names]))
        stages.append({"gradients": names, **back})
    two_layers.append({"B": b, "D": d, "K": k, "forward": ahead, "backward": stages})


cruncher = []
for b, d, layers, device in [(2, 4, 2, "cpu"), (4, 16, 2, "cpu"), (8, 16, 3, "cpu"), (4, 64, 2, "cpu"), (1, 1, 1, "cpu"),
                             (17, 65, 3, "cpu"), (64, 3, 5, "cpu"), (5, 7, 0, "cpu"), (1024, 4096, 24, "meta")]:
    for bias in (False, True):
        for x_grad in (False, True):
            with torch.device(device):
                model = Cruncher(d, layers, bias)
            x = torch.randn(b, d, device=device, requires_grad=x_grad)
            cruncher.append({"B": b, "D": d, "L": layers, "bias": bias, "x_grad": x_grad, "device": device,
                             "parameters": sum(p.numel() for p in model.parameters()), **step(lambda: model(x).pow(2).mean())})

SIZES = [  # layers, d, heads, vocab, context, batch, tokens
    (1, 8, 2, 17, 5, 3, 5), (2, 16, 4, 65, 8, 2, 8), (3, 24, 3, 33, 17, 1, 13), (2, 32, 1, 50, 7, 4, 7), (2, 64, 4, 256, 64, 2, 64),
    (1, 15, 5, 33, 1, 3, 1), (0, 8, 2, 17, 5, 3, 5),
]
gpt = []


def gpt_case(size, device, **how):
    layers, d, heads, vocab, context, batch, t = size
    with torch.device(device):
        model = GPT(layers, d, heads, vocab, context, **how)
        tokens = torch.zeros(batch, t, dtype=torch.int64)
    gpt.append({"layers": layers, "d": d, "heads": heads, "vocab": vocab, "context": context, "batch": batch, "tokens": t, **how,
                "device": device, "parameters": sum(p.numel() for p in model.parameters()), **step(lambda: model(tokens, tokens))})


for size in SIZES:
    for how in ("matmul", *BACKENDS):
        for checkpointing in (None, "early_stop", "whole"):
            gpt_case(size, "cpu", tied=True, bias=True, attention=how, checkpointing=checkpointing)
    for tied, bias in ((False, True), (True, False), (False, False)):
        gpt_case(size, "cpu", tied=tied, bias=bias, attention="matmul", checkpointing=None)
for size in ((12, 768, 12, 50257, 1024, 8, 1024), (48, 1600, 25, 50257, 1024, 1, 1000)):
    for checkpointing in (None, "early_stop", "whole"):
        gpt_case(size, "meta", tied=True, bias=True, attention="matmul", checkpointing=checkpointing)

library = []
for config in LIBRARY:
    for attention in ("eager", "sdpa"):
        for batch, t in ((2, 16), (3, 7)):
            experts = (None,)
            if "num_experts_per_tok" in config:
                experts = ("eager", "batched_mm", "grouped_mm") if attention == "eager" else ("eager",)
            for way in experts:
                built = CONFIG_MAPPING[config["model_type"]].from_dict(dict(config))
                built.use_cache = False
                torch.manual_seed(0)
                model = AutoModelForCausalLM.from_config(built, attn_implementation=attention)
                if way:
                    model.set_experts_implementation(way)
                tokens = torch.randint(0, 100, (batch, t))
                loss, ahead, names = count(lambda: model(input_ids=tokens, labels=tokens).loss)
                _, back, _ = count(loss.backward)
                library.append({
                    "config": config, "attn_implementation": attention, "experts_implementation": way, "batch": batch, "tokens": t,
                    "parameters": sum(p.numel() for p in model.parameters()), "forward": ahead, "backward": back,
                    "by_module": {n.partition(".")[2]: names[n] for n in sorted(names) if "." in n}})

einsum = []
for equation, shapes in [
    ("bik,bkj->bij", [(3, 5, 7), (3, 7, 2)]), ("bqh,bkh->bqk", [(2, 3, 4), (2, 3, 4)]), ("ij,jk->ik", [(17, 3), (3, 65)]),
    ("ij,kj->ik", [(17, 3), (65, 3)]), ("i,i->", [(63,), (63,)]), ("i,j->ij", [(3,), (17,)]), ("ij,ij->ij", [(3, 17), (3, 17)]),
    ("ij->ji", [(3, 17)]), ("ij->", [(3, 17)]), ("ij,ij->", [(3, 17), (3, 17)]), ("ij,j->i", [(64, 65), (65,)]),
    ("bhqd,bhkd->bhqk", [(2, 3, 5, 4), (2, 3, 7, 4)]), ("bhqk,bhkd->bhqd", [(2, 3, 5, 7), (2, 3, 7, 4)]),
    ("bshd,hde->bse", [(2, 5, 3, 4), (3, 4, 6)]), ("bd,dk,kl->bl", [(8, 16, ), (16, 3), (3, 9)]),
    ("ij,jk,kl,lm->im", [(2, 30), (30, 5), (5, 20), (20, 3)]), ("...d,de->...e", [(2, 3, 5), (5, 7)]), ("ab,b->a", [(0, 5), (5,)]),
    ("abc,cd->abd", [(4, 1, 3), (3, 2)]), ("ii->", [(5, 5)]), ("ii->i", [(5, 5)]),
]:
    operands = tensors(shapes)
    einsum.append({"equation": equation, "shapes": shapes, **step(lambda: torch.einsum(equation, *operands).sum())})

OPERATIONS = {
    "matmul": (torch.matmul, [[(3, 5), (5, 2)], [(4, 8, 16, 32), (32, 2)], [(16, 32), (32, 2)], [(4, 3, 5), (4, 5, 2)],
                              [(2, 1, 3, 5), (4, 5, 2)], [(5,), (5,)], [(3, 5), (5,)], [(5,), (5, 3)], [(2, 3, 5), (5,)], [(0, 5), (5, 3)],
                              [(3, 0), (0, 4)], [(64, 65), (65, 63)]]),
    "bmm": (torch.bmm, [[(3, 5, 7), (3, 7, 2)], [(1, 17, 64), (1, 64, 65)]]),
    "linear": (F.linear, [[(3, 5), (7, 5)], [(3, 5), (7, 5), (7,)], [(2, 3, 5), (7, 5)], [(2, 3, 5), (7, 5), (7,)]]),
    "addmm": (torch.addmm, [[(3, 2), (3, 5), (5, 2)]]),
    "baddbmm": (torch.baddbmm, [[(4, 3, 2), (4, 3, 5), (4, 5, 2)]]),
    "mv": (torch.mv, [[(3, 5), (5,)]]),
    "dot": (torch.dot, [[(17,), (17,)]]),
    "outer": (torch.outer, [[(3,), (17,)]]),
    "add": (torch.add, [[(3, 17), (17,)]]),
    "mul": (torch.mul, [[(3, 17), (3, 17)]]),
    "relu": (torch.relu, [[(3, 17)]]),
    "gelu": (F.gelu, [[(3, 17)]]),
    "softmax": (lambda x: x.softmax(-1), [[(3, 17)]]),
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (17,), w, b), [[(3, 17), (17,), (17,)]]),
    "rms_norm": (lambda x, w: F.rms_norm(x, (17,), w), [[(3, 17), (17,)]]),
    "sum": (torch.sum, [[(3, 17)]]),
    "embedding": (lambda w: F.embedding(torch.zeros(4, 6, dtype=torch.int64), w), [[(17, 5)]]),
}
operations = []
for name, (f, cases) in OPERATIONS.items():
    for shapes in cases:
        operands = tensors(shapes)
        operations.append({"operation": name, "shapes": shapes, **step(lambda: f(*operands).sum())})

attention = []
for b, heads, kv, t, s, d, dv in [(2, 4, 4, 8, 8, 16, 16), (1, 3, 3, 17, 17, 5, 5), (2, 6, 2, 7, 7, 8, 8), (3, 4, 1, 1, 65, 8, 8),
                                  (1, 2, 2, 63, 64, 16, 16), (2, 4, 4, 8, 8, 16, 12)]:
    for backend, known in BACKENDS.items():
        for causal in (False, True):
            if backend == "sdpa_flash" and dv != d or causal and t != s:
                continue
            q, k, v = tensors([(b, heads, t, d), (b, kv, s, d), (b, kv, s, dv)])

            def attend():
                with sdpa_kernel(known):
                    return F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=kv != heads).sum()

            attention.append({"B": b, "heads": heads, "kv_heads": kv, "T": t, "S": s, "d": d, "dv": dv, "backend": backend,
                              "causal": causal, **step(attend)})

write(__file__, {"versions": {"torch": torch.__version__.split("+")[0], "transformers": transformers.__version__},
                 "products": products, "two_layers": two_layers, "cruncher": cruncher, "gpt": gpt, "transformers": library,
                 "einsum": einsum, "operations": operations, "attention": attention})
