"""Scales of an axis: where a number is drawn, and what ticks it has."""

import math

from matplotlib import _data
from matplotlib.ticker import (
    AutoLocator, LogFormatterSciNotation, LogitFormatter, LogitLocator, LogLocator, NullFormatter, NullLocator,
    ScalarFormatter, SymmetricalLogLocator,
)

_NOWHERE = math.nan


class LinearScale:
    name = "linear"

    def __init__(self, axis, **_more):
        pass

    def forward(self, value):
        return value

    inverse = forward

    def forward_all(self, values):
        return values

    def limit(self, low, high, minpos):
        """Limits that the scale can have."""
        return low, high

    def locators(self, axis):
        """The locator and the formatter of major ticks, and those of minor ones."""
        from matplotlib import rcParams
        from matplotlib.ticker import AutoMinorLocator

        minor = rcParams[f"{axis.axis_name}tick.minor.visible"]
        return AutoLocator(), ScalarFormatter(), AutoMinorLocator() if minor else NullLocator(), NullFormatter()


class _Curved(LinearScale):
    def forward_all(self, values):
        forward = self.forward
        return [forward(value) for value in values]


class LogScale(_Curved):
    name = "log"

    def __init__(self, axis, *, base=10, subs=None, nonpositive="clip", **_more):
        if base <= 0 or base == 1:
            raise ValueError("The log base cannot be <= 0 or == 1")
        self.base, self.subs, self.nonpositive = base, subs, nonpositive
        self._log = math.log10 if base == 10 else math.log2 if base == 2 else lambda value: math.log(value, base)

    def forward(self, value):
        if value > 0:
            return self._log(value) if value != math.inf else math.inf
        return -1000.0 if self.nonpositive == "clip" and value == value else _NOWHERE

    def inverse(self, value):
        try:
            return float(self.base) ** value
        except OverflowError:
            return math.inf

    def limit(self, low, high, minpos):
        if not math.isfinite(minpos):
            minpos = 1e-300
        return (minpos if low <= 0 else low), (minpos if high <= 0 else high)

    def locators(self, axis):
        minor = self.subs is not None
        return (
            LogLocator(self.base), LogFormatterSciNotation(self.base), LogLocator(self.base, self.subs),
            LogFormatterSciNotation(self.base, labelOnlyBase=minor),
        )


class SymmetricalLogScale(_Curved):
    name = "symlog"

    def __init__(self, axis, *, base=10, linthresh=2, subs=None, linscale=1, **_more):
        self.base, self.linthresh, self.subs = base, linthresh, subs
        self._size = linscale / (1 - 1 / base)
        self._log = math.log(base)

    def forward(self, value):
        size = abs(value)
        if size <= self.linthresh or value != value:
            return value * self._size
        return math.copysign(self.linthresh * (self._size + math.log(size / self.linthresh) / self._log), value)

    def inverse(self, value):
        size = abs(value)
        if size <= self.linthresh * self._size:
            return value / self._size
        return math.copysign(self.linthresh * math.exp((size / self.linthresh - self._size) * self._log), value)

    def locators(self, axis):
        return (
            SymmetricalLogLocator(base=self.base, linthresh=self.linthresh), LogFormatterSciNotation(self.base),
            SymmetricalLogLocator(base=self.base, linthresh=self.linthresh, subs=self.subs), NullFormatter(),
        )


class LogitScale(_Curved):
    name = "logit"

    def __init__(self, axis, nonpositive="mask", **_more):
        self.nonpositive = nonpositive

    def forward(self, value):
        if 0 < value < 1:
            return math.log10(value / (1 - value))
        return _NOWHERE if self.nonpositive == "mask" or value != value else -1000.0 if value <= 0 else 1000.0

    def inverse(self, value):
        return 1 / (1 + 10**-value)

    def limit(self, low, high, minpos):
        if not math.isfinite(minpos):
            minpos = 1e-7
        return (minpos if low <= 0 else low), (1 - minpos if high >= 1 else high)

    def locators(self, axis):
        return LogitLocator(), LogitFormatter(), LogitLocator(minor=True), LogitFormatter(minor=True)


class FuncScale(_Curved):
    """A scale of two functions: where a number is, and what number a place has."""

    name = "function"

    def __init__(self, axis, functions, **_more):
        there, back = functions
        self.forward = lambda value: float(_data.flat(there(_data.array([value])))[0])
        self.inverse = lambda value: float(_data.flat(back(_data.array([value])))[0])




_SCALES = {kind.name: kind for kind in (LinearScale, LogScale, SymmetricalLogScale, LogitScale, FuncScale)}


def get_scale_names():
    return sorted(_SCALES)


def register_scale(scale_class):
    _SCALES[scale_class.name] = scale_class


def scale_factory(scale, axis, **more):
    """The scale that a name stands for."""
    if not isinstance(scale, str):
        return scale
    if scale not in _SCALES:
        known = ", ".join(repr(name) for name in [*list(_SCALES), "mercator"][: len(_SCALES)])
        raise ValueError(f"{scale!r} is not a valid value for scale; supported values are {known}")
    return _SCALES[scale](axis, **more)
