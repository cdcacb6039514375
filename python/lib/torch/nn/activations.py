"""Activations as modules: each calls the function that it is named after."""

from torch.nn import functional as F
from torch.nn._options import Called, classes


class Activation(Called):
    def forward(self, input):
        # An option is an attribute, which can be changed.
        parts = self.__dict__
        output = self._function(input, **{name: parts[name] for name in self._options if name != "inplace"})
        return input._become(output) if parts.get("inplace") else output

    def extra_repr(self):
        shown = [f"{name}={getattr(self, name)!r}" for name in self._options if name != "inplace"]
        return ", ".join(shown + ["inplace=True"] * getattr(self, "inplace", False))


_MODULES = {
    "ELU": (F.elu, {"alpha": 1.0, "inplace": False}),
    "GELU": (F.gelu, {"approximate": "none"}),
    "GLU": (F.glu, {"dim": -1}),
    "Hardtanh": (F.hardtanh, {"min_val": -1.0, "max_val": 1.0, "inplace": False}),
    "LeakyReLU": (F.leaky_relu, {"negative_slope": 0.01, "inplace": False}),
    "LogSigmoid": (F.logsigmoid, {}),
    "LogSoftmax": (F.log_softmax, {"dim": None}),
    "ReLU": (F.relu, {"inplace": False}),
    "SiLU": (F.silu, {"inplace": False}),
    "Sigmoid": (F.sigmoid, {}),
    "Softmax": (F.softmax, {"dim": None}),
    "Softplus": (F.softplus, {"beta": 1.0, "threshold": 20.0}),
    "Tanh": (F.tanh, {}),
}
globals().update(classes(Activation, _MODULES))
__all__ = list(_MODULES)
