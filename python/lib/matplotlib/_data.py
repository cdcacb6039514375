"""What programs hand over, as plain lists of numbers: lists, ranges, arrays and tensors alike."""

import math
import sys
import warnings

nan = math.nan
_NUMBERS = {int, float, bool}
_told = set()


def warn(text, kind=UserWarning):
    """Warns of the line that called into this package."""
    level, frame = 1, sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("matplotlib"):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, kind, stacklevel=level)


def unknown(where, name):
    """Says once that an argument changes nothing; the rest is drawn."""
    if (where, name) not in _told:
        _told.add((where, name))
        warn(f"{where}() does not know the argument {name!r} here; the rest is drawn")


def plain(value):
    """A value with nothing of NumPy or PyTorch left in it: numbers, texts, and lists of these."""
    kind = type(value)
    if kind in _NUMBERS or kind is str:
        return value
    if value is None:
        return nan
    if kind is list and set(map(type, value)) <= _NUMBERS:
        return value
    if kind is range:
        return list(value)
    if getattr(value, "requires_grad", False):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (str, int, float)):
        return value
    if hasattr(value, "toordinal"):
        return _days(value)
    if hasattr(value, "values") and hasattr(value, "index"):
        return plain(value.values)
    if hasattr(value, "__iter__") and not hasattr(value, "items"):
        return [plain(part) for part in value]
    if hasattr(value, "__float__"):
        return float(value)
    raise TypeError(f"float() argument must be a string or a real number, not {kind.__name__!r}")


def _days(value):
    """A date as the days since 1970."""
    seconds = getattr(value, "hour", 0) * 3600 + getattr(value, "minute", 0) * 60 + getattr(value, "second", 0)
    return value.toordinal() - 719163 + seconds / 86400


def date_text(days, _place=None):
    """A number of days since 1970 as a date, with the time of the day if there is one."""
    import datetime

    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(days=days)
    return moment.strftime("%Y-%m-%d" if days % 1 == 0 else "%Y-%m-%d %H:%M")


def is_date(value):
    """Whether a value is a date, or a list of dates."""
    while isinstance(value, (list, tuple)) and len(value):
        value = value[0]
    return hasattr(value, "toordinal")


def shape(value):
    """The lengths of lists within lists."""
    found = []
    while type(value) is list:
        found.append(len(value))
        if not value:
            break
        value = value[0]
    return tuple(found)


def flat(value):
    """All numbers of a value in one list."""
    value = plain(value)
    if type(value) is not list:
        return [value]
    while value and type(value[0]) is list:
        value = [part for row in value for part in row]
    return value


def table(value, what="Input z"):
    """A value with two dimensions, as its rows."""
    value = plain(value)
    if len(shape(value)) != 2:
        raise TypeError(f"{what} must be 2D, not {len(shape(value))}D")
    return value


def columns(value):
    """The columns of a list of rows, or the one column of a list of numbers."""
    if len(shape(value)) > 2:
        raise ValueError(f"x and y can be no greater than 2D, but have shapes {shape(value)} and {shape(value)}")
    if value and type(value[0]) is list:
        return [list(column) for column in zip(*value)]
    return [value]


def has_text(values):
    """Whether values are texts; all of them are if one is."""
    return bool(values) and (type(values[0]) is str or type(values[-1]) is str)


def finite(values):
    """The numbers that are neither NaN nor infinite; their own list if all are."""
    total = math.fsum(values) if len(values) < 50 else sum(values)
    if total - total == 0:
        return values
    return [value for value in values if value - value == 0]


def spread(value, count):
    """One value for each of `count` places; a list is gone through again and again."""
    if value is not None and not isinstance(value, (list, tuple, str)):
        value = plain(value)
    if isinstance(value, (list, tuple)):
        return [value[place % len(value)] for place in range(count)] if value else []
    return [value] * count


def broadcast(*values):
    """Lists of one length: a number, or a list of one, stands for as many as the others have."""
    lists = [flat(value) for value in values]
    count = max(map(len, lists))
    if not all(map(len, lists)):
        count = 0
    for values in lists:
        if len(values) not in (1, count) and count:
            sizes = " and ".join(dict.fromkeys(f"({len(values)},)" for values in lists))
            raise ValueError(f"shape mismatch: objects cannot be broadcast to a single shape: {sizes}")
    return [values * count if len(values) == 1 and count != 1 else values[:count] for values in lists]


def array(values, dtype=None):
    """An array as matplotlib returns it; a list where there is no NumPy."""
    try:
        import numpy
    except ImportError:
        return values
    return numpy.array(values, dtype=dtype) if dtype else numpy.array(values)


class Grid:
    """An array of things that NumPy has no numbers for: the axes of `subplots`."""

    def __init__(self, items, shape):
        self._items, self.shape = list(items), tuple(shape)

    @property
    def size(self):
        return len(self._items)

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def flat(self):
        return iter(self._items)

    @property
    def T(self):
        if self.ndim < 2:
            return self
        rows, columns = self.shape
        order = [row * columns + column for column in range(columns) for row in range(rows)]
        return Grid([self._items[place] for place in order], (columns, rows))

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return (self[place] for place in range(len(self)))

    def __getitem__(self, at):
        if not isinstance(at, tuple):
            at = (at,)
        at = tuple(item if isinstance(item, slice) else int(item) for item in at)
        rows = range(self.shape[0])[at[0]]
        if self.ndim == 1:
            if isinstance(rows, range):
                return Grid([self._items[place] for place in rows], (len(rows),))
            return self._items[rows]
        width = self.shape[1]
        columns = range(width)[at[1] if len(at) > 1 else slice(None)]
        shape = tuple(len(part) for part in (rows, columns) if isinstance(part, range))
        rows = rows if isinstance(rows, range) else [rows]
        columns = columns if isinstance(columns, range) else [columns]
        items = [self._items[row * width + column] for row in rows for column in columns]
        return Grid(items, shape) if shape else items[0]

    def ravel(self, order="C"):
        return Grid((self if order == "C" else self.T)._items, (self.size,))

    flatten = ravel

    def reshape(self, *shape):
        shape = list(shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape)
        if -1 in shape:
            place = shape.index(-1)
            shape[place] = 1
            shape[place] = self.size // math.prod(shape)
        return Grid(self._items, shape)

    def squeeze(self):
        shape = tuple(size for size in self.shape if size != 1)
        return Grid(self._items, shape) if shape else self._items[0]

    def tolist(self):
        return [row.tolist() if isinstance(row, Grid) else row for row in self]

    def __repr__(self):
        return f"array({self.tolist()!r}, dtype=object)"
