"""Checkpointing: the same gradients, calls that come twice, random numbers that come again."""
import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

calls = {"n": 0}


class Block(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.lin = nn.Linear(d, d)

    def forward(self, x):
        calls["n"] += 1
        return x + torch.tanh(self.lin(x))


class Net(nn.Module):
    def __init__(self, d=4, depth=3, ckpt=False):
        super().__init__()
        self.blocks = nn.ModuleList([Block(d) for _ in range(depth)])
        self.ckpt = ckpt

    def forward(self, x):
        for b in self.blocks:
            x = checkpoint(b, x, use_reentrant=False) if self.ckpt else b(x)
        return x


grads = []
for ckpt in (False, True):
    torch.manual_seed(3)
    calls["n"] = 0
    net = Net(ckpt=ckpt)
    x = torch.randn(2, 4, requires_grad=True)
    out = net(x)
    fwd = calls["n"]
    out.pow(2).sum().backward()
    print(f"ckpt={ckpt} forward calls={fwd} after backward={calls['n']} loss={out.pow(2).sum().item():.4f}")
    grads.append([p.grad.clone() for p in net.parameters()] + [x.grad])
print("same grads:", all(torch.allclose(a, b) for a, b in zip(*grads)))
print(grads[0][-1])

# dropout under checkpointing keeps the rng state
torch.manual_seed(0)
drop = nn.Dropout(0.5)
z = torch.ones(8, requires_grad=True)
r = checkpoint(lambda t: drop(t) * t, z, use_reentrant=False)
r.sum().backward()
print(r)
print(z.grad)
try:
    checkpoint(lambda a: a.view(7), z, use_reentrant=False)
except RuntimeError as error:
    print(error)
