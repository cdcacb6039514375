"""Transposed convolutions, windows that reach over the edge, embeddings with options, EinMix with joined axes."""

import torch
from torch import nn
import torch.nn.functional as F
from einops.layers.torch import EinMix
torch.manual_seed(0)
def show(name, t): print(name, tuple(t.shape), [f"{v:.3f}" for v in t.detach().double().flatten()[:8].tolist()])
for args, kw in (((3, 4, 3), {}), ((3, 4, 3), dict(stride=2, padding=1, output_padding=1)), ((4, 4, 2), dict(stride=3, groups=2)), ((3, 2, 3), dict(dilation=2, stride=2, bias=False)), ((3, 2, 1), dict(padding=1, stride=3))):
    for d in (1, 2, 3):
        m = getattr(nn, f"ConvTranspose{d}d")(*args, **kw)
        x = torch.randn(2, args[0], *[5, 4, 3][:d], requires_grad=True)
        y = m(x); show(str(m), y)
        (y * y).sum().backward(); show("grad", x.grad); show("w", m.weight.grad)
m = nn.ConvTranspose2d(1, 1, 3, stride=2, padding=1)
print(m(torch.randn(1, 1, 4, 4), output_size=[8, 8]).shape, m(torch.randn(1, 1, 4, 4)).shape, m(torch.randn(1, 4, 4)).shape)
try: m(torch.randn(1, 1, 4, 4), output_size=[10, 8])
except Exception as e: print(type(e).__name__, e)
try: m(torch.randn(1, 2, 4, 4))
except Exception as e: print(type(e).__name__, e)
try: F.conv_transpose1d(torch.ones(1,1,3), torch.ones(1,1,3), output_padding=2)
except Exception as e: print(type(e).__name__, e)
x = torch.randn(1, 2, 7, 6)
for k, s, p in ((2, 2, 0), (3, 2, 1), (3, 2, 0), (2, 3, 1), (3, 3, 1)):
    show("max", F.max_pool2d(x, k, s, p, ceil_mode=True)); show("avg", F.avg_pool2d(x, k, s, p, ceil_mode=True)); show("avg", F.avg_pool2d(x, k, s, p, ceil_mode=True, count_include_pad=False)); show("avg1", F.avg_pool1d(x[0], k, s, p, ceil_mode=True))
    v, i = F.max_pool2d(x, k, s, p, ceil_mode=True, return_indices=True); print(i.flatten().tolist())
x = torch.randn(1, 2, 5, 4, 4)
show("conv3", nn.Conv3d(2, 3, 3, padding=1)(x)); show("pool3", nn.MaxPool3d(2)(x)); show("avg3", nn.AvgPool3d(2, stride=1)(x)); show("ad3", nn.AdaptiveAvgPool3d(2)(x)); show("bn3", nn.BatchNorm3d(2)(x))
r = nn.RReLU(0.1, 0.3); print(r); x = torch.randn(4, 5); show("rr", r(x)); r.eval(); show("rr", r(x))
e = nn.Embedding(3, 2, max_norm=1.0, _weight=torch.tensor([[3.0, 4.0], [0.3, 0.4], [0.0, 2.0]])); print(e)
print(e(torch.tensor([0, 1])), e.weight.data, sep="\n")
e = nn.Embedding(4, 2, padding_idx=0, scale_grad_by_freq=True); print(e)
e(torch.tensor([0, 1, 1, 3, 1])).sum().backward(); print(e.weight.grad)
b = nn.EmbeddingBag(5, 3, mode="sum", padding_idx=1); print(b); print(b(torch.tensor([0, 1, 2, 4]), torch.tensor([0, 2])))
print(nn.EmbeddingBag(5, 3, max_norm=0.5)(torch.tensor([[0, 1], [2, 4]])))
print(nn.Embedding.from_pretrained(torch.eye(3), padding_idx=1), nn.Embedding.from_pretrained(torch.eye(3)).weight.requires_grad)
mix = EinMix("b t (h c) -> b h t k", weight_shape="h c k", bias_shape="h k", h=2, c=3, k=4)
print(mix, mix.weight.shape, mix.bias.shape); show("mix", mix(torch.randn(2, 5, 6)))
mix = EinMix("b (h w) c -> b c1 (h2 h w)", weight_shape="c c1 h2", c=3, c1=2, h2=2, h=2, w=2); show("mix", mix(torch.randn(2, 4, 3)))
