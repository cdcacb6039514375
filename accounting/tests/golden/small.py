"""The small models that flops.py and memory.py count.

Cruncher is a deep linear model: L layers of D to D and a head of D to 1.

GPT is nothing but torch, with every product in sight. Token and position embedding; L blocks of x + attention(LN(x)) and
x + MLP(LN(x)), causal attention of fused q, k, v, an MLP of width 4 d with the exact gelu; a final LN; a head without
bias, tied to the token embedding or not. Norms have weight and bias; "bias" is that of the four linear maps of a block.
Checkpointing is None, "early_stop" (PyTorch's default) or "whole", of each block; as nothing is random, it keeps no
random state.

LIBRARY holds configs of transformers' models, in config.json's keys.
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


class Cruncher(nn.Module):
    def __init__(self, d, layers, bias):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(d, d, bias) for _ in range(layers))
        self.head = nn.Linear(d, 1, bias)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x).squeeze(-1)


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
            if self.checkpointing:
                x = checkpoint(block, x, use_reentrant=False, preserve_rng_state=False, early_stop=self.checkpointing == "early_stop")
            else:
                x = block(x)
        return x

    def forward(self, tokens, targets):
        """The loss of [batch, tokens] against as many targets."""
        logits = self.head(self.ln_f(self.hidden(tokens)))
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


BODY = {"vocab_size": 101, "hidden_size": 32, "intermediate_size": 56, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "tie_word_embeddings": False}
LIBRARY = [
    {"model_type": "llama", **BODY},
    {"model_type": "llama", **BODY, "num_hidden_layers": 3, "num_key_value_heads": 1, "tie_word_embeddings": True, "attention_bias": True,
     "mlp_bias": True},
    {"model_type": "qwen3", **BODY, "head_dim": 24},
    {"model_type": "mixtral", **BODY, "num_local_experts": 5, "num_experts_per_tok": 2},
    {"model_type": "qwen2_moe", **BODY, "moe_intermediate_size": 24, "shared_expert_intermediate_size": 40, "num_experts": 6,
     "num_experts_per_tok": 3, "mlp_only_layers": [0], "decoder_sparse_step": 1},
    {"model_type": "deepseek_v3", **BODY, "num_key_value_heads": 4, "moe_intermediate_size": 24, "n_shared_experts": 2,
     "n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "first_k_dense_replace": 1,
     "q_lora_rank": 20, "kv_lora_rank": 12,
     "qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 10},
    {"model_type": "gemma", **BODY, "head_dim": 12, "tie_word_embeddings": True},
    {"model_type": "gpt2", "vocab_size": 101, "n_positions": 32, "n_embd": 24, "n_layer": 2, "n_head": 3},
]
