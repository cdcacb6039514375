"""Half precision where products are, and scaled losses."""

import torch
from helper_module import attempt
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
x = torch.randn(5, 4)
with torch.autocast("cpu", dtype=torch.bfloat16):
    out = model(x)
    print(out.dtype, (x @ x.T).dtype, (x + x).dtype, nn.functional.cross_entropy(out, torch.tensor([0, 1, 2, 0, 1])).dtype)
out.float().sum().backward()
print(out, model[0].weight.grad.dtype, model(x).dtype)


@torch.autocast("cpu", dtype=torch.bfloat16)
def forward(x):
    return model(x)


print(forward(x).dtype, forward.__name__)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0, growth_interval=2)
for step in range(3):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    scaler.scale(loss).backward()
    if step == 2:
        model[0].weight.grad[0, 0] = float("inf")
    scaler.step(optimizer)
    scaler.update()
    print(f"{loss.item():.4f}", scaler.get_scale())
print(scaler.state_dict())
# What is left to float32, and what is not.
a, b, v = torch.ones(2, 2), torch.ones(1, 2, 2), torch.ones(2)
with torch.autocast("cpu", dtype=torch.bfloat16):
    for found in (torch.addmm(a, a, a), torch.addmm(v, a, a), torch.baddbmm(b, b, b), torch.mv(a, v), torch.dot(v, v), a @ v, v @ v, a.bfloat16().prod(), a.prod(0)):
        print(found.dtype)
    for found in (torch.inner(a, a), torch.inner(a, v), torch.inner(v, v), torch.tensordot(a, a), torch.tensordot(a, v, 1), torch.inner(v, torch.tensor(2.0))):
        print(found.dtype)
    attempt(lambda: torch.inner(v.bfloat16(), v))
