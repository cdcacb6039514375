import torch
from torch import nn

point = nn.Parameter(torch.tensor([1.0, -2.0]))
optimizer = torch.optim.AdamW([point], lr=0.1, betas=(0.8, 0.95))
(point**2 * torch.tensor([1.0, 3.0])).sum().backward()
optimizer.step()
print(optimizer)
state = optimizer.state_dict()
print(state["param_groups"], state["state"][0]["exp_avg"])
again = torch.optim.AdamW([point], lr=7.0)
again.load_state_dict(state)
print(again.param_groups[0]["lr"], again.state[point]["step"], again.param_groups[0]["betas"])


class Descent(torch.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                kept = self.state[p]
                kept["g2"] = kept.get("g2", 0) + p.grad**2
                p.data -= group["lr"] * p.grad / (kept["g2"] + 1e-5).sqrt()


descent = Descent([point], 0.1)
(point**2).sum().backward()
descent.step()
print(point, descent.state[point]["g2"], len(descent.param_groups))
w = nn.Parameter(torch.tensor([[1.0, -2.0], [3.0, 0.5]]))
optimizer = torch.optim.Muon([w])


def closure():
    optimizer.zero_grad()
    loss = (w**4).sum()
    loss.backward()
    return loss


print([round(float(optimizer.step(closure)), 2) for _ in range(8)], optimizer, list(optimizer.state_dict()["param_groups"][0]))
