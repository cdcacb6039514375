"""Draws and dropout in the order in which elements lie in memory."""

import torch
from helper_module import shown
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
x = torch.arange(1., 25.).reshape(4, 6)
shown(F.dropout(x.t(), 0.5), F.dropout(x, 0.3), torch.rand_like(x.t()), torch.randn_like(x.t()), F.dropout(x[:, ::2], .5), F.dropout(torch.ones(3, 1).expand(3, 4), .5))
m = nn.MultiheadAttention(8, 2, batch_first=True); y = torch.randn(2, 4, 8)
shown(m(y, y, y)[0].stride(), m(y, y, y, need_weights=False)[0].stride(), m(y[0], y[0], y[0])[0].stride())
m = nn.MultiheadAttention(8, 2); print(m(y, y, y)[0].stride())
for bad in (lambda: m(torch.zeros(2, 4, 6), y, y), lambda: m(y, y, y, attn_mask=torch.zeros(3, 3))):
    try: bad()
    except Exception as e: print(type(e).__name__, e)
