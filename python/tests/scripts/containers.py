"""Modules of modules."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import OrderedDict


class Block(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.out = nn.Linear(dim, dim)
        self.heads = heads
        self.register_buffer("mask", torch.tril(torch.ones(4, 4)).bool())
        self.register_buffer("scratch", torch.zeros(1), persistent=False)
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(self.norm(x)).chunk(3, dim=-1)
        q, k, v = (t.view(B, T, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / (D // self.heads) ** 0.5
        scores = scores.masked_fill(~self.mask[:T, :T], float("-inf"))
        return x + self.scale * self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))

    def extra_repr(self):
        return f"heads={self.heads}"


class Model(nn.Module):
    def __init__(self, vocab, dim, layers):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(layers))
        self.heads = nn.ModuleDict({"lm": nn.Linear(dim, vocab, bias=False)})
        self.extra = nn.ParameterList([nn.Parameter(torch.zeros(2))])
        self.drop = nn.Dropout(0.1)

    def forward(self, tokens):
        x = self.drop(self.embed(tokens))
        for block in self.blocks:
            x = block(x)
        return self.heads["lm"](x)


torch.manual_seed(0)
model = Model(5, 8, 2)
print(model)
print(sum(p.numel() for p in model.parameters()), model.training, len(model.blocks), list(model.heads.keys()))
for name, value in model.state_dict().items():
    print(name, tuple(value.shape), value.dtype)
print([n for n, _ in model.named_buffers()], [n for n, _ in model.named_children()])
print([type(m).__name__ for m in model.modules()])
model.eval()
print(model.drop.training, model.blocks[0].training)
tokens = torch.tensor([[0, 1, 2, 3]])
logits = model(tokens)
print(logits.shape, logits.dtype)
loss = F.cross_entropy(logits.view(-1, 5), torch.tensor([1, 2, 3, 4]))
loss.backward()
print(all(p.grad is not None for n, p in model.named_parameters() if not n.startswith("extra")), model.extra[0].grad)
model.zero_grad()
print({p.grad for p in model.parameters()})

other = Model(5, 8, 2).eval()
print(other.load_state_dict(model.state_dict()), torch.equal(other(tokens), logits))
state = model.state_dict()
del state["embed.weight"]
state["unknown"] = torch.zeros(1)
print(other.load_state_dict(state, strict=False))
for attempt in (
    lambda: other.load_state_dict(state),
    lambda: other.load_state_dict(OrderedDict(other.state_dict(), **{"embed.weight": torch.zeros(2, 2)})),
    lambda: model.nothing,
    lambda: setattr(model, "embed", 3),
    lambda: nn.Module()(1),
    lambda: nn.Embedding(3, 2)(torch.tensor([3])),
    lambda: nn.Sequential(nn.ReLU())[4],
    lambda: model.register_parameter("a.b", None),
):
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__, error)

s = nn.Sequential(OrderedDict(first=nn.Linear(2, 2), act=nn.GELU()))
s.append(nn.Tanh())
print(s, s.first, s[1], len(s), s[:2])
model.half()
print(model.embed.weight.dtype, model.blocks[0].mask.dtype)
model.to(torch.float32).requires_grad_(False)
print(any(p.requires_grad for p in model.parameters()))
shared = nn.Linear(2, 2, bias=False)
tied = nn.Sequential(shared, shared)
print(len(list(tied.parameters())), list(tied.state_dict()))
model.apply(lambda m: nn.init.zeros_(m.weight) if isinstance(m, nn.Linear) else None)
print(model.heads["lm"].weight.abs().sum(), model.get_submodule("blocks.1.out").out_features)
for layer in (nn.Linear(3, 4), nn.Embedding(3, 4), nn.LayerNorm(4), nn.RMSNorm(4), nn.Dropout(0.5), nn.ReLU(), nn.GELU(), nn.SiLU(), nn.Sigmoid(), nn.Tanh(), nn.Softmax(dim=-1), nn.Identity(), nn.Flatten(), nn.MSELoss(), nn.CrossEntropyLoss()):
    print(layer, sum(p.numel() for p in layer.parameters()))
print(list(nn.Linear(1, 1, bias=False).state_dict()), type(model.state_dict()), torch.finfo, type(torch.finfo(torch.float32)))
