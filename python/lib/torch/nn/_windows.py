"""What looks at windows of an input `(batch, channels, …)`."""

import math as _math

import _torch as _C
from torch.autograd import named


def _each(value, count):
    return tuple(value) if isinstance(value, (list, tuple)) else (value,) * count


def _padded(input, padding, value=0):
    """Elements before and after each of the last dimensions: as many of both, or a pair of numbers."""
    for back, sizes in enumerate(reversed(padding)):
        dim = input.dim() - 1 - back
        before, after = (
            [input.new_full([*input.shape[:dim], size, *input.shape[dim + 1 :]], value)] if size else []
            for size in _each(sizes, 2)
        )
        if before or after:
            input = _C.cat([*before, input, *after], dim)
    return input


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return _lp_pool(1, input, norm_type, kernel_size, stride, ceil_mode)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return _lp_pool(2, input, norm_type, kernel_size, stride, ceil_mode)


def _lp_pool(dims, input, norm_type, kernel_size, stride, ceil_mode):
    pool = avg_pool1d if dims == 1 else avg_pool2d
    means = pool(input.pow(norm_type), kernel_size, stride, 0, ceil_mode)
    return (means.sign() * means.abs().relu() * _math.prod(_each(kernel_size, dims))).pow(1 / norm_type)


def _windows(input, sizes, steps, dilation):
    """A view with the places of each window as further dimensions."""
    first = input.dim() - len(sizes)
    for at, (size, step, apart) in enumerate(zip(sizes, steps, dilation)):
        input = input.unfold(first + at, apart * (size - 1) + 1, step)[..., ::apart]
    return input


def _batched(function):
    """An input without a batch is one of a single example."""

    def called(input, *args, **kwargs):
        if input.dim() == function.dims + 1:
            found = function(input.unsqueeze(0), *args, **kwargs)
            return tuple(it.squeeze(0) for it in found) if isinstance(found, tuple) else found.squeeze(0)
        return function(input, *args, **kwargs)

    called.__name__ = function.name
    return called


def _check_convolution(weight, bias, stride, padding, dilation, groups):
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise RuntimeError(f"Invalid padding string: '{padding}'")
        if padding == "same" and any(step != 1 for step in stride):
            raise RuntimeError("padding='same' is not supported for strided convolutions")
    elif min(padding if isinstance(padding, (list, tuple)) else (padding,)) < 0:
        raise RuntimeError("negative padding is not supported")
    if min(stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    if min(dilation) <= 0:
        raise RuntimeError("dilation should be greater than zero")
    rows, shape = len(weight), list(weight.shape)
    if rows < groups or rows % groups:
        expected = f"at least {groups} at" if rows < groups else f"divisible by {groups} at"
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be {expected} dimension 0, but got weight of size {shape} instead"
        )
    if bias is not None and list(bias.shape) != [rows]:
        raise RuntimeError(
            f"Given weight of size {shape}, expected bias to be 1-dimensional with {rows} elements, but got bias of size "
            f"{list(bias.shape)} instead"
        )


