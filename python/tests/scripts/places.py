"""Devices by their names, and one without elements."""

import torch
from helper_module import attempt

for name in ["gpu", "cpu0", "cuda:x", "", "cpu:1", "cuda:-1", "cuda:", "meta:0", "cuda:01", "cpu:a"]:
    try:
        print(name, repr(torch.device(name)))
    except RuntimeError as error:
        print(name, error)
device = torch.device("cpu")
print(device, repr(device), device.type, device.index, device == torch.device("cpu", 0), torch.device("cpu:0") == torch.device("cpu", 0))
print(torch.device(type="cuda", index=1), torch.device("cuda", 1).index, {torch.device("cuda:0"): "gpu 0"}[torch.device("cuda", 0)], torch.get_default_device())
torch.set_default_device("meta")
print(torch.zeros(2).device, torch.get_default_device(), torch.arange(3))
with torch.device("cpu"):
    print(torch.ones(1))
torch.set_default_device(None)
print(torch.ones(1).device)
# Far more than there is room for.
x = torch.empty(1 << 30, 1 << 12, device="meta")
layer = torch.nn.Linear(1 << 12, 5, device="meta")
print(layer(x).shape, layer.weight.is_meta, x.t().stride(), (x + 1).dtype, x.sum(), x.to("meta") is x, x.numel() * x.element_size(), x[:10].T.shape)
attempt(lambda: x[0].tolist(), lambda: x[0].to("cpu"), lambda: bool(x.sum()), lambda: x + torch.ones(1 << 12))
print(layer.to_empty(device="cpu").weight.shape, torch.ones(2).to("meta"))
