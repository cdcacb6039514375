"""`torch.nn.functional`"""

import _torch as _C
from _torch import log_softmax, sigmoid, softmax, tanh
from torch.autograd import named, no_grad
from torch.linalg import vector_norm
from torch.nn._losses import (
    binary_cross_entropy, binary_cross_entropy_with_logits, cosine_embedding_loss, gaussian_nll_loss,
    hinge_embedding_loss, huber_loss, kl_div, l1_loss, margin_ranking_loss, multi_margin_loss,
    multilabel_margin_loss, multilabel_soft_margin_loss, nll_loss, poisson_nll_loss, smooth_l1_loss, soft_margin_loss, triplet_margin_loss,
)
from torch.nn._channels import batch_norm, group_norm, instance_norm, local_response_norm
from torch.nn._images import (
    channel_shuffle, fold, interpolate, max_unpool2d, pixel_shuffle, pixel_unshuffle, unfold,
)
from torch.nn._windows import (
    adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d, adaptive_max_pool1d, adaptive_max_pool2d,
    adaptive_max_pool3d, avg_pool1d, avg_pool2d, avg_pool3d, conv1d, conv2d, conv3d, conv_transpose1d, conv_transpose2d,
    conv_transpose3d, lp_pool1d, lp_pool2d, max_pool1d, max_pool2d, max_pool3d,
)

_nn = _C._nn

layer_norm = _nn.layer_norm
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


# What PyTorch computes at once, and under which name.
_NAMES = {
    "celu": "EluBackward0", "hardsigmoid": "HardsigmoidBackward0", "hardswish": "HardswishBackward0",
    "mish": "MishBackward0", "relu6": "HardtanhBackward0", "selu": "EluBackward0",
}


def _may_be_in_place(function):
    """With `inplace` the result takes the place of the input."""
    name = _NAMES.get(function.__name__)

    def called(input, *args, inplace=False, **kwargs):
        output = function(input, *args, **kwargs)
        output = output if name is None else named(output, name)
        return input.copy_(output) if inplace else output

    called.__name__ = function.__name__
    return called


elu, hardtanh, leaky_relu = map(_may_be_in_place, (_nn.elu, _nn.hardtanh, _nn.leaky_relu))


@_may_be_in_place
def relu6(input):
    return input.clamp(0, 6)


@_may_be_in_place
def mish(input):
    return input * softplus(input).tanh()


def softsign(input):
    return input / (1 + input.abs())


def tanhshrink(input):
    return input - input.tanh()


@_may_be_in_place
def hardsigmoid(input):
    return relu6(input + 3) / 6


@_may_be_in_place
def hardswish(input):
    return input * relu6(input + 3) / 6


@_may_be_in_place
def selu(input):
    scale, alpha = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
    return scale * elu(input, alpha)


@_may_be_in_place
def celu(input, alpha=1.0):
    return _C.where(input >= 0, input, alpha * (input.clamp(max=0) / alpha).expm1())


@_may_be_in_place
def threshold(input, threshold, value):
    return _C.where(input > threshold, input, value)


def softshrink(input, lambd=0.5):
    return _C.where(input > lambd, input - lambd, _C.where(input < -lambd, input + lambd, 0 * input))


def hardshrink(input, lambd=0.5):
    return _C.where((input >= -lambd) & (input <= lambd), 0.0, input)


def rrelu(input, lower=1 / 8, upper=1 / 3, training=False, inplace=False):
    """A slope for what is negative: the mean of two bounds, while training one between them for each element."""
    if not training:
        return leaky_relu(input, (lower + upper) / 2, inplace=inplace)
    is_low = input <= 0
    slopes = _C.ones_like(input)
    slopes[is_low] = input.new_empty(is_low.sum().item(), dtype=_C.float64).uniform_(lower, upper).to(input.dtype)
    output = named(input * slopes, "RreluWithNoiseBackward0")
    return input.copy_(output) if inplace else output


def prelu(input, weight):
    """A slope for what is negative: one for all, or one for each channel (the second dimension)."""
    if weight.numel() > 1:
        weight = weight.view([-1 if at == 1 else 1 for at in range(input.dim())])
    return named(_C.where(input >= 0, input, weight * input), "PreluKernelBackward0")


def glu(input, dim=-1):
    first, second = input.chunk(2, dim)
    return named(first * second.sigmoid(), "GluBackward0")


