"""Optimizers: groups of parameters, their state, and one of one's own."""

import torch
from helper_module import attempt
from torch import nn, optim


def parameters():
    return [nn.Parameter(torch.tensor([1.0, -2.0])), nn.Parameter(torch.tensor([[0.5]]))]


def loss(a, b):
    return (a * a).sum() * 0.5 + (b - 3).pow(2).sum() + (a * 0.1).sum()


for make in (
    lambda p: optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01),
    lambda p: optim.SGD(p, lr=0.1, momentum=0.9, dampening=0.5, maximize=True),
    lambda p: optim.Adam(p, lr=0.1, amsgrad=True, weight_decay=0.1),
    lambda p: optim.AdamW(p, lr=0.1, betas=(0.8, 0.95), weight_decay=0.1),
    lambda p: optim.Adagrad(p, lr=0.1, lr_decay=0.01),
    lambda p: optim.RMSprop(p, lr=0.01, momentum=0.9, centered=True),
):
    a, b = parameters()
    optimizer = make([{"params": [a]}, {"params": [b], "lr": 0.05}])
    for _ in range(5):
        optimizer.zero_grad()
        loss(a, b).backward()
        optimizer.step()
    print(type(optimizer).__name__, a.data, b.data, [g["lr"] for g in optimizer.param_groups])
    state = optimizer.state_dict()
    print(sorted(state), [sorted(s) for s in state["state"].values()], [g["params"] for g in state["param_groups"]])
    c, d = nn.Parameter(a.detach().clone()), nn.Parameter(b.detach().clone())
    again = make([{"params": [c]}, {"params": [d], "lr": 0.05}])
    again.load_state_dict(state)
    for o, p, q in ((optimizer, a, b), (again, c, d)):
        o.zero_grad()
        loss(p, q).backward()
        o.step()
    print(torch.equal(a, c), torch.equal(b, d))

a, b = parameters()
print(optim.SGD([{"params": [a]}, {"params": [b], "momentum": 0.5}], lr=0.1))
adamw = optim.AdamW([a], lr=0.1, betas=(0.8, 0.95))
loss(a, b).backward()
adamw.step()
state = adamw.state_dict()
print(state["param_groups"], state["state"][0]["exp_avg"])
again = optim.AdamW([a], lr=7.0)
again.load_state_dict(state)
print(again.param_groups[0]["lr"], again.state[a]["step"], again.param_groups[0]["betas"])


class Descent(optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                kept = self.state[p]
                kept["g2"] = kept.get("g2", 0) + p.grad**2
                p.data -= group["lr"] * p.grad / (kept["g2"] + 1e-5).sqrt()


descent = Descent([a], 0.1)
descent.step()
print(a, descent.state[a]["g2"], len(descent.param_groups))
optimizer = optim.SGD([a], lr=0.1)
optimizer.add_param_group({"params": [b], "lr": 0.2})
print(len(optimizer.param_groups), optimizer.defaults["lr"])


def closure():
    optimizer.zero_grad()
    out = loss(a, b)
    out.backward()
    return out


print(optimizer.step(closure))
w = nn.Parameter(torch.tensor([[1.0, -2.0], [3.0, 0.5]]))
muon = optim.Muon([w])


def cubed():
    muon.zero_grad()
    out = (w**4).sum()
    out.backward()
    return out


print([round(float(muon.step(cubed)), 2) for _ in range(8)], list(muon.state_dict()["param_groups"][0].items())[:-1])
a.grad = torch.tensor([3.0, 4.0])
print(nn.utils.clip_grad_norm_([a], 1.0), a.grad)
nn.utils.clip_grad_value_([a], 0.7)
print(a.grad)

attempt(
    lambda: optim.SGD([], lr=0.1),
    lambda: optim.SGD([a], lr=-1),
    lambda: optim.SGD([torch.ones(1) * a.sum()], lr=0.1),
    lambda: optim.SGD(a, lr=0.1),
    lambda: optim.Adam([a], betas=(1.0, 0.9)),
    lambda: optim.Adam([a, a]).param_groups[0]["lr"],
    lambda: optim.SGD([a], lr=0.1, nesterov=True),
    lambda: optim.SGD([{"params": [a]}, {"params": [a]}], lr=0.1),
    lambda: optim.SGD([3], lr=0.1),
    lambda: optimizer.load_state_dict({"state": {}, "param_groups": []}),
)
