"""What losses refuse, and what they are computed in where autocast is on."""

import torch
import torch.nn.functional as F


def refused(function, *args):
    try:
        print(function(*args))
    except (RuntimeError, ValueError, IndexError) as error:
        print(type(error).__name__, error)


for input, target in [
    (torch.zeros(3), torch.tensor(1)),
    (torch.zeros(3), torch.tensor([1])),
    (torch.zeros(2, 3), torch.tensor([0, 1, 2])),
    (torch.zeros(2, 3), torch.tensor([0, 3])),
    (torch.zeros(2, 3), torch.tensor([-1, 1])),
    (torch.zeros(2, 3), torch.tensor([-100, 4])),
    (torch.zeros(2, 3), torch.tensor([0.0, 1.0])),
    (torch.zeros(2, 3, 4), torch.zeros(2, 3, dtype=torch.long)),
    (torch.zeros(2, 3, 4, 5), torch.zeros(2, 4, 5, dtype=torch.long)),
    (torch.zeros(0, 3), torch.zeros(0, dtype=torch.long)),
]:
    refused(F.nll_loss, input, target)

x, probabilities = torch.randn(4, 5).bfloat16(), torch.full((4, 5), 0.5).bfloat16()
classes = torch.tensor([0, 1, 2, 3])
double = torch.zeros(4, 5, dtype=torch.float64)
with torch.autocast("cpu", dtype=torch.bfloat16):
    for loss in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss, F.kl_div, F.binary_cross_entropy_with_logits):
        print(loss(x, x).dtype)
    print(F.binary_cross_entropy(probabilities, target=probabilities).dtype)
    print(F.nll_loss(x, classes).dtype, F.cross_entropy(x, classes).dtype, F.mse_loss(double, double).dtype)
print(F.l1_loss(x, x).dtype)

for value in (torch.tensor([1, 0]), 1):
    flags = torch.tensor([True, False])
    try:
        flags &= value
    except RuntimeError as error:
        print(error)
refused(F.pad, torch.ones(2, 3), (1, 1, 1, 1, 1, 1))

inf = float("inf")
x = torch.tensor([[-inf, 0.0, -1.0], [-0.5, -inf, -2.0], [-inf, -inf, -3.0]], requires_grad=True)
for weight in (None, torch.tensor([inf, 1.0, 2.0]), torch.tensor([1.0, 2.0, 0.0])):
    for target in ([1, 0, -100], [-100, -100, 2], [0, -100, 1]):
        for reduction in ("mean", "sum", "none"):
            x.grad = None
            loss = F.nll_loss(x, torch.tensor(target), weight, reduction=reduction)
            loss.sum().backward()
            print(loss.detach(), x.grad + 0)
print(F.kl_div(torch.zeros(4), torch.tensor([-1.0, 0.0, 0.5, float("nan")]), reduction="none"))
