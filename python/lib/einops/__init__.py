"""Axes by their names."""

import _outside
import torch
from _torch import _einops_einsum, _rearrange, _reduce, _repeat


class EinopsError(RuntimeError):
    """What einops does not do, with the pattern and the shape that it was asked for."""


def _apply(operation, reduction, tensor, pattern, axes, *more):
    if isinstance(tensor, (list, tuple)):
        if not tensor:
            raise TypeError("Rearrange/Reduce/Repeat can't be applied to an empty list")
        tensor = torch.stack(list(tensor))
    if hasattr(tensor, "_tensor"):
        # An array gives one.
        return asnumpy(_apply(operation, reduction, tensor._tensor, pattern, axes, *more))
    _left, _right = pattern.split("->")
    if reduction == "mean" and not tensor.is_floating_point():
        raise NotImplementedError("reduce_mean is not available for non-floating tensors")
    try:
        return operation(tensor, pattern, *more, " ".join(axes), list(axes.values()))
    except RuntimeError as error:
        # einops puts the reason on a line of its own, and ends one sentence with a blank.
        error = str(error).replace(": not a valid", "\nnot a valid").replace(": axis name should", "\naxis name should")
        error += " " * error.endswith("only one ellipsis for tensor")
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
    """As `rearrange`, and combines the axes that the right side does not name, as the reduction says."""
    return _apply(_reduce, reduction, tensor, pattern, axes_lengths, reduction)


def asnumpy(tensor):
    """The array that shares a tensor's elements."""
    return tensor.detach().cpu().numpy()


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
    try:
        return _einops_einsum(pattern, tensors)
    except RuntimeError as error:
        refusal = str(error)
    if refusal.startswith("einsum(): subscript "):
        # That is what comes of it, where axes have letters in the order in which they come.
        axis = refusal.split()[2]
        names = dict.fromkeys(pattern.replace("->", " ").replace(",", " ").split())
        letter = "abcdefghijklmnopqrstuvwxyz"[list(names).index(axis)] if axis in names else axis
        raise RuntimeError(refusal.replace(f"subscript {axis} ", f"subscript {letter} ", 1))
    if "not yet supported" in refusal:
        raise NotImplementedError(refusal)
    raise (RuntimeError if refusal.startswith("einsum(): ") else EinopsError)(refusal)


_outside.guard("einops")
