"""Names of devices."""

import torch
from helper_module import attempt

for name in ["gpu", "cpu0", "cuda:x", "", "cpu:1", "cuda:-1", "cuda:", "meta:0", "cuda:01", "cpu:a"]:
    try:
        print(name, repr(torch.device(name)))
    except RuntimeError as error:
        print(name, error)
print(torch.device(type="cuda", index=1), torch.get_default_device())
torch.set_default_device("meta")
print(torch.zeros(2).device, torch.get_default_device(), torch.arange(3))
with torch.device("cpu"):
    print(torch.ones(1))
torch.set_default_device(None)
print(torch.ones(1).device)
x = torch.empty(3, 4, device="meta")
layer = torch.nn.Linear(4, 5, device="meta")
print(layer(x).shape, layer.weight.is_meta, x.t().stride(), (x + 1).dtype, x.sum(), x.to("meta") is x)
attempt(lambda: x.tolist(), lambda: x.to("cpu"), lambda: bool(x.sum()), lambda: x + torch.ones(4))
print(layer.to_empty(device="cpu").weight.shape, torch.ones(2).to("meta"))
