"""Where ticks are; what is written at them is in `_formatters`."""

import math

from matplotlib import _data
from matplotlib._formatters import (
    EngFormatter, FixedFormatter, FormatStrFormatter, Formatter, FuncFormatter, LogFormatter, LogFormatterExponent,
    LogFormatterMathtext, LogFormatterSciNotation, LogitFormatter, NullFormatter, PercentFormatter, ScalarFormatter,
    StrMethodFormatter, _Ticker, nonsingular,
)


class Locator(_Ticker):
    MAXTICKS = 1000

    def __call__(self):
        """The places of the ticks."""
        return self.tick_values(*self.axis.get_view_interval())

    def nonsingular(self, v0, v1):
        return nonsingular(v0, v1, expander=0.05)

    def view_limits(self, vmin, vmax):
        return nonsingular(vmin, vmax)

    def set_params(self, **params):
        for key, value in params.items():
            setattr(self, f"_{key}", value)

    def raise_if_exceeds(self, locs):
        return locs


class NullLocator(Locator):
    """No ticks."""

    def __call__(self):
        return []

    def tick_values(self, vmin, vmax):
        return []


class FixedLocator(Locator):
    """Ticks at given places, of which only some are kept where there are more than `nbins`."""

    def __init__(self, locs, nbins=None):
        self.locs = _data.flat(locs)
        self.nbins = None if nbins is None else max(nbins, 2)

    def __call__(self):
        return self.tick_values(None, None)

    def tick_values(self, vmin, vmax):
        if self.nbins is None:
            return list(self.locs)
        step = max(math.ceil(len(self.locs) / self.nbins), 1)
        choices = [self.locs[start::step] for start in range(step)]
        return min(choices, key=lambda places: min(map(abs, places), default=math.inf))


class IndexLocator(Locator):
    def __init__(self, base, offset):
        self._base, self.offset = base, offset

    def tick_values(self, vmin, vmax):
        count = max(math.ceil((vmax + 1 - vmin - self.offset) / self._base), 0)
        return [vmin + self.offset + step * self._base for step in range(count)]


class LinearLocator(Locator):
    """A number of ticks at equal distances."""

    def __init__(self, numticks=None, presets=None):
        self.numticks = numticks

    def tick_values(self, vmin, vmax):
        vmin, vmax = sorted(nonsingular(vmin, vmax, expander=0.05))
        count = 11 if self.numticks is None else self.numticks
        return [vmin + (vmax - vmin) * step / (count - 1) for step in range(count)] if count > 1 else [vmin][:count]


class _Steps:
    """Whole multiples of a step, with what rounding leaves beside them."""

    def __init__(self, step, offset):
        self.step, self._offset = step, abs(offset)

    def _is_close(self, part, edge):
        near = 1e-10
        if self._offset > 0:
            near = min(0.4999, max(near, 10 ** (math.log10(self._offset / self.step) - 12)))
        return abs(part - edge) < near

    def below(self, value):
        whole, rest = divmod(value, self.step)
        return whole + 1 if self._is_close(rest / self.step, 1) else whole

    def above(self, value):
        whole, rest = divmod(value, self.step)
        return whole if self._is_close(rest / self.step, 0) else whole + 1


