"""Leaves, graphs and gradients."""

import torch
from helper_module import attempt

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = (w * w).sum()
print(y, w.is_leaf, y.is_leaf, y.requires_grad, y.grad_fn.name(), w.grad_fn, w.grad)
y.backward()
print(w.grad)
(2 * w).sum().backward()
print(w.grad)
w.grad.zero_()
(w**3).sum().backward()
print(w.grad)
w.grad = None
print(w.grad)

h = w.exp()
h.retain_grad()
h.sum().backward()
print(h.grad, h.grad.requires_grad)

z = w.detach()
z[0] = 10
print(w, z.requires_grad, z.is_leaf, z.data_ptr() == w.data_ptr())
with torch.no_grad():
    n = w * 2
    w -= 0.1
    print(n.requires_grad, torch.is_grad_enabled(), w.requires_grad)
    with torch.enable_grad():
        print((w * 2).requires_grad)


@torch.no_grad()
def plain(x):
    return x * 2


print(plain(w).requires_grad, torch.is_grad_enabled())
with torch.inference_mode():
    print((w * 2).requires_grad)
with torch.set_grad_enabled(False):
    print((w * 2).requires_grad)

x = torch.tensor([1.0, 2.0], requires_grad=True)
x.grad = torch.ones(2)
x.data = torch.tensor([5.0, 6.0])
x.data -= 1
print(x, x.grad, x.requires_grad, x.data.requires_grad)
x = torch.randn(3, generator=torch.Generator().manual_seed(0))
print((w @ x).requires_grad, x.requires_grad, w.clone().is_leaf, w.data.requires_grad)
a = torch.ones(2, requires_grad=True)
b = a * 2
c = b.mean() + (b * b).sum()
print(torch.autograd.grad(c, [a, b]), a.grad)
g = torch.autograd.grad((a * 3).sum(), a, retain_graph=True)
print(g)
v = torch.tensor([1.0, 10.0])
(a * a).backward(v)
print(a.grad)
(a * a).backward(gradient=v)
print(a.grad)
u = torch.ones(2, requires_grad=True)
print(torch.autograd.grad((a * 2).sum(), [a, u], allow_unused=True))

x = torch.tensor(2.0, requires_grad=True)
l = x**2
l.backward(retain_graph=True)
l.backward()
print(x.grad)
i = torch.nn.Parameter(torch.arange(6.0).view(3, 2))
i[torch.tensor([0, 0, 2])].sum().backward()
print(i.grad, i)
m = torch.zeros(2, 3, requires_grad=True)
m.max(dim=1).values.sum().backward()
print(m.grad)
e = torch.zeros(4, requires_grad=True)
e[1:3].sum().backward()
print(e.grad)
p = torch.zeros(2, requires_grad=True)
q = p.expand(3, 2) + torch.ones(3, 1)
q.sum().backward()
print(p.grad)
r = torch.tensor([0.0, -1.0, 2.0], requires_grad=True)
(r.abs() + r.relu() + r.clamp(0, 1) + r.sign()).sum().backward()
print(r.grad)
s = torch.tensor([4.0, 0.0], requires_grad=True)
s.sqrt().sum().backward()
print(s.grad)
t = torch.ones(2, requires_grad=True)
t.sum().backward()
print(t.grad, t.grad.is_leaf)
t.requires_grad_(False)
print(t.requires_grad, (t * 2).requires_grad)


def attempts():
    def twice():
        y = (w * w).sum()
        y.backward()
        y.backward()

    def changed():
        k = w * 1
        y = (k * k).sum()
        k += 1
        y.backward()

    yield from (
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
        lambda: float((w * 2)),
        lambda: torch.ones(3).retain_grad(),
        lambda: setattr(w, "grad", torch.ones(2)),
        lambda: setattr(w, "grad", 1),
    )


attempt(*attempts())
