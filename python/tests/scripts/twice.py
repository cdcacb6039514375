"""Derivatives of derivatives."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd import Function, grad

torch.manual_seed(0)

# A cube, as often as it goes.
x = torch.tensor([2.0, -3.0], requires_grad=True)
y = x**3
for _ in range(3):
    (y,) = grad(y.sum(), x, create_graph=True)
    print(y)
(plain,) = grad((x**3).sum(), x)
print(plain, plain.requires_grad)

# `.grad` with a history.
(x**2).sum().backward(create_graph=True)
first = x.grad
print(first)
(x**2).sum().backward(create_graph=True)
print(x.grad, first, x.grad is first)
penalty = x.grad.square().sum()
x.grad = None
penalty.backward()
print(x.grad)
torch.autograd.backward([x.sum(), (x**2).sum()], create_graph=True)
print(x.grad)
x.grad = None

# What is kept of the graph.
y = x.exp().sin().sum()
(g,) = grad(y, x, create_graph=True)
y.backward()
try:
    g.sum().backward()
except RuntimeError as error:
    print(str(error)[:60])
(g,) = grad(x.exp().sin().sum(), x, create_graph=True, retain_graph=False)
try:
    g.sum().backward()
except RuntimeError as error:
    print(str(error)[:60])
x.grad = None

# What is not used.
z = torch.tensor(1.0, requires_grad=True)
print(grad(x.sum(), [x, z], create_graph=True, allow_unused=True))
print(grad(x.sum(), [x, z], materialize_grads=True))
for given in ({"allow_unused": False, "materialize_grads": True}, {}):
    try:
        grad(x.sum(), [x, z], **given)
    except (RuntimeError, ValueError) as error:
        print(type(error).__name__, error)
(g,) = grad((2 * x).sum(), x, create_graph=True)
print(g)
try:
    grad(g.sum(), x)
except RuntimeError as error:
    print(error)

a = torch.tensor([[0.5, -1.2, 2.0], [1.5, 0.3, -0.7]], dtype=torch.float64, requires_grad=True)
b = torch.tensor([[1.0, 0.2, -0.5], [0.4, -1.1, 0.9]], dtype=torch.float64, requires_grad=True)
# Of indices, of what is written in place, and of what is made of other operations in Python; the engine's tests have the rest.
operations = {
    "einsum": lambda: torch.einsum("ij,kj->ik", a, b),
    "slice": lambda: a[:, 1:] * b[:, :2],
    "index": lambda: a[[1, 0, 1]] * b[torch.tensor([0, 0, 1])],
    "mask": lambda: a[a > 0].prod(),
    "in place": lambda: (a * 1).mul_(b).add_(a).exp_(),
    "copy": lambda: torch.zeros(2, 3).copy_(a * b) * a,
    "clamp": lambda: torch.clamp(a * b, -b.exp(), torch.ones(3)) * a,
    "atan": lambda: torch.atan(a * b) * a.cosh(),
    "tensordot": lambda: torch.tensordot(a, b, ([1], [1])),
    "diag": lambda: torch.diag(a[0] * b[1]),
    "pad": lambda: F.pad(a * b, (1, 0, 0, 1)) ** 2,
    "glu": lambda: F.glu(torch.cat([a, b], 1) * a.sum()),
    "smooth_l1_loss": lambda: F.smooth_l1_loss(a * b, b, beta=0.7) * a.sum(),
    "cross_entropy": lambda: F.cross_entropy(a * b, torch.tensor([2, 0]), label_smoothing=0.1),
    "binary_cross_entropy_with_logits": lambda: F.binary_cross_entropy_with_logits(a * b, b.sigmoid()),
    "batch_norm": lambda: F.batch_norm(torch.cat([a, b, a * b]), None, None, b[0], b[1], training=True),
    "embedding": lambda: F.embedding(torch.tensor([1, 0, 1]), a, padding_idx=0) ** 2,
    "attention": lambda: F.scaled_dot_product_attention(a, b, a * b, is_causal=True),
}
for name, operation in operations.items():
    out = operation()
    weights = torch.arange(1.0, out.numel() + 1).view(out.shape)
    slopes = grad((out * out * weights).sum(), [a, b], create_graph=True, allow_unused=True)
    total = sum((slope * slope.detach().cos()).sum() for slope in slopes if slope is not None)
    curves = grad(total, [a, b], allow_unused=True)
    print(name, *(None if it is None else [round(v, 4) + 0.0 for v in it.flatten().tolist()] for it in curves))

# A network: the gradient's norm as a penalty, and an inner step.
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.GELU(), nn.LayerNorm(4), nn.Linear(4, 3)).double()
for i, p in enumerate(model.parameters()):
    with torch.no_grad():
        p.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape) * 0.5 + 0.1 * i)
inputs = a.detach().clone().requires_grad_()
target = torch.tensor([2, 0])
loss = F.cross_entropy(model(inputs), target)
(slope,) = grad(loss, inputs, create_graph=True)
(loss + 10 * (slope.norm(dim=1) - 1).square().mean()).backward()
for name, p in model.named_parameters():
    print(name, round(p.grad.norm().item(), 6))
model.zero_grad()

a, b = a.detach().float(), b.detach().float()
w = torch.tensor([0.5, -0.3, 0.8], requires_grad=True)
rate = torch.tensor(0.1, requires_grad=True)
inner = ((a @ w) - torch.tensor([1.0, 2.0])).square().mean()
(step,) = grad(inner, w, create_graph=True)
faster = w - rate * step
outer = ((b @ faster) - torch.tensor([0.5, 1.0])).square().mean()
outer.backward()
print(faster, w.grad, rate.grad)


# Functions of one's own.
class Cube(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        print("recorded:", torch.is_grad_enabled(), x.requires_grad)
        return 3 * x**2 * g


(g,) = grad(Cube.apply(x).sum(), x, create_graph=True)
print(g)
(g,) = grad(g.sum(), x, create_graph=True)
print(g, grad(g.sum(), x))
Cube.apply(x).sum().backward()
x.grad = None


class Both(Function):
    @staticmethod
    def forward(ctx, x, n):
        p, q = x.sin(), x.cos() * n
        ctx.n = n
        ctx.save_for_backward(p, q, x)
        return p, q

    @staticmethod
    def backward(ctx, gp, gq):
        p, q, x = ctx.saved_tensors
        return gp * q / ctx.n - gq * p * ctx.n, None


p, q = Both.apply(x, 2.0)
(g,) = grad((p * q + q).sum(), x, create_graph=True)
(want,) = grad((x.sin() * x.cos() * 2 + x.cos() * 2).sum(), x, create_graph=True)
print(torch.allclose(g, want), torch.allclose(grad(g.sum(), x)[0], grad(want.sum(), x)[0]))

# Hooks and kept gradients.
x.grad = None
h = x * 3
h.retain_grad()
h.register_hook(lambda g: print("h", g))
handle = x.register_hook(lambda g: 2 * g)
h.square().sum().backward(create_graph=True)
print(h.grad, x.grad)
handle.remove()

# Checkpoints.
from torch.utils.checkpoint import checkpoint


def block(x):
    return torch.tanh(x * 2).exp()


def second(out):
    (g,) = grad(out.sum(), x, create_graph=True)
    return grad(g.square().sum(), x)[0]


print(torch.equal(second(checkpoint(block, x, use_reentrant=False)), second(block(x))))
