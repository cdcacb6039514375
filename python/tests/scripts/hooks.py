"""Hooks of tensors and modules."""

import torch
from torch import nn

w = torch.tensor([1.0, 2.0], requires_grad=True)
h = w * 3
handle = h.register_hook(lambda g: print("h", g))
w.register_hook(lambda g: g * 10)
h.sum().backward()
print(w.grad)
handle.remove()
w.grad = None
(w * 3).sum().backward()
print(w.grad)

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

model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
sizes = {}
for name, module in model.named_modules():
    if not list(module.children()):
        module.register_forward_hook(lambda m, i, o, name=name: sizes.update({name: tuple(o.shape)}))
model(torch.zeros(5, 2))
print(sizes)
net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
shapes = lambda tensors: [None if it is None else tuple(it.shape) for it in tensors]
handles = [
    net[2].register_full_backward_hook(lambda m, given, taken: print("backward", shapes(given), shapes(taken))),
    net[2].register_full_backward_pre_hook(lambda m, taken: (taken[0] * 2,)),
    net[0].register_full_backward_hook(lambda m, given, taken: print("first", shapes(given), shapes(taken))),
    net[1].register_forward_hook(lambda m, args, kwargs, out: out * 0 + 1, with_kwargs=True),
]
out = net(torch.ones(4, 2))
out.sum().backward()
print(net[2].weight.grad, net[0].weight.grad)
for handle in handles:
    handle.remove()
net(torch.ones(4, 2)).sum().backward()
