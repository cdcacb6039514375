"""Losses of `torch.nn.functional` that are made of other operations."""

import math as _math

import _torch as _C
from torch._tensor import _LEGACY
from torch.autograd import named
from torch.linalg import vector_norm


def reduced(losses, reduction):
    """All losses as one, or as they are."""
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return losses if reduction == "none" else getattr(losses, reduction)()


def l1_loss(input, target, reduction="mean"):
    return reduced((input - target).abs(), reduction)


def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    apart = (input - target).abs()
    losses = _C.where(apart < beta, 0.5 * apart.square() / beta, apart - 0.5 * beta)
    return named(reduced(losses, reduction), "SmoothL1LossBackward0")


def huber_loss(input, target, reduction="mean", delta=1.0):
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    return named(delta * smooth_l1_loss(input, target, reduction, delta), "HuberLossBackward0")


def kl_div(input, target, reduction="mean", log_target=False):
    """The divergence of log-probabilities from probabilities, or from their logarithms."""
    if log_target:
        losses = target.exp() * (target - input)
    else:
        losses = _C.where(target > 0, target * target.log(), 0) - target * input
    return losses.sum() / len(input) if reduction == "batchmean" else reduced(losses, reduction)


def nll_loss(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Minus the log-probability of each class that is the target; those to be ignored count for nothing."""
    if target.dtype not in (_C.int64, _C.uint8):
        kind = {_C.float32: "Float", _C.int32: "Int"}.get(target.dtype, str(target.dtype))
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {kind}")
    if input.dim() < 1:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    counts = (target != ignore_index).to(input.dtype)
    classes = target.masked_fill(target == ignore_index, 0)
    if weight is not None:
        counts = counts * weight[classes]
    at = 1 if input.dim() > 1 else 0
    losses = -input.gather(at, classes.unsqueeze(at)).squeeze(at) * counts
    found = losses.sum() / counts.sum() if reduction == "mean" else reduced(losses, reduction)
    return named(found, "NllLossBackward0")


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
    return named(reduced(losses if weight is None else losses * weight, reduction), "BinaryCrossEntropyBackward0")


def binary_cross_entropy_with_logits(input, target, weight=None, reduction="mean", pos_weight=None):
    if input.shape != target.shape:
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    factor = 1 if pos_weight is None else (pos_weight - 1) * target + 1
    losses = (1 - target) * input - factor * _C._nn.logsigmoid(input)
    found = reduced(losses if weight is None else losses * weight, reduction)
    return named(found, "BinaryCrossEntropyWithLogitsBackward0")


def cosine_embedding_loss(input1, input2, target, margin=0, reduction="mean"):
    dot = (input1 * input2).sum(-1)
    lengths = ((input1.square().sum(-1) + 1e-12) * (input2.square().sum(-1) + 1e-12)).sqrt()
    cosine = dot / lengths
    apart = (cosine - margin).clamp(min=0)
    return reduced(_C.where(target == 1, 1 - cosine, _C.where(target == -1, apart, 0)), reduction)


def margin_ranking_loss(input1, input2, target, margin=0, reduction="mean"):
    return reduced((-target * (input1 - input2) + margin).clamp(min=0), reduction)


def hinge_embedding_loss(input, target, margin=1.0, reduction="mean"):
    far = _C.where(target == 1, 0, (margin - input).clamp(min=0))
    return reduced(far + _C.where(target == -1, 0, input), reduction)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction="mean"):
    near, far = (vector_norm(anchor - other + eps, p, -1) for other in (positive, negative))
    if swap:
        far = far.minimum(vector_norm(positive - negative + eps, p, -1))
    return reduced((margin + near - far).clamp(min=0), reduction)


def soft_margin_loss(input, target, reduction="mean"):
    return reduced((-target * input).exp().log1p(), reduction)


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, reduction="mean"):
    right = input.gather(-1, target.unsqueeze(-1))
    misses = (margin - right + input).clamp(min=0).pow(p)
    misses = misses if weight is None else misses * weight[target].unsqueeze(-1)
    others = _C._nn.one_hot(target, input.shape[-1]) == 0
    return reduced((misses * others).sum(-1) / input.shape[-1], reduction)


def multilabel_margin_loss(input, target, reduction="mean"):
    """The labels of each example stand before the first -1."""
    rows, labels = (it if it.dim() == 2 else it.unsqueeze(0) for it in (input, target))
    losses = []
    for row, listed in zip(rows, labels.tolist()):
        named_ones = listed[: listed.index(-1)] if -1 in listed else listed
        is_other = _C.ones(len(row), dtype=_C.bool)
        is_other[_C.tensor(named_ones, dtype=_C.int64)] = False
        misses = (1 - row[named_ones].unsqueeze(1) + row[is_other]).clamp(min=0)
        losses.append(misses.sum() / len(row))
    found = _C.stack(losses)
    return named(reduced(found if input.dim() == 2 else found[0], reduction), "MultilabelMarginLossBackward0")


def multilabel_soft_margin_loss(input, target, weight=None, reduction="mean"):
    losses = -(target * _C._nn.logsigmoid(input) + (1 - target) * _C._nn.logsigmoid(-input))
    losses = losses if weight is None else losses * weight
    return reduced(losses.sum(-1) / input.shape[-1], reduction)


def poisson_nll_loss(input, target, log_input=True, full=False, eps=1e-8, reduction="mean"):
    losses = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * _math.pi * target).log()
        losses = losses + stirling.masked_fill(target <= 1, 0)
    return reduced(losses, reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    if bool((var < 0).any()):
        raise ValueError("var has negative entry/entries")
    # What is too small counts as `eps`, and its gradient as if it were not.
    var = var + (var.clamp(min=eps) - var).detach()
    losses = 0.5 * (var.log() + (input - target).square() / var)
    return reduced(losses + 0.5 * _math.log(2 * _math.pi) if full else losses, reduction)
