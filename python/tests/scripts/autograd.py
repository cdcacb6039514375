import torch
from torch.utils.checkpoint import checkpoint

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x**2).sum()
print(y.grad_fn.name(), type(y.grad_fn).__name__, x.grad_fn, x.is_leaf, y.is_leaf)
print(torch.autograd.grad(y, x, retain_graph=True), x.grad)
y.backward()
before = x.grad
print(x.grad, x.grad is before)
x.grad.zero_()
x.grad = None
print(x.grad)
x.grad = torch.ones(2)
print(x.grad)
x.data = torch.tensor([5.0, 6.0])
print(x, x.requires_grad, x.data.requires_grad)
x.data -= 1
print(x, (x * 2).sum().backward(), x.grad)
for wrong in (torch.ones(3), 3, x):
    try:
        x.grad = wrong
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__, str(error).split(" to ")[0][:40])
calls = []


def block(a, scale):
    calls.append(scale)
    return torch.nn.functional.dropout(a * scale, 0.5).square()


torch.manual_seed(1)
out = checkpoint(block, x, 0.5, use_reentrant=False).sum()
print(out.detach(), calls)
x.grad = None
out.backward()
print(x.grad, calls)
torch.manual_seed(1)
z = x.detach().requires_grad_()
torch.nn.functional.dropout(z * 0.5, 0.5).square().sum().backward()
print(torch.equal(z.grad, x.grad))
with torch.inference_mode():
    print((x * 2).requires_grad)


@torch.no_grad()
def quiet(a):
    return a * 2


print(quiet(x).requires_grad, torch.is_grad_enabled())
try:
    (x * 2).backward()
except RuntimeError as error:
    print(error)
