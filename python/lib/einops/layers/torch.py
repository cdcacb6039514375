"""Modules for `torch.nn.Sequential`."""

import torch
from einops import EinopsError, einsum, rearrange, reduce
from torch import nn


class _Layer(nn.Module):
    def __init__(self, pattern, *options, **axes_lengths):
        super().__init__()
        self.pattern, self._options, self.axes_lengths = pattern, options, axes_lengths

    def extra_repr(self):
        told = [repr(self.pattern), *map(repr, self._options)]
        return ", ".join(told + [f"{name}={length}" for name, length in self.axes_lengths.items()])


class Rearrange(_Layer):
    def forward(self, input):
        return rearrange(input, self.pattern, **self.axes_lengths)


class Reduce(_Layer):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__(pattern, reduction, **axes_lengths)

    def forward(self, input):
        return reduce(input, self.pattern, *self._options, **self.axes_lengths)


from _outside import guard as _guard

_guard(__name__)
