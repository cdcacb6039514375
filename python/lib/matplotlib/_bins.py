"""Counting numbers: edges of bins, how many numbers are in each, and how dense they lie."""

import math
from bisect import bisect_left, bisect_right

from matplotlib import _data


def quantile(sorted_values, part):
    """The number below which a part of sorted numbers is."""
    place = part * (len(sorted_values) - 1)
    low = int(place)
    high = min(low + 1, len(sorted_values) - 1)
    return sorted_values[low] + (sorted_values[high] - sorted_values[low]) * (place - low)


def _width_of(values, rule):
    """How wide bins are to be, by a rule's name."""
    count, size = len(values), max(values) - min(values)
    ordered = sorted(values)

    def sturges():
        return size / (math.log2(count) + 1)

    def freedman():
        return 2 * (quantile(ordered, 0.75) - quantile(ordered, 0.25)) / count ** (1 / 3)

    if rule == "auto":
        return min(freedman(), sturges()) or sturges()
    if rule == "scott":
        middle = sum(values) / count
        return (24 * math.pi**0.5 / count) ** (1 / 3) * math.sqrt(sum((value - middle) ** 2 for value in values) / count)
    rules = {"sturges": sturges, "fd": freedman, "sqrt": lambda: size / math.sqrt(count),
             "rice": lambda: size / (2 * count ** (1 / 3))}
    if rule not in rules:
        raise ValueError(f"{rule!r} is not a valid estimator for `bins`")
    return rules[rule]()


def bin_edges(values, bins, limits=None):
    """The edges of bins: of a number of them, of a rule, or as they are given."""
    if not isinstance(bins, (int, float, str)) and not (hasattr(bins, "dim") and bins.dim() == 0):
        edges = [float(edge) for edge in _data.flat(bins)]
        if any(low > high for low, high in zip(edges, edges[1:])):
            raise ValueError("`bins` must increase monotonically, when an array")
        return edges
    if limits is not None:
        low, high = map(float, limits)
        if low > high:
            raise ValueError("max must be larger than min in range parameter.")
    else:
        low, high = (float(min(values)), float(max(values))) if values else (0.0, 1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    if isinstance(bins, str):
        inside = [value for value in values if low <= value <= high]
        width = _width_of(inside, bins) if inside else 0
        if width and all(isinstance(value, int) for value in inside):
            width = max(width, 1)
        bins = math.ceil((high - low) / width) if width else 1
    elif int(bins) < 1:
        raise ValueError("`bins` must be positive, when an integer")
    bins = int(bins)
    step = (high - low) / bins
    return [low + step * place for place in range(bins)] + [high]


def counted(values, edges, weights=None):
    """How many numbers, or what weight, is in each bin; the last one has both its edges."""
    if weights is None:
        values = sorted(value for value in values if value == value)
        places = [bisect_left(values, edge) for edge in edges[:-1]] + [bisect_right(values, edges[-1])]
        return [float(after - before) for before, after in zip(places, places[1:])]
    found = [0.0] * (len(edges) - 1)
    for value, weight in zip(values, weights):
        if edges[0] <= value <= edges[-1]:
            found[min(bisect_right(edges, value) - 1, len(found) - 1)] += weight
    return found


def running(values):
    total, found = 0, []
    for value in values:
        total += value
        found.append(total)
    return found


def density_at(values, places, bandwidth=None):
    """How dense numbers lie at some places: the sum of a bell around each."""
    count = len(values)
    middle = sum(values) / count
    spread = math.sqrt(sum((value - middle) ** 2 for value in values) / max(count - 1, 1)) or 1.0
    factor = bandwidth if isinstance(bandwidth, (int, float)) else count**-0.2
    size = spread * factor
    exp, scale = math.exp, 1 / (size * math.sqrt(2 * math.pi) * count)
    return [scale * sum([exp(-0.5 * ((place - value) / size) ** 2) for value in values]) for place in places]
