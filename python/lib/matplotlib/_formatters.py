"""What is written at ticks."""

import itertools
import math

from matplotlib import rcParams


def nonsingular(low, high, expander=0.001, tiny=1e-15, increasing=True):
    """Limits that are apart and in order."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return -expander, expander
    swapped = high < low
    if swapped:
        low, high = high, low
    size = max(abs(low), abs(high))
    if size < 1e6 / tiny * 2.2250738585072014e-308:
        low, high = -expander, expander
    elif high - low <= size * tiny:
        if low == high == 0:
            low, high = -expander, expander
        else:
            low, high = low - expander * abs(low), high + expander * abs(high)
    return (high, low) if swapped and not increasing else (low, high)


def _minus(text):
    """A text with a true minus sign."""
    return text.replace("-", "\u2212") if rcParams["axes.unicode_minus"] else text


class _Ticker:
    axis = None

    def set_axis(self, axis):
        self.axis = axis

    def create_dummy_axis(self, **_more):
        """Locators and formatters work without an axis."""


class Formatter(_Ticker):
    locs = ()

    def __call__(self, x, pos=None):
        """The text of a tick."""
        raise NotImplementedError("Derived must override")

    def format_ticks(self, values):
        self.set_locs(values)
        return [self(value, place) for place, value in enumerate(values)]

    def format_data(self, value):
        return self(value)

    format_data_short = format_data

    def get_offset(self):
        return ""

    def set_locs(self, locs):
        self.locs = locs

    @staticmethod
    def fix_minus(s):
        return _minus(s)


class NullFormatter(Formatter):
    def __call__(self, x, pos=None):
        return ""


class FixedFormatter(Formatter):
    """Given texts, one after another."""

    def __init__(self, seq):
        self.seq, self.offset_string = list(seq), ""

    def __call__(self, x, pos=None):
        return self.seq[pos] if pos is not None and pos < len(self.seq) else ""

    def get_offset(self):
        return self.offset_string

    def set_offset_string(self, ofs):
        self.offset_string = ofs


class FuncFormatter(Formatter):
    def __init__(self, func):
        self.func = func

    def __call__(self, x, pos=None):
        return self.func(x, pos)


class FormatStrFormatter(Formatter):
    def __init__(self, fmt):
        self.fmt = fmt

    def __call__(self, x, pos=None):
        return self.fmt % x


class StrMethodFormatter(Formatter):
    def __init__(self, fmt):
        self.fmt = fmt

    def __call__(self, x, pos=None):
        return _minus(self.fmt.format(x=x, pos=pos))


class PercentFormatter(Formatter):
    def __init__(self, xmax=100, decimals=None, symbol="%", is_latex=False):
        self.xmax, self.decimals, self.symbol = xmax + 0.0, decimals, symbol

    def __call__(self, x, pos=None):
        low, high = self.axis.get_view_interval()
        return _minus(self.format_pct(x, abs(high - low)))

    def convert_to_pct(self, x):
        return 100.0 * (x / self.xmax)

    def format_pct(self, x, display_range):
        decimals = self.decimals
        if decimals is None:
            size = self.convert_to_pct(display_range)
            decimals = 0 if size <= 0 else min(max(math.ceil(2 - math.log10(2 * size)), 0), 5)
        return f"{self.convert_to_pct(x):0.{int(decimals)}f}{self.symbol or ''}"


class EngFormatter(Formatter):
    """Numbers with the prefixes of units."""

    def __init__(self, unit="", places=None, sep=" ", **_more):
        self.unit, self.places, self.sep = unit, places, sep

    def __call__(self, x, pos=None):
        power = 0 if x == 0 else min(max(math.floor(math.log10(abs(x)) / 3) * 3, -24), 24)
        lead = x / 10.0**power
        if abs(float(f"{lead:.{6 if self.places is None else self.places}f}")) >= 1000 and power < 24:
            power, lead = power + 3, lead / 1000
        prefix = dict(zip(range(-24, 27, 3),
                          ["y", "z", "a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E", "Z", "Y"]))[power]
        number = f"{lead:g}" if self.places is None else f"{lead:.{self.places}f}"
        end = f"{self.sep}{prefix}{self.unit}" if prefix or self.unit else ""
        return _minus(number) + end


class ScalarFormatter(Formatter):
    """Numbers with as many digits as tell them apart, and what they have in common beside the axis."""

    def __init__(self, useOffset=None, useMathText=None, useLocale=None, **_more):
        self.set_useOffset(rcParams["axes.formatter.useoffset"] if useOffset is None else useOffset)
        self._useMathText = rcParams["axes.formatter.use_mathtext"] if useMathText is None else useMathText
        self.orderOfMagnitude, self.format, self._scientific = 0, "", True
        self._powerlimits = rcParams["axes.formatter.limits"]

    def set_useOffset(self, val):
        self._useOffset = bool(val) if isinstance(val, bool) or val in (0, 1) else False
        self.offset = 0 if isinstance(val, bool) or val in (0, 1) else val

    def set_useMathText(self, val):
        self._useMathText = rcParams["axes.formatter.use_mathtext"] if val is None else val

    def get_useOffset(self):
        return self._useOffset

    def set_scientific(self, b):
        self._scientific = bool(b)

    def set_powerlimits(self, lims):
        self._powerlimits = lims

    def __call__(self, x, pos=None):
        if not self.locs:
            return ""
        number = (x - self.offset) / 10.0**self.orderOfMagnitude
        return _minus(self.format % (0.0 if abs(number) < 1e-8 else number))

    def set_locs(self, locs):
        self.locs = list(locs)
        if self.locs:
            if self._useOffset:
                self._find_offset()
            self._find_order()
            self._find_format()

    def _seen(self):
        low, high = sorted(self.axis.get_view_interval())
        return [place for place in self.locs if low <= place <= high], low, high

    def _find_offset(self):
        """What all ticks share, if it is long."""
        self.offset = 0
        locs, _, _ = self._seen()
        if not locs or min(locs) == max(locs) or min(locs) <= 0 <= max(locs):
            return
        sign = math.copysign(1, min(locs))
        least, most = sorted((abs(float(min(locs))), abs(float(max(locs)))))
        top = math.ceil(math.log10(most))
        order = 1 + next(order for order in itertools.count(top, -1) if least // 10.0**order != most // 10.0**order)
        if (most - least) / 10.0**order <= 1e-2:
            order = 1 + next(order for order in itertools.count(top, -1) if most // 10.0**order - least // 10.0**order > 1)
        if most // 10.0**order >= 10 ** (rcParams["axes.formatter.offset_threshold"] - 1):
            self.offset = sign * (most // 10.0**order) * 10.0**order

    def _find_order(self):
        """The power of ten that is written beside the axis."""
        self.orderOfMagnitude = 0
        first, last = self._powerlimits
        locs, low, high = self._seen()
        if not self._scientific or not locs:
            return
        if first == last != 0:
            self.orderOfMagnitude = first
            return
        size = high - low if self.offset else max(map(abs, locs))
        order = math.floor(math.log10(size)) if size else 0
        if order <= first or order >= last:
            self.orderOfMagnitude = order

    def _find_format(self):
        locs = self.locs if len(self.locs) > 1 else [*self.locs, *self.axis.get_view_interval()]
        locs = [(place - self.offset) / 10.0**self.orderOfMagnitude for place in locs]
        size = max(locs) - min(locs) or max(map(abs, locs)) or 1
        locs = locs[: len(self.locs)]
        order = math.floor(math.log10(size))
        digits = max(0, 3 - order)
        near = 1e-3 * 10.0**order
        while digits >= 0 and max(abs(place - round(place, digits)) for place in locs) < near:
            digits -= 1
        self.format = f"%1.{digits + 1}f"

    def format_data(self, value):
        order = math.floor(math.log10(abs(value)))
        lead = round(value / 10.0**order, 10)
        text = _minus(("%d" if lead % 1 == 0 else "%1.10g") % lead)
        if order == 0:
            return text
        return text + _minus(rf" \times 10^{{{order}}}" if self._useMathText else f"e{order}")

    def get_offset(self):
        """What is written beside the axis."""
        if not self.locs or not (self.orderOfMagnitude or self.offset):
            return ""
        offset = ("+" if self.offset > 0 else "") + self.format_data(self.offset) if self.offset else ""
        power = ""
        if self.orderOfMagnitude:
            power = rf"\times\mathdefault{{10^{{{self.orderOfMagnitude}}}}}" if self._useMathText else "1e" + _minus(
                str(self.orderOfMagnitude)
            )
        return _minus(rf"${power}\mathdefault{{{offset}}}$" if self._useMathText else power + offset)


class LogFormatter(Formatter):
    """Numbers of a logarithmic axis; minor ones only where few major ones are seen."""

    def __init__(self, base=10.0, labelOnlyBase=False, minor_thresholds=None, linthresh=None):
        self._base, self.labelOnlyBase = float(base), labelOnlyBase
        self.minor_thresholds, self._linthresh = minor_thresholds or (1, 0.4), linthresh
        self._sublabels = None

    def set_locs(self, locs=None):
        """Finds which multiples of powers are labelled in what is seen."""
        edge = self._linthresh or getattr(getattr(self.axis, "_scale", None), "linthresh", None)
        low, high = sorted(self.axis.get_view_interval())
        base = self._base
        self._sublabels = {1}
        if edge is None and low <= 0:
            return
        powers = wide = 0
        parts = [(low, high)]
        if edge is not None:
            parts = [(abs(min(high, -edge)), abs(low))] if low < -edge else []
            parts += [(max(low, edge), high)] if high > edge else []
        for start, end in parts:
            start, end = math.log(start, base), math.log(end, base)
            powers += math.floor(end) - math.floor(math.nextafter(start, -math.inf))
            wide += abs(end - start)
        if powers > self.minor_thresholds[0]:
            return
        if wide > self.minor_thresholds[1]:
            count = int(base) // 2 + 1
            self._sublabels = {round(base ** (step / (count - 1))) for step in range(count)} if count > 1 else {1}
        else:
            self._sublabels = set(range(1, int(base) + 1))

    def _parts(self, size):
        """The power that a number is, whether it is a whole one, and whether it has a label."""
        power = math.log(size) / math.log(self._base)
        whole = abs(power - round(power)) < 1e-10
        exponent = round(power) if whole else math.floor(power)
        lead = round(self._base ** (power - exponent))
        shown = (whole or not self.labelOnlyBase) and (self._sublabels is None or lead in self._sublabels)
        return power, whole, shown

    def __call__(self, x, pos=None):
        if x == 0:
            return "0"
        size = abs(x)
        _, _, shown = self._parts(size)
        if not shown:
            return ""
        low, high = nonsingular(*self.axis.get_view_interval(), expander=0.05)
        return _minus(self._plain(size, high - low) if 1 <= size <= 10000 else f"{size:1.0e}")

    @staticmethod
    def _plain(size, wide):
        if size < 1e4 and size == int(size):
            return str(int(size))
        digits = 3 if wide <= 1 else 2 if wide <= 10 else 1
        return f"{size:1.{digits}f}".rstrip("0").rstrip(".")


class LogFormatterMathtext(LogFormatter):
    """Powers as mathematics."""

    def _between(self, sign, base, power):
        return rf"$\mathdefault{{{sign}{base}^{{{power:.2f}}}}}$"

    def __call__(self, x, pos=None):
        if x == 0:
            return r"$\mathdefault{0}$"
        sign, size = "-" if x < 0 else "", abs(x)
        power, whole, shown = self._parts(size)
        if not shown:
            return ""
        base = f"{self._base:g}" if self._base % 1 == 0 else str(self._base)
        if abs(round(power) if whole else power) < rcParams["axes.formatter.min_exponent"]:
            return rf"$\mathdefault{{{sign}{size:g}}}$"
        if not whole:
            return self._between(sign, base, power)
        return rf"$\mathdefault{{{sign}{base}^{{{round(power)}}}}}$"


class LogFormatterSciNotation(LogFormatterMathtext):
    def _between(self, sign, base, power):
        exponent = math.floor(power)
        lead = self._base ** (power - exponent)
        lead = round(lead) if abs(lead - round(lead)) < 1e-10 else lead
        return rf"$\mathdefault{{{sign}{lead:g}\times{base}^{{{exponent}}}}}$"


class LogFormatterExponent(LogFormatter):
    def __call__(self, x, pos=None):
        return f"{math.log(abs(x), self._base):g}" if x else "0"


class LogitFormatter(Formatter):
    def __init__(self, *, minor=False, **_more):
        self._minor = minor

    def __call__(self, x, pos=None):
        if self._minor or x <= 0 or x >= 1:
            return ""
        if abs(x - 0.5) < 1e-9:
            return r"$\mathdefault{\frac{1}{2}}$"
        text = (
            f"10^{{{round(math.log10(x))}}}" if x < 0.5 else f"1-10^{{{round(math.log10(1 - x))}}}"
        )
        return rf"$\mathdefault{{{text}}}$"
