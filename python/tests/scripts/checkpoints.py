import io
import os
from collections import OrderedDict

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
for _ in range(3):
    optimizer.zero_grad()
    model(torch.randn(5, 3)).pow(2).mean().backward()
    optimizer.step()
saved = {
    "model": model.state_dict(),
    "optimizer": optimizer.state_dict(),
    "step": 3,
    "random": torch.get_rng_state(),
    "half": torch.arange(5).to(torch.bfloat16),
    "flags": torch.tensor([True, False]),
    "empty": torch.zeros(0, 3),
    "number": torch.tensor(7),
    "nested": [1, 2.5, None, "text", (True, torch.float16), len(OrderedDict(a=1))],
}
torch.save(saved, "run.pt")
loaded = torch.load("run.pt")
os.remove("run.pt")
print(list(loaded), loaded["step"], loaded["nested"])
print(loaded["half"], loaded["flags"], loaded["empty"].shape, loaded["number"])
print(all(torch.equal(a, b) for a, b in zip(loaded["model"].values(), model.state_dict().values())))
after = torch.randn(3)
torch.set_rng_state(loaded["random"])
print(torch.equal(after, torch.randn(3)))
other = torch.optim.AdamW(model.parameters(), lr=0.5)
other.load_state_dict(loaded["optimizer"])
print(other.param_groups[0]["lr"], other.state_dict()["state"][0]["step"])

buffer = io.BytesIO()
x = torch.ones(2, requires_grad=True)
torch.save([x, x], buffer)
buffer.seek(0)
a, b = torch.load(buffer)
print(a.requires_grad, a.data_ptr() == b.data_ptr())
