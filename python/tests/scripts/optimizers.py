"""Optimizers move parameters of any dtype and order in memory, those that begin late too, and no others."""

import torch
from torch import nn, optim

RULES = {
    "SGD": lambda p: optim.SGD(p, lr=0.03, weight_decay=0.01),
    "momentum": lambda p: optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.3),
    "Nesterov": lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1),
    "Adam": lambda p: optim.Adam(p, lr=0.1, betas=(0.8, 0.9), weight_decay=0.1),
    "AdamW": lambda p: optim.AdamW(p, lr=0.1, eps=1e-6),
    "largest": lambda p: optim.AdamW(p, lr=0.1, amsgrad=True),
    "uphill": lambda p: optim.Adam(p, lr=0.1, maximize=True),
}


def params():
    values = torch.linspace(-1, 1, 6).view(2, 3)
    plain = nn.Parameter(values.clone())
    double = nn.Parameter(values.double())
    turned = nn.Parameter(values.clone().t())
    empty = nn.Parameter(torch.empty(0, 3))
    single = nn.Parameter(torch.tensor(0.5))
    return [plain, double, turned, empty, single]


for name, rule in RULES.items():
    # Together, and those alone that one kernel can take.
    for chosen in (slice(None), slice(0, 1), slice(3, 5)):
        moved = params()[chosen]
        optimizer = rule(moved)
        for step in range(3):
            optimizer.zero_grad()
            for number, param in enumerate(moved):
                # The last begins a step later.
                if step or number + 1 < len(moved):
                    (param.float() ** 2 * (number + step + 1)).sum().backward()
            optimizer.step()
        print(name, len(optimizer.state))
        for param in moved:
            print("  ", param.dtype, param.data)

# What was saved on the way forward has changed.
weight = nn.Parameter(torch.ones(2))
optimizer = optim.SGD([weight], lr=0.1)
loss = (weight * weight).sum()
loss.backward(retain_graph=True)
optimizer.step()
print(weight._version, weight.requires_grad, weight.is_leaf)
try:
    loss.backward()
except RuntimeError as error:
    print("modified by an inplace operation" in str(error))

# A state of another shape does not fit.
other = optim.Adam([nn.Parameter(torch.ones(3))])
other.param_groups[0]["params"][0].grad = torch.ones(3)
other.step()
taken = nn.Parameter(torch.ones(2))
optimizer = optim.Adam([taken])
optimizer.load_state_dict(other.state_dict())
taken.grad = torch.ones(2)
try:
    optimizer.step()
except RuntimeError as error:
    print("size" in str(error), taken.data)
# What is kept of the first gradient is 1 - beta of it, of which float32 holds as much as PyTorch's.
for name in ("Adam", "AdamW", "RMSprop", "Muon"):
    parameter = torch.nn.Parameter(torch.ones(2, 2))
    optimizer = getattr(torch.optim, name)([parameter])
    parameter.grad = torch.full((2, 2), 0.1)
    optimizer.step()
    print(name, [f"{value.flatten()[0].item():.9g}" for key, value in optimizer.state[parameter].items() if key != "step"])
