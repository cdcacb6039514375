"""Writes memory.json beside it: bytes of training steps, as PyTorch holds them.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch==2.15.0 transformers==5.23.0
    /tmp/golden/bin/python accounting/tests/golden/memory.py

All on the CPU with one thread. Nothing is computed by a formula: sizes are asked of tensors, storages and the allocator.

    optimizers   after one step: bytes of parameters, of gradients, and of each kind of tensor in optimizer.state; "step" are
                 its counters, one float32 per parameter tensor, which "state" leaves out. Muon has only the matrices
    activations  what one forward pass keeps for the backward pass: the storages of all tensors that autograd saves (seen by
                 torch.autograd.graph.saved_tensors_hooks; each storage once, with all its bytes even if a view of it is
                 saved), parameters excepted. "storages" lists [dtype, bytes, how many]; "saved" adds them up; "given" is what
                 of it the caller handed in (tokens and targets, or x, and the llama block's cos, sin and mask)
                 model: "gpt" and "cruncher" with their loss, "gpt_block", "llama_block" (a layer of transformers' LlamaModel;
                 x requires a gradient), "llama" (the whole of it, with labels)
                 dtype: of the parameters and of x; "autocast" is float32 under torch.autocast("cpu", torch.bfloat16), where
                 copies of the weights in bfloat16 are saved too
                 "retained" is the allocator's view of the forward pass, the output alone held: bytes allocated less bytes
                 freed, that is saved - given + the output, + 8 for each division by a number (written-out attention has one)
                 "step_peak" (float32 only) is the allocator's highest level above that before the step, over a forward and a
                 backward pass from no gradients: it holds these and what operations need in passing, on a CPU
"""

import os
from collections import Counter
from contextlib import nullcontext

os.environ.setdefault("KINETO_LOG_LEVEL", "99")

import torch
import transformers
from torch.autograd.graph import saved_tensors_hooks
from torch.profiler import ProfilerActivity, profile
from transformers import AutoModelForCausalLM, LlamaConfig
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.llama.modeling_llama import LlamaDecoderLayer, LlamaRotaryEmbedding

from small import GPT, LIBRARY, Block, Cruncher
from write import write

torch.manual_seed(0)
torch.set_num_threads(1)
transformers.logging.set_verbosity_error()


def size(tensors):
    return sum(x.numel() * x.element_size() for x in tensors)


def of_library(config, attention="eager"):
    built = CONFIG_MAPPING[config["model_type"]].from_dict(dict(config))
    built.use_cache = False
    return AutoModelForCausalLM.from_config(built, attn_implementation=attention, dtype=torch.float32)


OPTIMIZERS = [
    ("SGD", {}), ("SGD", {"momentum": 0.9}), ("SGD", {"momentum": 0.9, "nesterov": True}), ("Adagrad", {}), ("RMSprop", {}),
    ("RMSprop", {"momentum": 0.9, "centered": True}), ("Adam", {}), ("Adam", {"amsgrad": True}), ("AdamW", {}), ("Adafactor", {}),
    ("Muon", {}),
]
TRAINED = [
    ({"model": "cruncher", "D": 4, "L": 2, "bias": False}, lambda: Cruncher(4, 2, False)),
    ({"model": "cruncher", "D": 65, "L": 3, "bias": True}, lambda: Cruncher(65, 3, True)),
    ({"model": "gpt", "layers": 2, "d": 16, "heads": 4, "vocab": 65, "context": 8, "tied": True}, lambda: GPT(2, 16, 4, 65, 8)),
    ({"model": "gpt", "layers": 3, "d": 24, "heads": 3, "vocab": 33, "context": 17, "tied": False},
     lambda: GPT(3, 24, 3, 33, 17, tied=False)),
    *[({"model": c["model_type"], "config": c}, lambda c=c: of_library(c)) for c in LIBRARY],
]
optimizers = []
for described, make in TRAINED:
    for dtype in (torch.float32, torch.bfloat16):
        for name, settings in OPTIMIZERS:
            model = make().to(dtype)
            trained = [p for p in model.parameters() if name != "Muon" or p.ndim == 2]
            for p in trained:
                p.grad = torch.randn_like(p)
            optimizer = getattr(torch.optim, name)(trained, lr=1e-3, **settings)
            optimizer.step()
            state = Counter()
            for kept in optimizer.state.values():
                for key, x in kept.items():
                    if isinstance(x, torch.Tensor):
                        state[key] += size([x])
            step = state.pop("step", 0)
            optimizers.append({**described, "dtype": str(dtype)[6:], "optimizer": name, "settings": settings, "tensors": len(trained),
                               "elements": sum(p.numel() for p in trained), "parameters": size(trained),
                               "gradients": size(p.grad for p in trained), "state": dict(sorted(state.items())), "step": step})


