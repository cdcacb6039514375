"""Recurrent networks: RNN, LSTM, GRU, cells, by-hand comparison, small training."""
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(2, 5, 3)
for cls in (nn.RNN, nn.LSTM, nn.GRU):
    net = cls(3, 4, num_layers=2, batch_first=True, bidirectional=True)
    out, h = net(x)
    hs = h if not isinstance(h, tuple) else h[0]
    print(cls.__name__, tuple(out.shape), tuple(hs.shape), sum(p.numel() for p in net.parameters()), f"{out.sum().item():.4f}")
    print(net)
print([n for n, _ in nn.LSTM(2, 3, bidirectional=True).named_parameters()])


def lstm_step(xt, h, c, w_ih, w_hh, b_ih, b_hh):
    gates = xt @ w_ih.T + b_ih + h @ w_hh.T + b_hh
    i, f, g, o = gates.chunk(4, 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


lstm = nn.LSTM(3, 4, batch_first=True)
out, (hn, cn) = lstm(x)
h = c = torch.zeros(2, 4)
outs = []
for t in range(5):
    h, c = lstm_step(x[:, t], h, c, *lstm._flat_weights)
    outs.append(h)
print(torch.allclose(torch.stack(outs, 1), out, atol=1e-6), torch.allclose(cn[0], c, atol=1e-6))
print(out[0, -1], hn.shape)

cell = nn.GRUCell(3, 4)
hx = torch.zeros(2, 4)
for t in range(5):
    hx = cell(x[:, t], hx)
print(hx, cell)
rc = nn.RNNCell(3, 2, nonlinearity="relu")
print(rc(x[:, 0]), rc)

# add up a sequence of bits
torch.manual_seed(1)


class Adder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(1, 8, batch_first=True)
        self.fc = nn.Linear(8, 1)

    def forward(self, s):
        _, h = self.rnn(s)
        return self.fc(h[-1]).squeeze(-1)


m = Adder()
opt = torch.optim.Adam(m.parameters(), lr=0.02)
for step in range(31):
    bits = torch.randint(0, 2, (16, 6, 1)).float()
    loss = nn.functional.mse_loss(m(bits), bits.sum((1, 2)))
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(m.parameters(), 1.0)
    opt.step()
    if step % 10 == 0:
        print(f"step {step} loss {loss.item():.3f}")
for bad in (lambda: nn.LSTM(3, 4)(torch.zeros(2, 2, 5)), lambda: nn.GRU(3, 4)(torch.zeros(1, 2, 3), torch.zeros(1, 3, 4)),
            lambda: nn.RNN(3, 4, nonlinearity="gelu"), lambda: nn.LSTM(3, 4)(torch.zeros(2, 3, 3, 3)),
            lambda: nn.LSTM(3, 0), lambda: nn.LSTM(3, 4, dropout=1.5)):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
