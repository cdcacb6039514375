"""detect_anomaly, and counting activation memory with saved_tensors_hooks."""
import warnings
import torch
import torch.nn as nn
from torch.autograd.graph import saved_tensors_hooks

warnings.simplefilter("ignore")
torch.manual_seed(0)

x = torch.tensor([4.0, 0.0, -1.0], requires_grad=True)
y = torch.sqrt(x)
print("forward:", y)
y.sum().backward()
print("grad has nan:", torch.isnan(x.grad).tolist(), "inf:", torch.isinf(x.grad).tolist())

x.grad = None
try:
    with torch.autograd.detect_anomaly():
        torch.sqrt(x).sum().backward()
except RuntimeError as e:
    print("anomaly:", e)
print("anomaly mode on?", torch.is_anomaly_enabled())
with torch.autograd.set_detect_anomaly(True):
    print("anomaly mode on?", torch.is_anomaly_enabled())
    ((x + 2) ** 2).sum().backward()
print("clean grad:", x.grad)


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

# offloading in half precision: lossy but runs
def pack16(t):
    return t.to(torch.bfloat16)


def unpack16(t):
    return t.to(torch.float32)


b = torch.tensor([1.0, 1.001, 3.14159], requires_grad=True)
with saved_tensors_hooks(pack16, unpack16):
    loss = (b ** 2).sum()
loss.backward()
print("exact   :", (2 * b.detach()).tolist()[0], "lossy:", b.grad)

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
