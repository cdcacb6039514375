"""Leaves, what made a result, and gradients."""

import torch
import torch.nn.functional as F
from helper_module import attempt, shown

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = (w * w).sum()
shown(y, w.is_leaf, y.is_leaf, y.requires_grad, y.grad_fn.name(), w.grad_fn, w.grad)
y.backward()
shown(w.grad)
(2 * w).sum().backward()
shown(w.grad)
w.grad.zero_()
(w**3).sum().backward()
shown(w.grad)
w.grad = None
shown(w.grad)

h = w.exp()
h.retain_grad()
h.sum().backward()
shown(h.grad, h.grad.requires_grad)

z = w.detach()
z[0] = 10
shown(w, z.requires_grad, z.is_leaf, z.data_ptr() == w.data_ptr())
with torch.no_grad():
    n = w * 2
    w -= 0.1
    shown(n.requires_grad, torch.is_grad_enabled(), w.requires_grad)
    with torch.enable_grad():
        shown((w * 2).requires_grad)


@torch.no_grad()
def plain(x):
    return x * 2


shown(plain(w).requires_grad, torch.is_grad_enabled())
with torch.inference_mode():
    shown((w * 2).requires_grad, (w * 2).is_inference(), w.is_inference(), torch.is_inference_mode_enabled())
shown(torch.is_inference_mode_enabled(), (w * 2).is_inference())
y = w * 2
shown(y.detach_() is y, y.requires_grad, y.is_leaf)
with torch.set_grad_enabled(False):
    shown((w * 2).requires_grad)

x = torch.tensor([1.0, 2.0], requires_grad=True)
x.grad = torch.ones(2)
x.data = torch.tensor([5.0, 6.0])
x.data -= 1
shown(x, x.grad, x.requires_grad, x.data.requires_grad)
x = torch.randn(3, generator=torch.Generator().manual_seed(0))
shown((w @ x).requires_grad, x.requires_grad, w.clone().is_leaf, w.data.requires_grad)
a = torch.ones(2, requires_grad=True)
b = a * 2
c = b.mean() + (b * b).sum()
shown(torch.autograd.grad(c, [a, b]), a.grad)
g = torch.autograd.grad((a * 3).sum(), a, retain_graph=True)
shown(g)
v = torch.tensor([1.0, 10.0])
(a * a).backward(v)
shown(a.grad)
(a * a).backward(gradient=v)
shown(a.grad)
u = torch.ones(2, requires_grad=True)
shown(torch.autograd.grad((a * 2).sum(), [a, u], allow_unused=True))

x = torch.tensor(2.0, requires_grad=True)
l = x**2
l.backward(retain_graph=True)
l.backward()
shown(x.grad)
i = torch.nn.Parameter(torch.arange(6.0).view(3, 2))
i[torch.tensor([0, 0, 2])].sum().backward()
shown(i.grad, i)
m = torch.zeros(2, 3, requires_grad=True)
m.max(dim=1).values.sum().backward()
shown(m.grad)
e = torch.zeros(4, requires_grad=True)
e[1:3].sum().backward()
shown(e.grad)
p = torch.zeros(2, requires_grad=True)
q = p.expand(3, 2) + torch.ones(3, 1)
q.sum().backward()
shown(p.grad)
r = torch.tensor([0.0, -1.0, 2.0], requires_grad=True)
(r.abs() + r.relu() + r.clamp(0, 1) + r.sign()).sum().backward()
shown(r.grad)
s = torch.tensor([4.0, 0.0], requires_grad=True)
s.sqrt().sum().backward()
shown(s.grad)
t = torch.ones(2, requires_grad=True)
t.sum().backward()
shown(t.grad, t.grad.is_leaf)
t.requires_grad_(False)
shown(t.requires_grad, (t * 2).requires_grad)

# Passes to some of what made a result.
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
c = a * b + a
c.sum().backward(inputs=[a], retain_graph=True)
print(a.grad, b.grad)
c.sum().backward(inputs=b, retain_graph=True)
print(a.grad, b.grad)
c.retain_grad()
torch.autograd.backward([c.sum(), c.mean()], [torch.tensor(2.0), None])
print(a.grad, b.grad, c.grad)

# How common operations are called.
t = torch.rand(2, 3, requires_grad=True)
made = (
    t + 1, 1 - t, t * 2, t / 2, -t, t ** 3, t.exp(), t.log(), t.sqrt(), t.sigmoid(), t.tanh(), t.relu(), F.gelu(t),
    F.silu(t), t.softmax(-1), t.log_softmax(-1), t.sum(), t.sum(0), t.max(), t.max(dim=1).values, t.view(3, 2),
    t.t().reshape(6), t.transpose(0, 1), t.permute(1, 0), t[0], t[:, 1:], t.gather(1, torch.tensor([[0], [1]])),
    t @ t.T, t[None] @ t.T[None], torch.cat([t, t]), torch.stack([t, t]), torch.where(t > 0.5, t, 0.0),
    t.clamp(min=0.1), t.unsqueeze(0), t.unsqueeze(0).expand(4, 2, 3), t.clone(), t.to(torch.float64),
)
print(*(it.grad_fn.name() for it in made), type(t.mean().grad_fn).__name__)


def twice():
    y = (w * w).sum()
    y.backward()
    y.backward()


def changed():
    k = w * 1
    y = (k * k).sum()
    k += 1
    y.backward()


attempt(
    twice,
    changed,
    lambda: w.add_(1),
    lambda: w.__setitem__(0, 1),
    lambda: (w * 2).backward(),
    lambda: torch.ones(2).sum().backward(),
    lambda: w.numpy(),
    lambda: (w * 2).requires_grad_(False),
    lambda: torch.autograd.grad((w * 2).sum(), u),
    lambda: (w * 2).sum().backward(torch.ones(3)),
    lambda: (w * 2).sum().backward(inputs=[]),
    lambda: torch.autograd.backward([w.sum(), w.sum()], [torch.tensor(1.0)]),
    lambda: float((w * 2)),
    lambda: torch.ones(3).retain_grad(),
    lambda: setattr(w, "grad", torch.ones(2)),
    lambda: setattr(w, "grad", 1),
    lambda: setattr(w, "grad", w),
)
