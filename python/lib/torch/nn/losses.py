"""Losses as modules."""

from torch.nn import functional as F
from torch.nn._options import Called, classes


class Loss(Called):
    def _keep(self, name, value):
        if name in ("weight", "pos_weight"):
            self.register_buffer(name, value)
        else:
            setattr(self, name, value)

    def forward(self, *tensors):
        return self._function(*tensors, **{name: getattr(self, name) for name in self._options})


_MEAN = {"reduction": "mean"}
_WEIGHT = {"weight": None}
_MODULES = {
    "BCELoss": (F.binary_cross_entropy, _WEIGHT | _MEAN),
    "BCEWithLogitsLoss": (F.binary_cross_entropy_with_logits, _WEIGHT | _MEAN | {"pos_weight": None}),
    "CrossEntropyLoss": (F.cross_entropy, _WEIGHT | {"ignore_index": -100} | _MEAN | {"label_smoothing": 0.0}),
    "HuberLoss": (F.huber_loss, _MEAN | {"delta": 1.0}),
    "KLDivLoss": (F.kl_div, _MEAN | {"log_target": False}),
    "L1Loss": (F.l1_loss, _MEAN),
    "MSELoss": (F.mse_loss, _MEAN),
    "NLLLoss": (F.nll_loss, _WEIGHT | {"ignore_index": -100} | _MEAN),
    "SmoothL1Loss": (F.smooth_l1_loss, _MEAN | {"beta": 1.0}),
}
globals().update(classes(Loss, _MODULES))
__all__ = list(_MODULES)
