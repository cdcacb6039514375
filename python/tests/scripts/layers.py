"""Modules beyond those of a language model, and losses."""

import torch
from helper_module import shown
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
for layer in (
    nn.ELU(), nn.GLU(), nn.Hardtanh(-2, 2), nn.LeakyReLU(0.2), nn.LogSigmoid(), nn.LogSoftmax(dim=1), nn.Softplus(),
    nn.ReLU(inplace=True), nn.GELU("tanh"),
):
    shown(layer, layer(torch.tensor([[-3.0, -0.2, 0.4, 7.0]])))
norm = nn.BatchNorm1d(4)
norm(torch.randn(3, 4)).pow(2).sum().backward()
shown(norm, norm.weight.grad, norm.running_mean, norm.running_var, norm.num_batches_tracked, norm.eval()(torch.ones(2, 4)))
attention = nn.MultiheadAttention(4, 2, batch_first=True)
x = torch.randn(2, 3, 4)
mask = torch.full((3, 3), float("-inf")).triu(1)
hidden = torch.tensor([[False, False, True], [False, False, False]])
looked = attention(x, x, x, attn_mask=mask)
shown(attention, looked[0].detach(), looked[1], attention(x, x, x, key_padding_mask=hidden, average_attn_weights=False)[1].shape)
layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True, norm_first=True)
shown(nn.TransformerEncoder(layer, 2)(x, mask=mask)[0].round(decimals=2).detach(), layer)
shown(nn.Unflatten(1, (2, 2)), nn.Flatten()(x).shape)
a, b = torch.randn(3, 4), torch.randn(3, 4)
p, t = torch.rand(4), torch.tensor([0.0, 1, 1, 0])
shown(nn.BCELoss()(p, t), nn.BCEWithLogitsLoss(pos_weight=torch.tensor([3.0]))(p, t), nn.NLLLoss()(a.log_softmax(1), torch.tensor([0, 1, 3])), nn.L1Loss()(a, b))
shown(nn.SmoothL1Loss(beta=0.5)(a, b), nn.HuberLoss(delta=0.7)(a, b), nn.KLDivLoss(reduction="batchmean")(a.log_softmax(1), b.softmax(1)))
