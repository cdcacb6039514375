"""Hooks of modules."""

import torch
from torch import nn

seen = []
layer = nn.Linear(2, 1, bias=False)
nn.init.ones_(layer.weight)
before = layer.register_forward_pre_hook(lambda m, args: seen.append(("before", args[0].tolist())))
after = layer.register_forward_hook(lambda m, args, out: seen.append(("after", out.tolist())))
layer(torch.tensor([[1.0, 2.0]]))
before.remove()
layer(torch.tensor([[3.0, 4.0]]))
after.remove()
layer(torch.tensor([[5.0, 6.0]]))
print(seen)
twice = layer.register_forward_hook(lambda m, args, out: out * 2)
print(layer(torch.ones(1, 2)))

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
sizes = {}
for name, module in model.named_modules():
    if not list(module.children()):
        module.register_forward_hook(lambda m, i, o, name=name: sizes.update({name: tuple(o.shape)}))
model(torch.zeros(5, 2))
print(sizes)
model[1].register_forward_hook(lambda m, args, kwargs, out: out * 0 + 1, with_kwargs=True)
print(model(torch.zeros(1, 2)))
