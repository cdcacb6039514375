"""Walk the backward graph: grad_fn names, next_functions, AccumulateGrad."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def walk(fn, depth=0, seen=None):
    seen = set() if seen is None else seen
    if fn is None:
        print("  " * depth + "None")
        return
    mark = " (seen)" if fn in seen else ""
    extra = ""
    if hasattr(fn, "variable"):
        extra = " shape=" + str(tuple(fn.variable.shape))
    print("  " * depth + fn.name() + extra + mark)
    if fn in seen:
        return
    seen.add(fn)
    for nxt, idx in fn.next_functions:
        walk(nxt, depth + 1, seen)


a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
c = a * b + a
d = c.mean()
print("--- a*b + a, mean")
walk(d.grad_fn)

print("--- two layer network")
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
x = torch.randn(5, 3)
loss = F.mse_loss(net(x), torch.zeros(5, 2))
walk(loss.grad_fn)

print("--- names of common ops")
t = torch.rand(2, 3, requires_grad=True)
ops = {
    "add": lambda t: t + 1,
    "sub": lambda t: 1 - t,
    "mul": lambda t: t * 2,
    "div": lambda t: t / 2,
    "neg": lambda t: -t,
    "pow": lambda t: t ** 3,
    "exp": lambda t: t.exp(),
    "log": lambda t: t.log(),
    "sqrt": lambda t: t.sqrt(),
    "sigmoid": lambda t: t.sigmoid(),
    "tanh": lambda t: t.tanh(),
    "relu": lambda t: t.relu(),
    "gelu": lambda t: F.gelu(t),
    "silu": lambda t: F.silu(t),
    "softmax": lambda t: t.softmax(-1),
    "log_softmax": lambda t: t.log_softmax(-1),
    "sum": lambda t: t.sum(),
    "sum_dim": lambda t: t.sum(0),
    "max": lambda t: t.max(),
    "max_dim": lambda t: t.max(dim=1).values,
    "view": lambda t: t.view(3, 2),
    "reshape_t": lambda t: t.t().reshape(6),
    "transpose": lambda t: t.transpose(0, 1),
    "permute": lambda t: t.permute(1, 0),
    "index": lambda t: t[0],
    "slice": lambda t: t[:, 1:],
    "gather": lambda t: t.gather(1, torch.tensor([[0], [1]])),
    "matmul": lambda t: t @ t.T,
    "bmm": lambda t: t[None] @ t.T[None],
    "cat": lambda t: torch.cat([t, t]),
    "stack": lambda t: torch.stack([t, t]),
    "where": lambda t: torch.where(t > 0.5, t, 0.0),
    "clamp": lambda t: t.clamp(min=0.1),
    "unsqueeze": lambda t: t.unsqueeze(0),
    "expand": lambda t: t.unsqueeze(0).expand(4, 2, 3),
    "clone": lambda t: t.clone(),
    "to": lambda t: t.to(torch.float64),
}
for name, f in ops.items():
    print(f"{name:12s} {f(t).grad_fn.name()}")
