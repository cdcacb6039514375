"""Modules over windows of an input `(batch, channels, …)`, and norms of its channels."""

import _torch as _C
from torch.autograd import no_grad
from torch.nn import functional as F
from torch.nn import init
from torch.nn._windows import _each
from torch.nn.module import Module
from torch.nn.parameter import Parameter


class _Convolution(Module):
    _dims, output_padding = 0, ()

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros", device=None, dtype=None):
        super().__init__()
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(
                "padding_mode must be one of {'zeros', 'reflect', 'replicate', 'circular'}, but got "
                f"padding_mode='{padding_mode}'"
            )
        self.padding_mode = padding_mode
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = (_each(x, self._dims) for x in (kernel_size, stride, dilation))
        self.padding = padding if isinstance(padding, str) else _each(padding, self._dims)
        self.weight = Parameter(_C.empty(*self._weight_shape(), *self.kernel_size, device=device, dtype=dtype))
        self.register_parameter("bias", Parameter(_C.empty(out_channels, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def _weight_shape(self):
        return self.out_channels, self.in_channels // self.groups

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=5**0.5)
        if self.bias is not None:
            bound = init._calculate_fan_in_and_fan_out(self.weight)[0] ** -0.5
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        conv = getattr(F, f"conv{self._dims}d")
        padding = self.padding
        if self.padding_mode != "zeros":
            sides = [(size, size) for size in padding] if padding not in ("same", "valid") else [(0, 0)] * self._dims
            if padding == "same":
                spread = [apart * (size - 1) for apart, size in zip(self.dilation, self.kernel_size)]
                sides = [(size // 2, size - size // 2) for size in spread]
            input, padding = F.pad(input, [size for side in reversed(sides) for size in side], self.padding_mode), 0
        return conv(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * self._dims:
            text += f", padding={self.padding}"
        if self.dilation != (1,) * self._dims:
            text += f", dilation={self.dilation}"
        if any(self.output_padding):
            text += f", output_padding={self.output_padding}"
        text += f", groups={self.groups}" if self.groups != 1 else ""
        text += ", bias=False" if self.bias is None else ""
        return text + (f", padding_mode={self.padding_mode}" if self.padding_mode != "zeros" else "")


class _Transposed(_Convolution):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype)
        self.output_padding = _each(output_padding, self._dims)

    def _weight_shape(self):
        return self.in_channels, self.out_channels // self.groups

    def forward(self, input, output_size=None):
        more = self.output_padding if output_size is None else self._missing(input, output_size)
        conv = getattr(F, f"conv_transpose{self._dims}d")
        return conv(input, self.weight, self.bias, self.stride, self.padding, more, self.groups, self.dilation)

    def _missing(self, input, output_size):
        """What is added so that the output has that size."""
        found = [
            (have - 1) * step - 2 * edge + apart * (size - 1) + 1 for have, step, edge, apart, size in zip(
                input.shape[-self._dims :], self.stride, self.padding, self.dilation, self.kernel_size
            )
        ]
        wanted = tuple(output_size)[-self._dims :]
        largest = [least + step - 1 for least, step in zip(found, self.stride)]
        if any(not least <= size <= most for least, size, most in zip(found, wanted, largest)):
            raise ValueError(
                f"requested an output size of {list(output_size)}, but valid sizes range from {found} to {largest} (for "
                f"an input of {input.shape[-self._dims :]})"
            )
        return tuple(size - least for size, least in zip(wanted, found))


class _MaxPool(Module):
    _dims = 0

    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation, self.ceil_mode, self.return_indices = padding, dilation, ceil_mode, return_indices

    def forward(self, input):
        pool = getattr(F, f"max_pool{self._dims}d")
        more = {"ceil_mode": self.ceil_mode, "return_indices": self.return_indices}
        return pool(input, self.kernel_size, self.stride, self.padding, self.dilation, **more)

    def extra_repr(self):
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, dilation={self.dilation}, "
            f"ceil_mode={self.ceil_mode}"
        )


class _AvgPool(Module):
    _dims = 0

    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        self.kernel_size = kernel_size if self._dims > 1 else _each(kernel_size, 1)
        self.stride = self.kernel_size if stride is None else stride if self._dims > 1 else _each(stride, 1)
        self.padding = padding if self._dims > 1 else _each(padding, 1)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input):
        pool = getattr(F, f"avg_pool{self._dims}d")
        options = {"ceil_mode": self.ceil_mode, "count_include_pad": self.count_include_pad}
        return pool(input, self.kernel_size, self.stride, self.padding, **options)

    def extra_repr(self):
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _AdaptivePool(Module):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def forward(self, input):
        return getattr(F, self._function)(input, self.output_size)

    def extra_repr(self):
        return f"output_size={self.output_size}"


class _BatchNorm(Module):
    """Each channel with mean 0 and variance 1, then scaled and moved."""

    _ranks = ()

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        like = {"device": device, "dtype": dtype}
        self.register_parameter("weight", Parameter(_C.ones(num_features, **like)) if affine else None)
        self.register_parameter("bias", Parameter(_C.zeros(num_features, **like)) if affine else None)
        self.register_buffer("running_mean", _C.zeros(num_features, **like) if track_running_stats else None)
        self.register_buffer("running_var", _C.ones(num_features, **like) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", _C.tensor(0) if track_running_stats else None)

    def reset_running_stats(self):
        """Forgets what was seen of other batches."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            with no_grad():
                self.weight.fill_(1)
                self.bias.zero_()

    def forward(self, input):
        if input.dim() not in self._ranks:
            expected = " or ".join(f"{rank}D" for rank in self._ranks)
            raise ValueError(f"expected {expected} input (got {input.dim()}D input)")
        momentum = self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
            momentum = 1 / self.num_batches_tracked.item() if momentum is None else momentum
        is_of_batch = self.training or self.running_mean is None
        return F.batch_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, is_of_batch, momentum, self.eps
        )

    def extra_repr(self):
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class _InstanceNorm(_BatchNorm):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype)

    def forward(self, input):
        return F.instance_norm(input, weight=self.weight, bias=self.bias, eps=self.eps)


class GroupNorm(Module):
    """The channels of each group together with mean 0 and variance 1, then each scaled and moved."""

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, bias=True, device=None, dtype=None):
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        like = {"device": device, "dtype": dtype}
        self.register_parameter("weight", Parameter(_C.ones(num_channels, **like)) if affine else None)
        self.register_parameter("bias", Parameter(_C.zeros(num_channels, **like)) if affine and bias else None)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        has_bias = self.bias is not None
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={has_bias}"


class _ChannelDropout(Module):
    """Whole channels are dropped."""

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        self.p, self.inplace = p, inplace

    def forward(self, input):
        if not self.training:
            return input
        channels = F.dropout(_C.ones_like(input[:, :, *[slice(1)] * (input.dim() - 2)]), self.p, True)
        return input * channels

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


def _of(base, name, **parts):
    globals()[name] = type(name, (base,), parts)
    __all__.append(name)


__all__ = ["GroupNorm"]
for _dims in (1, 2, 3):
    _of(_Convolution, f"Conv{_dims}d", _dims=_dims)
    _of(_Transposed, f"ConvTranspose{_dims}d", _dims=_dims)
    _of(_MaxPool, f"MaxPool{_dims}d", _dims=_dims)
    _of(_AvgPool, f"AvgPool{_dims}d", _dims=_dims)
    _of(_AdaptivePool, f"AdaptiveAvgPool{_dims}d", _function=f"adaptive_avg_pool{_dims}d")
    _of(_AdaptivePool, f"AdaptiveMaxPool{_dims}d", _function=f"adaptive_max_pool{_dims}d")
    _of(_BatchNorm, f"BatchNorm{_dims}d", _ranks=(2, 3) if _dims == 1 else (_dims + 2,))
    _of(_InstanceNorm, f"InstanceNorm{_dims}d")
    _of(_ChannelDropout, f"Dropout{_dims}d")
