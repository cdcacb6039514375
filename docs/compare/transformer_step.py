"""Times a training step of the small Transformer under PyTorch eager, the yardstick of `napkin bench step`.

    python transformer_step.py [--threads N] [--steps N] [--layers N] [--heads N] [--dim N] [--context N] [--batch N]

`napkin run` takes it as well: the same step from Python on the engine.

The model is that of napkin_engine::nn::Gpt: pre-norm blocks, learned positions, GELU by tanh, biases, output tied
to the embedding; batch 16 × 128 tokens unless told otherwise, AdamW, float32. Prints JSON: the median and the fastest step in milliseconds.
"""

import argparse
import json
import time

import torch
import torch.nn.functional as F
from torch import nn


SIZES = {"layers": 4, "heads": 8, "dim": 256, "context": 128, "batch": 16}


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.ln_1, self.ln_2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.c_attn, self.c_proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(self, x):
        batch, context, dim = x.shape
        q, k, v = (
            part.view(batch, context, self.heads, dim // self.heads).transpose(1, 2)
            for part in self.c_attn(self.ln_1(x)).split(dim, dim=2)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.c_proj(y.transpose(1, 2).reshape(batch, context, dim))
        return x + self.down(F.gelu(self.up(self.ln_2(x)), approximate="tanh"))


class Gpt(nn.Module):
    def __init__(self, vocab, context, layers, heads, dim):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab, dim), nn.Embedding(context, dim)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(layers))
        self.ln_f = nn.LayerNorm(dim)

    def forward(self, tokens, targets):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        logits = F.linear(self.ln_f(x), self.wte.weight)
        return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--threads", type=int, default=torch.get_num_threads())
    args.add_argument("--steps", type=int, default=20)
    for name, default in SIZES.items():
        args.add_argument(f"--{name}", type=int, default=default)
    args = args.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(0)
    vocab, context, batch = 65, args.context, args.batch
    model = Gpt(vocab, context, args.layers, args.heads, args.dim)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, weight_decay=0.1)
    durations = []
    for step in range(args.steps + 3):
        tokens = torch.randint(vocab, (batch, context + 1))
        start = time.perf_counter()
        optimizer.zero_grad()
        loss = model(tokens[:, :-1], tokens[:, 1:])
        loss.backward()
        optimizer.step()
        loss.item()
        durations.append(time.perf_counter() - start)
    durations = sorted(durations[3:])
    params = sum(p.numel() for p in model.parameters())
    report = {
        "version": torch.__version__,
        "threads": args.threads,
        "num_params": params,
        "loss": loss.item(),
        "median_ms": durations[len(durations) // 2] * 1e3,
        "min_ms": durations[0] * 1e3,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
