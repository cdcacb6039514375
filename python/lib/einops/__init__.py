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
    """As `rearrange`, and combines the axes that the right side does not name: as the reduction says, or by a function of
    a tensor and the dimensions that go."""
    if callable(reduction):
        return _reduced_by(tensor, pattern, reduction, axes_lengths)
    return _apply(_reduce, reduction, tensor, pattern, axes_lengths, reduction)


def _reduced_by(tensor, pattern, reduction, axes_lengths):
    left, right = pattern.split("->")
    names = [name for name in left.replace("(", " ").replace(")", " ").split() if name != "1"]
    kept = [name for name in names if name in right.replace("(", " ").replace(")", " ").split()]
    gone = [name for name in names if name not in kept]
    flat = rearrange(tensor, f"{left} -> {' '.join(kept + gone)}", **axes_lengths)
    first = flat.dim() - len(gone)
    lengths = {name: flat.shape[at] for at, name in enumerate(kept)} if "..." not in kept else axes_lengths
    reduced = reduction(flat, tuple(range(first, flat.dim())))
    return rearrange(reduced, f"{' '.join(kept)} -> {right}", **{name: lengths[name] for name in kept if name in lengths})


def _star(name, pattern):
    """How many axes stand before the star of a pattern, and how many behind it."""
    axes = pattern.split()
    if len(set(axes)) != len(axes):
        raise EinopsError(f'Duplicates in axes names in {name}(..., "{pattern}")')
    if "*" not in axes:
        raise EinopsError(f'No *-axis in {name}(..., "{pattern}")')
    place = axes.index("*")
    return place, len(axes) - place - 1


def pack(tensors, pattern):
    """Joins tensors along the axes that the star of the pattern stands for: those become one. The second result says
    how to take them apart."""
    before, after = _star("pack", pattern)
    parts, shapes = [], []
    for number, tensor in enumerate(tensors):
        rank = tensor.dim()
        if rank < before + after:
            raise EinopsError(
                f"packed tensor #{number} (enumeration starts with 0) has shape {tensor.shape}, while pattern {pattern} "
                f"assumes at least {before + after} axes"
            )
        shapes.append(tensor.shape[before : rank - after])
        parts.append(tensor.reshape((*tensor.shape[:before], -1, *tensor.shape[rank - after :])))
    return torch.cat(parts, dim=before), shapes


def unpack(tensor, packed_shapes, pattern):
    """Takes apart what `pack` has joined."""
    before, after = _star("unpack", pattern)
    if tensor.dim() != before + 1 + after:
        raise EinopsError(f"unpack(..., {pattern}) received input of wrong dim with shape {tensor.shape}")
    sizes = [-1 if -1 in shape else torch.Size(shape).numel() for shape in packed_shapes]
    if sizes.count(-1) > 1:
        raise EinopsError(
            f"unpack(..., {pattern}) received more than one -1 in {packed_shapes} and can't infer dimensions"
        )
    # One may take what the others leave, and else the last one what is left.
    whole, rest = tensor.shape[before], sizes.index(-1) if -1 in sizes else len(sizes) - 1
    ends = [sum(sizes[:at]) if at <= rest else whole - sum(sizes[at:]) for at in range(len(sizes))] + [whole]
    outer, inner = tensor.shape[:before], tensor.shape[before + 1 :]
    try:
        pieces = [tensor.narrow(before, start, end - start) for start, end in zip(ends, ends[1:])]
        return [piece.reshape((*outer, *shape, *inner)) for piece, shape in zip(pieces, packed_shapes)]
    except (IndexError, RuntimeError):
        raise EinopsError(
            f'Error during unpack(..., "{pattern}"): could not split axis of size {whole} into requested {packed_shapes}'
        ) from None


def asnumpy(tensor):
    """The array that shares a tensor's elements."""
    return tensor.detach().cpu().numpy()


def parse_shape(x, pattern):
    """The sizes of a tensor by the names of its axes; `_` names none."""
    if "(" in pattern:
        raise RuntimeError(f"Can't parse shape with composite axes: {pattern} {x.shape}")
    names = pattern.split()
    if len(names) != x.dim() and "..." not in names:
        raise RuntimeError(f"Can't parse shape with different number of dimensions: {pattern} {x.shape}")
    if "..." in names:
        at = names.index("...")
        names[at : at + 1] = ["_"] * (x.dim() - len(names) + 1)
    return {name: size for name, size in zip(names, x.shape) if name != "_"}


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
