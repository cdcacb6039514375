"""What normalises the channels of an input `(batch, channels, …)`."""

import _torch as _C
from torch.autograd import named
from torch.nn._windows import _padded, _windows


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Each channel by the mean of squares of `size` channels around it."""
    squares = input.square().movedim(1, -1)
    mean = _windows(_padded(squares, [(size // 2, (size - 1) // 2)]), [size], [1], [1]).mean(-1).movedim(-1, 1)
    return input / (mean * alpha + k).pow(beta)


def _of_channels(tensor, input):
    return tensor.view([1, -1] + [1] * (input.dim() - 2))


def _scaled(normal, weight, bias):
    normal = normal if weight is None else normal * _of_channels(weight, normal)
    return normal if bias is None else normal + _of_channels(bias, normal)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """Each channel with mean 0 and variance 1: of the batch while training, else of what was seen before."""
    if running_mean is not None and len(running_mean) != input.shape[1]:
        raise RuntimeError(f"running_mean should contain {input.shape[1]} elements not {len(running_mean)}")
    if not training:
        mean, var = running_mean, running_var
    else:
        dims = [at for at in range(input.dim()) if at != 1]
        count = input.numel() // input.shape[1]
        if count == 1:
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.shape}")
        var, mean = _C.var_mean(input, dims, correction=0)
        if running_mean is not None:
            running_mean.mul_(1 - momentum).add_(mean.detach() * momentum)
            running_var.mul_(1 - momentum).add_(var.detach() * (momentum * count / (count - 1)))
    normal = (input - _of_channels(mean, input)) * _of_channels((var + eps).rsqrt(), input)
    return named(_scaled(normal, weight, bias), "NativeBatchNormBackward0")


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    if input.shape[1] % num_groups:
        raise RuntimeError(
            f"Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    groups = input.reshape(len(input), num_groups, -1)
    normal = _C._nn.layer_norm(groups, groups.shape[2:], eps=eps).view(input.shape)
    return named(_scaled(normal, weight, bias), "NativeGroupNormBackward0")


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5):
    return group_norm(input, input.shape[1], weight, bias, eps)
