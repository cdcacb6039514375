"""Axes by their names."""

import torch
from _torch import _einops_einsum, _rearrange, _reduce, _repeat


class EinopsError(RuntimeError):
    """What einops does not do, with the pattern and the shape that it was asked for."""


def _apply(operation, reduction, tensor, pattern, axes, *more):
    if isinstance(tensor, (list, tuple)):
        if not tensor:
            raise TypeError("Rearrange/Reduce/Repeat can't be applied to an empty list")
        tensor = torch.stack(list(tensor))
    try:
        return operation(tensor, pattern, *more, " ".join(axes), list(axes.values()))
    except RuntimeError as error:
        shown = f' Error while processing {reduction}-reduction pattern "{pattern}".'
        shown += f"\n Input tensor shape: {tensor.shape}. Additional info: {axes}.\n {error}"
    raise EinopsError(shown)


def rearrange(tensor, pattern, **axes_lengths):
    """Permutes, splits and joins axes."""
    return _apply(_rearrange, "rearrange", tensor, pattern, axes_lengths)


def repeat(tensor, pattern, **axes_lengths):
    """As `rearrange`, and repeats along axes that only the right side names."""
    return _apply(_repeat, "repeat", tensor, pattern, axes_lengths)


def reduce(tensor, pattern, reduction, **axes_lengths):
    """As `rearrange`, and combines the axes that the right side does not name."""
    return _apply(_reduce, reduction, tensor, pattern, axes_lengths, reduction)


def einsum(*tensors_and_pattern):
    """Sums products over the names that the result lacks."""
    if len(tensors_and_pattern) <= 1:
        raise ValueError(
            "`einops.einsum` takes at minimum two arguments: the tensors (at least one), followed by the pattern."
        )
    *tensors, pattern = tensors_and_pattern
    if not isinstance(pattern, str):
        raise ValueError(
            "The last argument passed to `einops.einsum` must be a string, representing the einsum pattern."
        )
    if "->" not in pattern:
        raise ValueError("Einsum pattern must contain '->'.")
    return _einops_einsum(pattern, tensors)
