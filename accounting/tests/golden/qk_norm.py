"""Writes qk_norm.json beside it: what a block keeps that normalises queries and keys.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch==2.15.0 numpy
    /tmp/golden/bin/python accounting/tests/golden/qk_norm.py

"saved" are the bytes of all storages that autograd saves in a forward pass, parameters excepted. "norm" is "head", one for
every head as in Qwen 3 and StableLM; "whole", one for all heads together as in OLMo 2; or null. All norms are LayerNorms, one
operation in torch, which keeps its input, a mean and an inverse deviation. Attention never has its matrix in memory.
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from torch.nn.attention import SDPBackend, sdpa_kernel

from write import write


class Block(nn.Module):
    def __init__(self, dim, heads, kv_heads, width, hidden, norm):
        super().__init__()
        self.width, self.norm = width, norm
        self.before, self.between = nn.LayerNorm(dim, bias=False), nn.LayerNorm(dim, bias=False)
        self.query, self.out = nn.Linear(dim, heads * width, bias=False), nn.Linear(heads * width, dim, bias=False)
        self.key, self.value = (nn.Linear(dim, kv_heads * width, bias=False) for _ in range(2))
        self.up, self.gate = (nn.Linear(dim, hidden, bias=False) for _ in range(2))
        self.down = nn.Linear(hidden, dim, bias=False)
        if norm:
            wide = (heads * width, kv_heads * width) if norm == "whole" else (width, width)
            self.of_query, self.of_key = (nn.LayerNorm(n, bias=False) for n in wide)

    def heads(self, y, norm):
        """[batch, heads, tokens, width], normalised as a whole, head by head or not."""
        y = norm(y) if norm and self.norm == "whole" else y
        y = y.unflatten(-1, (-1, self.width))
        y = norm(y) if norm and self.norm == "head" else y
        return y.transpose(1, 2)

    def forward(self, x):
        y = self.before(x)
        of_query, of_key = (self.of_query, self.of_key) if self.norm else (None, None)
        q, k, v = self.heads(self.query(y), of_query), self.heads(self.key(y), of_key), self.heads(self.value(y), None)
        with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        x = x + self.out(y.transpose(1, 2).flatten(2))
        y = self.between(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


def saved(dim, heads, kv_heads, width, hidden, norm, batch, tokens):
    model = Block(dim, heads, kv_heads, width, hidden, norm)
    storages = {}

    def pack(x):
        storages[x.untyped_storage().data_ptr()] = x.untyped_storage()
        return x

    with saved_tensors_hooks(pack, lambda x: x):
        out = model(torch.randn(batch, tokens, dim, requires_grad=True))
    for p in model.parameters():
        storages.pop(p.untyped_storage().data_ptr(), None)
    del out
    return sum(storage.nbytes() for storage in storages.values())


SIZES = [
    {"dim": 32, "heads": 4, "kv_heads": 2, "width": 8, "hidden": 56, "batch": 2, "tokens": 16},
    {"dim": 24, "heads": 3, "kv_heads": 3, "width": 16, "hidden": 65, "batch": 3, "tokens": 17},
]
NORMS = (None, "head", "whole")
write(__file__, {"blocks": [{**size, "norm": norm, "saved": saved(norm=norm, **size)} for size in SIZES for norm in NORMS]})
