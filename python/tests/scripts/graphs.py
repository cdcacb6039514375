"""What made a result, and passes to some of it."""

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
c = a * b + a
d = c.mean()

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
