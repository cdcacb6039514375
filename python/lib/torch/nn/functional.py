"""`torch.nn.functional`"""

import _torch as _C
from _torch import sigmoid, tanh
from torch._functions import broadcast_tensors
from torch.autograd import named
from torch.linalg import vector_norm
from torch.nn._losses import (
    binary_cross_entropy, binary_cross_entropy_with_logits, cross_entropy, huber_loss, kl_div, l1_loss, mse_loss, nll_loss,
    smooth_l1_loss,
)

_nn = _C._nn

layer_norm = _nn.layer_norm
linear = _nn.linear
logsigmoid = _nn.logsigmoid
rms_norm = _nn.rms_norm
scaled_dot_product_attention = _nn.scaled_dot_product_attention
softplus = _nn.softplus


def _dim(input, dim):
    """That of the classes, as PyTorch guesses it where none is given."""
    return (0 if input.dim() in (0, 1, 3) else 1) if dim is None else dim


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    return _C.softmax(input, _dim(input, dim), dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    return _C.log_softmax(input, _dim(input, dim), dtype)


def gelu(input, approximate="none"):
    return _nn.gelu(input, approximate=approximate)


def silu(input, inplace=False):
    return input._become(_nn.silu(input)) if inplace else _nn.silu(input)


def relu(input, inplace=False):
    return input.relu_() if inplace else input.relu()


def _of_result(function, input, slope, name):
    """The result in the place of the input, by that name and kept, for PyTorch tells its derivative in it."""
    output = function(input.clone() if input.requires_grad else input, slope)
    if output.requires_grad:
        there = output.detach()
        output = _C._function(name, [output], [there], there, lambda gradient, _: [gradient])
    return input._become(output)


def elu(input, alpha=1.0, inplace=False):
    return _of_result(_nn.elu, input, alpha, "EluBackward1") if inplace else _nn.elu(input, alpha)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    if inplace:
        return _of_result(_nn.leaky_relu, input, negative_slope, "LeakyReluBackward1")
    return _nn.leaky_relu(input, negative_slope)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    output = _nn.hardtanh(input, min_val, max_val)
    return input._become(output) if inplace else output


def glu(input, dim=-1):
    if input.shape[dim] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim % input.dim()} is size {input.shape[dim]}")
    first, second = input.chunk(2, dim)
    return named(first * second.sigmoid(), "GluBackward0")


def dropout(input, p=0.5, training=True, inplace=False):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    output = _nn.dropout(input, p, training) if training and p else input
    return input._become(output) if inplace and output is not input else output


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    x1, x2 = broadcast_tensors(x1, x2)
    directions = [x / vector_norm(x, 2, dim, True).clamp(min=eps) for x in (x1, x2)]
    return (directions[0] * directions[1]).sum(dim)


def embedding(input, weight, padding_idx=None):
    """The rows that an index names; that of `padding_idx` gets no gradient."""
    if input.dtype not in (_C.int64, _C.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{input.type()} instead (while checking arguments for embedding)"
        )
    rows = _nn.embedding(input, weight)
    if padding_idx is None or not weight.requires_grad:
        return rows
    rows = _C.where((input == padding_idx % len(weight)).unsqueeze(-1), rows.detach(), rows)
    return named(rows, "EmbeddingBackward0")


def _of_features(tensor, input):
    return tensor.view([1, -1] + [1] * (input.dim() - 2))


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Each feature with mean 0 and variance 1: of the batch while training, else of what was seen before."""
    if running_mean is not None and len(running_mean) != input.shape[1]:
        raise RuntimeError(f"running_mean should contain {input.shape[1]} elements not {len(running_mean)}")
    mean, var = running_mean, running_var
    if training:
        count = input.numel() // input.shape[1]
        if count == 1:
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.shape}")
        var, mean = _C.var_mean(input, [at for at in range(input.dim()) if at != 1], correction=0)
        if running_mean is not None:
            running_mean.mul_(1 - momentum).add_(mean.detach() * momentum)
            running_var.mul_(1 - momentum).add_(var.detach() * (momentum * count / (count - 1)))
    normal = (input - _of_features(mean, input)) * _of_features((var + eps).rsqrt(), input)
    normal = normal if weight is None else normal * _of_features(weight, normal)
    normal = normal if bias is None else normal + _of_features(bias, normal)
    return named(normal, "NativeBatchNormBackward0")


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


def pad(input, pad, mode="constant", value=None):
    """Elements before and after each dimension, from the last one on; a negative number takes some away."""
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * input.dim():
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {input.dim()}"
        )
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
