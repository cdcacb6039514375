"""Losses of `torch.nn.functional`."""

from functools import wraps

import _torch as _C
from torch._tensor import _LEGACY
from torch.autograd import named


def reduced(losses, reduction):
    """All losses as one, or as they are."""
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return losses if reduction == "none" else getattr(losses, reduction)()


def _float(value):
    is_half = isinstance(value, _C.TensorBase) and value.dtype in (_C.float16, _C.bfloat16)
    return value.float() if is_half else value


def _in_float32(loss):
    """Computes the loss in float32 where autocast is on."""

    @wraps(loss)
    def cast(*args, **kwargs):
        if _C._get_autocast() is not None:
            args, kwargs = map(_float, args), {name: _float(value) for name, value in kwargs.items()}
        return loss(*args, **kwargs)

    return cast


@_in_float32
def mse_loss(input, target, reduction="mean"):
    return _C._nn.mse_loss(input, target, reduction=reduction)


@_in_float32
def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    _check_batch(input, target)
    found = _C._nn.cross_entropy(
        input, target, weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
    )
    return named(found, "AddBackward0") if label_smoothing else found


def _check_batch(input, target):
    if input.dim() > 1 and target.dim() and len(input) != len(target):
        raise ValueError(f"Expected input batch_size ({len(input)}) to match target batch_size ({len(target)}).")


@_in_float32
def l1_loss(input, target, reduction="mean"):
    return reduced((input - target).abs(), reduction)


@_in_float32
def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    apart = (input - target).abs()
    losses = apart if beta == 0 else _C.where(apart < beta, 0.5 * apart.square() / beta, apart - 0.5 * beta)
    return named(reduced(losses, reduction), "SmoothL1LossBackward0")


@_in_float32
def huber_loss(input, target, reduction="mean", delta=1.0):
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    return named(delta * smooth_l1_loss(input, target, reduction, delta), "HuberLossBackward0")


@_in_float32
def kl_div(input, target, reduction="mean", log_target=False):
    """The divergence of log-probabilities from probabilities, or from their logarithms."""
    if log_target:
        losses = target.exp() * (target - input)
    else:
        losses = _C.where(target == 0, 0, target * target.log()) - target * input
    return losses.sum() / len(input) if reduction == "batchmean" else reduced(losses, reduction)


@_in_float32
def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Minus the log-probability of each class that is the target; those to be ignored count for nothing."""
    if target.dtype not in (_C.int64, _C.uint8):
        kind = {_C.float32: "Float", _C.int32: "Int"}.get(target.dtype, str(target.dtype))
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {kind}")
    if input.dim() < 1:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    _check_batch(input, target)
    expected = [*input.shape[:1], *input.shape[2:]] if input.dim() > 1 else [1][: target.dim()]
    if list(target.shape) != expected:
        raise RuntimeError(f"Expected target size {expected}, got {list(target.shape)}")
    is_ignored = target == ignore_index
    classes = target.masked_fill(is_ignored, 0)
    classes = classes if input.dim() > 1 else classes.reshape(())
    wrong = classes[(classes < 0) | (classes >= input.shape[1 if input.dim() > 1 else 0])]
    if len(wrong):
        raise IndexError(f"Target {wrong[0].item()} is out of bounds.")
    counts = (~is_ignored).to(input.dtype) if weight is None else weight[classes].masked_fill(is_ignored, 0)
    at = 1 if input.dim() > 1 else 0
    losses = (-input.gather(at, classes.unsqueeze(at)).squeeze(at) * counts).masked_fill(is_ignored, 0)
    found = losses.sum() / counts.sum() if reduction == "mean" else reduced(losses, reduction)
    return named(found, "NllLossBackward0")


@_in_float32
def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """Logarithms go down to -100, so that a loss stays finite."""
    if input.shape != target.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is deprecated. "
            "Please ensure they have the same size."
        )
    if bool(((input < 0) | (input > 1)).any()):
        raise RuntimeError("all elements of input should be between 0 and 1")
    if input.dtype != target.dtype:
        raise RuntimeError(f"Found dtype {_LEGACY[target.dtype]} but expected {_LEGACY[input.dtype]}")
    losses = -(target * input.log().clamp(min=-100) + (1 - target) * (-input).log1p().clamp(min=-100))
    if not target.requires_grad:
        # Its own derivative: that of the formula is no number where a probability is 0 or 1.
        losses = _C._function(
            "BinaryCrossEntropyBackward0",
            [input],
            [input, target],
            losses.detach(),
            lambda grad, kept: [grad * (kept[0] - kept[1]) / ((1 - kept[0]) * kept[0]).clamp(min=1e-12)],
        )
    return named(reduced(losses if weight is None else losses * weight, reduction), "BinaryCrossEntropyBackward0")


def _slope_of_logits(input, target, pos_weight=None):
    if pos_weight is None:
        return input.sigmoid() - target
    positive = pos_weight * target
    return (positive + 1 - target) * input.sigmoid() - positive


@_in_float32
def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    if input.shape != target.shape:
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    factor = 1 if pos_weight is None else (pos_weight - 1) * target + 1
    losses = (1 - target) * input - factor * _C._nn.logsigmoid(input)
    others = [target] if pos_weight is None else [target, pos_weight]
    if not any(other.requires_grad for other in others):
        # Its own derivative: that of the formula is rounded to 0 where a probability is near the target.
        losses = _C._function(
            "BinaryCrossEntropyWithLogitsBackward0",
            [input],
            [input, *others],
            losses.detach(),
            lambda grad, kept: [grad * _slope_of_logits(*kept)],
        )
    found = reduced(losses if weight is None else losses * weight, reduction)
    return named(found, "BinaryCrossEntropyWithLogitsBackward0")
