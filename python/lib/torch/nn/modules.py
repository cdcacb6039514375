"""The names under which PyTorch keeps the classes of `torch.nn`."""

from torch import nn as _nn
from torch._module_names import place

place(__name__, vars(_nn), {
    "activation": "ELU GELU GLU Hardtanh LeakyReLU LogSigmoid LogSoftmax MultiheadAttention ReLU SiLU Sigmoid Softmax "
    "Softplus Tanh",
    "batchnorm": "BatchNorm1d",
    "container": "ModuleDict ModuleList ParameterList Sequential",
    "dropout": "Dropout",
    "flatten": "Flatten Unflatten",
    "linear": "Identity Linear",
    "loss": " ".join(name for name in dir(_nn) if name.endswith("Loss")),
    "module": "Module",
    "normalization": "LayerNorm RMSNorm",
    "sparse": "Embedding",
    "transformer": "TransformerEncoder TransformerEncoderLayer",
})
for _name in dir(_nn):
    if isinstance(getattr(_nn, _name), type):
        globals()[_name] = getattr(_nn, _name)
