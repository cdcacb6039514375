"""Causal and dilated 1-d convolutions: shapes, receptive field, a WaveNet-style block."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalConv1d(nn.Conv1d):
    def __init__(self, c_in, c_out, kernel_size, dilation=1, **kw):
        super().__init__(c_in, c_out, kernel_size, dilation=dilation, **kw)
        self.left = (kernel_size - 1) * dilation

    def forward(self, x):
        return super().forward(F.pad(x, (self.left, 0)))


class GatedBlock(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.conv = CausalConv1d(ch, 2 * ch, 2, dilation)
        self.mix = nn.Conv1d(ch, ch, 1)

    def forward(self, x):
        a, b = self.conv(x).chunk(2, dim=1)
        z = torch.tanh(a) * torch.sigmoid(b)
        return x + self.mix(z), z


class WaveNet(nn.Module):
    def __init__(self, vocab=8, ch=12, dilations=(1, 2, 4)):
        super().__init__()
        self.embed = nn.Embedding(vocab, ch)
        self.blocks = nn.ModuleList(GatedBlock(ch, d) for d in dilations)
        self.out = nn.Sequential(nn.ReLU(), nn.Conv1d(ch, vocab, kernel_size=1))
        self.receptive_field = 1 + sum(dilations)

    def forward(self, ids):
        x, skips = self.embed(ids).mT, 0
        for b in self.blocks:
            x, s = b(x)
            skips = skips + s
        return self.out(skips)


torch.manual_seed(0)
c = CausalConv1d(1, 1, 3, dilation=2, bias=False)
with torch.no_grad():
    c.weight.copy_(torch.tensor([[[100.0, 10.0, 1.0]]]))
print(c, c.left, c(torch.arange(1.0, 8.0).view(1, 1, -1)))

for k, s, p, d in [(3, 1, 1, 1), (3, 2, 0, 1), (4, 2, 1, 1), (3, 1, 2, 2), (5, 3, 2, 1)]:
    m = nn.Conv1d(2, 4, k, stride=s, padding=p, dilation=d)
    got = m(torch.randn(1, 2, 16)).shape[-1]
    print(f"k={k} s={s} p={p} d={d} -> {got}", got == (16 + 2 * p - d * (k - 1) - 1) // s + 1)
print(nn.Conv1d(4, 8, 3, padding="same", groups=4), nn.Conv1d(4, 4, 3, padding=1, padding_mode="circular"), sep="\n")
dw = nn.Conv1d(4, 8, 3, padding="same", groups=4)
print(dw(torch.ones(2, 4, 5)).shape, tuple(dw.weight.shape))

net = WaveNet()
print(net.blocks[2], "receptive field", net.receptive_field)
e = torch.randn(1, 12, 20, requires_grad=True)
h = e
for b in net.blocks:
    h, _ = b(h)
h[0, :, 15].sum().backward()
print("inputs seen by position 15:", e.grad.abs().sum((0, 1)).nonzero().flatten().tolist())

# learn a periodic sequence with memory longer than one step
ids = torch.tensor([0, 1, 2, 1, 3, 1, 4, 1, 5, 6, 7, 1]).repeat(4)[None]
opt = torch.optim.Adam(net.parameters(), lr=0.02)
for step in range(41):
    loss = F.cross_entropy(net(ids[:, :-1]), ids[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 0:
        acc = (net(ids[:, :-1]).argmax(1) == ids[:, 1:]).float().mean()
        print(f"step {step:2d} loss {loss.item():.4f} acc {acc.item():.3f}")
