"""The lines around a plot."""

from matplotlib import _svg, rcParams
from matplotlib.artist import Artist
from matplotlib.colors import to_rgba


class Spine(Artist):
    """One of the lines around a plot."""

    zorder = 2.5
    _ALIASES = {"ec": "edgecolor", "color": "edgecolor", "lw": "linewidth", "ls": "linestyle", "fc": "facecolor"}

    def __init__(self, axes, side):
        super().__init__()
        self.axes, self.figure, self.spine_type = axes, axes.figure, side
        self._p.update(edgecolor=rcParams["axes.edgecolor"], linewidth=rcParams["axes.linewidth"], linestyle="-",
                       bounds=None,
                       visible=rcParams[f"axes.spines.{side}"], position=("outward", 0.0), facecolor="none",
                       capstyle="projecting")

    def set_color(self, c):
        self._p["edgecolor"] = c

    def set_bounds(self, low=None, high=None):
        self._p["bounds"] = low if isinstance(low, tuple) else (low, high)

    def set_position(self, position):
        names = {"zero": ("data", 0.0), "center": ("axes", 0.5)}
        self._p["position"] = names.get(position, position) if isinstance(position, str) else position

    def _is_upright(self):
        return self.spine_type in ("left", "right")

    def place(self):
        """Where the line is, in points."""
        frame = self.axes._box()
        kind, amount = self._p["position"]
        if kind == "data":
            return self.axes._part("x" if self._is_upright() else "y").one(amount)
        if kind == "axes":
            return frame.x0 + amount * frame.width if self._is_upright() else frame.y0 + amount * frame.height
        edge = {"left": frame.x0, "right": frame.x1, "bottom": frame.y0, "top": frame.y1}[self.spine_type]
        return edge + (amount if self.spine_type in ("right", "top") else -amount)

    def draw_on(self, canvas):
        colour = to_rgba(self._p["edgecolor"], self._p["alpha"])
        frame, line, width = self.axes._box(), self.place(), self._p["linewidth"]
        start, end = (frame.y0, frame.y1) if self._is_upright() else (frame.x0, frame.x1)
        if self._p["bounds"] is not None:
            part = self.axes._part("y" if self._is_upright() else "x")
            ends = [edge if bound is None else part.one(bound) for edge, bound in zip((start, end), self._p["bounds"])]
            start, end = ends
        paint = canvas.paint(None, colour, width, _svg.dashes(self._p["linestyle"], width), self._p["capstyle"],
                             kind="l" if _svg.is_ink(colour) else "")
        across, up = ([line, line], [start, end]) if self._is_upright() else ([start, end], [line, line])
        canvas.path(canvas.polyline(across, up), paint)


class Spines(dict):
    """The four lines by their sides: `spines["top"]`, `spines.top`, `spines[["top", "right"]]`."""

    def __getitem__(self, key):
        if isinstance(key, (list, tuple)):
            return _Several([self[side] for side in key])
        if isinstance(key, slice):
            return _Several(list(self.values()))
        return super().__getitem__(key)

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(f"'Spines' object does not contain a '{name}' spine")


class _Several:
    """Spines that are set together."""

    def __init__(self, parts):
        self._parts = parts

    def __getattr__(self, name):
        def each(*values, **named):
            for part in self._parts:
                getattr(part, name)(*values, **named)

        return each
