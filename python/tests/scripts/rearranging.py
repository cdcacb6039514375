"""Modules that move places, and what modules refuse."""

import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
def t(name, f):
    try: print(name, f())
    except Exception as e: print(name, type(e).__name__, str(e))
x = torch.arange(32.).reshape(1, 8, 2, 2)
t("ps", lambda: F.pixel_shuffle(x, 2)); t("pu", lambda: torch.equal(F.pixel_unshuffle(F.pixel_shuffle(x, 2), 2), x)); t("ps", lambda: F.pixel_shuffle(x[:, :3], 2)); t("pu", lambda: F.pixel_unshuffle(torch.ones(1, 1, 3, 2), 2))
t("cs", lambda: F.channel_shuffle(x, 4)[0, :, 0, 0]); t("lrn", lambda: F.local_response_norm(x, 3)[0, :, 1, 1]); t("lp", lambda: F.lp_pool2d(x, 2, 2).flatten())
v, i = F.max_pool2d(torch.randn(1, 1, 4, 4), 2, return_indices=True); t("up", lambda: F.max_unpool2d(v, i, 2))
for m in (nn.PixelShuffle(2), nn.PixelUnshuffle(3), nn.Upsample(scale_factor=2), nn.Upsample(size=(4, 4), mode="bilinear", align_corners=False), nn.UpsamplingNearest2d(scale_factor=2), nn.ZeroPad2d(1), nn.ConstantPad1d(2, 3.5), nn.ReflectionPad2d((1, 1, 0, 1)), nn.ReplicationPad1d(2), nn.CircularPad2d(1), nn.LocalResponseNorm(2), nn.ChannelShuffle(2), nn.RNNCell(2, 3, nonlinearity="relu"), nn.RNNCell(2, 3)):
    print(m)
t("z", lambda: nn.ZeroPad2d(1)(torch.ones(1, 1, 1, 1))); t("c", lambda: nn.ConstantPad1d((1, 2), 3.5)(torch.ones(1, 1))); t("u", lambda: nn.Upsample(scale_factor=2)(x)[0, 0])
t("d", lambda: nn.init.dirac_(torch.empty(2, 2, 3))); t("avg", lambda: F.avg_pool2d(x, 2, 2, 0, True, False).flatten()); t("maxp", lambda: F.max_pool2d(x, 2, 1, 0, 1, True).shape)
t("rnn", lambda: nn.LSTM(3, 0)); t("rnn", lambda: nn.LSTM(3, 4, dropout=1.5)); t("rnn", lambda: nn.GRU(3, 4)(torch.ones(2, 4, 3), torch.ones(1, 3, 4))); t("rnn", lambda: nn.LSTM(3, 4)(torch.ones(1, 2, 4, 3))); t("rnn", lambda: nn.LSTM(3, 4)(torch.ones(2, 4, 3), (torch.ones(1, 3, 4), torch.ones(1, 4, 4)))); t("fw", lambda: [w.shape for w in nn.LSTM(2, 3)._flat_weights]); t("cell", lambda: nn.RNNCell(2, 3, nonlinearity="relu")(torch.ones(1, 2)))
t("bn", lambda: nn.BatchNorm1d(4)(torch.ones(2, 3))); t("pl", lambda: torch.optim.lr_scheduler.ReduceLROnPlateau(torch.optim.SGD([torch.ones(1, requires_grad=True)], 0.1), mode="up"))
t("emb", lambda: nn.Embedding(6, 3, padding_idx=0)(torch.tensor([0, 2])).grad_fn.name()); t("ac", lambda: (torch.get_autocast_dtype("cpu"), torch.get_autocast_dtype("cuda")))
def hook(f):
    w = torch.ones(3, requires_grad=True); w.register_hook(f); (w * 2).sum().backward(); return w.grad
t("hook", lambda: hook(lambda g: torch.ones(2))); t("hook", lambda: hook(lambda g: g.double())); t("hook", lambda: hook(lambda g: "a")); t("hook", lambda: hook(lambda g: g * 3))
t("norm", lambda: torch.distributions.Normal(0., -1.)); t("cat", lambda: torch.distributions.Categorical(probs=torch.tensor([-0.1, 1.1]))); t("norm", lambda: torch.distributions.Normal(torch.zeros(2), torch.tensor([1., -1.]))); t("bern", lambda: torch.distributions.Bernoulli(1.5)); t("cat", lambda: torch.distributions.Categorical(probs=torch.tensor([2., 2.])).probs)

