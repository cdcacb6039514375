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
print(nn.ModuleDict({"a": nn.Linear(1, 1), "b": nn.Softmax(dim=-1)}), nn.ModuleList([nn.Tanh()]))
print(nn.ParameterList([torch.zeros(2, 3), torch.zeros(1)]))
for wrong in (
    lambda: other.load_state_dict({"0.weight": torch.zeros(1, 1), "x": torch.zeros(1)}),
    lambda: other.missing,
    lambda: setattr(other[0], "weight", 3),
    lambda: nn.Module()(1),
    lambda: F.linear(torch.ones(2, 3), torch.ones(2, 2)),
):
    try:
        wrong()
    except (RuntimeError, AttributeError, TypeError, NotImplementedError) as error:
        print(type(error).__name__, error)
x = torch.tensor([[-1.0, 0.5, 2.0], [1.0, -2.0, 0.0]])
print(F.silu(x), F.gelu(x, approximate="tanh"), F.softplus(x), F.leaky_relu(x), F.elu(x), F.relu(x), F.logsigmoid(x), F.hardtanh(x))
print(F.mse_loss(x, x + 1), F.l1_loss(x, x * 2, reduction="sum"), F.one_hot(torch.tensor([0, 2])), F.normalize(x, dim=1))
print(F.pad(x, (1, 2)), F.pad(x, (0, -1, 1, 0), value=9.0), F.nll_loss(F.log_softmax(x, 1), torch.tensor([0, 2])))
q = torch.arange(8.0).view(1, 2, 4) / 8
print(F.scaled_dot_product_attention(q, q, q, is_causal=True), F.layer_norm(x, (3,)), F.rms_norm(x, (3,)))
w = torch.empty(3, 4)
for fill in (nn.init.xavier_uniform_, nn.init.xavier_normal_, nn.init.kaiming_uniform_, nn.init.kaiming_normal_, nn.init.eye_):
    print(fill(w)[0])
