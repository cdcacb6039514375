"""FLOPs by module, as a table."""

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode


class Mlp(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x):
        return self.down(torch.relu(self.up(x)))


class Net(nn.Module):
    def __init__(self, width=64, layers=2):
        super().__init__()
        self.blocks = nn.ModuleList(Mlp(width) for _ in range(layers))
        self.head = nn.Linear(width, 10, bias=False)

    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return self.head(x)


net, x = Net(), torch.randn(8, 64)
with FlopCounterMode():
    net(x)
with FlopCounterMode(depth=3) as counter:
    net(x).sum().backward()
print(sorted(counter.get_flop_counts()), counter.get_total_flops())
with FlopCounterMode():
    (x @ x.t()).relu()
    torch.randn(2, 3, 4) @ torch.randn(2, 4, 5)
with FlopCounterMode():
    x + 1
with FlopCounterMode(display=False) as counter:
    net(x)
    x @ x.T
print(counter.get_table(), counter.get_table(1), sep="\n")
for operation, flops in counter.get_flop_counts()["Global"].items():
    print(operation, repr(operation), flops)
print(torch.ops.aten.mm in counter.get_flop_counts()["Global"])
# Of what is far too large for this machine.
with torch.device("meta"):
    wide, tokens = nn.Linear(65536, 65536), torch.empty(1 << 20, 65536)
with FlopCounterMode():
    wide(tokens).sum().backward()
print(wide.weight.grad.shape, wide.weight.device, sum(p.numel() * p.element_size() for p in wide.parameters()))
try:
    raise ValueError("within")
except ValueError:
    with FlopCounterMode(display=False) as counter:
        net.head(x)
print(counter.get_flop_counts())
