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
x = torch.randn(2, 3, 2, 4)
q = x.transpose(1, 2).requires_grad_()
print(F.scaled_dot_product_attention(q, q, q, is_causal=True).transpose(1, 2).view(2, 3, 8).shape)
k, flat = torch.randn(2, 7, 2, 4).transpose(1, 2), x.transpose(1, 2).contiguous()
for case in ((q, k, k), (q, flat, flat), (flat, q, q), (q[:, :, :2], k, k), (x.mT.contiguous().mT,) * 3, (q, k, k[..., :3])):
    seen = F.scaled_dot_product_attention(*case)
    print(seen.stride(), seen.grad_fn and seen.grad_fn.name())
print(F.scaled_dot_product_attention(q, q, q, dropout_p=0.5).stride(), F.scaled_dot_product_attention(q[0], q[0], q[0]).stride())
g = torch.randn(2, 3, 4, 4).transpose(1, 2)
print(F.scaled_dot_product_attention(g, k, k, enable_gqa=True).stride(), F.scaled_dot_product_attention(q, q, q, torch.zeros(3, 3)).stride())
print(x.mT.flip(2).mT.is_contiguous())
