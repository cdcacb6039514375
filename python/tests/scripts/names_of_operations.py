"""How autograd calls common operations."""

import torch
import torch.nn.functional as F

torch.manual_seed(0)
t = torch.rand(2, 3, requires_grad=True)
made = (
    t + 1, 1 - t, t * 2, t / 2, -t, t ** 3, t.exp(), t.log(), t.sqrt(), t.sigmoid(), t.tanh(), t.relu(), F.gelu(t),
    F.silu(t), t.softmax(-1), t.log_softmax(-1), t.sum(), t.sum(0), t.max(), t.max(dim=1).values, t.view(3, 2),
    t.t().reshape(6), t.transpose(0, 1), t.permute(1, 0), t[0], t[:, 1:], t.gather(1, torch.tensor([[0], [1]])),
    t @ t.T, t[None] @ t.T[None], torch.cat([t, t]), torch.stack([t, t]), torch.where(t > 0.5, t, 0.0),
    t.clamp(min=0.1), t.unsqueeze(0), t.unsqueeze(0).expand(4, 2, 3), t.clone(), t.to(torch.float64),
)
print(*(it.grad_fn.name() for it in made))
