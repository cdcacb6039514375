"""Activations as modules: each calls the function that it is named after."""

import _torch as _C
from torch.nn import functional as F
from torch.nn._options import Called, classes
from torch.nn.module import Module
from torch.nn.parameter import Parameter


class Activation(Called):
    def forward(self, input):
        options = {name: getattr(self, name) for name in self._options if name != "inplace"}
        output = self._function(input, **options)
        return input.copy_(output) if getattr(self, "inplace", False) else output

    def extra_repr(self):
        if "lambd" in self._options:
            return str(self.lambd)
        shown = [f"{name}={getattr(self, name)!r}" for name in self._options if name != "inplace"]
        return ", ".join(shown + ["inplace=True"] * getattr(self, "inplace", False))


class PReLU(Module):
    """A slope for what is negative that is learnt."""

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(_C.full((num_parameters,), float(init), device=device, dtype=dtype))

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class RReLU(Module):
    """A slope for what is negative that is drawn while training."""

    def __init__(self, lower=1 / 8, upper=1 / 3, inplace=False):
        super().__init__()
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self):
        return f"lower={self.lower}, upper={self.upper}" + (", inplace=True" if self.inplace else "")


_MODULES = {
    "CELU": (F.celu, {"alpha": 1.0, "inplace": False}),
    "ELU": (F.elu, {"alpha": 1.0, "inplace": False}),
    "GELU": (F.gelu, {"approximate": "none"}),
    "GLU": (F.glu, {"dim": -1}),
    "Hardshrink": (F.hardshrink, {"lambd": 0.5}),
    "Hardsigmoid": (F.hardsigmoid, {"inplace": False}),
    "Hardswish": (F.hardswish, {"inplace": False}),
    "Hardtanh": (F.hardtanh, {"min_val": -1.0, "max_val": 1.0, "inplace": False}),
    "LeakyReLU": (F.leaky_relu, {"negative_slope": 0.01, "inplace": False}),
    "LogSigmoid": (F.logsigmoid, {}),
    "LogSoftmax": (F.log_softmax, {"dim": None}),
    "Mish": (F.mish, {"inplace": False}),
    "ReLU": (F.relu, {"inplace": False}),
    "ReLU6": (F.relu6, {"inplace": False}),
    "SELU": (F.selu, {"inplace": False}),
    "SiLU": (F.silu, {"inplace": False}),
    "Sigmoid": (F.sigmoid, {}),
    "Softmax": (F.softmax, {"dim": None}),
    "Softmin": (F.softmin, {"dim": None}),
    "Softplus": (F.softplus, {"beta": 1.0, "threshold": 20.0}),
    "Softshrink": (F.softshrink, {"lambd": 0.5}),
    "Softsign": (F.softsign, {}),
    "Tanh": (F.tanh, {}),
    "Tanhshrink": (F.tanhshrink, {}),
    "Threshold": (F.threshold, {"threshold": None, "value": None, "inplace": False}),
}
globals().update(classes(Activation, _MODULES))
__all__ = [*_MODULES, "PReLU", "RReLU"]
