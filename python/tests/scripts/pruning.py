"""Pruning with masks."""

import torch
from torch import nn
from torch.nn.utils import prune
import torch.nn.utils.prune as P2
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3))
prune.l1_unstructured(net[0], name="weight", amount=0.4)
print([n for n, _ in net.named_parameters()], [n for n, _ in net.named_buffers()], prune.is_pruned(net))
print(net[0].weight, net[0].weight_mask, sep="\n")
prune.ln_structured(net[2], "weight", amount=0.5, n=2, dim=1)
print(net[2].weight_mask)
prune.l1_unstructured(net[2], "weight", amount=2)
print(net[2].weight_mask)
prune.random_unstructured(net[0], "weight", amount=3)
print(net[0].weight_mask)
try: prune.random_structured(net[0], "bias", amount=2, dim=0)
except ValueError as e: print(e)
prune.random_structured(nn.Linear(5, 2), "weight", amount=2, dim=1)
net[0] = nn.Linear(4, 6)
prune.random_structured(net[0], "weight", amount=0.3, dim=0); prune.random_structured(net[0], "weight", amount=0.5, dim=1); prune.random_unstructured(net[0], "bias", amount=0.5); print(net[0].weight)
print(net[0].bias)
x = torch.randn(2, 4)
loss = net(x).sum(); loss.backward()
print(net[0].weight_orig.grad)
print(list(net.state_dict()))
for l in (net[0], net[2]): prune.remove(l, "weight")
prune.remove(net[0], "bias")
print([n for n, _ in net.named_parameters()], prune.is_pruned(net), net[2].weight)
prune.custom_from_mask(net[2], "bias", torch.tensor([1, 0, 1])); print(net[2].bias)
m = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
prune.global_unstructured([(m[0], "weight"), (m[1], "weight")], pruning_method=prune.L1Unstructured, amount=0.3)
print([(l.weight == 0).sum().item() for l in m], m[0].weight)
for bad in (lambda: prune.l1_unstructured(m[0], "bias", 1.5), lambda: prune.l1_unstructured(m[0], "bias", 7), lambda: prune.remove(nn.Linear(2, 2), "weight")):
    try: bad()
    except Exception as e: print(type(e).__name__, e)
class Foo(prune.BasePruningMethod):
    PRUNING_TYPE = "unstructured"
    def compute_mask(self, t, default_mask):
        mask = default_mask.clone(); mask.view(-1)[::2] = 0; return mask
l = nn.Linear(3, 2); Foo.apply(l, "weight"); print(l.weight)
print(prune.L1Unstructured(amount=2).prune(torch.tensor([3., -1., 2., 0.5])))
