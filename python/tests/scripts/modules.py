"""Modules of modules, and what stands in their places."""

import copy
from collections import OrderedDict

import torch
import torch.nn.functional as F
from helper_module import attempt
from torch import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up = nn.Linear(dim, 2 * dim, bias=False)
        self.down = nn.Linear(2 * dim, dim)
        self.heads = heads
        self.register_buffer("mask", torch.tril(torch.ones(4, 4)).bool())
        self.register_buffer("scratch", torch.zeros(1), persistent=False)
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x):
        hidden = F.gelu(self.up(self.norm(x))).masked_fill(~self.mask[: x.size(0), :1], 0.5)
        return x + self.scale * self.down(hidden)

    def extra_repr(self):
        return f"heads={self.heads}"


class Model(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.blocks = nn.ModuleList([Block(dim), Block(dim), nn.RMSNorm(dim)])
        self.heads = nn.ModuleDict({"lm": nn.Linear(dim, vocab, bias=False), "own": nn.Identity()})
        self.extra = nn.ParameterList([nn.Parameter(torch.zeros(2)), torch.zeros(2, 3)])
        self.drop = nn.Dropout(0.1)

    def forward(self, tokens):
        x = self.drop(self.embed(tokens))
        for block in self.blocks:
            x = block(x)
        return self.heads["lm"](x)


model = Model(5, 4)
print(model, nn.ParameterList([torch.zeros(2, 3), torch.zeros(1)]))
print(sum(p.numel() for p in model.parameters()), model.training, len(model.blocks), list(model.heads.keys()), nn.utils.parameters_to_vector(model.parameters()).shape)
print([(name, tuple(value.shape), value.dtype) for name, value in model.state_dict().items()])
print([n for n, _ in model.named_buffers()], [n for n, _ in model.named_children()], [n for n, _ in model.blocks[0].named_parameters()])
print([type(m).__name__ for m in model.modules()], model.eval().training, model.drop.training, model.blocks[0].training)
tokens = torch.tensor([0, 1, 2, 3])
logits = model(tokens)
loss = F.cross_entropy(logits, torch.tensor([1, 2, 3, 4]))
loss.backward()
print(logits, loss, model.blocks[1].up.weight.grad.norm(), nn.utils.clip_grad_norm_(model.parameters(), 0.1))
print(all(p.grad is not None for n, p in model.named_parameters() if not n.startswith("extra")), model.extra[0].grad)
model.zero_grad()
print({p.grad for p in model.parameters()}, model.blocks[1].scale)

other = Model(5, 4).eval()
print(other.load_state_dict(model.state_dict()), torch.equal(other(tokens), logits))
state = model.state_dict()
del state["embed.weight"]
state["unknown"] = torch.zeros(1)
print(other.load_state_dict(state, strict=False))
for wrong in (state, OrderedDict(other.state_dict(), **{"embed.weight": torch.zeros(2, 2)})):
    try:
        other.load_state_dict(wrong)
    except RuntimeError as error:
        print(error)

tied = nn.Sequential(OrderedDict(first=nn.Linear(2, 2, bias=False), act=nn.GELU()))
tied.add_module("again", tied.first)
print(tied.append(nn.Tanh()), tied[1], len(tied), tied[:2], tied.first is tied[2], len(list(tied.parameters())), list(tied.state_dict()))
print(copy.deepcopy(tied).again.weight is tied.first.weight, [n for n, _ in tied.named_parameters(remove_duplicate=False)])
model.half()
print(model.embed.weight.dtype, model.blocks[0].mask.dtype)
model.to(torch.float32).requires_grad_(False)
print(any(p.requires_grad for p in model.parameters()), type(model.state_dict()))
model.apply(lambda m: nn.init.zeros_(m.weight) if isinstance(m, nn.Linear) else None)
print(model.heads["lm"].weight.abs().sum(), model.get_submodule("blocks.1.down").out_features, model.get_submodule("blocks.1").get_buffer("mask").shape)
layers = (
    nn.Linear(3, 4), nn.Embedding(3, 4), nn.LayerNorm(4), nn.RMSNorm(4), nn.Dropout(0.5), nn.ReLU(), nn.GELU(), nn.SiLU(), nn.Sigmoid(),
    nn.Tanh(), nn.Softmax(dim=-1), nn.Identity(), nn.Flatten(), nn.MSELoss(), nn.CrossEntropyLoss(),
)
print(*((layer, sum(p.numel() for p in layer.parameters())) for layer in layers))
print(*(fill(torch.empty(3, 4))[0] for fill in (nn.init.xavier_uniform_, nn.init.xavier_normal_, nn.init.kaiming_uniform_, nn.init.kaiming_normal_, nn.init.eye_)))

# What takes the place of another stays in its place.
named = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
named[0] = nn.Linear(2, 2, bias=False)
named.insert(1, nn.Identity()).append(nn.Sigmoid())
print(named, named.pop(-1), named.state_dict().keys(), named[1:])
block = Block(2)
block.up, block.scale = nn.Identity(), nn.Parameter(torch.zeros(1))
print([name for name, _ in block.named_children()], [name for name, _ in block.named_parameters()])
attempt(
    lambda: model.nothing,
    lambda: setattr(model, "embed", 3),
    lambda: setattr(model.heads.lm, "weight", 3),
    lambda: nn.Module()(1),
    lambda: nn.Embedding(3, 2)(torch.tensor([3])),
    lambda: named[4],
    lambda: block.get_submodule("up.x"),
    lambda: block.get_parameter("missing"),
    lambda: block.register_buffer("up", torch.ones(1)),
    lambda: block.register_buffer("a.b", torch.ones(1)),
    lambda: block.register_parameter("a.b", None),
    lambda: block.register_parameter("new", torch.ones(1)),
    lambda: nn.Linear(2, 1)(torch.ones(1, 2).long()),
    lambda: nn.MultiheadAttention(5, 2),
    lambda: nn.BatchNorm1d(3)(torch.ones(1, 3)),
)
# What a product of more than two dimensions is called.
wide = torch.ones(1, 2, 2, requires_grad=True)
linear = nn.Linear(2, 2, bias=False)
made = (linear(wide), wide @ wide[0], wide @ wide, wide[0] @ wide[0, 0], F.rms_norm(wide, (2,)), F.scaled_dot_product_attention(*[wide[None]] * 3), wide.unbind()[0], wide.split(1, 1)[0], torch.stack([wide, wide]), wide.std(), wide.logsumexp(0), F.elu(wide), F.pad(wide, (1, 0)), wide.repeat(1, 1, 1), F.embedding(torch.tensor([0]), wide[0]), wide.topk(1)[0], wide.flatten(0, 0) * 1)
print(*(it.grad_fn.name() for it in made))
