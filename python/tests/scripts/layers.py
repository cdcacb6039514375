"""Modules beyond those of a language model, and losses."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
for layer in (
    nn.ELU(), nn.CELU(0.5), nn.GLU(), nn.Hardshrink(), nn.Hardsigmoid(), nn.Hardswish(), nn.Hardtanh(-2, 2), nn.LeakyReLU(0.2),
    nn.LogSigmoid(), nn.LogSoftmax(dim=1), nn.Mish(), nn.PReLU(), nn.ReLU6(), nn.SELU(), nn.Softmin(dim=1), nn.Softplus(),
    nn.Softshrink(0.3), nn.Softsign(), nn.Tanhshrink(), nn.Threshold(0.1, 9.0), nn.ReLU(inplace=True), nn.GELU("tanh"),
):
    print(layer, layer(torch.tensor([[-3.0, -0.2, 0.4, 7.0]])))
convolutional = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 4, (1, 3), groups=2, bias=False),
    nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2),
)
print(convolutional)
out = convolutional(torch.randn(3, 1, 8, 8))
out.pow(2).sum().backward()
print(out, convolutional[0].weight.grad[0], convolutional[1].running_var, convolutional.eval()(torch.ones(1, 1, 8, 8)))
image = torch.arange(16.0).view(1, 1, 4, 4)
print(F.conv2d(image, torch.ones(1, 1, 2, 2), stride=2, dilation=2), F.max_pool2d(image, 3, 1, 1), F.conv1d(image[0, :, :1], torch.ones(2, 1, 3), padding="same"))
print(nn.GroupNorm(2, 4), nn.GroupNorm(2, 4)(torch.arange(8.0).view(1, 4, 2)), nn.InstanceNorm1d(2)(image[0].view(1, 2, 8))[0, 0])
for network in (nn.RNN(3, 2), nn.GRU(3, 2, num_layers=2, batch_first=True), nn.LSTM(3, 2, bidirectional=True)):
    out, state = network(torch.ones(2, 2, 3))
    out.sum().backward()
    print(network, out.detach(), [it.detach() for it in state], network.weight_hh_l0.grad.norm())
print(nn.LSTMCell(3, 2)(torch.ones(1, 3)), nn.GRUCell(3, 2), nn.RNNCell(3, 2)(torch.ones(1, 3)))
attention = nn.MultiheadAttention(4, 2, batch_first=True)
x = torch.randn(2, 3, 4)
mask = nn.Transformer.generate_square_subsequent_mask(3)
hidden = torch.tensor([[False, False, True], [False, False, False]])
looked = attention(x, x, x, attn_mask=mask)
print(attention, looked[0].detach(), looked[1], attention(x, x, x, key_padding_mask=hidden, average_attn_weights=False)[1].shape)
layer = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True, norm_first=True)
print(nn.TransformerEncoder(layer, 2)(x, mask=mask)[0].round(decimals=2).detach(), layer, sum(p.numel() for p in nn.Transformer(4, 2, 1, 1, 8).parameters()))
print(nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0)(x, x)[0, 0], nn.Bilinear(2, 3, 2), nn.Unflatten(1, (2, 2)), nn.CosineSimilarity()(x[0], x[1]))
words = nn.Embedding(4, 2, padding_idx=1)
words(torch.tensor([0, 1, 1])).sum().backward()
print(words, words.weight[1], words.weight.grad)
a, b, right = torch.randn(3, 4), torch.randn(3, 4), torch.tensor([1.0, -1.0, 1.0])
p, t = torch.rand(4), torch.tensor([0.0, 1, 1, 0])
print(nn.BCELoss()(p, t), nn.BCEWithLogitsLoss(pos_weight=torch.tensor([3.0]))(p, t), nn.NLLLoss()(a.log_softmax(1), torch.tensor([0, 1, 3])), nn.L1Loss()(a, b))
print(nn.SmoothL1Loss(beta=0.5)(a, b), nn.HuberLoss(delta=0.7)(a, b), nn.KLDivLoss(reduction="batchmean")(a.log_softmax(1), b.softmax(1)), nn.CosineEmbeddingLoss()(a, b, right))
print(nn.TripletMarginLoss()(a, b, a + 1), nn.MarginRankingLoss()(a[0], b[0], torch.ones(4)), nn.MultiMarginLoss()(a, torch.tensor([0, 1, 2])), nn.PoissonNLLLoss()(a, b.abs()), nn.GaussianNLLLoss()(a, b, torch.ones(3, 4)))
