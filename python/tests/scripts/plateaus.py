"""Schedulers as used in real loops: several groups, plateau, cycles, restarts, chaining."""
import math
import torch
from torch import nn
from torch.optim.lr_scheduler import (ChainedScheduler, ConstantLR, CosineAnnealingLR, CosineAnnealingWarmRestarts, CyclicLR,
                                      ExponentialLR, LinearLR, MultiStepLR, PolynomialLR, ReduceLROnPlateau, SequentialLR, StepLR)

torch.manual_seed(7)
X = torch.randn(64, 5)
Y = (X @ torch.tensor([1.0, -2.0, 0.0, 3.0, 0.5])).unsqueeze(1) + 0.1 * torch.randn(64, 1)


def build(**kw):
    torch.manual_seed(0)
    body, head = nn.Sequential(nn.Linear(5, 8), nn.Tanh()), nn.Linear(8, 1)
    opt = torch.optim.SGD([{"params": body.parameters(), "lr": 0.01}, {"params": head.parameters()}], lr=0.1, **kw)
    return nn.Sequential(body, head), opt


def run(label, make, epochs=8, **kw):
    model, opt = build(**kw)
    sched = make(opt)
    hist = [sched.get_last_lr()]
    for _ in range(epochs):
        loss = nn.functional.mse_loss(model(X), Y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        hist.append(sched.get_last_lr())
    print(f"{label:10s} loss {loss.item():.4f}", " ".join("/".join(f"{v:.4g}" for v in h) for h in hist))
    return sched


s = run("step", lambda o: StepLR(o, 3, gamma=0.5))
print(s.get_last_lr(), s.base_lrs, s.last_epoch)
s = run("multistep", lambda o: MultiStepLR(o, [2, 5, 5], gamma=0.1))
print(dict(s.milestones))
s = run("exp", lambda o: ExponentialLR(o, 0.9))
print(s.get_last_lr())
run("linear", lambda o: LinearLR(o, start_factor=0.5, end_factor=0.1, total_iters=4))
run("poly", lambda o: PolynomialLR(o, total_iters=4, power=1.0))
run("restarts", lambda o: CosineAnnealingWarmRestarts(o, T_0=3, eta_min=1e-3))
run("triangular", lambda o: CyclicLR(o, base_lr=[0.001, 0.01], max_lr=[0.01, 0.1], step_size_up=2, step_size_down=3), momentum=0.9)
run("triangle2", lambda o: CyclicLR(o, 0.0, 0.2, step_size_up=2, mode="triangular2", cycle_momentum=False))
run("exp_range", lambda o: CyclicLR(o, 0.0, 0.2, step_size_up=2, mode="exp_range", gamma=0.9, cycle_momentum=False))
run("chained", lambda o: ChainedScheduler([ConstantLR(o, factor=0.1, total_iters=2), ExponentialLR(o, gamma=0.9)]))
run("sequential", lambda o: SequentialLR(o, [LinearLR(o, 0.25, total_iters=3), CosineAnnealingLR(o, T_max=5), ConstantLR(o)], milestones=[3, 6]))

# per-batch fractional steps of warm restarts
_, opt = build()
wr = CosineAnnealingWarmRestarts(opt, T_0=2, T_mult=2)
for epoch in range(3):
    row = []
    for i in range(4):
        opt.step()
        wr.step(epoch + i / 4)
        row.append(f"{wr.get_last_lr()[1]:.4f}")
    print("epoch", epoch, row, "T_cur %.2f T_i %d" % (wr.T_cur, wr.T_i))

model, opt = build()
plateau = ReduceLROnPlateau(opt, "max", factor=0.1, patience=2, threshold=0.01, threshold_mode="abs", cooldown=1, min_lr=[1e-4, 1e-3])
for epoch, acc in enumerate([0.5, 0.6, 0.605, 0.606, 0.607, 0.608, 0.609, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7]):
    plateau.step(acc)
    print(f"epoch {epoch:2d} acc {acc:.3f} lr {[f'{v:.5f}' for v in plateau.get_last_lr()]} bad {plateau.num_bad_epochs} best {plateau.best:.3f} cool {plateau.cooldown_counter}")
print(plateau.in_cooldown, math.isclose(opt.param_groups[0]["lr"], 1e-4))
print(opt)
