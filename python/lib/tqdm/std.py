"""Progress bars that write one line over and over, seldom enough not to slow the loop they watch."""

import contextlib
import os
import sys
from numbers import Number
from time import time

from . import _format

_open = []


class TqdmTypeError(TypeError):
    pass


class TqdmKeyError(KeyError):
    pass


class TqdmWarning(Warning):
    pass


class _Smoothed:
    """A mean that leans to the latest values."""

    def __init__(self, weight):
        self.weight, self.sum, self.calls = weight, 0, 0

    def add(self, value):
        self.sum = self.weight * value + (1 - self.weight) * self.sum
        self.calls += 1

    def mean(self):
        return self.sum / (1 - (1 - self.weight) ** self.calls) if self.calls else 0


def _width(file):
    """The columns of the terminal the bar is written to, or None where it is not one."""
    try:
        return os.get_terminal_size(file.fileno()).columns - 1 if file.isatty() else None
    except (AttributeError, OSError, ValueError):
        return None


class tqdm:
    """Goes over an iterable, or is counted on with update(), and shows how far it has come."""

    monitor_interval = 0

    def __init__(self, iterable=None, desc=None, total=None, leave=True, file=None, ncols=None, mininterval=0.1,
                 maxinterval=10.0, miniters=None, ascii=None, disable=False, unit="it", unit_scale=False,
                 dynamic_ncols=False, smoothing=0.3, bar_format=None, initial=0, position=None, postfix=None,
                 unit_divisor=1000, write_bytes=False, lock_args=None, nrows=None, colour=None, delay=0.0, gui=False,
                 **more):
        file = sys.stderr if file is None else file
        if disable is None:
            disable = not (hasattr(file, "isatty") and file.isatty())
        if total is None and iterable is not None:
            try:
                total = len(iterable)
            except (TypeError, AttributeError):
                total = None
        if total == float("inf"):
            total = None
        self.iterable, self.total, self.leave, self.disable, self.n = iterable, total, leave, disable, initial
        self.initial, self.fp, self.pos, self.unit, self.unit_scale = initial, file, 0, unit, unit_scale
        if disable:
            return
        if more:
            raise TqdmKeyError("unknown argument(s): " + ", ".join(sorted(more)))
        self.dynamic_miniters = miniters is None
        self.miniters = miniters or 0
        if ascii is None:
            encoding = getattr(file, "encoding", None) or ""
            ascii = not encoding.lower().replace("_", "-").startswith("utf")
        self.ncols = ncols if ncols is not None else _width(file)
        self.dynamic_ncols, self.ascii = dynamic_ncols, ascii
        self.mininterval, self.maxinterval, self.smoothing = mininterval or 0, maxinterval or 0, smoothing or 0
        self.bar_format, self.unit_divisor, self.nrows, self.colour = bar_format, unit_divisor, nrows, colour
        self.delay, self.desc, self.postfix = delay, desc + ": " if desc else "", None
        self._counts, self._times = _Smoothed(self.smoothing), _Smoothed(self.smoothing)
        self._final = False
        self._shown = 0
        if postfix:
            if isinstance(postfix, dict):
                self.set_postfix(refresh=False, **postfix)
            else:
                self.postfix = postfix
        taken = {abs(bar.pos) for bar in _open}
        self.pos = -position if position is not None else next(p for p in range(len(taken) + 1) if p not in taken)
        _open.append(self)
        self.last_print_n = initial
        self.start_t = None
        if delay <= 0:
            self.refresh()
        self.last_print_t = self.start_t = time()

    def __iter__(self):
        if self.disable:
            yield from self.iterable
            return
        # enumerate counts, so that a step costs one comparison; the clock is looked at when `stop` is reached.
        start = self.n
        stop = self.last_print_n + self.miniters - 1
        last, begin = self.last_print_t, self.start_t + self.delay
        at, left = start - 1, False
        try:
            for at, item in enumerate(self.iterable, start):
                yield item
                if at >= stop:
                    now = time()
                    if now - last >= self.mininterval and now >= begin:
                        self.update(at + 1 - self.last_print_n)
                        last = self.last_print_t
                    stop = self.last_print_n + self.miniters - 1
        except GeneratorExit:
            left = True
            raise
        finally:
            self.n = at if left else at + 1
            self.close()

    def update(self, n=1):
        """Counts n steps more; True where the line was written anew."""
        if self.disable:
            return None
        if n < 0:
            self.last_print_n += n
        self.n += n
        if self.n - self.last_print_n < self.miniters:
            return None
        now = time()
        passed = now - self.last_print_t
        if passed < self.mininterval or now < self.start_t + self.delay:
            return None
        steps = self.n - self.last_print_n
        if self.smoothing and passed and steps:
            self._counts.add(steps)
            self._times.add(passed)
        self.refresh()
        if self.dynamic_miniters:
            if self.maxinterval and passed >= self.maxinterval:
                self.miniters = steps * (self.mininterval or self.maxinterval) / passed
            elif self.smoothing:
                share = self.mininterval / passed if self.mininterval and passed else 1
                self.miniters = self.smoothing * steps * share + (1 - self.smoothing) * self.miniters
            else:
                self.miniters = max(self.miniters, steps)
        self.last_print_n, self.last_print_t = self.n, now
        return True

    def close(self):
        """Writes the last line and leaves it, or wipes it."""
        if self.disable:
            return
        self.disable = True
        pos = abs(self.pos)
        if self in _open:
            _open.remove(self)
        if self.start_t is None or self.last_print_t < self.start_t + self.delay:
            return
        leave = pos == 0 if self.leave is None else self.leave
        if leave:
            self._final = True
            self.display(pos=0)
            self.fp.write("\n")
        else:
            self.display(msg="", pos=pos)
            if not pos:
                self.fp.write("\r")

    def display(self, msg=None, pos=None):
        """Writes the line, `pos` lines further down."""
        pos = abs(self.pos) if pos is None else pos
        text = str(self) if msg is None else msg
        self.moveto(pos)
        self.fp.write("\r" + text + " " * max(self._shown - len(text), 0))
        self._flush()
        self._shown = len(text)
        self.moveto(-pos)
        return True

    def _flush(self):
        getattr(self.fp, "flush", lambda: None)()

    def moveto(self, n):
        if n:
            self.fp.write("\n" * n + "\x1b[A" * -n)
            self._flush()

    def refresh(self, nolock=False, lock_args=None):
        if self.disable:
            return None
        return self.display()

    def clear(self, nolock=False):
        """Wipes the line; refresh() brings it back."""
        if self.disable:
            return
        pos = abs(self.pos)
        self.moveto(pos)
        self.fp.write("\r" + " " * self._shown)
        self._shown = 0
        self.fp.write("\r")
        self.moveto(-pos)

    def reset(self, total=None):
        """Begins at nothing again, with another total if one is given."""
        self.n = 0
        if total is not None:
            self.total = total
        if self.disable:
            return
        self.last_print_n = 0
        self.last_print_t = self.start_t = time()
        self._counts, self._times = _Smoothed(self.smoothing), _Smoothed(self.smoothing)
        self.refresh()

    def unpause(self):
        """Takes the time since the last line out of the sum."""
        if not self.disable:
            now = time()
            self.start_t += now - self.last_print_t
            self.last_print_t = now

    def set_description(self, desc=None, refresh=True):
        self.desc = desc + ": " if desc else ""
        if refresh:
            self.refresh()

    def set_description_str(self, desc=None, refresh=True):
        self.desc = desc or ""
        if refresh:
            self.refresh()

    def set_postfix(self, ordered_dict=None, refresh=True, **more):
        """Shows names and values after the speed, numbers in three digits."""
        values = dict(ordered_dict or {})
        for key in sorted(more):
            values[key] = more[key]
        self.postfix = ", ".join("%s=%s" % (key, (
            _format.number(value) if isinstance(value, Number) else str(value)).strip()) for key, value in values.items())
        if refresh:
            self.refresh()

    def set_postfix_str(self, s="", refresh=True):
        self.postfix = str(s)
        if refresh:
            self.refresh()

    @property
    def format_dict(self):
        """Everything the line is made of."""
        if self.disable and not hasattr(self, "unit_divisor"):
            return {"n": self.n, "total": self.total, "elapsed": 0, "unit": self.unit}
        if self.dynamic_ncols:
            self.ncols = _width(self.fp)
        seconds = self._times.mean()
        return {
            "n": self.n, "total": self.total, "elapsed": time() - self.start_t if self.start_t is not None else 0,
            "ncols": self.ncols, "nrows": self.nrows, "prefix": self.desc, "ascii": self.ascii, "unit": self.unit,
            "unit_scale": self.unit_scale, "rate": self._counts.mean() / seconds if seconds and not self._final else None,
            "bar_format": self.bar_format, "postfix": self.postfix, "unit_divisor": self.unit_divisor,
            "initial": self.initial, "colour": self.colour}

    def __str__(self):
        return self.format_meter(**self.format_dict)

    __repr__ = __str__

    def __len__(self):
        if self.total is not None:
            return self.total
        return len(self.iterable)

    def __bool__(self):
        if self.total is not None:
            return self.total > 0
        if self.iterable is None:
            raise TypeError("a bar of no total and no iterable is neither true nor false")
        return bool(self.iterable)

    def __contains__(self, item):
        return item in self.iterable

    def __reversed__(self):
        whole = self.iterable
        self.iterable = reversed(whole)
        try:
            yield from self
        finally:
            self.iterable = whole

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()

    @classmethod
    def write(cls, s, file=None, end="\n", nolock=False):
        """Prints a text without breaking the bars: they are wiped before and drawn again after."""
        file = sys.stdout if file is None else file
        with cls.external_write_mode(file):
            file.write(s)
            file.write(end)

    @classmethod
    @contextlib.contextmanager
    def external_write_mode(cls, file=None, nolock=False):
        """Bars are out of the way inside of this."""
        screen = (sys.stdout, sys.stderr)
        wiped = [bar for bar in _open if bar.fp is file or bar.fp in screen and file in screen]
        for bar in wiped:
            bar.clear()
        yield
        for bar in wiped:
            bar.refresh()

    @classmethod
    def set_lock(cls, lock):
        cls._lock = lock

    @classmethod
    def get_lock(cls):
        return getattr(cls, "_lock", None) or contextlib.nullcontext()

    @classmethod
    def pandas(cls, *args, **more):
        raise NotImplementedError("tqdm.pandas is not there: put tqdm around the loop over the rows instead")

    format_meter = staticmethod(_format.meter)
    format_interval = staticmethod(_format.interval)
    format_sizeof = staticmethod(_format.sizeof)
    format_num = staticmethod(_format.number)


def trange(*args, **more):
    """A bar over range(*args)."""
    return tqdm(range(*args), **more)
