"""Learning rates over time."""

import math
from helper_module import attempt
import torch
from torch import nn, optim
from torch.optim import lr_scheduler as schedules

for make in (
    lambda o: schedules.StepLR(o, step_size=3, gamma=0.5),
    lambda o: schedules.ExponentialLR(o, gamma=0.9),
    lambda o: schedules.CosineAnnealingLR(o, T_max=8, eta_min=0.01),
    lambda o: schedules.LinearLR(o, start_factor=0.25, total_iters=4),
    lambda o: schedules.ConstantLR(o, factor=0.5, total_iters=3),
    lambda o: schedules.LambdaLR(o, lambda step: min(1, (step + 1) / 4)),
    lambda o: schedules.CosineAnnealingWarmRestarts(o, T_0=4),
    lambda o: schedules.SequentialLR(
        o,
        [schedules.LinearLR(o, start_factor=0.1, total_iters=3), schedules.CosineAnnealingLR(o, T_max=6)],
        milestones=[3],
    ),
):
    p = nn.Parameter(torch.ones(1))
    optimizer = optim.SGD([{"params": [p]}, {"params": [nn.Parameter(torch.zeros(1))], "lr": 0.2}], lr=1.0)
    schedule = make(optimizer)
    rates = []
    for _ in range(9):
        rates.append([round(r, 6) for r in schedule.get_last_lr()])
        optimizer.step()
        schedule.step()
    print(type(schedule).__name__, rates)

p = nn.Parameter(torch.ones(1))
optimizer = optim.SGD([p], lr=1.0)
schedule = schedules.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
for value in (3.0, 2.0, 2.0, 2.0, 2.0, 2.0):
    schedule.step(value)
    print(optimizer.param_groups[0]["lr"], end=" ")
print()


def cosine(step, warmup=3, steps=10):
    if step < warmup:
        return (step + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup)))


optimizer = optim.AdamW([p], lr=3e-4)
schedule = schedules.LambdaLR(optimizer, lr_lambda=cosine)
for step in range(10):
    p.grad = torch.ones(1)
    optimizer.step()
    schedule.step()
print(schedule.last_epoch, schedule.get_last_lr(), p)
saved = schedules.StepLR(optimizer, 2).state_dict()
print(sorted(k for k in saved if not k.startswith("_")))
for make in (
    lambda o: schedules.OneCycleLR(o, max_lr=1.0, total_steps=8), lambda o: schedules.OneCycleLR(o, 1.0, epochs=2, steps_per_epoch=4, three_phase=True, anneal_strategy="linear"),
    lambda o: schedules.CosineAnnealingLR(o, 5),
):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.ones(1))], lr=0.1, momentum=0.9)
    scheduler = make(optimizer)
    rates = []
    for _ in range(7):
        optimizer.step()
        scheduler.step()
        rates.append((scheduler.get_last_lr()[0], optimizer.param_groups[0]["momentum"]))
    print(rates)
print(schedules.StepLR(optimizer, 2).state_dict())
attempt(lambda: schedules.StepLR(torch.nn.Linear(1, 1), 1), lambda: schedules.OneCycleLR(optimizer, 1.0))

warm = schedules.CosineAnnealingWarmRestarts(optimizer, T_0=2, T_mult=2)
for epoch in range(3):
    row = []
    for part in range(4):
        optimizer.step()
        warm.step(epoch + part / 4)
        row.append(f"{warm.get_last_lr()[0]:.4f}")
    print(epoch, row, warm.T_cur, warm.T_i)
plateau = schedules.ReduceLROnPlateau(optimizer, "max", factor=0.1, patience=2, threshold=0.01, threshold_mode="abs", cooldown=1, min_lr=1e-3)
for figure in [0.5, 0.6, 0.605, 0.606, 0.607, 0.608, 0.609, 0.7, 0.7, 0.7, 0.7, 0.7]:
    plateau.step(figure)
    print(f"{plateau.get_last_lr()[0]:.5f}", plateau.num_bad_epochs, plateau.best, plateau.cooldown_counter, plateau.in_cooldown)
