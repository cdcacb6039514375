"""The two axes of a plot: scale, limits, ticks, their labels and the grid."""

import types

from matplotlib import _data, _svg, rcParams
from matplotlib._axis_drawing import AxisDrawing, TickLabel
from matplotlib.artist import Artist
from matplotlib.scale import scale_factory
from matplotlib.text import Text
from matplotlib.ticker import (
    AutoMinorLocator, FixedFormatter, FixedLocator, Formatter, FuncFormatter, Locator, MaxNLocator,
    NullLocator, ScalarFormatter, StrMethodFormatter,
)


class _Tick:
    """One tick, for programs that go through them."""

    def __init__(self, axis, place, label):
        self._place, self.label1, self.label2, self.label = place, label, label, label
        self.tick1line = self.tick2line = self.gridline = Artist()

    def get_loc(self):
        return self._place


class Axis(AxisDrawing, Artist):
    zorder = 1.5
    axis_name = "x"
    # The sides of the first and the second ticks.
    _sides = ("bottom", "top")

    def __init__(self, axes):
        super().__init__()
        self.axes, self.figure = axes, axes.figure
        name = f"{self.axis_name}tick"
        self._look = {}
        for which in ("major", "minor"):
            setting = lambda key, which=which: rcParams[f"{name}.{which}.{key}"]  # noqa: E731
            self._look[which] = {
                "size": setting("size"), "width": setting("width"), "pad": setting("pad"),
                "color": rcParams[f"{name}.color"],
                "direction": rcParams[f"{name}.direction"], "labelsize": _svg.points_of(rcParams[f"{name}.labelsize"]),
                "labelcolor": rcParams[f"{name}.labelcolor"], "labelrotation": 0.0, "zorder": None, "labelfontfamily": None,
                "tick1": rcParams[f"{name}.{self._sides[0]}"], "tick2": rcParams[f"{name}.{self._sides[1]}"],
                "label1": rcParams[f"{name}.label{self._sides[0]}"], "label2": rcParams[f"{name}.label{self._sides[1]}"],
                "grid": False, "grid_color": rcParams["grid.color"], "grid_linestyle": rcParams["grid.linestyle"],
                "grid_linewidth": rcParams["grid.linewidth"], "grid_alpha": rcParams["grid.alpha"],
            }
        if rcParams["axes.grid"] and rcParams["axes.grid.axis"] in ("both", self.axis_name):
            for which in ("major", "minor"):
                self._look[which]["grid"] = rcParams["axes.grid.which"] in (which, "both")
        self.major, self.minor = types.SimpleNamespace(), types.SimpleNamespace()
        self._labels = {"major": [], "minor": []}
        self._categories = None
        self._view, self._auto, self._stale = (0.0, 1.0), True, False
        self.label_position = self._sides[0]
        self.labelpad = rcParams["axes.labelpad"]
        self._label_at = None
        self.offsetText = Text(0, 0, "", color=rcParams[f"{name}.color"], fontsize=rcParams[f"{name}.labelsize"])
        self.offsetText.axes, self.offsetText.figure = axes, axes.figure
        self.label = Text(
            0.5, 0.5, "", fontsize=rcParams["axes.labelsize"], color=rcParams["axes.labelcolor"],
            fontweight=rcParams["axes.labelweight"], horizontalalignment="center", rotation_mode="anchor",
            verticalalignment="top" if self.axis_name == "x" else "bottom", rotation=0 if self.axis_name == "x" else 90,
        )
        self.label.axes, self.label.figure = axes, axes.figure
        self._set_scale("linear")

    # Numbers and limits.

    def numbers(self, values):
        """Values as numbers: a text is the number of its category."""
        values = values if type(values) is list else _data.flat(values)
        if not _data.has_text(values):
            return values
        if self._categories is None:
            self._categories = {}
            self.set_major_locator(_CategoryLocator(self._categories))
            self.set_major_formatter(_CategoryFormatter(self._categories))
        for value in values:
            if isinstance(value, str):
                self._categories.setdefault(value, len(self._categories))
        return [self._categories[value] if isinstance(value, str) else value for value in values]

    def take(self, values):
        """What a program hands over as numbers; dates are written at the ticks as such."""
        self.note_dates(values)
        return self.numbers(_data.flat(values))

    def note_dates(self, values):
        if _data.is_date(values) and isinstance(self.major.formatter, ScalarFormatter):
            self.set_major_formatter(FuncFormatter(_data.date_text))
            self.set_major_locator(MaxNLocator(6, integer=True))

    def _set_scale(self, name, **more):
        self._scale = scale_factory(name, self, **more)
        places, texts, minor, minor_texts = self._scale.locators(self)
        self.set_major_locator(places)
        self.set_major_formatter(texts)
        self.set_minor_locator(minor)
        self.set_minor_formatter(minor_texts)

    def _share(self, other):
        """Takes scale, ticks and limits from another axis, and keeps them in common."""
        self.major, self.minor, self._scale = other.major, other.minor, other._scale
        self._view, self._auto, self._categories = other._view, other._auto, other._categories

    def get_scale(self):
        return self._scale.name

    def get_transform(self):
        return self._scale

    def get_view_interval(self):
        self.axes._settle()
        return self._view

    def set_view_interval(self, vmin, vmax, ignore=False):
        low, high = self.get_view_interval()
        if not ignore:
            vmin, vmax = min(low, high, vmin, vmax), max(low, high, vmin, vmax)
            vmin, vmax = (vmin, vmax) if low <= high else (vmax, vmin)
        for axis in self._get_shared_axis():
            axis._view = (vmin, vmax)

    def get_data_interval(self):
        return self.axes._reach[self.axis_name][:2]

    def get_minpos(self):
        return self.axes._reach[self.axis_name][2]

    def _get_shared_axis(self):
        return [getattr(axes, f"{self.axis_name}axis") for axes in self.axes._shared[self.axis_name]]

    def get_inverted(self):
        low, high = self.get_view_interval()
        return low > high

    def set_inverted(self, inverted):
        low, high = sorted(self.get_view_interval())
        self.axes._set_limits(self.axis_name, high if inverted else low, low if inverted else high, auto=None)

    def get_tick_space(self):
        box = self.axes._box()
        length = box.width if self.axis_name == "x" else box.height
        return int(length // (self._look["major"]["labelsize"] * (3 if self.axis_name == "x" else 2)))

    # Where ticks are and what they say.

    def _set_locator(self, which, locator):
        if not isinstance(locator, Locator):
            raise TypeError("locator must be an instance of matplotlib.ticker.Locator, not a "
                            f"{type(locator).__module__}.{type(locator).__name__}")
        getattr(self, which).locator = locator
        locator.set_axis(self)

    def set_major_locator(self, locator):
        self._set_locator("major", locator)

    def set_minor_locator(self, locator):
        self._set_locator("minor", locator)

    def _set_formatter(self, which, formatter):
        if isinstance(formatter, str):
            formatter = StrMethodFormatter(formatter)
        elif callable(formatter) and not isinstance(formatter, Formatter):
            formatter = FuncFormatter(formatter)
        getattr(self, which).formatter = formatter
        formatter.set_axis(self)

    def set_major_formatter(self, formatter):
        self._set_formatter("major", formatter)

    def set_minor_formatter(self, formatter):
        self._set_formatter("minor", formatter)

    def get_major_locator(self):
        return self.major.locator

    def get_minor_locator(self):
        return self.minor.locator

    def get_major_formatter(self):
        return self.major.formatter

    def get_minor_formatter(self):
        return self.minor.formatter

    def get_majorticklocs(self):
        return self.major.locator()

    def get_minorticklocs(self):
        forward = self._scale.forward
        low, high = map(forward, sorted(self.get_view_interval()))
        near = abs(high - low) * 1e-5
        major = [forward(place) for place in self.get_majorticklocs()]
        return [place for place in self.minor.locator() if all(abs(forward(place) - other) > near for other in major)]

    def get_ticklocs(self, *, minor=False):
        return _data.array(self._places("minor" if minor else "major"))

    def _places(self, which):
        return list(self.get_minorticklocs() if which == "minor" else self.get_majorticklocs())

    def ticks(self, which="major"):
        """The places of ticks, and a text for each."""
        places = self._places(which)
        texts = getattr(self, which).formatter.format_ticks(places)
        labels, look = self._labels[which], self._look[which]
        while len(labels) < len(places):
            labels.append(self._new_label(look))
        colour = look["color"] if look["labelcolor"] == "inherit" else look["labelcolor"]
        for label, text, place in zip(labels, texts, places):
            label.set_text(text)
            label._p["x" if self.axis_name == "x" else "y"] = place
            if not label._own_color:
                label._p["color"] = colour
        return list(zip(places, labels))

    def _new_label(self, look):
        label = TickLabel(0, 0, "", fontsize=look["labelsize"], rotation=look["labelrotation"])
        label._p["fontfamily"] = look["labelfontfamily"]
        alignment = rcParams[f"{self.axis_name}tick.alignment"]
        if self.axis_name == "x":
            label._p.update(horizontalalignment=alignment, verticalalignment="top")
        else:
            label._p.update(horizontalalignment="right", verticalalignment=alignment)
        label.axes, label.figure, label._own_color = self.axes, self.figure, False
        return label

    def get_ticklabels(self, minor=False, which=None):
        which = which or ("minor" if minor else "major")
        return [label for part in (("major", "minor") if which == "both" else (which,)) for _, label in self.ticks(part)]

    get_majorticklabels = get_ticklabels

    def get_minorticklabels(self):
        return self.get_ticklabels(True)

    def get_major_ticks(self, numticks=None):
        return [_Tick(self, place, label) for place, label in self.ticks()]

    def get_ticklines(self, minor=False):
        return []

    get_gridlines = get_majorticklines = get_minorticklines = get_ticklines

    def set_ticks(self, ticks, labels=None, *, minor=False, **properties):
        places = self.numbers(_data.flat(ticks))
        if labels is None and properties:
            first = next(iter(properties))
            raise ValueError(
                f"Incorrect use of keyword argument {first!r}. Keyword arguments other than 'minor' modify the text labels "
                "and "
                "can only be used if 'labels' are passed as well.")
        if places:
            self.set_view_interval(min(places), max(places))
        (self.set_minor_locator if minor else self.set_major_locator)(FixedLocator(places))
        if labels is not None:
            self.set_ticklabels(labels, minor=minor, **properties)

    def set_ticklabels(self, labels, *, minor=False, fontdict=None, **properties):
        which = "minor" if minor else "major"
        texts = [label.get_text() if hasattr(label, "get_text") else label for label in
                 (labels if isinstance(labels, (list, tuple)) else _data.plain(labels))]
        locator = getattr(self, which).locator
        if isinstance(locator, FixedLocator):
            if texts and len(texts) != len(locator.locs):
                raise ValueError(
                    f"The number of FixedLocator locations ({len(locator.locs)}), usually from a call to set_ticks, does "
                    "not "
                    f"match the number of labels ({len(texts)}).")
            known = dict(zip(locator.locs, map(str, texts)))
            self._set_formatter(which, FuncFormatter(lambda place, _at: known.get(place, "")))
        else:
            self._set_formatter(which, FixedFormatter(list(map(str, texts))))
        for _, label in self.ticks(which):
            label.set(**(fontdict or {}))
            label.set(**properties)

    def set_tick_params(self, which="major", reset=False, **params):
        """Takes the look of ticks; says of what is not known that it changes nothing."""
        first, second = self._sides
        names = {first: "tick1", second: "tick2", f"label{first}": "label1", f"label{second}": "label2", "length": "size",
                 "rotation": "labelrotation"}
        for part in ("major", "minor") if which == "both" else (which,):
            look = self._look[part]
            for key, value in params.items():
                key = names.get(key, key)
                if key == "colors":
                    look["color"] = look["labelcolor"] = value
                elif key in ("left", "right", "top", "bottom", "labelleft", "labelright", "labeltop", "labelbottom"):
                    continue
                elif key == "labelrotation_mode" or key == "grid_zorder":
                    continue
                elif key not in look:
                    _data.unknown("tick_params", key)
                else:
                    look[key] = _svg.points_of(value) if key == "labelsize" else value
                    for label in self._labels[part]:
                        if key in ("labelsize", "labelrotation"):
                            label.set(**{{"labelsize": "fontsize", "labelrotation": "rotation"}[key]: look[key]})
            if "labelcolor" in params or "colors" in params:
                for label in self._labels[part]:
                    label._own_color = False
        if {"color", "colors", "labelcolor"} & set(params):
            look = self._look["major"]
            self.offsetText._p["color"] = look["color"] if look["labelcolor"] == "inherit" else look["labelcolor"]

    def get_tick_params(self, which="major"):
        return dict(self._look[which])

    def grid(self, visible=None, which="major", **properties):
        names = {"c": "color", "ls": "linestyle", "lw": "linewidth", "b": "visible"}
        properties = {names.get(key, key): value for key, value in properties.items()}
        for part in ("major", "minor") if which == "both" else (which,):
            look = self._look[part]
            look["grid"] = (bool(properties) or not look["grid"]) if visible is None else bool(visible)
            for key, value in properties.items():
                if key == "zorder":
                    self.axes._grid_zorder = value
                elif f"grid_{key}" in look:
                    look[f"grid_{key}"] = value
                elif key != "clip_on":
                    _data.unknown("grid", key)

    def minorticks_on(self):
        if self.get_scale() == "log":
            from matplotlib.ticker import LogLocator

            self.set_minor_locator(LogLocator(self._scale.base, self._scale.subs))
        else:
            self.set_minor_locator(AutoMinorLocator())

    def minorticks_off(self):
        self.set_minor_locator(NullLocator())

    # The label of the axis, and sides.

    def set_label_text(self, label, fontdict=None, **properties):
        self.label.set_text(label)
        self.label.set(**(fontdict or {}))
        self.label._given(properties, f"set_{self.axis_name}label")
        return self.label

    def get_label(self):
        return self.label

    def get_label_text(self):
        return self.label.get_text()

    def set_label(self, s):
        self._p["label"] = s

    def set_label_coords(self, x, y, transform=None):
        self._label_at = (x, y, transform)

    def set_label_position(self, position):
        self.label_position = position
        first = position == self._sides[0]
        self.label._p["verticalalignment"] = ("top" if first
                                              else "bottom") if self.axis_name == "x" else "bottom" if first else "top"

    def get_label_position(self):
        return self.label_position

    def get_offset_text(self):
        return self.offsetText

    def set_ticks_position(self, position):
        first, second = self._sides
        on = {first: (True, False), second: (False, True), "both": (True, True), "default": (True, False),
              "none": (False, False)}
        for which in ("major", "minor"):
            look = self._look[which]
            look["tick1"], look["tick2"] = on[position]
            if position in (first, second, "default"):
                look["label1"], look["label2"] = on[position]

    def tick_bottom(self):
        self.set_ticks_position(self._sides[0])

    def tick_top(self):
        self.set_ticks_position(self._sides[1])

    tick_left, tick_right = tick_bottom, tick_top

    def axis_date(self, tz=None):
        """Dates are numbers of days."""


class XAxis(Axis):
    pass


class YAxis(Axis):
    axis_name = "y"
    _sides = ("left", "right")


class _CategoryLocator(Locator):
    def __init__(self, known):
        self._known = known

    def __call__(self):
        return list(self._known.values())


class _CategoryFormatter(Formatter):
    def __init__(self, known):
        self._known = known

    def __call__(self, x, pos=None):
        return {place: name for name, place in self._known.items()}.get(round(x), "")
