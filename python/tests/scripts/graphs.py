"""The graph behind a result, and passes to some of it."""

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
c = a * b + a
d = c.mean()


def walk(node, depth=0):
    if node is None:
        print("  " * depth + "None")
        return
    shape = tuple(node.variable.shape) if hasattr(node, "variable") else ""
    print("  " * depth + node.name(), shape)
    for below, number in node.next_functions:
        print("  " * depth + str(number))
        walk(below, depth + 1)


walk(d.grad_fn)
walk((2 * (1 - a) / 3 - 0.5).exp().grad_fn)
print(d.grad_fn == d.grad_fn, d.grad_fn == c.grad_fn, len({d.grad_fn, d.grad_fn, c.grad_fn}), a.grad_fn)
print(type(c.grad_fn).__name__, torch.ones(2, 3, requires_grad=True).t().reshape(-1).grad_fn.name())
c.sum().backward(inputs=[a], retain_graph=True)
print(a.grad, b.grad)
c.sum().backward(inputs=b, retain_graph=True)
print(a.grad, b.grad)
c.retain_grad()
torch.autograd.backward([c.sum(), d], [torch.tensor(2.0), None])
print(a.grad, b.grad, c.grad)
try:
    (a * 2).sum().backward(inputs=[])
except RuntimeError as error:
    print(error)
try:
    torch.autograd.backward([a.sum(), b.sum()], [torch.tensor(1.0)])
except RuntimeError as error:
    print(error)
with torch.autograd.detect_anomaly():
    try:
        (a - 1).sqrt().mul(0).sum().backward()
    except RuntimeError as error:
        print(error)
print(torch.is_anomaly_enabled())
(a - 1).sqrt().mul(0).sum().backward()
print(a.grad)
