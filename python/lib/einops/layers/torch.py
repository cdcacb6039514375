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


class EinMix(nn.Module):
    """A product with a weight that is learnt, by the names of axes, and perhaps a bias."""

    def __init__(self, pattern, weight_shape, bias_shape=None, **axes_lengths):
        super().__init__()
        self.pattern, self.weight_shape, self.bias_shape, self.axes_lengths = pattern, weight_shape, bias_shape, axes_lengths
        left, right = (side.strip() for side in pattern.split("->"))
        (apart, self._apart), (together, self._together) = _flat(left, True), _flat(right, False)
        names = weight_shape.split()
        for name in names:
            if name not in axes_lengths:
                raise EinopsError(f"Dimension {name} of weight should be specified")
        unknown = set(together) - set(apart) - set(names)
        if unknown:
            raise EinopsError(f"Unrecognized identifiers on the right side of EinMix {unknown}")
        self._product = f"{' '.join(apart)}, {' '.join(names)} -> {' '.join(together)}"
        summed = [axes_lengths[name] for name in names if name not in together]
        bound = torch.Size(summed).numel() ** -0.5
        self.weight = nn.Parameter(torch.empty([axes_lengths[name] for name in names]).uniform_(-(3**0.5) * bound, 3**0.5 * bound))
        shape = None if bias_shape is None else [axes_lengths[n] if n in bias_shape.split() else 1 for n in together]
        self.bias = None if shape is None else nn.Parameter(torch.empty(shape).uniform_(-bound, bound))

    def forward(self, input):
        out = einsum(_rearranged(input, self._apart, self.axes_lengths), self.weight, self._product)
        return _rearranged(out if self.bias is None else out + self.bias, self._together, self.axes_lengths)

    def extra_repr(self):
        bias = "" if self.bias_shape is None else f", {self.bias_shape!r}"
        lengths = "".join(f", {name}={length}" for name, length in self.axes_lengths.items())
        return f"{self.pattern!r}, {self.weight_shape!r}{bias}{lengths}"


def _names(text):
    return text.replace("(", " ").replace(")", " ").split()


def _flat(side, is_input):
    """The names of a side without its parentheses, and the pattern that takes them away or puts them there."""
    names = _names(side)
    if "(" not in side:
        return names, None
    return names, f"{side} -> {' '.join(names)}" if is_input else f"{' '.join(names)} -> {side}"


def _rearranged(tensor, pattern, lengths):
    if pattern is None:
        return tensor
    return rearrange(tensor, pattern, **{name: lengths[name] for name in _names(pattern) if name in lengths})
