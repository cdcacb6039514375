import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up = nn.Linear(dim, 2 * dim, bias=False)
        self.down = nn.Linear(2 * dim, dim)
        self.scale = nn.Parameter(torch.ones(dim))
        self.register_buffer("mask", torch.tril(torch.ones(2, 2)))
        self.register_buffer("scratch", torch.zeros(1), persistent=False)

    def forward(self, x):
        return x + self.scale * self.down(F.gelu(self.up(self.norm(x))))


model = nn.Sequential(nn.Embedding(5, 4), Block(4), Block(4), nn.Dropout(0.1), nn.RMSNorm(4), nn.ReLU(), nn.Identity())
print(model)
print([(name, tuple(p.shape)) for name, p in model.named_parameters()])
print(list(model.state_dict()), len(list(model.modules())), [type(m).__name__ for m in model.children()])
print(model(torch.tensor([1, 2, 3]))[0].sum().requires_grad, model.eval().training, model[3].training)
print(model(torch.tensor([[1, 2], [3, 4]])))
print(model[1].scale, model[1].mask)
loss = F.cross_entropy(model(torch.tensor([1, 2, 3])), torch.tensor([0, 1, 2]))
loss.backward()
print(loss, model[1].up.weight.grad.norm(), nn.utils.clip_grad_norm_(model.parameters(), 0.1))
print(nn.utils.parameters_to_vector(model.parameters()).shape, sum(p.numel() for p in model.parameters()))
model.zero_grad()
print(model[1].scale.grad)
other = nn.Sequential(nn.Linear(2, 3), nn.GELU(), nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2), nn.SiLU()]))
print(other, other.half()[0].weight.dtype, other.load_state_dict(other.state_dict()))
print(nn.ModuleDict({"a": nn.Softmax(dim=-1)}))
print(nn.ParameterList([torch.zeros(2, 3), torch.zeros(1)]))
w = torch.empty(3, 4)
for fill in (nn.init.xavier_uniform_, nn.init.xavier_normal_, nn.init.kaiming_uniform_, nn.init.kaiming_normal_, nn.init.eye_):
    print(fill(w)[0])
import copy
from collections import OrderedDict

tied = nn.Sequential(OrderedDict(first=nn.Linear(2, 2, bias=False), act=nn.GELU()))
tied.add_module("again", tied.first)
print(tied, tied.first is tied[2], len(list(tied.parameters())), list(tied.state_dict()), copy.deepcopy(tied).again.weight is tied.first.weight)
tied.apply(lambda m: nn.init.zeros_(m.weight) if isinstance(m, nn.Linear) else None).requires_grad_(False)
print(tied.first.weight, tied.load_state_dict({"unknown": torch.zeros(1)}, strict=False), [n for n, _ in tied.named_parameters(remove_duplicate=False)])
# What takes the place of another stays in its place.
named = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
named[0] = nn.Linear(2, 2, bias=False)
named.insert(1, nn.Identity()).append(nn.Sigmoid())
print(named, named.pop(-1), named.state_dict().keys(), type(named.state_dict()), named[1:])
block = Block(2)
block.up, block.scale = nn.Identity(), nn.Parameter(torch.zeros(1))
print([name for name, _ in block.named_children()], [name for name, _ in block.named_parameters()], block.get_buffer("mask").shape)
for wrong in (
    lambda: setattr(other[0], "weight", 3),
    lambda: block.get_submodule("up.x"),
    lambda: block.get_parameter("missing"),
    lambda: block.register_buffer("up", torch.ones(1)),
    lambda: block.register_buffer("a.b", torch.ones(1)),
    lambda: block.register_parameter("new", torch.ones(1)),
    lambda: nn.Linear(2, 1)(torch.ones(1, 2).long()),
    lambda: nn.MultiheadAttention(5, 2),
    lambda: nn.BatchNorm1d(3)(torch.ones(1, 3)),
):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
# What a product of more than two dimensions is called.
wide = torch.ones(1, 2, 2, requires_grad=True)
linear = nn.Linear(2, 2, bias=False)
made = (linear(wide), wide @ wide[0], wide @ wide, wide[0] @ wide[0, 0], F.rms_norm(wide, (2,)), F.scaled_dot_product_attention(*[wide[None]] * 3), wide.unbind()[0], wide.split(1, 1)[0], torch.stack([wide, wide]), wide.std(), wide.logsumexp(0), F.elu(wide), F.pad(wide, (1, 0)), wide.repeat(1, 1, 1), F.embedding(torch.tensor([0]), wide[0]), wide.topk(1)[0], wide.flatten(0, 0) * 1)
print(*(it.grad_fn.name() for it in made))
