"""Parameters that are functions of others."""

import torch
from torch import nn
import torch.nn.utils.parametrize as parametrize
from torch.nn.utils.parametrizations import weight_norm, spectral_norm
torch.manual_seed(0)
class Symmetric(nn.Module):
    def forward(self, X): return X.triu() + X.triu(1).transpose(-1, -2)
class Positive(nn.Module):
    def forward(self, x): return x.exp()
    def right_inverse(self, y): return y.log()
layer = nn.Linear(3, 3)
parametrize.register_parametrization(layer, "weight", Symmetric())
print(layer); print(layer.weight, layer.parametrizations.weight.original, sep="\n")
print([n for n, _ in layer.named_parameters()], list(layer.state_dict()), type(layer).__name__)
print(parametrize.is_parametrized(layer), parametrize.is_parametrized(layer, "bias"), isinstance(layer, nn.Linear))
layer(torch.ones(2, 3)).sum().backward(); print(layer.parametrizations.weight.original.grad, layer.weight.grad_fn is not None)
pos = nn.Linear(2, 2, bias=False)
with torch.no_grad(): pos.weight.copy_(torch.tensor([[1., 2.], [3., 4.]]))
parametrize.register_parametrization(pos, "weight", Positive())
print(pos.weight, pos.parametrizations.weight.original, sep="\n")
pos.weight = torch.tensor([[2., 2.], [2., 8.]])
print(pos.weight, pos.parametrizations.weight.original, sep="\n")
opt = torch.optim.SGD(pos.parameters(), lr=0.1)
pos(torch.ones(1, 2)).sum().backward(); opt.step(); print(pos.weight)
with parametrize.cached():
    print(pos.weight is pos.weight)
print(pos.weight is pos.weight)
parametrize.remove_parametrizations(pos, "weight"); print(pos, pos.weight, sep="\n")
parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False); print(layer, layer.weight)
wn = weight_norm(nn.Linear(5, 3)); print(wn)
g, v = wn.parametrizations.weight.original0, wn.parametrizations.weight.original1
print(g.shape, v.shape, torch.allclose(wn.weight, v * (g / v.norm(dim=1, keepdim=True))))
wn(torch.ones(2, 5)).sum().backward(); print(g.grad, v.grad)
sn = spectral_norm(nn.Linear(4, 3)); print(sn); print(sn.weight); sn.eval(); print(torch.linalg.svdvals(sn.weight)[0] < 1.05)
class Bad(nn.Module):
    def forward(self, x): return x[:1]
for bad in (lambda: parametrize.register_parametrization(nn.Linear(2, 2), "weight", Bad()), lambda: parametrize.register_parametrization(nn.Linear(2, 2), "w", Bad()), lambda: parametrize.remove_parametrizations(nn.Linear(2, 2), "weight")):
    try: bad()
    except Exception as e: print(type(e).__name__, e)
two = nn.Linear(3, 3, bias=False)
parametrize.register_parametrization(two, "weight", Symmetric()); parametrize.register_parametrization(two, "weight", Positive())
print(two, two.weight, sep="\n")