def allocated(f):
    """What f returns, the bytes that stay allocated, and the most that were so at a time."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
        value = f()
    level = peak = 0
    for event in sorted((e for e in seen.profiler.kineto_results.events() if e.name() == "[memory]"), key=lambda e: e.start_ns()):
        level += event.nbytes()
        peak = max(peak, level)
    return value, level, peak


def kept(model, given, f):
    """What a forward pass keeps, without the parameters' storages."""
    storages = {}

    def pack(x):
        storages.setdefault(x.untyped_storage().data_ptr(), x)
        return x

    with saved_tensors_hooks(pack, lambda x: x):
        out = f()
    for p in model.parameters():
        storages.pop(p.untyped_storage().data_ptr(), None)
    inputs = {x.untyped_storage().data_ptr() for x in given}
    kinds = Counter((str(x.dtype)[6:], x.untyped_storage().nbytes()) for x in storages.values())
    return {"saved": sum(n * many for (_, n), many in kinds.items()),
            "given": sum(x.untyped_storage().nbytes() for at, x in storages.items() if at in inputs), "output": size([out]),
            "storages": [[dtype, n, many] for (dtype, n), many in sorted(kinds.items(), key=lambda x: (-x[0][1], x[0][0]))]}


activations = []


def activation(described, dtype, model, given, f):
    model = model.to(torch.bfloat16 if dtype == "bfloat16" else torch.float32)

    def run():
        # Autocast forgets its copies of the weights where its context ends.
        with torch.autocast("cpu", torch.bfloat16) if dtype == "autocast" else nullcontext():
            return f()

    entry = {**described, "dtype": dtype, **kept(model, given, run)}
    _, entry["retained"], _ = allocated(run)
    assert entry["retained"] - (entry["saved"] - entry["given"] + entry["output"]) in (0, 8, 16, 24)
    if dtype == "float32":
        for x in [*model.parameters(), *given]:
            x.grad = None
        _, _, entry["step_peak"] = allocated(lambda: run().sum().backward())
    activations.append(entry)


DTYPES = ("float32", "bfloat16", "autocast")
for b, d, layers in ((2, 4, 2), (4, 16, 2), (17, 65, 3)):
    for bias in (False, True):
        for dtype in DTYPES:
            model, x = Cruncher(d, layers, bias), torch.randn(b, d).to(torch.bfloat16 if dtype == "bfloat16" else torch.float32)
            activation({"model": "cruncher", "B": b, "D": d, "L": layers, "bias": bias}, dtype, model, [x], lambda: model(x).pow(2).mean())

for layers, d, heads, vocab, context, b, t in ((2, 16, 4, 65, 8, 2, 8), (2, 16, 4, 65, 8, 1, 8), (2, 16, 4, 65, 8, 2, 3),
                                               (3, 24, 3, 33, 17, 5, 13), (1, 64, 4, 101, 64, 2, 64)):
    for how in ("matmul", "sdpa_math", "sdpa_flash"):
        for checkpointing in (None, "early_stop"):
            for dtype in DTYPES:
                model = GPT(layers, d, heads, vocab, context, attention=how, checkpointing=checkpointing)
                tokens, targets = torch.randint(0, vocab, (2, b, t))
                tokens, targets = tokens.clone(), targets.clone()
                activation({"model": "gpt", "layers": layers, "d": d, "heads": heads, "vocab": vocab, "context": context, "batch": b,
                            "tokens": t, "attention": how, "checkpointing": checkpointing}, dtype, model, [tokens, targets],
                           lambda: model(tokens, targets))

for d, heads, b, t in ((16, 4, 2, 8), (24, 3, 1, 17), (64, 4, 3, 64)):
    for bias in (True, False):
        for how in ("matmul", "sdpa_flash"):
            for dtype in DTYPES[:2]:
                model = Block(d, heads, bias, how)
                x = torch.randn(b, t, d, dtype=getattr(torch, dtype), requires_grad=True)
                activation({"model": "gpt_block", "d": d, "heads": heads, "batch": b, "tokens": t, "bias": bias, "attention": how},
                           dtype, model, [x], lambda: model(x))

for d, heads, kv, head_dim, ff, b, t in ((32, 4, 2, 8, 56, 2, 16), (32, 4, 4, 8, 56, 1, 7), (24, 3, 1, 16, 65, 3, 17)):
    for how in ("eager", "sdpa"):
        for dtype in DTYPES[:2]:
            config = {"model_type": "llama", "vocab_size": 101, "hidden_size": d, "intermediate_size": ff, "num_hidden_layers": 2,
                      "num_attention_heads": heads, "num_key_value_heads": kv, "head_dim": head_dim, "tie_word_embeddings": False}
            described = {"config": config, "attn_implementation": how, "batch": b, "tokens": t}
            built = LlamaConfig.from_dict(dict(config))
            built._attn_implementation = how
            kind = getattr(torch, dtype)
            x = torch.randn(b, t, d, dtype=kind, requires_grad=True)
            cos, sin = LlamaRotaryEmbedding(built)(x, torch.arange(t)[None])
            mask = torch.full((t, t), torch.finfo(kind).min, dtype=kind).triu(1)[None, None] if how == "eager" else None
            layer = LlamaDecoderLayer(built, 0)
            activation({"model": "llama_block", **described}, dtype, layer, [x, cos, sin, *([mask] if how == "eager" else [])],
                       lambda: layer(x, attention_mask=mask, position_embeddings=(cos, sin)))
            model = of_library(config, how)
            tokens = torch.randint(0, 101, (b, t))
            activation({"model": "llama", **described}, dtype, model, [tokens], lambda: model(input_ids=tokens, labels=tokens).loss)

write(__file__, {"versions": {"torch": torch.__version__.split("+")[0], "transformers": transformers.__version__},
                 "optimizers": optimizers, "activations": activations})
