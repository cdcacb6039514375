"""Modules that put elements around an input `(batch, channels, …)`, and such as rearrange its places."""

from torch.nn import functional as F
from torch.nn._options import Called, classes
from torch.nn.module import Module


def _sides(padding, dims):
    return (padding,) * (2 * dims) if isinstance(padding, int) else tuple(padding)


class _Padding(Module):
    _dims, _mode = 0, "constant"

    def __init__(self, padding):
        super().__init__()
        self.padding = _sides(padding, self._dims)

    def forward(self, input):
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return f"{self.padding}"


class _ConstantPadding(_Padding):
    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value

    def forward(self, input):
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self):
        return f"padding={self.padding}, value={self.value}"


class _ZeroPadding(_ConstantPadding):
    def __init__(self, padding):
        super().__init__(padding, 0.0)

    extra_repr = _Padding.extra_repr


class Upsample(Module):
    """The last dimensions in other sizes."""

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        self.size, self.mode, self.align_corners = size, mode, align_corners
        is_tuple = isinstance(scale_factor, tuple)
        self.scale_factor = tuple(map(float, scale_factor)) if is_tuple else float(scale_factor) if scale_factor else None

    def forward(self, input):
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)

    def extra_repr(self):
        told = f"scale_factor={self.scale_factor!r}" if self.scale_factor is not None else f"size={self.size!r}"
        return f"{told}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor)


class UpsamplingBilinear2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "bilinear", True)


class _Shown(Called):
    def forward(self, input):
        return self._function(input, *(getattr(self, name) for name in self._options))

    def extra_repr(self):
        return ", ".join(f"{name}={getattr(self, name)}" for name in self._options)


class LocalResponseNorm(_Shown):
    """Each channel by the squares of its neighbours (Krizhevsky et al. 2012)."""

    _function = staticmethod(F.local_response_norm)
    _options = {"size": 5, "alpha": 1e-4, "beta": 0.75, "k": 1.0}

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


_MODULES = {
    "PixelShuffle": (F.pixel_shuffle, {"upscale_factor": 2}),
    "PixelUnshuffle": (F.pixel_unshuffle, {"downscale_factor": 2}),
    "ChannelShuffle": (F.channel_shuffle, {"groups": 1}),
}
globals().update(classes(_Shown, _MODULES))
__all__ = [*_MODULES, "LocalResponseNorm", "Upsample", "UpsamplingBilinear2d", "UpsamplingNearest2d"]
for _dims in (1, 2, 3):
    for _name, _base, _mode in (
        ("Constant", _ConstantPadding, "constant"), ("Zero", _ZeroPadding, "constant"), ("Reflection", _Padding, "reflect"),
        ("Replication", _Padding, "replicate"), ("Circular", _Padding, "circular"),
    ):
        _name = f"{_name}Pad{_dims}d"
        globals()[_name] = type(_name, (_base,), {"_dims": _dims, "_mode": _mode})
        __all__.append(_name)
