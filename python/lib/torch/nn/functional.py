"""`torch.nn.functional`"""

import _torch as _C
from _torch import log_softmax, sigmoid, softmax, tanh
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


def relu(input, inplace=False):
    return input.copy_(input.relu()) if inplace else input.relu()


def relu6(input):
    return input.clamp(0, 6)


def mish(input):
    return input * softplus(input).tanh()


def softsign(input):
    return input / (1 + input.abs())


def tanhshrink(input):
    return input - input.tanh()


def hardsigmoid(input):
    return relu6(input + 3) / 6


def hardswish(input):
    return input * relu6(input + 3) / 6


def selu(input):
    scale, alpha = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
    return scale * elu(input, alpha)


def celu(input, alpha=1.0):
    return input.clamp(min=0) + (alpha * (input / alpha).expm1()).clamp(max=0)


def glu(input, dim=-1):
    first, second = input.chunk(2, dim)
    return first * second.sigmoid()


def softmin(input, dim):
    return softmax(-input, dim)


def dropout(input, p=0.5, training=True, inplace=False):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _nn.dropout(input, p, training)


def mse_loss(input, target, reduction="mean"):
    return _nn.mse_loss(input, target, reduction=reduction)


def smooth_l1_loss(input, target, reduction="mean", beta=1.0):
    apart = (input - target).abs()
    return _reduced(_C.where(apart < beta, 0.5 * apart.square() / beta, apart - 0.5 * beta), reduction)


def huber_loss(input, target, reduction="mean", delta=1.0):
    return delta * smooth_l1_loss(input, target, reduction, delta)


def kl_div(input, target, reduction="mean", log_target=False):
    """The divergence of log-probabilities from probabilities, or from their logarithms."""
    if log_target:
        losses = target.exp() * (target - input)
    else:
        losses = _C.where(target > 0, target * target.log(), 0) - target * input
    return losses.sum() / len(input) if reduction == "batchmean" else _reduced(losses, reduction)


def binary_cross_entropy(input, target, weight=None, reduction="mean"):
    """Logarithms go down to -100, so that a loss stays finite."""
    losses = -(target * input.log().clamp(min=-100) + (1 - target) * (-input).log1p().clamp(min=-100))
    return _reduced(losses if weight is None else losses * weight, reduction)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    lengths = [vector_norm(x, 2, dim).clamp(min=eps) for x in (x1, x2)]
    return (x1 * x2).sum(dim) / (lengths[0] * lengths[1])


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return vector_norm(x1 - x2 + eps, p, -1, keepdim)


def l1_loss(input, target, reduction="mean"):
    return _reduced((input - target).abs(), reduction)


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    if input.dim() > 1 and target.dim() and len(input) != len(target):
        raise ValueError(f"Expected input batch_size ({len(input)}) to match target batch_size ({len(target)}).")
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
    elif tensor.numel() and int(tensor.max()) >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
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
