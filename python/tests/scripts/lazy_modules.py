"""Modules that see their features at the first call."""

import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.LazyConv2d(4, 3, padding=1), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(5), nn.ReLU(), nn.LazyLinear(2, bias=False))
print(net)
print(net[4].weight, type(net[4].weight).__name__, isinstance(net[4], nn.Linear), nn.parameter.is_lazy(net[4].weight), net[4].has_uninitialized_params())
try: print(net[4].weight.shape)
except Exception as e: print(type(e).__name__, e)
try: sum(p.numel() for p in net.parameters())
except Exception as e: print(type(e).__name__, e)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
y = net(torch.randn(3, 2, 4, 4))
print(net, y, sep="\n")
print([(n, tuple(p.shape)) for n, p in net.named_parameters()])
y.sum().backward(); opt.step()
print(net(torch.randn(2, 2, 4, 4)), net[4].weight.grad.shape)
net.load_state_dict(net.state_dict())
lazy = nn.LazyLinear(3)
lazy.load_state_dict(nn.Linear(7, 3).state_dict()); print(lazy.weight.shape, lazy); lazy(torch.ones(1, 7)); print(lazy)
print(nn.LazyConv1d(3, 2), nn.LazyBatchNorm1d(), nn.LazyConvTranspose2d(2, 2))
