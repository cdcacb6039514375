"""Tensor hooks: register_hook, retain_grad, post-accumulate hooks."""
import torch
import torch.nn as nn
from helper_module import attempt

torch.manual_seed(1)

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
h = x * 2
h.retain_grad()
print("retains_grad:", h.retains_grad, x.retains_grad)
y = (h ** 2).sum()

log = []
handle = h.register_hook(lambda g: log.append(("h", g.tolist())))
x.register_hook(lambda g: g * 10)
y.backward()
print("log:", log)
print("h.grad:", h.grad)
print("x.grad (hook scaled by 10):", x.grad)
handle.remove()

# hooks that replace a gradient run in order of registration
t = torch.ones(2, requires_grad=True)
t.register_hook(lambda g: g + 1)
t.register_hook(lambda g: g * 3)
(t * torch.tensor([1.0, 2.0])).sum().backward()
print("t.grad:", t.grad)

# post-accumulate-grad hook: optimiser step fused in backward
lin = nn.Linear(2, 1)
with torch.no_grad():
    lin.weight.copy_(torch.tensor([[1.0, -1.0]]))
    lin.bias.zero_()


def sgd_in_backward(param):
    with torch.no_grad():
        param -= 0.1 * param.grad
    print("stepped", tuple(param.shape), "|g| = %.4f" % param.grad.norm().item())
    param.grad = None


handle = lin.weight.register_post_accumulate_grad_hook(sgd_in_backward)
inp = torch.tensor([[1.0, 2.0], [0.5, -1.0]])
for step in range(3):
    lin.zero_grad()
    loss = (lin(inp) - 1).pow(2).mean()
    loss.backward()
    print(f"step {step} loss {loss.item():.4f} weight {lin.weight.data.tolist()[0][0]:.4f} grad is None: {lin.weight.grad is None}")
handle.remove()
attempt(lambda: (x * 2).register_post_accumulate_grad_hook(lambda p: None), lambda: torch.ones(2).register_hook(print))
