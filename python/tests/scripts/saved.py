"""Counting activation memory with saved_tensors_hooks."""
import torch
import torch.nn as nn
from torch.autograd.graph import saved_tensors_hooks

torch.manual_seed(0)


class Meter:
    def __init__(self):
        self.shapes = []
        self.bytes = 0

    def pack(self, t):
        self.shapes.append(tuple(t.shape))
        self.bytes += t.numel() * t.element_size()
        return t

    def unpack(self, t):
        return t


a = torch.randn(8, 8, requires_grad=True)
for label, f in [
    ("exp", lambda t: t.exp()),
    ("mul", lambda t: t * t),
    ("add", lambda t: t + t),
    ("sigmoid", lambda t: t.sigmoid()),
    ("tanh(relu)", lambda t: t.relu().tanh()),
    ("matmul", lambda t: t @ t),
]:
    m = Meter()
    with saved_tensors_hooks(m.pack, m.unpack):
        out = f(a)
    print(f"{label:11s} saved {len(m.shapes)} tensors, {m.bytes} bytes, {m.shapes}")

# activation bytes grow linearly with batch size in an MLP
mlp = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 4))
params = {p.data_ptr() for p in mlp.parameters()}
for bs in (1, 8, 64):
    total = 0

    def pack(t):
        global total
        if t.data_ptr() not in params:
            total += t.numel() * t.element_size()
        return t

    with saved_tensors_hooks(pack, lambda t: t):
        mlp(torch.randn(bs, 16)).sum()
    print(f"batch {bs:3d}: activations {total} bytes ({total / bs:.1f} per sample)")
