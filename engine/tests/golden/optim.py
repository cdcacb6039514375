"""Writes optim.json beside it: where PyTorch's optimizers take parameters in 50 steps of given gradients.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy
    /tmp/golden/bin/python engine/tests/golden/optim.py
"""

import json
import pathlib

import torch

STEPS = 50
generator = torch.Generator().manual_seed(7)
start = torch.randn(7, generator=generator)
gradients = [torch.randn(7, generator=generator) * (0.5 + i / 25) for i in range(STEPS)]

RULES = {
    "sgd": (torch.optim.SGD, [
        {"lr": 0.1}, {"lr": 0.1, "momentum": 0.9}, {"lr": 0.05, "momentum": 0.9, "nesterov": True},
        {"lr": 0.05, "momentum": 0.8, "dampening": 0.3, "weight_decay": 0.1}, {"lr": 0.1, "weight_decay": 0.2}]),
    "adagrad": (torch.optim.Adagrad, [{"lr": 0.1}, {"lr": 0.3, "eps": 1e-3, "weight_decay": 0.1}]),
    "rmsprop": (torch.optim.RMSprop, [{"lr": 0.01}, {"lr": 0.02, "alpha": 0.9, "eps": 1e-4, "weight_decay": 0.1}]),
    "adam": (torch.optim.Adam, [
        {"lr": 0.01}, {"lr": 0.05, "betas": [0.8, 0.95], "eps": 1e-5}, {"lr": 0.02, "weight_decay": 0.1}]),
    "adamw": (torch.optim.AdamW, [{"lr": 0.01}, {"lr": 0.05, "weight_decay": 0.3, "betas": [0.9, 0.95]}]),
}

cases = []
for name, (make, settings) in RULES.items():
    for setting in settings:
        x = start.clone().requires_grad_()
        optimizer = make([x], **setting)
        path = []
        for gradient in gradients:
            optimizer.zero_grad()
            (x * gradient).sum().backward()
            optimizer.step()
            path.append(x.tolist())
        told = {k: v for k, v in optimizer.defaults.items() if isinstance(v, (int, float, tuple, list))}
        cases.append({"rule": name, "settings": told, "path": path})

clips = []
for max_norm in [0.5, 2.0, 100.0, 0.0]:
    params = [torch.zeros(7, requires_grad=True), torch.zeros(7, requires_grad=True)]
    for param, gradient in zip(params, gradients):
        (param * gradient).sum().backward()
    total = torch.nn.utils.clip_grad_norm_(params, max_norm)
    clips.append({"max_norm": max_norm, "total": total.item(), "grads": [p.grad.tolist() for p in params]})

data = {"made_with": torch.__version__.split("+")[0], "start": start.tolist(),
        "gradients": [g.tolist() for g in gradients], "clips": clips, "cases": cases}
lines = [f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'))}" for key, value in data.items()]
path = pathlib.Path(__file__).parent / "optim.json"
path.write_text("{" + ",\n".join(lines) + "}\n")
print(len(cases), "cases")
