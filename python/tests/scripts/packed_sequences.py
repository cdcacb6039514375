"""Sequences of several lengths, packed."""

import torch
from torch import nn
from torch.nn.utils.rnn import *
torch.manual_seed(0)
x = torch.arange(24.).reshape(3, 4, 2)
p = pack_padded_sequence(x, [4, 2, 1], batch_first=True)
print(p); print(p.data.shape, p.batch_sizes)
q = pack_padded_sequence(x, torch.tensor([2, 4, 3]), batch_first=True, enforce_sorted=False)
print(q)
out, lens = pad_packed_sequence(q, batch_first=True, padding_value=-1.0)
print(out, lens)
print(pad_packed_sequence(p, total_length=6)[0].shape)
for kind in (nn.LSTM, nn.GRU, nn.RNN):
    net = kind(2, 3, num_layers=2, bidirectional=True, batch_first=True)
    o, h = net(q)
    y, lens = pad_packed_sequence(o, batch_first=True)
    print(kind.__name__, y.shape, y[0], (h[0] if isinstance(h, tuple) else h)[:, 0], sep="\n")
    loss = y.sum(); loss.backward()
    print(f"{net.weight_hh_l0.grad.norm():.4f}", o.batch_sizes, o.unsorted_indices)
h0 = torch.randn(1, 3, 4); c0 = torch.randn(1, 3, 4)
net = nn.LSTM(2, 4)
o, (h, c) = net(pack_sequence([x[0], x[1, :2], x[2, :3]], enforce_sorted=False), (h0, c0))
print(h, c)
print([t.shape for t in unpack_sequence(o)])
for bad in (lambda: pack_padded_sequence(x, [1, 2, 3], batch_first=True), lambda: pack_padded_sequence(x, [3, 0, 0], batch_first=True), lambda: pack_padded_sequence(x, [3], batch_first=True), lambda: pad_packed_sequence(p, total_length=2)):
    try: bad()
    except Exception as e: print(type(e).__name__, e)
