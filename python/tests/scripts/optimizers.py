import torch
from torch import nn

CASES = [
    (torch.optim.SGD, {"lr": 0.1}),
    (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
    (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "dampening": 0.1, "maximize": True}),
    (torch.optim.Adagrad, {"lr": 0.1, "lr_decay": 0.1}),
    (torch.optim.RMSprop, {"lr": 0.1, "momentum": 0.5, "centered": True}),
    (torch.optim.Adam, {"lr": 0.1, "weight_decay": 0.1}),
    (torch.optim.Adam, {"lr": 0.1, "amsgrad": True}),
    (torch.optim.AdamW, {"lr": 0.1, "betas": (0.8, 0.95)}),
]
for rule, options in CASES:
    point = nn.Parameter(torch.tensor([1.0, -2.0]))
    optimizer = rule([point], **options)
    for _ in range(5):
        optimizer.zero_grad()
        (point**2 * torch.tensor([1.0, 3.0])).sum().backward()
        optimizer.step()
    print(rule.__name__, point.data, sorted(optimizer.state[point]), {k: v for k, v in optimizer.state[point].items() if v is not None})
print(optimizer)
state = optimizer.state_dict()
print(state["param_groups"], state["state"][0]["exp_avg"])
again = torch.optim.AdamW([point], lr=7.0)
again.load_state_dict(state)
print(again.param_groups[0]["lr"], again.state[point]["step"], again.param_groups[0]["betas"])
for make in (
    lambda o: torch.optim.lr_scheduler.LambdaLR(o, lambda step: 1 / (step + 1)),
    lambda o: torch.optim.lr_scheduler.StepLR(o, 2, 0.5),
    lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 4, 0.01),
):
    optimizer = torch.optim.SGD([{"params": [point]}, {"params": [torch.zeros(1, requires_grad=True)], "lr": 0.5}], lr=0.1)
    schedule = make(optimizer)
    rates = []
    for _ in range(4):
        optimizer.step()
        rates.append([round(lr, 4) for lr in schedule.get_last_lr()])
        schedule.step()
    print(rates)


class Descent(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                kept = self.state[p]
                kept["g2"] = kept.get("g2", 0) + p.grad**2
                p.data -= group["lr"] * p.grad / (kept["g2"] + 1e-5).sqrt()


descent = Descent([point], 0.1)
(point**2).sum().backward()
descent.step()
print(point, descent.state[point]["g2"], len(descent.param_groups))
for wrong in (lambda: torch.optim.SGD([], lr=1), lambda: torch.optim.Adam([point], lr=-1), lambda: torch.optim.SGD([3], lr=1)):
    try:
        wrong()
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)
for make in (
    lambda p: torch.optim.Adadelta(p), lambda p: torch.optim.Adamax(p), lambda p: torch.optim.NAdam(p, weight_decay=0.1), lambda p: torch.optim.RAdam(p, lr=0.1),
    lambda p: torch.optim.ASGD(p), lambda p: torch.optim.Rprop(p), lambda p: torch.optim.Adafactor(p), lambda p: torch.optim.LBFGS(p, max_iter=4),
):
    w = torch.nn.Parameter(torch.tensor([[1.0, -2.0], [3.0, 0.5]]))
    optimizer = make([w])

    def closure():
        optimizer.zero_grad()
        loss = (w**4).sum()
        loss.backward()
        return loss

    print([round(float(optimizer.step(closure)), 2) for _ in range(8)], w.data, optimizer, list(optimizer.state_dict()["param_groups"][0]))
