"""The line of a progress bar as text: sizes, times, the bar itself and how they stand together."""

BLOCKS = " ▏▎▍▌▋▊▉█"
PLAIN = " 123456789#"


def sizeof(number, suffix="", divisor=1000):
    """A number in three digits with the letter of its thousands."""
    for letter in ("", "k", "M", "G", "T", "P", "E", "Z"):
        size = abs(number)
        if size < 999.5:
            shape = "%1.2f" if size < 9.995 else "%2.1f" if size < 99.95 else "%3.0f"
            return shape % number + letter + suffix
        number /= divisor
    return "%3.1fY" % number + suffix


def interval(seconds):
    """Seconds as minutes and seconds, with hours where there are any."""
    sign = "-" if seconds < 0 else ""
    minutes, rest = divmod(abs(int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return sign + ("%d:%02d:%02d" % (hours, minutes, rest) if hours else "%02d:%02d" % (minutes, rest))


def number(value):
    """The shorter of the number in full and in three digits."""
    short = ("%.3g" % value).replace("e+0", "e+").replace("e-0", "e-")
    full = str(value)
    return short if len(short) < len(full) else full


class Bar:
    """A bar that draws itself to the width asked for in the format, such as {bar:20}, {bar:-20} or {bar:a}."""

    def __init__(self, fraction, width, symbols):
        self.fraction, self.width, self.symbols, self.used = min(max(fraction, 0), 1), width, symbols, False

    def __format__(self, spec):
        self.used = True
        symbols, width = self.symbols, self.width
        kinds = {"a": PLAIN, "u": BLOCKS, "b": "  "}
        if spec and spec[-1].lower() in kinds:
            symbols, spec = kinds[spec[-1].lower()], spec[:-1]
        if spec:
            width = int(spec) if int(spec) >= 0 else width + int(spec)
        steps = len(symbols) - 1
        whole, part = divmod(int(self.fraction * width * steps), steps)
        text = symbols[-1] * whole
        return text + symbols[part] + symbols[0] * (width - whole - 1) if whole < width else text


class _Hole:
    """Stands where the bar goes, to measure the rest."""

    used = False

    def __format__(self, spec):
        self.used = True
        return ""


def meter(n, total, elapsed, ncols=None, prefix="", ascii=False, unit="it", unit_scale=False, rate=None,
          bar_format=None, postfix=None, unit_divisor=1000, initial=0, colour=None, **more):
    """The whole line for a count of n out of total after so many seconds."""
    if total and n >= total + 0.5:
        total = None
    if unit_scale and unit_scale not in (True, 1):
        total = total * unit_scale if total else total
        n *= unit_scale
        rate = rate * unit_scale if rate else rate
        unit_scale = False
    if rate is None and elapsed:
        rate = (n - initial) / elapsed
    inverse = 1 / rate if rate else None

    def speed(value):
        return "?" if not value else sizeof(value) if unit_scale else "%5.2f" % value

    texts = {"rate_noinv_fmt": speed(rate) + unit + "/s", "rate_inv_fmt": speed(inverse) + "s/" + unit}
    texts["rate_fmt"] = texts["rate_inv_fmt"] if inverse and inverse > 1 else texts["rate_noinv_fmt"]
    if unit_scale:
        n_fmt = sizeof(n, divisor=unit_divisor)
        total_fmt = sizeof(total, divisor=unit_divisor) if total is not None else "?"
    else:
        n_fmt, total_fmt = str(n), str(total) if total is not None else "?"
    postfix = ", " + str(postfix) if postfix else ""
    left = (total - n) / rate if rate and total else 0
    texts.update(
        n=n, n_fmt=n_fmt, total=total, total_fmt=total_fmt, elapsed=interval(elapsed), elapsed_s=elapsed, ncols=ncols,
        desc=prefix or "", unit=unit, rate=inverse if inverse and inverse > 1 else rate, rate_noinv=rate,
        rate_inv=inverse, postfix=postfix, unit_divisor=unit_divisor, colour=colour,
        remaining=interval(left) if rate else "?", remaining_s=left)
    texts.update(more)
    start = prefix if not prefix or prefix.endswith(": ") else prefix + ": "
    texts["l_bar"] = start
    texts["r_bar"] = "| {n_fmt}/{total_fmt} [{elapsed}<{remaining}, {rate_fmt}{postfix}]".format(**texts)
    if total:
        fraction = n / total
        texts["percentage"] = 100 * fraction
        texts["l_bar"] += "%3.0f%%|" % texts["percentage"]
        if ncols == 0:
            return texts["l_bar"][:-1] + texts["r_bar"][1:]
        bar_format = bar_format or "{l_bar}{bar}{r_bar}"
    elif bar_format:
        fraction = 0
        texts["l_bar"] += "|"
    else:
        return "%s%s%s [%s, %s%s]" % (start, n_fmt, unit, texts["elapsed"], texts["rate_fmt"], postfix)
    if not prefix:
        bar_format = bar_format.replace("{desc}: ", "{desc}")
    hole = _Hole()
    without = bar_format.format(bar=hole, **texts)
    if not hole.used:
        return without
    symbols = (PLAIN if ascii is True else ascii or BLOCKS) if total else "  "
    line = bar_format.format(bar=Bar(fraction, max(1, ncols - len(without)) if ncols else 10, symbols), **texts)
    return line[:ncols] if ncols else line