class MultipleLocator(Locator):
    """Ticks at the multiples of a number."""

    def __init__(self, base=1.0, offset=0.0):
        self._base, self._offset = base, offset

    def tick_values(self, vmin, vmax):
        vmin, vmax = sorted((vmin, vmax))
        step = self._base
        vmin, vmax = vmin - self._offset, vmax - self._offset
        start = _Steps(step, 0).above(vmin) * step
        count = int((vmax - start + 0.001 * step) // step)
        return [start - step + place * step + self._offset for place in range(count + 3)]


class MaxNLocator(Locator):
    """At most `nbins` steps, each of a number that people like."""

    def __init__(self, nbins=None, *, steps=None, integer=False, symmetric=False, prune=None, min_n_ticks=2):
        self._integer, self._symmetric, self._prune, self._min_n_ticks = integer, symmetric, prune, min_n_ticks
        self.set_params(nbins=10 if nbins is None else nbins, steps=steps)

    def set_params(self, **params):
        steps = params.pop("steps", None)
        super().set_params(**params)
        if steps is not None or not hasattr(self, "_steps"):
            steps = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] if steps is None or steps == "auto" else list(steps)
            steps = ([] if steps[0] == 1 else [1]) + steps + ([] if steps[-1] == 10 else [10])
            self._steps = [0.1 * step for step in steps[:-1]] + steps + [10 * steps[1]]

    def _raw_ticks(self, low, high):
        least = self._min_n_ticks
        bins = self._nbins
        if bins == "auto":
            bins = min(max(self.axis.get_tick_space(), max(1, least - 1)), 9) if self.axis is not None else 9
        size, middle = abs(high - low), (high + low) / 2
        offset = 0 if abs(middle) / size < 100 else math.copysign(10 ** (math.log10(abs(middle)) // 1), middle)
        scale = 10 ** (math.log10(size / bins) // 1)
        low, high = low - offset, high - offset
        steps = [step * scale for step in self._steps]
        if self._integer:
            steps = [step for step in steps if step < 1 or abs(step - round(step)) < 0.001]
        raw = (high - low) / bins
        last = next((place for place, step in enumerate(steps) if step >= raw), len(steps) - 1)
        for step in steps[last::-1]:
            if self._integer and math.floor(high) - math.ceil(low) >= least - 1:
                step = max(1, step)
            base = low // step * step
            edge = _Steps(step, offset)
            start, end = edge.below(low - base), edge.above(high - base)
            ticks = [(start + place) * step + base for place in range(int(end - start + 1.5))]
            if sum(low <= tick <= high for tick in ticks) >= least:
                break
        return [tick + offset for tick in ticks]

    def tick_values(self, vmin, vmax):
        if self._symmetric:
            vmax = max(abs(vmin), abs(vmax))
            vmin = -vmax
        vmin, vmax = nonsingular(vmin, vmax, expander=1e-13, tiny=1e-14)
        locs = self._raw_ticks(vmin, vmax)
        first = 1 if self._prune in ("lower", "both") else 0
        return locs[first : len(locs) - (self._prune in ("upper", "both"))]


class AutoLocator(MaxNLocator):
    """What an axis has unless another is set."""

    def __init__(self):
        super().__init__("auto", steps=[1, 2, 2.5, 5, 10])


class AutoMinorLocator(Locator):
    """Parts of the steps between major ticks."""

    def __init__(self, n=None):
        self.ndivs = n

    def __call__(self):
        major = sorted(set(self.axis.get_majorticklocs()))
        if self.axis.get_scale() == "log" or len(major) < 2:
            return []
        step = major[1] - major[0]
        parts = self.ndivs
        if parts in (None, "auto"):
            lead = 10 ** (math.log10(step) % 1)
            parts = 5 if any(math.isclose(lead, nice, rel_tol=1e-5) for nice in (1, 2.5, 5, 10)) else 4
        step /= parts
        low, high = sorted(self.axis.get_view_interval())
        start, end = round((low - major[0]) / step), round((high - major[0]) / step) + 1
        return [place * step + major[0] for place in range(start, end)]


class LogLocator(Locator):
    """Ticks at powers of a base, and at multiples of them where `subs` has these."""

    def __init__(self, base=10.0, subs=(1.0,), *, numticks=None):
        self._base, self._subs = float(base), "auto" if subs is None else subs
        self.numticks = "auto" if numticks is None else numticks

    def _log(self, value):
        return (
            math.log10(value) if self._base == 10 else math.log2(value) if self._base == 2 else math.log(value, self._base)
        )

    @staticmethod
    def _decades(low, high, asked):
        """Exponents with one beyond each end: as many as are asked for at most, at equal distances."""
        first, last = math.ceil(low), math.floor(high)
        there = last - first + 1
        stride = there // (asked + 1) + 1
        asked = min(asked, math.ceil(there / stride))
        if asked <= 0:
            return 2 if there == 0 else last - first + 2, [first - 1, last + 1]
        if asked == 1:
            middle = round((low + high) / 2)
            stride = max(middle - (first - 1), last + 1 - middle)
            return stride, [middle - stride, middle, middle + stride]
        stride = (there - 1) // (asked - 1)
        if stride < there / asked:
            stride = there // asked
        least, beyond = max(there - stride * asked, 0), min(there - stride * (asked - 1), stride)
        offset = -first % stride
        if not least <= offset < beyond:
            offset = least
        return stride, list(range(first + offset - stride, last + stride + 1, stride))

    def tick_values(self, vmin, vmax):
        asked = self.numticks
        if asked == "auto":
            asked = 9 if self.axis is None else min(max(self.axis.get_tick_space(), 2), 9)
        if vmin <= 0 and self.axis is not None:
            vmin = self.axis.get_minpos()
        if vmin <= 0 or not math.isfinite(vmin):
            raise ValueError("Data cannot be log-scaled because all values are <= 0.")
        vmin, vmax = sorted((vmin, vmax))
        base, low, high = self._base, self._log(vmin), self._log(vmax)
        there = math.floor(high) - math.ceil(low) + 1
        stride, decades = self._decades(low, high, asked)
        subs = self._subs
        if isinstance(subs, str):
            if there >= 10 or base < 3:
                if subs == "auto":
                    return []
                subs = [1.0]
            else:
                subs = [float(sub) for sub in range(2 if subs == "auto" else 1, math.ceil(base))]
        else:
            subs = _data.flat(subs)
        if len(subs) > 1 or subs != [1.0]:
            ticks = []
            if stride == 1 or there <= 1:
                ticks = [sub * base**power for power in range(math.ceil(low) - 1, math.floor(high) + 1) for sub in subs]
        else:
            ticks = [base**power for power in decades]
        if len(subs) > 1 and stride == 1 and len(decades) - 2 + sum(vmin <= tick <= vmax for tick in ticks) <= 1:
            return AutoLocator().tick_values(vmin, vmax)
        return ticks

    def view_limits(self, vmin, vmax):
        return self.nonsingular(vmin, vmax)

    def nonsingular(self, vmin, vmax):
        vmin, vmax = sorted((vmin, vmax))
        if not (math.isfinite(vmin) and math.isfinite(vmax)):
            return 1, 10
        if vmax <= 0:
            _data.warn("Data has no positive values, and therefore cannot be log-scaled.")
            return 1, 10
        least = self.axis.get_minpos()
        if vmin <= 0:
            vmin = least if math.isfinite(least) else 1e-300
        if vmin == vmax:
            power = self._log(vmin)
            vmin, vmax = self._base ** (math.ceil(power) - 1), self._base ** (math.floor(power) + 1)
        return vmin, vmax


class SymmetricalLogLocator(Locator):
    """Powers on both sides of a linear part around zero."""

    def __init__(self, transform=None, subs=None, linthresh=None, base=None):
        self._base, self._linthresh, self._subs, self.numticks = base, linthresh, subs or [1.0], 15

    def tick_values(self, vmin, vmax):
        edge, base = self._linthresh, self._base
        vmin, vmax = sorted((vmin, vmax))
        if -edge <= vmin < vmax <= edge:
            return sorted({vmin, 0, vmax})

        def powers(low, high):
            return math.floor(math.log(low) / math.log(base)), math.ceil(math.log(high) / math.log(base))

        below = powers(abs(min(-edge, vmax)), abs(vmin) + 1) if vmin < -edge else (0, 0)
        above = powers(max(edge, vmin), vmax + 1) if vmax > edge else (0, 0)
        inner = vmin < -edge < vmax or vmax > edge > vmin
        step = max((below[1] - below[0] + above[1] - above[0] + inner) // (self.numticks - 1), 1)
        ticks = [-float(base) ** power for power in reversed(range(*below, step))]
        ticks += [0.0] * inner + [float(base) ** power for power in range(*above, step)]
        if len(self._subs) == 1:
            return ticks
        return [tick * sub for tick in ticks for sub in (self._subs if tick else [1])]


class LogitLocator(MaxNLocator):
    """Nines and powers of ten near 1 and near 0."""

    def __init__(self, minor=False, *, nbins="auto"):
        super().__init__(nbins)
        self._minor = minor

    def tick_values(self, vmin, vmax):
        deepest = max(1, *(math.ceil(-math.log10(edge)) for edge in (vmin, 1 - vmax) if 0 < edge < 1), 1)
        places = [10.0**-power for power in range(1, deepest + 1)]
        if self._minor:
            places = [sub * place for place in places for sub in range(2, 10 if place < 0.1 else 5)]
            return sorted(places + [1 - place for place in places])
        return sorted([*places, 0.5, *(1 - place for place in places)])

    def nonsingular(self, vmin, vmax):
        vmin, vmax = sorted((vmin, vmax))
        if not (math.isfinite(vmin) and math.isfinite(vmax)) or vmax <= 0 or vmin >= 1:
            return 1e-7, 1 - 1e-7
        least = self.axis.get_minpos()
        least = least if math.isfinite(least) else 1e-7
        vmin, vmax = (least if vmin <= 0 else vmin), (1 - least if vmax >= 1 else vmax)
        return (0.1 * vmin, 1 - 0.1 * vmin) if vmin == vmax else (vmin, vmax)
