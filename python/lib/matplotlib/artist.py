"""What everything that is drawn has in common: properties with names, which are set and asked for."""

from matplotlib import _data

_COMMON = {
    "alpha": None, "label": "", "visible": True, "clip_on": True, "transform": None, "gid": None, "url": None,
    "picker": None, "rasterized": None, "animated": False, "in_layout": True, "snap": None, "sketch_params": None,
    "path_effects": None, "clip_path": None, "clip_box": None, "antialiased": True, "mouseover": False, "agg_filter": None,
}


class Artist:
    """Properties are in `_p`; `get_x` and `set_x` are there for each, and for its other names."""

    zorder = 0
    _DEFAULTS = {}
    _ALIASES = {}
    axes = figure = None

    def __init__(self):
        self._p = {**_COMMON, **self._DEFAULTS}

    def _given(self, properties, where):
        """Takes properties; says of one that is not known that it changes nothing."""
        for name, value in properties.items():
            setter = self._setter(name)
            if setter is None:
                _data.unknown(where, name)
            else:
                setter(value)
        return self

    def _setter(self, name):
        if name == "zorder":
            return self.set_zorder
        name = self._ALIASES.get(name, name)
        own = getattr(type(self), f"set_{name}", None)
        if own is not None:
            return own.__get__(self)
        if name in self._p:
            return lambda value: self._p.__setitem__(name, value)
        return None

    def __getattr__(self, name):
        kind, _, rest = name.partition("_")
        if kind in ("get", "set") and rest:
            rest = type(self)._ALIASES.get(rest, rest)
            if kind == "get" and rest in self._p:
                own = getattr(type(self), f"get_{rest}", None)
                return own.__get__(self) if own else lambda: self._p[rest]
            setter = self._setter(rest) if kind == "set" else None
            if setter is not None:
                return setter
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def set(self, **properties):
        self._given(properties, f"{type(self).__name__}.set")

    def update(self, props):
        self._given(props, f"{type(self).__name__}.update")

    def set_zorder(self, level):
        self.zorder = level

    def get_zorder(self):
        return self.zorder

    def set_color(self, color):
        self._p["color"] = color

    def get_figure(self, root=False):
        return self.figure

    def properties(self):
        return dict(self._p)

    def remove(self):
        """Takes this away from where it was added."""
        holder = self.axes if self.axes is not None else self.figure
        holder._remove(self)

    def get_transform(self):
        return self._p["transform"] if self._p["transform"] is not None else self._usual_transform()

    def _usual_transform(self):
        return self.axes.transData if self.axes is not None else self.figure.transFigure

    def is_transform_set(self):
        return self._p["transform"] is not None

    def _in_data(self):
        """Whether the place of this is that of data, so that the limits are to hold it."""
        return self._p["transform"] is None or self._p["transform"] is self.axes.transData

    def findobj(self, match=None, include_self=True):
        return [self] if match is None or isinstance(self, match) else []

    def extent(self):
        """What data this reaches over: two lists; empty ones where it changes no limits."""
        return [], []

    def stickies(self):
        """Places at which limits end without a margin."""
        return (), ()

    def reach(self):
        """The extent in data, without a side that is not placed by data."""
        xs, ys = self.extent()
        transform = self._p["transform"]
        if self._in_data():
            return xs, ys
        if getattr(transform, "_second", None) is self.axes.transData:
            return transform._first.points(xs, ys)
        return (xs if getattr(transform, "_data_x", False) else []), (ys if getattr(transform, "_data_y", False) else [])

    def get_window_extent(self, renderer=None):
        from matplotlib.transforms import Bbox

        xs, ys = self.extent()
        xs, ys = self.get_transform().points(_data.finite(xs), _data.finite(ys))
        size = self.axes.figure.dpi / 72
        if not xs or not ys:
            return Bbox([[0, 0], [0, 0]])
        return Bbox([[min(xs) * size, min(ys) * size], [max(xs) * size, max(ys) * size]])

    def _clip_of(self, canvas):
        return canvas.clip(self.axes._box()) if self._p["clip_on"] and self.axes is not None else ""

    def draw_on(self, canvas):
        """Draws this."""

    def data_rows(self):
        """Names of columns and these, of what this shows, for readers who do not see it; or nothing."""
        return None


def setp(obj, *pairs, **properties):
    """Sets properties of one artist, or of many."""
    properties.update(zip(pairs[::2], pairs[1::2]))

    def each(part):
        if isinstance(part, Artist):
            part.set(**properties)
        else:
            for inner in part.values() if isinstance(part, dict) else part:
                each(inner)

    each(obj)


def getp(obj, property=None):
    return obj.properties() if property is None else getattr(obj, f"get_{property}")()
