"""What scales numbers for colour maps."""

import math

from matplotlib import _data


class Normalize:
    """Scales numbers from `vmin`..`vmax` to 0..1."""

    def __init__(self, vmin=None, vmax=None, clip=False):
        self.vmin = None if vmin is None else float(vmin)
        self.vmax = None if vmax is None else float(vmax)
        self.clip = clip

    def _usable(self, values):
        return _data.finite(values)

    def autoscale_None(self, A):
        if self.vmin is None or self.vmax is None:
            values = self._usable(_data.flat(A))
            if values:
                self.vmin = min(values) if self.vmin is None else self.vmin
                self.vmax = max(values) if self.vmax is None else self.vmax

    def autoscale(self, A):
        self.vmin = self.vmax = None
        self.autoscale_None(A)

    def scaled(self):
        return self.vmin is not None and self.vmax is not None

    def _forward(self, value):
        return value

    def _backward(self, value):
        return value

    def places(self, values):
        """The numbers of a list, scaled."""
        if self.vmin is None or self.vmax is None:
            return [0.0] * len(values)
        if self.vmin > self.vmax:
            raise ValueError("minvalue must be less than or equal to maxvalue")
        if self.vmin == self.vmax:
            return [0.0 if value == value else value for value in values]
        if type(self)._forward is Normalize._forward:
            low, size = self.vmin, self.vmax - self.vmin
            found = [(value - low) / size for value in values]
        else:
            low, high = self._forward(self.vmin), self._forward(self.vmax)
            found = [(self._forward(value) - low) / (high - low) for value in values]
        if self.clip:
            found = [min(max(value, 0.0), 1.0) for value in found]
        return found

    def __call__(self, value, clip=None):
        values = _data.plain(value)
        self.autoscale_None(values)
        if isinstance(values, list) and _data.shape(values)[1:]:
            return _data.array([self.places(row) for row in values])
        found = self.places(values if isinstance(values, list) else [values])
        return _data.array(found) if isinstance(values, list) else found[0]

    def inverse(self, value):
        values = _data.plain(value)
        low, high = self._forward(self.vmin), self._forward(self.vmax)
        if isinstance(values, list):
            return _data.array([self._backward(low + part * (high - low)) for part in values])
        return self._backward(low + values * (high - low))


class NoNorm(Normalize):
    def places(self, values):
        return [int(value) for value in values]


class LogNorm(Normalize):
    """Scales logarithms; what has none has no colour."""

    def _usable(self, values):
        return [value for value in _data.finite(values) if value > 0]

    def _forward(self, value):
        return math.log10(value) if value > 0 else math.nan

    def _backward(self, value):
        return 10.0**value


class PowerNorm(Normalize):
    def __init__(self, gamma, vmin=None, vmax=None, clip=False):
        super().__init__(vmin, vmax, clip)
        self.gamma = gamma

    def places(self, values):
        return [place**self.gamma if place > 0 else place for place in super().places(values)]


class SymLogNorm(Normalize):
    def __init__(self, linthresh, linscale=1.0, vmin=None, vmax=None, clip=False, *, base=10):
        from matplotlib.scale import SymmetricalLogScale

        super().__init__(vmin, vmax, clip)
        scale = SymmetricalLogScale(None, base=base, linthresh=linthresh, linscale=linscale)
        self._forward, self._backward = scale.forward, scale.backward

    def places(self, values):
        low, high = self._forward(self.vmin), self._forward(self.vmax)
        return [(self._forward(value) - low) / (high - low) for value in values]


class TwoSlopeNorm(Normalize):
    """A half of the map for each side of a centre."""

    def __init__(self, vcenter, vmin=None, vmax=None):
        super().__init__(vmin, vmax)
        self.vcenter = vcenter

    def places(self, values):
        low, middle, high = self.vmin, self.vcenter, self.vmax
        return [
            0.5 * (value - low) / (middle - low) if value < middle else 0.5 + 0.5 * (value - middle) / (high - middle)
            for value in values
        ]


class CenteredNorm(Normalize):
    def __init__(self, vcenter=0, halfrange=None, clip=False):
        super().__init__(None, None, clip)
        self.vcenter = vcenter
        if halfrange is not None:
            self.vmin, self.vmax = vcenter - halfrange, vcenter + halfrange

    def autoscale_None(self, A):
        values = self._usable(_data.flat(A))
        if self.vmin is None and values:
            half = max(abs(value - self.vcenter) for value in values)
            self.vmin, self.vmax = self.vcenter - half, self.vcenter + half


class BoundaryNorm(Normalize):
    """The number of the interval that a number lies in, of those between `boundaries`."""

    def __init__(self, boundaries, ncolors, clip=False, *, extend="neither"):
        self.boundaries = _data.flat(boundaries)
        super().__init__(self.boundaries[0], self.boundaries[-1], clip)
        self.Ncmap, self.extend = ncolors, extend
        self._offset = 1 if extend in ("min", "both") else 0
        self._regions = len(self.boundaries) - 1 + self._offset + (extend in ("max", "both"))
        if self._regions > ncolors:
            raise ValueError(
                f"There are {self._regions} color bins including extensions, but ncolors = {ncolors}; "
                "ncolors must equal or exceed the number of bins"
            )

    def places(self, values):
        from bisect import bisect_right

        found, regions = [], self._regions
        for value in values:
            place = bisect_right(self.boundaries, value) - 1 + self._offset if value == value else value
            if value == value and self.Ncmap > regions:
                place = place * (self.Ncmap - 1) // (regions - 1) if regions > 1 else (self.Ncmap - 1) // 2
            if value < self.vmin:
                place = 0 if self.clip else -1
            elif value >= self.vmax:
                place = self.Ncmap - 1 if self.clip else self.Ncmap
            found.append(place)
        return found
