"""The names under which PyTorch keeps the classes of `torch.nn`."""

from torch import nn as _nn
from torch._places import place


def _each(names, dims="123"):
    return " ".join(f"{name}{dim}d" for name in names.split() for dim in dims)


place(__name__, vars(_nn), {
    "activation": "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish "
    "MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmin Softplus Softshrink Softsign Tanh "
    "Tanhshrink Threshold",
    "batchnorm": _each("BatchNorm LazyBatchNorm"),
    "channelshuffle": "ChannelShuffle",
    "container": "ModuleDict ModuleList ParameterDict ParameterList Sequential",
    "conv": _each("Conv ConvTranspose LazyConv LazyConvTranspose"),
    "distance": "CosineSimilarity PairwiseDistance",
    "dropout": "AlphaDropout Dropout " + _each("Dropout"),
    "flatten": "Flatten Unflatten",
    "instancenorm": _each("InstanceNorm LazyInstanceNorm"),
    "linear": "Bilinear Identity LazyLinear Linear",
    "loss": " ".join(name for name in dir(_nn) if name.endswith("Loss")),
    "module": "Module",
    "normalization": "GroupNorm LayerNorm LocalResponseNorm RMSNorm",
    "padding": _each("CircularPad ConstantPad ReflectionPad ReplicationPad ZeroPad"),
    "pixelshuffle": "PixelShuffle PixelUnshuffle",
    "pooling": _each("AdaptiveAvgPool AdaptiveMaxPool AvgPool MaxPool"),
    "rnn": "GRU GRUCell LSTM LSTMCell RNN RNNCell",
    "sparse": "Embedding EmbeddingBag",
    "transformer": "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer",
    "upsampling": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
})
for _name in dir(_nn):
    if isinstance(getattr(_nn, _name), type):
        globals()[_name] = getattr(_nn, _name)
