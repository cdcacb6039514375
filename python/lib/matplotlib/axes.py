"""A plot: titles, labels, ticks, texts, its legend, and all that is drawn in it."""

from matplotlib import _data, rcParams
from matplotlib._axes_bars import BarsMixin
from matplotlib._axes_fields import FieldsMixin
from matplotlib._axes_lines import LinesMixin
from matplotlib._base import AxesBase
from matplotlib._mathtext import spoken
from matplotlib.patches import FancyArrow
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox


class Axes(LinesMixin, BarsMixin, FieldsMixin, AxesBase):
    # Titles and labels.

    def set_title(self, label, fontdict=None, loc=None, pad=None, *, y=None, **properties):
        loc = rcParams["axes.titlelocation"] if loc is None else loc.lower()
        if loc not in self._titles:
            raise ValueError(f"{loc!r} is not a valid value for loc; supported values are 'left', 'center', 'right'")
        title = self._titles[loc]
        if rcParams["axes.titlecolor"] != "auto":
            title.set_color(rcParams["axes.titlecolor"])
        if pad is not None:
            self._title_pad = pad
        if y is not None:
            self._title_at = y
        title.set_text(label)
        title._given(fontdict or {}, "set_title")
        return title._given(properties, "set_title")

    def get_title(self, loc="center"):
        return self._titles[loc.lower()].get_text()

    def _set_label(self, name, label, fontdict, labelpad, loc, properties):
        axis = getattr(self, f"{name}axis")
        if labelpad is not None:
            axis.labelpad = labelpad
        if loc is not None:
            place = {"left": 0.0, "bottom": 0.0, "center": 0.5, "right": 1.0, "top": 1.0}[loc]
            axis.label._p["x" if name == "x" else "y"] = place
            axis.label._p["horizontalalignment"] = {0.0: "left", 0.5: "center", 1.0: "right"}[place]
        return axis.set_label_text(label, fontdict, **properties)

    def set_xlabel(self, xlabel, fontdict=None, labelpad=None, *, loc=None, **properties):
        return self._set_label("x", xlabel, fontdict, labelpad, loc, properties)

    def set_ylabel(self, ylabel, fontdict=None, labelpad=None, *, loc=None, **properties):
        return self._set_label("y", ylabel, fontdict, labelpad, loc, properties)

    def get_xlabel(self):
        return self.xaxis.label.get_text()

    def get_ylabel(self):
        return self.yaxis.label.get_text()

    # Scales and ticks.

    def _change_scale(self, name, scale, **more):
        axis = getattr(self, f"{name}axis")
        if not more and isinstance(scale, str) and scale == axis.get_scale():
            return
        axis._set_scale(scale, **more)
        for other in axis._get_shared_axis():
            other._scale, other.major, other.minor = axis._scale, axis.major, axis.minor
        self._changed(name)

    def set_xscale(self, value, **more):
        self._change_scale("x", value, **more)

    def set_yscale(self, value, **more):
        self._change_scale("y", value, **more)

    def get_xscale(self):
        return self.xaxis.get_scale()

    def get_yscale(self):
        return self.yaxis.get_scale()

    def tick_params(self, axis="both", **params):
        if axis not in ("x", "y", "both"):
            raise ValueError(f"{axis!r} is not a valid value for axis; supported values are 'x', 'y', 'both'")
        for name in "xy" if axis == "both" else axis:
            getattr(self, f"{name}axis").set_tick_params(**params)

    def ticklabel_format(self, *, axis="both", style=None, scilimits=None, useOffset=None, useLocale=None, useMathText=None):
        for name in "xy" if axis == "both" else axis:
            formatter = getattr(self, f"{name}axis").major.formatter
            if style is not None:
                formatter.set_scientific(style in ("sci", "scientific"))
            if scilimits is not None:
                formatter.set_powerlimits(scilimits)
            if useOffset is not None:
                formatter.set_useOffset(useOffset)
            if useMathText is not None:
                formatter.set_useMathText(useMathText)

    def locator_params(self, axis="both", tight=None, **params):
        for name in "xy" if axis == "both" else axis:
            getattr(self, f"{name}axis").major.locator.set_params(**params)
            self._changed(name)

    def minorticks_on(self):
        self.xaxis.minorticks_on()
        self.yaxis.minorticks_on()

    def minorticks_off(self):
        self.xaxis.minorticks_off()
        self.yaxis.minorticks_off()

    def grid(self, visible=None, which="major", axis="both", **properties):
        if "b" in properties:
            visible = properties.pop("b")
        for name in "xy" if axis == "both" else axis:
            getattr(self, f"{name}axis").grid(visible, which, **properties)

    def label_outer(self, remove_inner_ticks=False):
        """Hides labels of ticks that are inside of a grid of plots."""
        spec = self._subplotspec
        if spec is None:
            return
        if not spec.is_last_row():
            self.xaxis.set_tick_params(which="both", labelbottom=False)
            self.xaxis.offsetText.set_visible(False)
            self.set_xlabel("")
        if not spec.is_first_col():
            self.yaxis.set_tick_params(which="both", labelleft=False)
            self.yaxis.offsetText.set_visible(False)
            self.set_ylabel("")

    def axis(self, arg=None, /, *, emit=True, **limits):
        """Turns the axes off or on, makes lengths equal, or sets all limits."""
        if isinstance(arg, bool):
            arg = "on" if arg else "off"
        if isinstance(arg, str):
            if arg in ("on", "off"):
                self.axison = arg == "on"
            elif arg in ("equal", "tight", "scaled", "auto", "image", "square"):
                self._axis_by_name(arg)
            else:
                raise ValueError(f"Unrecognized string {arg!r} to axis; try 'on' or 'off'")
        elif arg is not None:
            if len(arg) != 4:
                raise TypeError("The first argument to axis() must be an iterable of the form [xmin, xmax, ymin, ymax]")
            low, high, bottom, top = _data.plain(arg)
            self.set_xlim(low, high)
            self.set_ylim(bottom, top)
        if limits:
            self.set_xlim(limits.get("xmin"), limits.get("xmax"))
            self.set_ylim(limits.get("ymin"), limits.get("ymax"))
        return (*self.get_xlim(), *self.get_ylim())

    def _axis_by_name(self, name):
        self.set_autoscale_on(True)
        self.set_aspect("auto")
        self.autoscale_view()
        if name == "equal":
            self.set_aspect("equal", adjustable="datalim")
        elif name != "auto":
            self.set_autoscale_on(False)
        if name in ("scaled", "image", "square"):
            self.set_aspect("equal", adjustable="box", anchor="C")
        if name == "square":
            (x0, x1), (y0, y1) = self.get_xlim(), self.get_ylim()
            size = max(abs(x1 - x0), abs(y1 - y0))
            self.set_xlim(x0, x0 + size)
            self.set_ylim(y0, y0 + size)

    # Texts and shapes.

    def text(self, x, y, s, fontdict=None, **properties):
        made = Text(x, y, s)
        made.axes, made.figure = self, self.figure
        made._given(fontdict or {}, "text")
        made._given(properties, "text")
        if isinstance(x, str):
            self.xaxis.numbers([x])
        return self._add(made, "", False)

    def annotate(self, text, xy, xytext=None, xycoords="data", textcoords=None, arrowprops=None, annotation_clip=None,
                 **properties):
        made = Annotation(text, xy, xytext, xycoords, textcoords, arrowprops, annotation_clip)
        made.axes, made.figure = self, self.figure
        made._given(properties, "annotate")
        return self._add(made, "", False)

    def arrow(self, x, y, dx, dy, **properties):
        return self._add(FancyArrow(*(_data.plain(part) for part in (x, y, dx, dy)), **properties))

    # The legend.

    def get_legend_handles_labels(self, legend_handler_map=None):
        from matplotlib.legend import handles_of

        return handles_of([self])

    def legend(self, *args, **properties):
        from matplotlib.legend import Legend, chosen

        handles, labels = chosen([self], args, properties)
        self.legend_ = Legend(self, handles, labels, **properties)
        return self.legend_

    def get_legend(self):
        return self.legend_

    # Plots at the same place, and within.

    def twinx(self, **properties):
        return self._twin("x", properties)

    def twiny(self, **properties):
        return self._twin("y", properties)

    def _twin(self, name, properties):
        """A second plot at the same place, with one axis in common."""
        twin = self.figure._new_axes(self._original, {f"share{name}": self, "frameon": True, **properties},
                                     self._subplotspec)
        twin.patch.set_visible(False)
        other = "y" if name == "x" else "x"
        axis = getattr(twin, f"{other}axis")
        axis.tick_top()
        axis.set_label_position(axis._sides[1])
        getattr(twin, f"{name}axis").set_visible(False)
        own = getattr(self, f"{other}axis")
        for which in ("major", "minor"):
            own._look[which].update(tick2=False, label2=False)
        twin._twins = self._twins
        self._twins.append(twin)
        return twin

    def secondary_xaxis(self, location, functions=None, **properties):
        return self._second("x", location, functions, properties)

    def secondary_yaxis(self, location, functions=None, **properties):
        return self._second("y", location, functions, properties)

    def _second(self, name, location, functions, properties):
        """A second scale of an axis, whose limits follow those of the first."""
        second = self._twin("y" if name == "x" else "x", {})
        there = functions[0] if functions else lambda value: value
        limits = getattr(self, f"get_{name}lim")()
        ends = [float(_data.flat(there(_data.array([end])))[0]) for end in limits]
        getattr(second, f"set_{name}lim")(*ends)
        if location in ("bottom", "left"):
            axis = getattr(second, f"{name}axis")
            axis.tick_bottom()
            axis.set_label_position(axis._sides[0])
        second._given(properties, f"secondary_{name}axis")
        return second

    def inset_axes(self, bounds, *, transform=None, zorder=5, **properties):
        """A plot within this one; its place is in parts of this."""
        x, y, width, height = bounds
        self.apply_aspect()
        place = self._position
        box = Bbox.from_bounds(place.x0 + x * place.width, place.y0 + y * place.height, width * place.width,
                               height * place.height)
        made = self.figure._new_axes(box, properties, None, current=False)
        made.zorder = zorder
        return made

    def indicate_inset_zoom(self, inset_ax, **properties):
        from matplotlib.patches import Rectangle

        (x0, x1), (y0, y1) = inset_ax.get_xlim(), inset_ax.get_ylim()
        look = {"fill": False, "edgecolor": "0.5", "alpha": 0.5, "zorder": 4.99, **properties}
        return self._add(Rectangle((x0, y0), x1 - x0, y1 - y0, **look), "", False)

    def describe(self):
        """What is drawn here, in words."""
        kinds = []
        for name, parts in (("line", [line for line in self.lines if line._has_line()]),
                            ("set of points", [*self.collections, *(line for line in self.lines if not line._has_line())]),
                            ("shape", self.patches), ("picture", self.images)):
            if len(parts):
                kinds.append(f"{len(parts)} {name}{'s' if len(parts) > 1 and name != 'set of points' else ''}")
        text = ", ".join(kinds) or "nothing"
        for name in "xy":
            low, high = getattr(self, f"get_{name}lim")()
            label = spoken(getattr(self, f"{name}axis").label.get_text())
            text += f"; {name}{f' ({label})' if label else ''} from {low:.4g} to {high:.4g}"
        title = spoken(self.get_title())
        return (f"{title}: " if title else "") + text


def _plain_property(name):
    """Methods that go to an axis: `set_xticks`, `get_xticklabels` and the like."""
    places = {
        "set_{}ticks": "set_ticks", "get_{}ticks": "get_ticklocs", "set_{}ticklabels": "set_ticklabels",
        "get_{}ticklabels": "get_ticklabels", "get_{}majorticklabels": "get_majorticklabels",
        "get_{}minorticklabels": "get_minorticklabels", "get_{}gridlines": "get_gridlines",
        "get_{}ticklines": "get_ticklines",
        "{}axis_date": "axis_date", "set_{}inverted": "set_inverted",
    }
    for pattern, method in places.items():
        def forwarded(self, *args, _method=method, **properties):
            return getattr(getattr(self, f"{name}axis"), _method)(*args, **properties)

        forwarded.__name__ = pattern.format(name)
        setattr(Axes, forwarded.__name__, forwarded)


for _name in "xy":
    _plain_property(_name)


class Subplot(Axes):
    """A plot in a grid of plots."""
