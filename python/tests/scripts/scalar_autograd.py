"""Numbers that know how they came about: a scalar autograd, a net of it, and PyTorch beside it."""

import math
import random

import torch


class Value:
    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self.label = data, 0.0, label
        self._backward, self._prev, self._op = lambda: None, set(_children), _op

    def __repr__(self):
        return f"Value(data={self.data:.4f}, grad={self.grad:.4f})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, power):
        assert isinstance(power, (int, float)), "only numbers"
        out = Value(self.data**power, (self,), f"**{power}")

        def _backward():
            self.grad += power * self.data ** (power - 1) * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")

        def _backward():
            self.grad += (1 - t**2) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Value(max(self.data, 0), (self,), "relu")

        def _backward():
            self.grad += (out.data > 0) * out.grad

        out._backward = _backward
        return out

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        return self * other**-1

    def __rtruediv__(self, other):
        return other * self**-1

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    visit(child)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()


def formula(a, b):
    c = a * b + b**3
    d = c - 2 * a + (1 / (b + 10))
    return d.tanh() if abs(float(getattr(d, "data", d))) < 5 else (d * d).relu() / 7


for pair in ((-4.0, 2.0), (0.5, -0.3)):
    ours = [Value(x, label=name) for x, name in zip(pair, "ab")]
    theirs = [torch.tensor(x, dtype=torch.double, requires_grad=True) for x in pair]
    one, other = formula(*ours), formula(*theirs)
    one.backward()
    other.backward()
    print(one, [f"{v.grad:.9f}" for v in ours], one._op, len(one._prev))
    assert math.isclose(one.data, other.item()) and all(math.isclose(v.grad, t.grad.item()) for v, t in zip(ours, theirs))


class Module:
    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0.0


class Neuron(Module):
    def __init__(self, nin, nonlin=True):
        self.w, self.b, self.nonlin = [Value(random.uniform(-1, 1)) for _ in range(nin)], Value(0.0), nonlin

    def __call__(self, x):
        act = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
        return act.tanh() if self.nonlin else act

    def parameters(self):
        return self.w + [self.b]


class MLP(Module):
    def __init__(self, nin, nouts):
        sizes = [nin] + nouts
        self.layers = [[Neuron(sizes[i], i != len(nouts) - 1) for _ in range(sizes[i + 1])] for i in range(len(nouts))]

    def __call__(self, x):
        for layer in self.layers:
            x = [neuron(x) for neuron in layer]
        return x[0] if len(x) == 1 else x

    def parameters(self):
        return [p for layer in self.layers for neuron in layer for p in neuron.parameters()]


random.seed(1337)
model = MLP(2, [6, 1])
points = [(math.cos(t) * r, math.sin(t) * r, 1 if r > 1 else -1) for t in range(6) for r in (0.5, 1.5)]
print(len(model.parameters()), model.layers[0][0].w[0])
for k in range(12):
    scores = [model([x, y]) for x, y, _ in points]
    losses = [(1 - target * score).relu() for score, (*_, target) in zip(scores, points)]
    total = sum(losses) / len(losses) + 1e-4 * sum(p * p for p in model.parameters())
    right = [(score.data > 0) == (target > 0) for score, (*_, target) in zip(scores, points)]
    model.zero_grad()
    total.backward()
    for p in model.parameters():
        p.data -= (1.0 - 0.9 * k / 12) * p.grad
    if k % 3 == 0:
        print(f"step {k} loss {total.data:.6f}, right {sum(right) / len(right):.0%}")
