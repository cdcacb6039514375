"""Images in other sizes, their windows as columns, and places as channels."""

import _torch as _C
from torch.autograd import named
from torch.nn._windows import _each, _padded, _windows


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None, antialias=False):
    """The last dimensions in other sizes: of each place the nearest element, or what is on the line between two."""
    dims = input.dim() - 2
    if mode not in ("nearest", {1: "linear", 2: "bilinear", 3: "trilinear"}.get(dims)) or antialias:
        raise NotImplementedError(f"interpolate() of {input.dim()} dimensions by {mode}, antialias {antialias}")
    if (size is None) == (scale_factor is None):
        raise ValueError(f"{'neither' if size is None else 'only one'} of size or scale_factor should be defined")
    factors = _each(scale_factor, dims)
    sizes = _each(size, dims) if scale_factor is None else [int(input.shape[2 + at] * factors[at]) for at in range(dims)]
    for at, wanted in enumerate(sizes):
        have, dim = input.shape[2 + at], 2 + at
        step = have / wanted if scale_factor is None else 1 / factors[at]
        if mode == "nearest":
            input = input.index_select(dim, (_C.arange(wanted) * step).floor().long().clamp(max=have - 1))
            continue
        if align_corners:
            places = _C.arange(wanted) * ((have - 1) / max(wanted - 1, 1))
        else:
            places = ((_C.arange(wanted) + 0.5) * step - 0.5).clamp(min=0)
        low = places.floor().long().clamp(max=have - 1)
        share = (places - low).to(input.dtype).view([-1 if d == dim else 1 for d in range(input.dim())])
        high = (low + 1).clamp(max=have - 1)
        input = input.index_select(dim, low) * (1 - share) + input.index_select(dim, high) * share
    return named(input, f"Upsample{mode.capitalize()}{dims}DBackward0")


def pixel_shuffle(input, upscale_factor):
    """Channels `(…, C·r², H, W)` become places `(…, C, H·r, W·r)`."""
    r, (*front, channels, height, width) = upscale_factor, input.shape
    if channels % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but "
            f"input.size(-3)={channels} is not divisible by {r * r}"
        )
    apart = input.reshape(*front, channels // (r * r), r, r, height, width)
    rank = len(front) + 1
    order = [*range(rank), rank + 2, rank, rank + 3, rank + 1]
    return named(apart.permute(order).reshape(*front, channels // (r * r), height * r, width * r), "PixelShuffleBackward0")


def pixel_unshuffle(input, downscale_factor):
    """The way back."""
    r, (*front, channels, height, width) = downscale_factor, input.shape
    if height % r or width % r:
        raise RuntimeError(
            f"pixel_unshuffle expects {'height' if height % r else 'width'} to be divisible by downscale_factor, but "
            f"input.size({-2 if height % r else -1})={height if height % r else width} is not divisible by {r}"
        )
    apart = input.reshape(*front, channels, height // r, r, width // r, r)
    rank = len(front) + 1
    order = [*range(rank), rank + 1, rank + 3, rank, rank + 2]
    return named(apart.permute(order).reshape(*front, channels * r * r, height // r, width // r), "PixelUnshuffleBackward0")


def channel_shuffle(input, groups):
    shape = input.shape
    return input.reshape(shape[0], groups, shape[1] // groups, *shape[2:]).transpose(1, 2).reshape(shape)


def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    """Zeros, but for the largest elements where they were."""
    sizes, steps, edges = _each(kernel_size, 2), _each(kernel_size if stride is None else stride, 2), _each(padding, 2)
    found = [(n - 1) * step - 2 * edge + size for n, step, edge, size in zip(input.shape[-2:], steps, edges, sizes)]
    height, width = found if output_size is None else tuple(output_size)[-2:]
    flat = input.new_zeros(*input.shape[:-2], height * width)
    return flat.scatter(-1, indices.flatten(-2), input.flatten(-2)).unflatten(-1, (height, width))


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """All windows of images as columns: `(batch, channels · elements of a window, windows)`."""
    images = input if input.dim() == 4 else input.unsqueeze(0)
    sizes, steps, apart, edges = (_each(it, 2) for it in (kernel_size, stride, dilation, padding))
    blocks = [
        (have + 2 * edge - gap * (size - 1) - 1) // step + 1
        for have, edge, gap, size, step in zip(images.shape[2:], edges, apart, sizes, steps)
    ]
    if min(blocks) < 1:
        raise RuntimeError(
            f"Given input with spatial size {tuple(images.shape[2:])}, kernel_size={sizes}, dilation={apart}, padding={edges}, "
            f"calculated shape of the array of sliding blocks as {tuple(blocks)}, but its components must be at least one."
        )
    windows = _windows(_padded(images, _each(padding, 2)), sizes, steps, apart)
    columns = windows.permute(0, 1, 4, 5, 2, 3).reshape(len(images), images.shape[1] * sizes[0] * sizes[1], -1)
    return named(columns if input.dim() == 4 else columns.squeeze(0), "Im2ColBackward0")


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Images again: where windows overlap, their sum."""
    columns = input if input.dim() == 3 else input.unsqueeze(0)
    sizes, steps, apart, edges = (_each(it, 2) for it in (kernel_size, stride, dilation, padding))
    height, width = (size + 2 * edge for size, edge in zip(_each(output_size, 2), edges))
    places = _C.arange(height * width).view(1, 1, height, width)
    places = _windows(places, sizes, steps, apart).permute(0, 1, 4, 5, 2, 3).reshape(-1)
    parts = columns.reshape(len(columns), -1, len(places))
    flat = parts.new_zeros(len(columns), parts.shape[1], height * width)
    whole = flat.scatter_add(2, places.expand_as(parts), parts).view(len(columns), -1, height, width)
    whole = whole[:, :, edges[0] : height - edges[0], edges[1] : width - edges[1]]
    return named(whole if input.dim() == 3 else whole.squeeze(0), "Col2ImBackward0")
