"""Writes training.json beside it: where PyTorch's Muon takes matrices, where groups of parameters go, learning rates of
its schedules, and the scales of its GradScaler.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy
    /tmp/golden/bin/python engine/tests/golden/training.py
"""

import math

import torch
from torch.optim import lr_scheduler

from figures import write

STEPS = 50
generator = torch.Generator().manual_seed(7)


def short(shape):
    """Numbers that JSON holds in few digits."""
    return (torch.randn(shape, generator=generator) * 64).round() / 64


def full(shape):
    """Numbers with all their digits: Muon rounds to bfloat16, and short ones would lie half-way between two of these."""
    return torch.randn(shape, generator=generator)


def numbers(x):
    return [float(f"{v:.9g}") for v in x.detach().flatten().tolist()]


def walk(params, gradients, optimizer, before=None):
    """The values of all parameters after each step of the given gradients."""
    path = []
    for step, now in enumerate(gradients):
        if before:
            before(step)
        for x, gradient in zip(params, now):
            x.grad = None if gradient is None else gradient.clone()
        optimizer.step()
        path.append([v for x in params for v in numbers(x)])
    return path


muon = []
for shape, settings in (((3, 3), {}), ((5, 7), {"lr": 0.02}), ((7, 5), {"lr": 0.01, "momentum": 0.8, "nesterov": False}),
                        ((8, 2), {"lr": 0.01, "weight_decay": 0.3, "adjust_lr_fn": "match_rms_adamw"}), ((1, 9), {"lr": 0.02}),
                        ((9, 1), {"lr": 0.02, "adjust_lr_fn": "spectral_unclamped"}), ((2, 6), {"lr": 0.02, "adjust_lr_fn": "spectral_unclamped"}),
                        ((4, 4), {"lr": 0.05, "ns_steps": 2, "ns_coefficients": (1.5, -0.5, 0.0), "momentum": 0.3}), ((3, 2), {"lr": 0.0})):
    start, gradients = full(shape), [full(shape) for _ in range(STEPS)]
    gradients[7] = torch.zeros(shape)
    x = start.clone().requires_grad_()
    optimizer = torch.optim.Muon([x], **settings)
    muon.append({"shape": shape, "settings": optimizer.defaults, "start": numbers(start), "gradients": [numbers(g) for g in gradients],
                 "path": walk([x], [[g] for g in gradients], optimizer)})

# Two groups of AdamW, one parameter of which has a gradient only in every third step; the learning rates are scheduled.
shapes = [(3,), (2, 2), (5,)]
starts = [short(s) for s in shapes]
gradients = [[None if i == 1 and step % 3 else short(s) for i, s in enumerate(shapes)] for step in range(STEPS)]
params = [s.clone().requires_grad_() for s in starts]
optimizer = torch.optim.AdamW([{"params": params[:2], "lr": 0.05, "weight_decay": 0.3}, {"params": params[2:], "lr": 0.01, "weight_decay": 0.0}])
scheduler = lr_scheduler.CosineAnnealingLR(optimizer, 30, eta_min=0.001)
groups = {"shapes": shapes, "starts": [numbers(s) for s in starts],
          "gradients": [[None if g is None else numbers(g) for g in now] for now in gradients],
          "path": walk(params, gradients, optimizer, lambda step: step and scheduler.step())}

schedules = []


def schedule(name, settings, make, steps=40, lr=0.5):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=lr)
    scheduler = make(optimizer)
    rates = []
    for _ in range(steps):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    schedules.append({"name": name, "settings": settings, "initial": lr, "rates": rates})


def simple(name, make, **settings):
    schedule(name, settings, lambda o: make(o, **settings))


for start, end, total in ((1 / 3, 1.0, 5), (0.1, 0.7, 20), (1.0, 0.0, 10), (0.5, 1.0, 1)):
    simple("linear", lr_scheduler.LinearLR, start_factor=start, end_factor=end, total_iters=total)
for t_max, eta_min in ((10, 0.0), (39, 0.1), (17, 0.7), (1, 0.0)):
    simple("cosine", lr_scheduler.CosineAnnealingLR, T_max=t_max, eta_min=eta_min)
for warmup, total, eta_min in ((5, 40, 0.05), (10, 30, 0.0), (2, 12, 0.1)):
    schedule("warmup_cosine", {"warmup": warmup, "total": total, "eta_min": eta_min},
             lambda o: lr_scheduler.SequentialLR(o, [lr_scheduler.LinearLR(o, 1 / warmup, 1.0, warmup - 1),
                                                     lr_scheduler.CosineAnnealingLR(o, total - warmup, eta_min)], [warmup]))
schedule("sequential", {}, lambda o: lr_scheduler.SequentialLR(o, [lr_scheduler.LinearLR(o, 0.2, 1.0, 4), lr_scheduler.CosineAnnealingLR(o, 9),
                                                                   lr_scheduler.LinearLR(o, 0.5, 0.1, 20)], [6, 15]))

scalers = []
for settings, sequence in (({}, [0, 0, math.inf, 0, math.nan]), ({"init_scale": 4.0, "growth_interval": 3}, [0] * 7 + [math.inf, 0, 0, -math.inf] + [0] * 7),
                           ({"init_scale": 2.0**126, "growth_interval": 1}, [0, 0, 0, math.inf, 0]),
                           ({"init_scale": 1000.0, "growth_factor": 1.7, "backoff_factor": 0.3, "growth_interval": 2},
                            [math.nan, math.inf, 0, 0, 0, 0, 0, math.nan, 0, 0, 0]), ({"init_scale": 0.25, "growth_interval": 2}, [0, 0, 0, 0, math.inf])):
    scaler = torch.amp.GradScaler("cpu", **settings)
    params = [torch.tensor([1.0, 2.0, -3.0], requires_grad=True), torch.tensor([[4.0]], requires_grad=True)]
    optimizer = torch.optim.SGD(params, lr=0.125, momentum=0.5)
    rows = []
    for fault in sequence:
        optimizer.zero_grad()
        scaler.scale(sum((p * p).sum() / 2 for p in params))
        # Gradients as a backward pass of the scaled loss would leave them, one of them spoilt.
        for p in params:
            p.grad = p.detach() / 8 * scaler.get_scale()
        params[0].grad[1] += fault
        scaler.step(optimizer)
        scaler.update()
        state = scaler.state_dict()
        rows.append({"scale": state["scale"], "growth_tracker": state["_growth_tracker"], "params": [v for p in params for v in numbers(p)]})
    names = {0: "0", math.inf: "inf", -math.inf: "-inf"}
    scalers.append({"settings": {k: v for k, v in scaler.state_dict().items() if k not in ("scale", "_growth_tracker")},
                    "init_scale": settings.get("init_scale", 65536.0), "faults": [names.get(f, "NaN") for f in sequence], "rows": rows})

write("training.json", muon=muon, groups=groups, schedules=schedules, scalers=scalers)
