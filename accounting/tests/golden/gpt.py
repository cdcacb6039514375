"""A small GPT that flops.py and memory.py count: nothing but torch, every product in sight.

Token and position embedding; L blocks of x + attention(LN(x)) and x + MLP(LN(x)), causal attention of fused q, k, v, an MLP
of width 4 d with the exact gelu; a final LN; a head without bias, tied to the token embedding or not. Norms have weight
and bias; "bias" is that of the four linear maps of a block. Checkpointing is None, "early_stop" (PyTorch's default) or
"whole", of each block.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.checkpoint import checkpoint

BACKENDS = {"sdpa_math": SDPBackend.MATH, "sdpa_flash": SDPBackend.FLASH_ATTENTION}


def attend(q, k, v, how):
    """Causal attention of [batch, heads, tokens, head_dim], written out or as one operation."""
    if how in BACKENDS:
        with sdpa_kernel(BACKENDS[how]):
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    mask = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool, device=q.device).tril()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(-1) @ v


class Block(nn.Module):
    def __init__(self, d, heads, bias, how):
        super().__init__()
        self.heads, self.how = heads, how
        self.ln_1, self.ln_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.out = nn.Linear(d, 3 * d, bias), nn.Linear(d, d, bias)
        self.up, self.down = nn.Linear(d, 4 * d, bias), nn.Linear(4 * d, d, bias)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (y.view(b, t, self.heads, -1).transpose(1, 2) for y in self.qkv(self.ln_1(x)).split(d, 2))
        x = x + self.out(attend(q, k, v, self.how).transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.ln_2(x))))


class GPT(nn.Module):
    def __init__(self, layers, d, heads, vocab, context, tied=True, bias=True, attention="matmul", checkpointing=None):
        super().__init__()
        self.checkpointing = checkpointing
        self.wte, self.wpe = nn.Embedding(vocab, d), nn.Embedding(context, d)
        self.blocks = nn.ModuleList(Block(d, heads, bias, attention) for _ in range(layers))
        self.ln_f, self.head = nn.LayerNorm(d), nn.Linear(d, vocab, bias=False)
        if tied:
            self.head.weight = self.wte.weight

    def hidden(self, tokens):
        """What goes through the blocks: [batch, tokens, d]."""
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False, early_stop=self.checkpointing == "early_stop") if self.checkpointing else block(x)
        return x

    def forward(self, tokens, targets):
        """The loss of [batch, tokens] against as many targets."""
        logits = self.head(self.ln_f(self.hidden(tokens)))
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())