def _convolution(dims):
    def conv(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
        sizes, stride, dilation = tuple(weight.shape[2:]), _each(stride, dims), _each(dilation, dims)
        if input.dim() not in (dims + 1, dims + 2):
            raise RuntimeError(
                f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to conv{dims}d, but got input of size: "
                f"{list(input.shape)}"
            )
        _check_convolution(weight, bias, stride, padding, dilation, groups)
        channels = input.shape[-dims - 1]
        if channels != weight.shape[1] * groups:
            raise RuntimeError(
                f"Given groups={groups}, weight of size {list(weight.shape)}, expected input{list(input.shape)} to have "
                f"{weight.shape[1] * groups} channels, but got {channels} channels instead"
            )
        if padding == "same":
            # What is left over comes behind.
            spans = [apart * (size - 1) for size, apart in zip(sizes, dilation)]
            input = _padded(input, [(0, span % 2) for span in spans])
            padding = [span // 2 for span in spans]
        padding = (0,) * dims if padding == "valid" else _each(padding, dims)
        reach = [input.shape[at - dims] + 2 * padding[at] for at in range(dims)]
        kernel = [dilation[at] * (sizes[at] - 1) + 1 for at in range(dims)]
        if any(have < need for have, need in zip(reach, kernel)):
            shown = [" x ".join(map(str, found)) for found in (reach, kernel)]
            raise RuntimeError(
                f"Calculated padded input size per channel: ({shown[0]}). Kernel size: ({shown[1]}). Kernel size can't be "
                "greater than actual input size"
            )
        return run(input, weight, bias, sizes, stride, padding, dilation, groups)

    def convolved(input, weight, bias, sizes, stride, padding, dilation, groups):
        places = _windows(_padded(input, padding), sizes, stride, dilation)
        batch, found = places.shape[0], list(places.shape[2 : 2 + dims])
        # (batch, groups, channels of one, places, elements of a window) to one row for each place.
        rows = places.reshape(batch, groups, weight.shape[1], _math.prod(found), _math.prod(sizes))
        rows = rows.transpose(2, 3).reshape(batch, groups, _math.prod(found), -1)
        kernels = weight.reshape(groups, weight.shape[0] // groups, -1).transpose(1, 2)
        out = (rows @ kernels).transpose(2, 3).reshape([batch, weight.shape[0]] + found)
        out = out if bias is None else out + bias.view([-1] + [1] * dims)
        return named(out, "ConvolutionBackward0")

    convolved.dims, convolved.name = dims, f"conv{dims}d"
    run = _batched(convolved)
    conv.__name__ = f"conv{dims}d"
    return conv


conv1d, conv2d, conv3d = map(_convolution, (1, 2, 3))


def _transposed(dims):
    """What the gradient of a convolution with respect to its input is."""

    def conv(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
        channels = input.shape[1]
        if channels != weight.shape[0]:
            raise RuntimeError(
                f"Given transposed=1, weight of size {list(weight.shape)}, expected input{list(input.shape)} to have "
                f"{weight.shape[0]} channels, but got {channels} channels instead"
            )
        more, sides = _each(output_padding, dims), []
        for at, (step, apart, edge) in enumerate(zip(*(_each(it, dims) for it in (stride, dilation, padding)))):
            if more[at] >= max(step, apart):
                steps, aparts = _each(stride, dims), _each(dilation, dims)
                told = [[neutral, *it][-2:] for it, neutral in ((more, 0), (steps, 1), (aparts, 1))]
                names = [f"{what}_{way}" for what in ("output_padding", "stride", "dilation") for way in ("height", "width")]
                told = " ".join(f"{name}: {size}" for name, size in zip(names, [*told[0], *told[1], *told[2]]))
                raise RuntimeError(f"output padding must be smaller than either stride or dilation, but got {told}")
            input = _spread(input, at - dims, step)
            reach = apart * (weight.shape[2 + at] - 1) - edge
            sides.append((reach, reach + more[at]))
        # Where less than nothing is to be added, the edges go.
        for at, (before, after) in enumerate(sides):
            first, last = max(-before, 0), input.shape[at - dims] - max(-after, 0)
            input = input.narrow(at - dims, first, last - first)
        input = _padded(input, [tuple(max(size, 0) for size in side) for side in sides])
        parts = weight.flip(list(range(2, 2 + dims))).chunk(groups, 0)
        kernels = _C.cat([part.transpose(0, 1) for part in parts])
        return (conv1d, conv2d, conv3d)[dims - 1](input, kernels, bias, 1, 0, dilation, groups)

    conv.dims, conv.name = dims, f"conv_transpose{dims}d"
    return _batched(conv)


def _spread(input, dim, step):
    """Zeros between the elements, so that each is `step` behind the one before."""
    if step == 1:
        return input
    dim = dim % input.dim()
    apart = input.unsqueeze(dim + 1)
    shape = [*apart.shape[: dim + 1], step - 1, *apart.shape[dim + 2 :]]
    wide = _C.cat([apart, apart.new_zeros(shape)], dim + 1).flatten(dim, dim + 1)
    return wide.narrow(dim, 0, wide.shape[dim] - step + 1)


conv_transpose1d, conv_transpose2d, conv_transpose3d = map(_transposed, (1, 2, 3))


def _overhang(have, size, step, apart, edge):
    """How many places further than its padding the last window reaches, when all that begin inside count."""
    span = apart * (size - 1) + 1
    windows = -(-(have + 2 * edge - span) // step) + 1
    windows -= (windows - 1) * step >= have + edge
    return max((windows - 1) * step + span - have - 2 * edge, 0)


def _check_pool(kind, dims, input, sizes, steps, padding, apart):
    if kind == "max" and input.dim() != dims + 2:
        raise RuntimeError(f"non-empty {dims + 1}D or {dims + 2}D (batch mode) tensor expected for input")
    if min(steps) <= 0:
        raise RuntimeError("stride should not be zero")
    for size, edge, step in zip(sizes, padding, apart):
        if edge > (step * (size - 1) + 1) // 2:
            at_most = "pad should be at most half of effective kernel size"
            raise RuntimeError(f"{at_most}, but got pad={edge}, kernel_size={size} and dilation={step}")
    spans = [step * (size - 1) + 1 for size, step in zip(sizes, apart)]
    have = [size + 2 * edge for size, edge in zip(input.shape[-dims:], padding)]
    if any(span > size for span, size in zip(spans, have)):
        channels = input.shape[-dims - 1]
        found = [(size - span) // step + 1 for size, span, step in zip(have, spans, steps)]
        shown = ["x".join(map(str, [channels, *it])) for it in (input.shape[-dims:], found)]
        raise RuntimeError(f"Given input size: ({shown[0]}). Calculated output size: ({shown[1]}). Output size is too small")


def _pool(kind, dims):
    def pool(input, kernel_size, stride=None, padding=0, *rest, dilation=1, ceil_mode=False, count_include_pad=True, return_indices=False):
        # What follows in order differs: a dilation and the mode, or the mode and what counts.
        if kind == "max":
            dilation, ceil_mode, return_indices = (*rest, *(dilation, ceil_mode, return_indices)[len(rest) :])
        else:
            ceil_mode, count_include_pad = (*rest, *(ceil_mode, count_include_pad)[len(rest) :])
        sizes, padding, apart = (_each(it, dims) for it in (kernel_size, padding, dilation))
        steps = sizes if stride in (None, ()) else _each(stride, dims)
        _check_pool(kind, dims, input, sizes, steps, padding, apart)
        over = [0] * dims
        if ceil_mode:
            over = [_overhang(*it) for it in zip(input.shape[-dims:], sizes, steps, apart, padding)]
        sides = [(edge, edge + more) for edge, more in zip(padding, over)]
        flat = _windows(_padded(input, sides, -_math.inf if kind == "max" else 0), sizes, steps, apart).flatten(-dims)
        if kind == "max":
            largest, place = flat.max(-1)
            largest = named(largest, f"MaxPool{dims}DWithIndicesBackward0" if dims > 1 else "SqueezeBackward1")
            if not return_indices:
                return largest
            # Where in the input each one is, its last dimensions as if flat.
            numbers = _C.arange(_math.prod(input.shape[-dims:])).view([1, 1, *input.shape[-dims:]])
            numbers = _windows(_padded(numbers, sides, -1), sizes, steps, apart).flatten(-dims)
            return largest, numbers.expand_as(flat).gather(-1, place.unsqueeze(-1)).squeeze(-1)
        if not any(over) and (count_include_pad or not any(padding)):
            return named(flat.mean(-1), f"AvgPool{dims}DBackward0" if dims > 1 else "SqueezeBackward1")
        inside = _padded(_C.ones_like(input[:1, :1]), padding, int(count_include_pad))
        inside = _windows(_padded(inside, [(0, more) for more in over]), sizes, steps, apart).flatten(-dims).sum(-1)
        return named(flat.sum(-1) / inside, f"AvgPool{dims}DBackward0" if dims > 1 else "SqueezeBackward1")

    pool.dims, pool.name = dims, f"{kind}_pool{dims}d"
    return _batched(pool)


max_pool1d, max_pool2d, max_pool3d, avg_pool1d, avg_pool2d, avg_pool3d = (
    _pool(kind, dims) for kind in ("max", "avg") for dims in (1, 2, 3)
)


def _adaptive(kind, dims):
    def pool(input, output_size):
        for at, count in enumerate(_each(output_size, dims)):
            dim = input.dim() - dims + at
            size = input.shape[dim]
            count = size if count is None else count
            bounds = [(number * size // count, -(-(number + 1) * size // count)) for number in range(count)]
            parts = [input.narrow(dim, start, end - start) for start, end in bounds]
            found = [part.mean(dim) if kind == "avg" else part.max(dim)[0] for part in parts]
            input = _C.stack(found, dim)
        return input

    pool.__name__ = f"adaptive_{kind}_pool{dims}d"
    return pool


adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d, adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = (
    _adaptive(kind, dims) for kind in ("avg", "max") for dims in (1, 2, 3)
)
