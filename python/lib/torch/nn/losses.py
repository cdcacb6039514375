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
    "CosineEmbeddingLoss": (F.cosine_embedding_loss, {"margin": 0.0} | _MEAN),
    "CrossEntropyLoss": (F.cross_entropy, _WEIGHT | {"ignore_index": -100} | _MEAN | {"label_smoothing": 0.0}),
    "GaussianNLLLoss": (F.gaussian_nll_loss, {"full": False, "eps": 1e-6} | _MEAN),
    "HingeEmbeddingLoss": (F.hinge_embedding_loss, {"margin": 1.0} | _MEAN),
    "HuberLoss": (F.huber_loss, _MEAN | {"delta": 1.0}),
    "KLDivLoss": (F.kl_div, _MEAN | {"log_target": False}),
    "L1Loss": (F.l1_loss, _MEAN),
    "MSELoss": (F.mse_loss, _MEAN),
    "MarginRankingLoss": (F.margin_ranking_loss, {"margin": 0.0} | _MEAN),
    "MultiLabelSoftMarginLoss": (F.multilabel_soft_margin_loss, _WEIGHT | _MEAN),
    "MultiMarginLoss": (F.multi_margin_loss, {"p": 1, "margin": 1.0} | _WEIGHT | _MEAN),
    "NLLLoss": (F.nll_loss, _WEIGHT | {"ignore_index": -100} | _MEAN),
    "PoissonNLLLoss": (F.poisson_nll_loss, {"log_input": True, "full": False, "eps": 1e-8} | _MEAN),
    "SmoothL1Loss": (F.smooth_l1_loss, _MEAN | {"beta": 1.0}),
    "SoftMarginLoss": (F.soft_margin_loss, _MEAN),
    "TripletMarginWithDistanceLoss": (
        F.triplet_margin_with_distance_loss,
        {"distance_function": None, "margin": 1.0, "swap": False} | _MEAN,
    ),
    "TripletMarginLoss": (F.triplet_margin_loss, {"margin": 1.0, "p": 2.0, "eps": 1e-6, "swap": False} | _MEAN),
}
globals().update(classes(Loss, _MODULES))
__all__ = list(_MODULES)
