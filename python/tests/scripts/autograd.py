import torch
from torch.utils.checkpoint import checkpoint

x = torch.tensor([4.0, 5.0], requires_grad=True)
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
