"""Writing to chosen places."""

import _torch as _C
from _torch import TensorBase as _Base
from torch import _methods


def index_add(input, dim, index, source, *, alpha=1):
    return input.clone().index_add_(dim, index, source, alpha=alpha)


def index_put_(input, indices, values, accumulate=False):
    if not accumulate:
        input[tuple(indices)] = values
        return input
    # The number of each place that is written to, among all of the flat tensor.
    numbers = _C.arange(input.numel()).view(input.shape)[tuple(indices)]
    values = values.expand(numbers.shape).reshape(-1)
    return input.copy_(input.flatten().scatter_add(0, numbers.reshape(-1), values).view(input.shape))


def index_put(input, indices, values, accumulate=False):
    return input.clone().index_put_(indices, values, accumulate)


def scatter(input, dim, index, src=None, *, value=None):
    return _Base.scatter(input, dim, index, value if src is None else src)


def scatter_(input, dim, index, src=None, *, value=None):
    """Writes the source, or one value, to the places that the index tells."""
    return _Base.scatter_(input, dim, index, value if src is None else src)


_methods.add(globals())