def gumbel_softmax(logits, tau=1, hard=False, dim=-1):
    """A sample of each distribution, relaxed; with `hard` as one class of which the gradient is that of the relaxed one."""
    gumbels = -_C.empty_like(logits).exponential_().log()
    soft = softmax((logits + gumbels) / tau, dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    return _C.zeros_like(logits).scatter_(dim, index, 1.0) - soft.detach() + soft


def softmin(input, dim):
    return softmax(-input, dim)


def dropout(input, p=0.5, training=True, inplace=False):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return _nn.dropout(input, p, training) if training and p else input


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    """Zeros become what SELU saturates at, and all is scaled so that mean and variance stay (Klambauer et al. 2017)."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    if p == 1:
        return input * 0
    saturated = 1.7580993408473766
    scale = ((saturated * saturated * p + 1) * (1 - p)) ** -0.5
    noise = _C.empty_like(input).bernoulli_(1 - p)
    offset = (noise - 1) * (saturated * scale) + saturated * scale * p
    return input * (noise * scale) + offset


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
    """How much farther than by a margin a positive example is than a negative one."""
    distance = pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    far = far.minimum(distance(positive, negative)) if swap else far
    found = (margin + near - far).clamp(min=0)
    return found if reduction == "none" else found.mean() if reduction == "mean" else found.sum()


def mse_loss(input, target, reduction="mean"):
    if _C._get_autocast() is not None:
        input, target = input.float(), target.float()
    return _nn.mse_loss(input, target, reduction=reduction)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    lengths = [vector_norm(x, 2, dim).clamp(min=eps) for x in (x1, x2)]
    return (x1 * x2).sum(dim) / (lengths[0] * lengths[1])


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return vector_norm(x1 - x2 + eps, p, -1, keepdim)


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    if input.dim() > 1 and target.dim() and len(input) != len(target):
        raise ValueError(f"Expected input batch_size ({len(input)}) to match target batch_size ({len(target)}).")
    if _C._get_autocast() is not None:
        input = input.float()
    found = _nn.cross_entropy(
        input, target, weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
    )
    return named(found, "AddBackward0") if label_smoothing else found


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    """The rows that an index names; that of `padding_idx` gets no gradient. Rows that are longer than `max_norm` are
    shortened first, where they are kept."""
    if input.dtype not in (_C.int64, _C.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{input.type()} instead (while checking arguments for embedding)"
        )
    if sparse:
        raise NotImplementedError("embedding() with sparse gradients")
    _shorten(input, weight, max_norm, norm_type)
    rows = _nn.embedding(input, weight)
    if not weight.requires_grad:
        return rows
    if scale_grad_by_freq:
        # The value stays, the gradient is divided.
        counts = input.flatten().bincount(minlength=len(weight))[input].unsqueeze(-1)
        rows = named(rows.detach() + (rows - rows.detach()) / counts, "EmbeddingBackward0")
    if padding_idx is not None:
        rows = _C.where((input == padding_idx % len(weight)).unsqueeze(-1), rows.detach(), rows)
        return named(rows, "EmbeddingBackward0")
    return rows


@no_grad
def _shorten(input, weight, max_norm, norm_type):
    if max_norm is not None:
        used = input.unique()
        rows = weight[used]
        norms = rows.norm(norm_type, -1, True)
        weight[used] = _C.where(norms > max_norm, rows * (max_norm / (norms + 1e-7)), rows)


def bilinear(input1, input2, weight, bias=None):
    out = _C._einsum("...i,oij,...j->...o", [input1, weight, input2])
    return out if bias is None else out + bias


def one_hot(tensor, num_classes=-1):
    if tensor.dtype == _C.int64 and tensor.numel() and int(tensor.min()) < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    elif tensor.numel() and int(tensor.max()) >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return _nn.one_hot(tensor, num_classes)


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / vector_norm(input, p, dim, True).clamp(min=eps).expand_as(input)


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean",
                  sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    """The sum, mean or largest of the rows of each bag: a row of the input, or what begins at an offset."""
    if scale_grad_by_freq or sparse:
        raise NotImplementedError("embedding_bag() with scale_grad_by_freq or sparse gradients")
    _shorten(input, weight, max_norm, norm_type)
    if input.dim() == 2:
        bags = list(input.unbind(0))
    else:
        starts = [*offsets.tolist(), *(() if include_last_offset else (len(input),))]
        bags = [input[start:end] for start, end in zip(starts, starts[1:])]
    weights = None if per_sample_weights is None else per_sample_weights.flatten().split([len(bag) for bag in bags])
    found = []
    for number, bag in enumerate(bags):
        is_kept = _C.ones_like(bag, dtype=_C.bool) if padding_idx is None else bag != padding_idx
        rows = weight[bag[is_kept]]
        rows = rows if weights is None else rows * weights[number][is_kept].unsqueeze(1)
        if not len(rows):
            found.append(weight.new_zeros(weight.shape[1]))
        else:
            found.append(rows.amax(0) if mode == "max" else rows.mean(0) if mode == "mean" else rows.sum(0))
    return named(_C.stack(found), "EmbeddingBagBackward0")


def _padded_by_itself(input, pad, mode):
    """What stands before and after is elements of the input again."""
    for number in range(len(pad) // 2):
        dim = input.dim() - 1 - number
        before, after, size = *pad[2 * number : 2 * number + 2], input.size(dim)
        if mode == "reflect" and max(before, after) >= size:
            raise RuntimeError(
                "Padding size should be less than the corresponding input dimension, but got: padding "
                f"({before}, {after}) at dimension {dim} of input {list(input.shape)}"
            )
        places = _C.arange(-before, size + after)
        if mode == "replicate":
            places = places.clamp(0, size - 1)
        elif mode == "circular":
            places = places.remainder(size)
        else:
            places = size - 1 - (size - 1 - places.abs()).abs()
        input = input.index_select(dim, places)
    return named(input, f"{mode.capitalize().replace('Replicate', 'Replication').replace('Reflect', 'Reflection')}Pad{len(pad) // 2}DBackward0")


def pad(input, pad, mode="constant", value=None):
    """Elements before and after each dimension, from the last one on; a negative number takes some away."""
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if mode in ("reflect", "replicate", "circular"):
        return _padded_by_itself(input, pad, mode)
    if mode != "constant":
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
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
    return named(input, "ConstantPadNdBackward0")
