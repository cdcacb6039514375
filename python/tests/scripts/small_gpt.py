"""A small GPT: its model, two groups of weights, warmup and cosine, accumulated gradients, sampling."""

import inspect
import math
import os
import pickle
from contextlib import nullcontext
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.distributed import destroy_process_group, init_process_group
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


@dataclass
class Config:
    block_size: int = 16
    vocab_size: int = 20
    n_layer: int = 2
    n_head: int = 2
    n_embd: int = 16
    dropout: float = 0.0
    bias: bool = False


class Norm(nn.Module):
    def __init__(self, width, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width)) if bias else None

    def forward(self, x):
        return F.layer_norm(x, self.weight.shape, self.weight, self.bias, 1e-5)


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.qkv = nn.Linear(config.n_embd, 3 * config.n_embd, bias=config.bias)
        self.proj = nn.Linear(config.n_embd, config.n_embd, bias=config.bias)
        self.n_head, self.dropout = config.n_head, config.dropout
        self.flash = hasattr(F, "scaled_dot_product_attention")
        self.register_buffer("mask", torch.tril(torch.ones(config.block_size, config.block_size)).view(1, 1, config.block_size, -1))

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = (it.view(B, T, self.n_head, C // self.n_head).transpose(1, 2) for it in self.qkv(x).split(C, dim=2))
        if self.flash:
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=self.dropout if self.training else 0, is_causal=True)
        else:
            scores = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
            scores = scores.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
            y = F.softmax(scores, dim=-1) @ v
        return self.proj(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.ln_1, self.attn, self.ln_2 = Norm(config.n_embd, config.bias), Attention(config), Norm(config.n_embd, config.bias)
        self.mlp = nn.Sequential(
            nn.Linear(config.n_embd, 4 * config.n_embd, bias=config.bias), nn.GELU(),
            nn.Linear(4 * config.n_embd, config.n_embd, bias=config.bias), nn.Dropout(config.dropout),
        )

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.transformer = nn.ModuleDict(dict(
            wte=nn.Embedding(config.vocab_size, config.n_embd),
            wpe=nn.Embedding(config.block_size, config.n_embd),
            h=nn.ModuleList([Block(config) for _ in range(config.n_layer)]),
            ln_f=Norm(config.n_embd, config.bias),
        ))
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
        self.apply(self.begin)
        for name, p in self.named_parameters():
            if name.endswith("proj.weight"):
                torch.nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * config.n_layer))

    def begin(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            torch.nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if getattr(module, "bias", None) is not None:
                torch.nn.init.zeros_(module.bias)

    def forward(self, idx, targets=None):
        device = idx.device
        pos = torch.arange(0, idx.size(1), dtype=torch.long, device=device)
        x = self.transformer.wte(idx) + self.transformer.wpe(pos)
        for block in self.transformer.h:
            x = block(x)
        x = self.transformer.ln_f(x)
        if targets is None:
            return self.lm_head(x[:, [-1], :]), None
        logits = self.lm_head(x)
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)

    def configure_optimizers(self, weight_decay, learning_rate, betas, device_type):
        named = {name: p for name, p in self.named_parameters() if p.requires_grad}
        decayed = [p for p in named.values() if p.dim() >= 2]
        others = [p for p in named.values() if p.dim() < 2]
        print(len(decayed), sum(p.numel() for p in decayed), len(others), sum(p.numel() for p in others))
        groups = [{"params": decayed, "weight_decay": weight_decay}, {"params": others, "weight_decay": 0.0}]
        fused = "fused" in inspect.signature(torch.optim.AdamW).parameters and device_type == "cuda"
        return torch.optim.AdamW(groups, lr=learning_rate, betas=betas, **({"fused": True} if fused else {}))

    @torch.no_grad()
    def generate(self, idx, max_new_tokens, temperature=1.0, top_k=None):
        for _ in range(max_new_tokens):
            logits, _ = self(idx[:, -self.config.block_size :])
            logits = logits[:, -1, :] / temperature
            if top_k is not None:
                v, _ = torch.topk(logits, min(top_k, logits.size(-1)))
                logits[logits < v[:, [-1]]] = -float("Inf")
            idx = torch.cat((idx, torch.multinomial(F.softmax(logits, dim=-1), num_samples=1)), dim=1)
        return idx


text = "the cat sat on the mat; the dog sat on the log. " * 12
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
np.array([stoi[c] for c in text], dtype=np.uint16).tofile("train.tmp")
with open("meta.tmp", "wb") as f:
    pickle.dump({"vocab_size": len(chars), "itos": dict(enumerate(chars))}, f)
with open("meta.tmp", "rb") as f:
    meta = pickle.load(f)

ddp = int(os.environ.get("RANK", -1)) != -1
device = "cuda" if torch.cuda.is_available() else "cpu"
device_type = "cuda" if "cuda" in device else "cpu"
torch.manual_seed(1337)
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True
dtype = "float32"
ptdtype = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}[dtype]
ctx = nullcontext() if device_type == "cpu" else torch.amp.autocast(device_type=device_type, dtype=ptdtype)
scaler = torch.cuda.amp.GradScaler(enabled=(dtype == "float16"))
block_size, batch_size, accumulate, warmup, steps = 16, 4, 2, 3, 12


def get_batch():
    data = np.memmap("train.tmp", dtype=np.uint16, mode="r")
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([torch.from_numpy((data[i : i + block_size]).astype(np.int64)) for i in ix])
    y = torch.stack([torch.from_numpy((data[i + 1 : i + 1 + block_size]).astype(np.int64)) for i in ix])
    return x.to(device), y.to(device)


def rate(it, top=1e-2, least=1e-3):
    if it < warmup:
        return top * (it + 1) / (warmup + 1)
    return least + 0.5 * (1.0 + math.cos(math.pi * (it - warmup) / (steps - warmup))) * (top - least)


model = GPT(Config(vocab_size=meta["vocab_size"])).to(device)
print(model.transformer.h[0], sum(p.numel() for p in model.parameters()))
optimizer = model.configure_optimizers(1e-1, 1e-2, (0.9, 0.95), device_type)
if ddp:
    init_process_group(backend="nccl")
    model = DDP(model)
X, Y = get_batch()
for it in range(steps):
    for group in optimizer.param_groups:
        group["lr"] = rate(it)
    for _ in range(accumulate):
        with ctx:
            logits, loss = model(X, Y)
            loss = loss / accumulate
        X, Y = get_batch()
        scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
    print(f"iter {it}: loss {loss.item() * accumulate:.4f}, norm {norm:.4f}, lr {rate(it):.6f}")
model.eval()
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "config": vars(model.config)}, "ckpt.tmp")
kept = torch.load("ckpt.tmp", map_location=device)
again = GPT(Config(**kept["config"]))
print(again.load_state_dict(kept["model"]))
start = torch.tensor([[stoi["t"]]], dtype=torch.long)
drawn = again.generate(start, 24, temperature=0.8, top_k=5)
print(repr("".join(meta["itos"][i] for i in drawn[0].tolist())))
if ddp:
    destroy_process_group()
for name in ("train.tmp", "meta.tmp", "ckpt.tmp"):
    os.remove(name)
