"""Checkpointing: the same gradients, calls that come twice, random numbers that come again."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

calls = []


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lin = nn.Linear(width, width)

    def forward(self, x, scale):
        calls.append(scale)
        return x + nn.functional.dropout(torch.tanh(self.lin(x)) * scale, 0.5)


grads = []
for is_checkpointed in (False, True):
    torch.manual_seed(3)
    calls.clear()
    blocks = nn.ModuleList(Block(4) for _ in range(3))
    x = torch.randn(2, 4, requires_grad=True)
    out = x
    for block in blocks:
        out = checkpoint(block, out, 0.5, use_reentrant=False) if is_checkpointed else block(out, 0.5)
    before = len(calls)
    loss = out.pow(2).sum()
    loss.backward()
    print(f"{is_checkpointed}: calls {before}, then {calls}, loss {loss.item():.4f}")
    grads.append([p.grad for p in blocks.parameters()] + [x.grad])
print("same grads:", all(torch.equal(a, b) for a, b in zip(*grads)), grads[0][-1])
try:
    checkpoint(lambda a: a.view(7), x, use_reentrant=False)
except RuntimeError as error:
    print(error)
