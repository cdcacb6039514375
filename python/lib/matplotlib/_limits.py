"""The limits of plots: those that hold all data, those that are set, and equal lengths across and up."""

import math

from matplotlib import _data
from matplotlib.collections import Collection
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.ticker import nonsingular
from matplotlib.transforms import Bbox

# What no data reach over: from, to, and the least number above zero.
NOWHERE = (math.inf, -math.inf, math.inf)


class LimitsMixin:
    def _changed(self, names="xy"):
        """Notes that limits are to be found anew when they are next asked for."""
        for name in names:
            for axes in self._shared[name]:
                getattr(axes, f"{name}axis")._stale = True

    def _settle(self):
        for name in "xy":
            axis = getattr(self, f"{name}axis")
            if axis._stale:
                for other in axis._get_shared_axis():
                    other._stale = False
                if axis._auto:
                    self._fit(name)

    def _fit(self, name):
        """The limits that hold all data, with a margin but at edges that have none."""
        axis = getattr(self, f"{name}axis")
        group = self._shared[name]
        ends = [end for axes in group for end in axes._reach[name][:2] if math.isfinite(end)]
        low, high = (min(ends), max(ends)) if ends else (-math.inf, math.inf)
        low, high = axis.major.locator.nonsingular(low, high)
        least = min(axes._reach[name][2] for axes in group)
        side = 0 if name == "x" else 1
        edges = []
        if self._margins[name] and self._use_sticky:
            edges = sorted(edge for axes in group for child in axes._children for edge in child.stickies()[side])
            if axis.get_scale() == "log":
                edges = [edge for edge in edges if edge > 0]
        near = 1e-5 * abs(high - low)
        lowest = max((edge for edge in edges if edge < low + near), default=None)
        highest = min((edge for edge in edges if edge >= high - near), default=None)
        low, high = axis._scale.limit(low, high, least)
        start, end = axis._scale.forward(low), axis._scale.forward(high)
        margin = (end - start) * self._margins[name]
        margin = margin if math.isfinite(margin) else 0.0
        low, high = axis._scale.inverse(start - margin), axis._scale.inverse(end + margin)
        if lowest is not None:
            low = max(low, lowest)
        if highest is not None:
            high = min(high, highest)
        low, high = nonsingular(low, high) if axis.get_scale() != "log" else (low, high)
        before = axis._view
        for other in axis._get_shared_axis():
            other._view = (high, low) if before[0] > before[1] else (low, high)

    def _set_limits(self, name, low, high, auto=False):
        axis = getattr(self, f"{name}axis")
        if isinstance(low, (tuple, list)) or high is None and hasattr(low, "__len__") and not isinstance(low, str):
            low, high = low
        before = axis.get_view_interval()
        ends = []
        for end, kept in zip((low, high), before):
            end = kept if end is None else axis.numbers([_data.plain(end)])[0]
            if not math.isfinite(end):
                raise ValueError("Axis limits cannot be NaN or Inf")
            ends.append(float(end))
        low, high = ends
        if axis.get_scale() == "log":
            low, high = (before[0] if low <= 0 else low), (before[1] if high <= 0 else high)
        if low == high:
            word = {"x": "left == right", "y": "bottom == top"}[name]
            _data.warn(f"Attempting to set identical low and high {name}lims makes transformation singular; "
                          f"automatically expanding. ({word})")
        swapped = low > high
        low, high = axis.major.locator.nonsingular(low, high)
        low, high = axis._scale.limit(min(low, high), max(low, high), axis.get_minpos())
        low, high = (high, low) if swapped else (low, high)
        for other in axis._get_shared_axis():
            other._view, other._stale = (low, high), False
            if auto is not None:
                other._auto = bool(auto)
        return low, high

    def set_xlim(self, left=None, right=None, *, emit=True, auto=False, xmin=None, xmax=None):
        return self._set_limits("x", xmin if left is None else left, xmax if right is None else right, auto)

    def set_ylim(self, bottom=None, top=None, *, emit=True, auto=False, ymin=None, ymax=None):
        return self._set_limits("y", ymin if bottom is None else bottom, ymax if top is None else top, auto)

    def get_xlim(self):
        return tuple(map(float, self.xaxis.get_view_interval()))

    def get_ylim(self):
        return tuple(map(float, self.yaxis.get_view_interval()))

    def get_xbound(self):
        return tuple(sorted(self.get_xlim()))

    def get_ybound(self):
        return tuple(sorted(self.get_ylim()))

    def set_xbound(self, lower=None, upper=None):
        low, high = lower if isinstance(lower, (tuple, list)) else (lower, upper)
        self.set_xlim(*((high, low) if self.xaxis_inverted() else (low, high)), auto=None)

    def set_ybound(self, lower=None, upper=None):
        low, high = lower if isinstance(lower, (tuple, list)) else (lower, upper)
        self.set_ylim(*((high, low) if self.yaxis_inverted() else (low, high)), auto=None)

    def invert_xaxis(self):
        self.xaxis.set_inverted(not self.xaxis.get_inverted())

    def invert_yaxis(self):
        self.yaxis.set_inverted(not self.yaxis.get_inverted())

    def xaxis_inverted(self):
        return self.xaxis.get_inverted()

    def yaxis_inverted(self):
        return self.yaxis.get_inverted()

    def autoscale(self, enable=True, axis="both", tight=None):
        for name in "xy" if axis == "both" else axis:
            if enable is not None:
                getattr(self, f"{name}axis")._auto = bool(enable)
            if enable:
                if tight:
                    self._margins[name] = 0
                self._changed(name)

    def autoscale_view(self, tight=None, scalex=True, scaley=True):
        self._changed(("x" if scalex else "") + ("y" if scaley else ""))
        self._settle()

    def get_autoscale_on(self):
        return self.xaxis._auto and self.yaxis._auto

    def set_autoscale_on(self, b):
        self.xaxis._auto = self.yaxis._auto = bool(b)

    def margins(self, *margins, x=None, y=None, tight=True):
        if not margins and x is None and y is None:
            return self._margins["x"], self._margins["y"]
        if margins:
            x, y = margins * 2 if len(margins) == 1 else margins
        for name, margin in (("x", x), ("y", y)):
            if margin is not None:
                self._margins[name] = margin
                self._changed(name)
        return None

    def set_xmargin(self, m):
        self.margins(x=m)

    def set_ymargin(self, m):
        self.margins(y=m)

    def _take(self, name, values):
        """Lets the limits of an axis reach over values."""
        self._hold(name, _data.finite(values))

    def _hold(self, name, values):
        if values:
            low, high, least = self._reach[name]
            start = min(values)
            if start > 0:
                above = start
            else:
                above = min(filter((0.0).__lt__, values), default=math.inf)
            self._reach[name] = (min(low, start), max(high, max(values)), min(least, above))

    def update_datalim(self, xys, updatex=True, updatey=True):
        rows = _data.plain(xys)
        for name, side, wanted in (("x", 0, updatex), ("y", 1, updatey)):
            if wanted:
                self._take(name, [row[side] for row in rows])

    def relim(self, visible_only=False):
        self._reach = {"x": NOWHERE, "y": NOWHERE}
        for child in self._children:
            if not isinstance(child, (Text, Collection)) and (child._p["visible"] or not visible_only):
                self._reach_to(child)

    def _reach_to(self, artist):
        if isinstance(artist, Rectangle) and not artist.get_width() and not artist.get_height():
            return
        xs, ys = artist.reach()
        across, up = _data.finite(xs), _data.finite(ys)
        if len(xs) == len(ys) and (len(across) < len(xs) or len(up) < len(ys)):
            # A point of which one number is missing is none.
            pairs = [(x, y) for x, y in zip(xs, ys) if x - x == 0 and y - y == 0]
            across, up = [x for x, _ in pairs], [y for _, y in pairs]
        self._hold("x", across)
        self._hold("y", up)

    def _data_changed(self):
        """Data were set that the limits follow when `relim` and `autoscale_view` say so."""

    @property
    def dataLim(self):
        (x0, x1, _), (y0, y1, _) = self._reach["x"], self._reach["y"]
        return Bbox([[x0, y0], [x1, y1]])

    @property
    def viewLim(self):
        (x0, x1), (y0, y1) = self.get_xlim(), self.get_ylim()
        return Bbox([[x0, y0], [x1, y1]])

    def set_aspect(self, aspect, adjustable=None, anchor=None, share=False):
        if aspect == "equal":
            aspect = 1
        if aspect != "auto":
            aspect = float(aspect)
        self._aspect = aspect
        self._adjustable = adjustable or self._adjustable
        self._anchor = anchor or self._anchor

    def get_aspect(self):
        return self._aspect

    def set_adjustable(self, adjustable, share=False):
        self._adjustable = adjustable

    def get_adjustable(self):
        return self._adjustable

    def set_box_aspect(self, aspect=None):
        self._box_aspect = aspect
        self._adjustable = "datalim" if aspect is not None else self._adjustable

    def apply_aspect(self, position=None):
        """Makes the box, or the limits, such that lengths across and up are as they are to be."""
        place = self._original
        wide, high = self.figure._points()
        if self._box_aspect is not None and (self._aspect == "auto" or self._adjustable == "datalim"):
            place = place.shrunk_to_aspect(self._box_aspect, self._anchor, high / wide)
        self._position = place
        if self._aspect == "auto":
            return
        sizes = {}
        for name in "xy":
            axis = getattr(self, f"{name}axis")
            low, high_end = map(axis._scale.forward, axis.get_view_interval())
            sizes[name] = abs(high_end - low)
        if not sizes["x"] or not math.isfinite(sizes["y"] / sizes["x"]):
            return
        if self._adjustable == "box":
            self._position = place.shrunk_to_aspect(self._aspect * sizes["y"] / sizes["x"], self._anchor, high / wide)
            return
        self._widen(sizes, place.height * high / (place.width * wide) / self._aspect)

    def _widen(self, sizes, ratio):
        """Limits that make lengths equal; `ratio` is what the height has to be to the width."""
        expander = ratio * sizes["x"] / sizes["y"] - 1
        if abs(expander) < 0.005:
            return
        room = {}
        for name in "xy":
            low, high, _ = self._reach[name]
            scale = getattr(self, f"{name}axis")._scale
            low, high = (scale.forward(low), scale.forward(high)) if low <= high else (0.0, 0.0)
            room[name] = 1.05 * (high - low)
        tall, broad = ratio * sizes["x"], sizes["y"] / ratio
        more = {"x": broad - room["x"], "y": tall - room["y"]}
        shared = {name: len(self._shared[name]) > 1 for name in "xy"}
        if shared["y"] and not shared["x"]:
            name = "x"
        elif sizes["x"] - room["x"] > 0 and sizes["y"] - room["y"] > 0:
            name = "y" if more["y"] > 0 and expander < 0 or more["x"] < 0 and expander > 0 else "x"
        else:
            name = "y" if expander > 0 or shared["x"] else "x"
        axis, size = getattr(self, f"{name}axis"), tall if name == "y" else broad
        low, high = map(axis._scale.forward, axis.get_view_interval())
        middle, half = (low + high) / 2, math.copysign(size / 2, high - low)
        for other in axis._get_shared_axis():
            other._view = (axis._scale.inverse(middle - half), axis._scale.inverse(middle + half))
