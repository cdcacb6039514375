"""`torch.nn.functional`"""

import _torch as _C
from _torch import log_softmax, relu, sigmoid, softmax, tanh
from torch.linalg import vector_norm

_nn = _C._nn

elu = _nn.elu
hardtanh = _nn.hardtanh
layer_norm = _nn.layer_norm
leaky_relu = _nn.leaky_relu
linear = _nn.linear
logsigmoid = _nn.logsigmoid
rms_norm = _nn.rms_norm
scaled_dot_product_attention = _nn.scaled_dot_product_attention
softplus = _nn.softplus


def gelu(input, approximate="none"):
    return _nn.gelu(input, approximate=approximate)


def silu(input, inplace=False):
    return input.copy_(_nn.silu(input)) if inplace else _nn.silu(input)


def dropout(input, p=0.5, training=True, inplace=False):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _nn.dropout(input, p, training)


def mse_loss(input, target, reduction="mean"):
    return _nn.mse_loss(input, target, reduction=reduction)


def l1_loss(input, target, reduction="mean"):
    return _reduced((input - target).abs(), reduction)


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    return _nn.cross_entropy(
        input, target, weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
    )


def nll_loss(input, target, ignore_index=-100, reduction="mean"):
    """Minus the log-probability of each class that is the target; those to be ignored count for nothing."""
    counts = target != ignore_index
    classes = target.masked_fill(~counts, 0)
    losses = -input.gather(1, classes.unsqueeze(1)).squeeze(1) * counts
    return losses.sum() / counts.sum() if reduction == "mean" else _reduced(losses, reduction)


def binary_cross_entropy_with_logits(input, target, reduction="mean"):
    return _reduced((1 - target) * input - _nn.logsigmoid(input), reduction)


def _reduced(losses, reduction):
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return losses if reduction == "none" else getattr(losses, reduction)()


def embedding(input, weight, padding_idx=None):
    return _nn.embedding(input, weight)


def one_hot(tensor, num_classes=-1):
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    return _nn.one_hot(tensor, num_classes)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / vector_norm(input, p, dim, True).clamp(min=eps).expand_as(input)


def pad(input, pad, mode="constant", value=None):
    """Elements before and after each dimension, from the last one on; a negative number takes some away."""
    if mode != "constant":
        raise NotImplementedError(f"padding of mode {mode}")
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    for number in range(len(pad) // 2):
        dim = input.dim() - 1 - number
        before, after = pad[2 * number : 2 * number + 2]
        start, end = max(-before, 0), input.shape[dim] - max(-after, 0)
        input = input.narrow(dim, start, end - start)
        parts = []
        for size in (before, None, after):
            shape = list(input.shape)
            if size is None:
                parts.append(input)
            elif size > 0:
                shape[dim] = size
                parts.append(input.new_full(shape, value or 0))
        input = _C.cat(parts, dim)
    return input
