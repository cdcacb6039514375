"""Lines through points, and the marks at these."""

import math
import operator
from bisect import bisect_left, bisect_right

from matplotlib import _data, _svg, rcParams
from matplotlib.artist import Artist
from matplotlib.colors import check, to_rgba

# A line with more points is drawn with the least and the greatest of each column of this many to a point.
_MOST = 4000
_COLUMNS_PER_POINT = 2


def _around(count, inner=None, start=math.pi / 2, radius=0.5):
    """The corners of a polygon, or of a star."""
    steps = count if inner is None else 2 * count
    points = []
    for step in range(steps):
        reach = radius if inner is None or step % 2 == 0 else inner
        angle = start + 2 * math.pi * step / steps
        points.append((reach * math.cos(angle), reach * math.sin(angle)))
    return points


_FILLED = {
    "s": [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)],
    "D": [(0, -0.7071), (0.7071, 0), (0, 0.7071), (-0.7071, 0)],
    "d": [(0, -0.7071), (0.4243, 0), (0, 0.7071), (-0.4243, 0)],
    "^": [(0, 0.5), (-0.5, -0.5), (0.5, -0.5)],
    "v": [(0, -0.5), (-0.5, 0.5), (0.5, 0.5)],
    "<": [(-0.5, 0), (0.5, -0.5), (0.5, 0.5)],
    ">": [(0.5, 0), (-0.5, -0.5), (-0.5, 0.5)],
    "p": _around(5), "h": _around(6), "H": _around(6, start=0.0), "8": _around(8, start=math.pi / 8),
    "*": _around(5, 0.190983),
    "P": [(x / 6, y / 6) for x, y in [(-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1), (-3, 1),
                                      (-3, -1), (-1, -1)]],
    "X": [(x / 4, y / 4) for x, y in [(-1, -2), (0, -1), (1, -2), (2, -1), (1, 0), (2, 1), (1, 2), (0, 1), (-1, 2), (-2, 1),
                                      (-1, 0), (-2, -1)]],
    4: [(-0.75, 0.5), (0, 0), (-0.75, -0.5)], 5: [(0.75, 0.5), (0, 0), (0.75, -0.5)],
    6: [(-0.5, -0.75), (0, 0), (0.5, -0.75)], 7: [(-0.5, 0.75), (0, 0), (0.5, 0.75)],
}
_OPEN = {
    "+": [[(-0.5, 0), (0.5, 0)], [(0, -0.5), (0, 0.5)]],
    "x": [[(-0.5, -0.5), (0.5, 0.5)], [(-0.5, 0.5), (0.5, -0.5)]],
    "|": [[(0, -0.5), (0, 0.5)]], "_": [[(-0.5, 0), (0.5, 0)]],
    "1": [[(0, 0), (0, -0.5)], [(0, 0), (0.4, 0.25)], [(0, 0), (-0.4, 0.25)]],
    "2": [[(0, 0), (0, 0.5)], [(0, 0), (0.4, -0.25)], [(0, 0), (-0.4, -0.25)]],
    "3": [[(0, 0), (-0.5, 0)], [(0, 0), (0.25, 0.4)], [(0, 0), (0.25, -0.4)]],
    "4": [[(0, 0), (0.5, 0)], [(0, 0), (-0.25, 0.4)], [(0, 0), (-0.25, -0.4)]],
    0: [[(0, 0), (-1, 0)]], 1: [[(0, 0), (1, 0)]], 2: [[(0, 0), (0, 1)]], 3: [[(0, 0), (0, -1)]],
}
NO_MARKER = ("None", "none", "", " ", None)
MARKERS = set(map(str, [*_FILLED, *_OPEN, "o", ".", ","]))


def marker_path(marker, size):
    """The path of a marker around 0, 0, and whether it is filled."""
    if isinstance(marker, MarkerStyle):
        marker = marker.marker
    if isinstance(marker, str) and marker[:1] == marker[-1:] == "$" and len(marker) > 2:
        return marker, True
    if isinstance(marker, tuple):
        kind = marker[1] if len(marker) > 1 else 0
        start = math.pi / 2 + math.radians(marker[2] if len(marker) > 2 else 0)
        if kind == 2:
            parts = [[(0, 0), point] for point in _around(marker[0], start=start)]
            return _marker_lines(parts, size), False
        return _marker_area(_around(marker[0], 0.25 if kind == 1 else None, start), size), True
    if marker in ("o", ".", ","):
        radius = size * {"o": 0.5, ".": 0.25, ",": 0.36 / max(size, 0.01)}[marker]
        text = f"{radius:.2f}"
        return f"M-{text} 0a{text} {text} 0 1 0 {2 * radius:.2f} 0a{text} {text} 0 1 0 -{2 * radius:.2f} 0z", True
    if isinstance(marker, (list, Path)):
        return _marker_area(marker.vertices if isinstance(marker, Path) else marker, size), True
    if marker in _FILLED:
        return _marker_area(_FILLED[marker], size), True
    if marker in _OPEN:
        return _marker_lines(_OPEN[marker], size), False
    raise ValueError(f"Unrecognized marker style {marker!r}")


def _marker_area(points, size):
    return "M" + "L".join(f"{x * size:.2f} {-y * size:.2f}" for x, y in points) + "Z"


def _marker_lines(parts, size):
    return "".join("M" + "L".join(f"{x * size:.2f} {-y * size:.2f}" for x, y in part) for part in parts)


class MarkerStyle:
    """A marker by its name."""

    markers = dict.fromkeys([*_FILLED, *_OPEN, "o", ".", ","], "")

    def __init__(self, marker="o", fillstyle=None, **_more):
        self.marker, self.fillstyle = marker, fillstyle

    def get_marker(self):
        return self.marker


class Path:
    """Points with straight lines between them."""

    MOVETO, LINETO, CURVE3, CURVE4, CLOSEPOLY = 1, 2, 3, 4, 79

    def __init__(self, vertices, codes=None, closed=False, **_more):
        self.vertices, self.codes, self.closed = _data.plain(vertices), codes and list(codes), closed


def steps(xs, ys, style):
    """The corners of a line that goes in steps."""
    if style in (None, "default") or len(xs) < 2:
        return xs, ys
    across, up = [xs[0]], [ys[0]]
    for (x0, x1), (y0, y1) in zip(zip(xs, xs[1:]), zip(ys, ys[1:])):
        if style in ("steps", "steps-pre"):
            across += [x0, x1]
            up += [y1, y1]
        elif style == "steps-post":
            across += [x1, x1]
            up += [y0, y1]
        else:
            across += [(x0 + x1) / 2] * 2 + [x1]
            up += [y0, y1, y1]
    return across, up


def is_sorted(values):
    return all(map(operator.le, values[:999], values[1:1000])) and values == sorted(values)


def _fewer(xs, ys, axes):
    """In each column of the picture the first, the least, the greatest and the last point; for sorted `xs`."""
    low, high = sorted(axes.get_xlim())
    start, end = max(bisect_left(xs, low) - 1, 0), bisect_right(xs, high) + 1
    xs, ys = xs[start:end], ys[start:end]
    if len(xs) <= _MOST:
        return xs, ys
    scale = axes.xaxis._scale
    first, last = map(scale.forward, (low, high))
    columns = int(axes._box().width * _COLUMNS_PER_POINT)
    kept_x, kept_y, at = [], [], 0
    for column in range(columns + 1):
        edge = scale.inverse(first + (last - first) * (column + 1) / columns) if column < columns else math.inf
        after = bisect_left(xs, edge, at)
        if after > at:
            part = ys[at:after]
            places = {0, after - at - 1, part.index(min(part)), part.index(max(part))}
            for place in sorted(places):
                kept_x.append(xs[at + place])
                kept_y.append(part[place])
            at = after
    return kept_x, kept_y


def _merged(xs, ys):
    """Points without those that hardly move; for lines that go to and fro."""
    step = 0.25
    while True:
        kept = [(xs[0], ys[0])]
        before_x, before_y = xs[0], ys[0]
        for x, y in zip(xs, ys):
            if x - before_x > step or before_x - x > step or y - before_y > step or before_y - y > step:
                kept.append((x, y))
                before_x, before_y = x, y
        if len(kept) <= 20 * _MOST or step > 4:
            kept = kept[:: max(len(kept) // (20 * _MOST), 1)]
            return [x for x, _ in kept], [y for _, y in kept]
        step *= 2


class Line2D(Artist):
    zorder = 2
    _ALIASES = {
        "lw": "linewidth", "ls": "linestyle", "c": "color", "ms": "markersize", "mec": "markeredgecolor",
        "mew": "markeredgewidth", "mfc": "markerfacecolor", "ds": "drawstyle", "aa": "antialiased",
        "linewidths": "linewidth",
        "mfcalt": "markerfacecoloralt", "linestyles": "linestyle", "colors": "color",
    }
    _DEFAULTS = {
        "markeredgecolor": "auto", "markerfacecolor": "auto", "drawstyle": "default", "markevery": None, "fillstyle": "full",
        "dash_capstyle": None, "solid_capstyle": None, "dash_joinstyle": None, "solid_joinstyle": None, "gapcolor": None,
        "pickradius": 5, "markerfacecoloralt": "none", "dashes": None,
    }

    def __init__(self, xdata, ydata, *, where="Line2D", **properties):
        super().__init__()
        setting = rcParams
        self._p.update(
            color=setting["lines.color"], linewidth=float(setting["lines.linewidth"]), linestyle=setting["lines.linestyle"],
            marker=setting["lines.marker"], markersize=setting["lines.markersize"],
            markeredgewidth=setting["lines.markeredgewidth"],
        )
        self._x, self._y = _data.flat(xdata), _data.flat(ydata)
        self._given(properties, where)

    def set_linestyle(self, ls):
        if isinstance(ls, str) and ls not in _svg.SOLID and ls not in _svg._DASHES:
            raise ValueError(f"{ls!r} is not a valid value for ls.")
        names = {"solid": "-", "dashed": "--", "dashdot": "-.", "dotted": ":", "none": "None", " ": "None", "": "None"}
        self._p["linestyle"] = "None" if ls is None else names.get(ls, ls) if isinstance(ls, str) else ls

    def set_marker(self, marker):
        if isinstance(marker, str) and marker not in NO_MARKER:
            marker_path(marker, 1.0)
        self._p["marker"] = "None" if marker is None else marker

    def set_color(self, color):
        check(color)
        self._p["color"] = color

    def set_linewidth(self, w):
        self._p["linewidth"] = rcParams["lines.linewidth"] if w is None else float(w)

    def set_markersize(self, sz):
        self._p["markersize"] = rcParams["lines.markersize"] if sz is None else float(sz)

    def set_drawstyle(self, drawstyle):
        self._p["drawstyle"] = drawstyle or "default"

    def set_data(self, *args):
        x, y = args if len(args) == 2 else args[0]
        self._x, self._y = _data.flat(x), _data.flat(y)
        if self.axes is not None:
            self.axes._data_changed()

    def set_xdata(self, x):
        self.set_data(x, self._y)

    def set_ydata(self, y):
        self.set_data(self._x, y)

    def get_data(self, orig=True):
        return self.get_xdata(), self.get_ydata()

    def get_xdata(self, orig=True):
        return _data.array(self._x)

    def get_ydata(self, orig=True):
        return _data.array(self._y)

    def get_xydata(self):
        return _data.array([list(pair) for pair in zip(self._x, self._y)])

    def get_markeredgecolor(self):
        edge = self._p["markeredgecolor"]
        if isinstance(edge, str) and edge == "auto":
            face = self._p["markerfacecolor"]
            if self._p["marker"] in (".", ",") and not (isinstance(face, str) and face == "auto"):
                return face
            return self._p["color"]
        return edge

    def get_markerfacecolor(self):
        face = self._p["markerfacecolor"]
        return self._p["color"] if isinstance(face, str) and face == "auto" else face

    def extent(self):
        return self._x, self._y

    def _paint(self, canvas):
        """The attributes of the line."""
        width, style = self._p["linewidth"], self._p["linestyle"]
        dash = [length * width for length in self._p["dashes"] or ()]
        dash = dash or _svg.dashes(style, width)
        kind = "dash" if dash else "solid"
        cap = self._p[f"{kind}_capstyle"] or rcParams[f"lines.{kind}_capstyle"]
        join = self._p[f"{kind}_joinstyle"] or rcParams[f"lines.{kind}_joinstyle"]
        return canvas.paint(None, to_rgba(self._p["color"], self._p["alpha"]), width, dash, cap, join)

    def _has_line(self):
        style = self._p["linestyle"]
        return not (isinstance(style, str) and style in NO_MARKER) and self._p["linewidth"] > 0

    def _points(self):
        xs, ys = self._x, self._y
        if len(xs) > _MOST and self.axes is not None and self._in_data() and len(_data.finite(xs)) == len(xs):
            if self._p["marker"] in NO_MARKER and len(_data.finite(ys)) == len(ys) and is_sorted(xs):
                return _fewer(xs, ys, self.axes)
        return xs, ys

    def draw_on(self, canvas):
        xs, ys = self._points()
        clip = self._clip_of(canvas)
        if self._has_line():
            line_x, line_y = steps(xs, ys, self._p["drawstyle"])
            canvas.path(self._line(canvas, *self.get_transform().points(line_x, line_y)), self._paint(canvas), clip)
        if self._p["marker"] not in NO_MARKER:
            if self._p["markevery"] is not None:
                every = self._p["markevery"]
                every = slice(None, None, every) if isinstance(every, int) else every
                every = slice(every[0], None, every[1]) if isinstance(every, tuple) else every
                places = range(len(xs))[every] if isinstance(every, slice) else _data.flat(every)
                xs, ys = [xs[place] for place in places], [ys[place] for place in places]
            self._draw_marks(canvas, *self.get_transform().points(xs, ys), clip)

    @staticmethod
    def _line(canvas, xs, ys):
        """The path of the line, which is broken where a number is missing."""
        if len(_data.finite(xs)) == len(xs) and len(_data.finite(ys)) == len(ys):
            if len(xs) > 3 * _MOST:
                xs, ys = _merged(xs, ys)
            return canvas.polyline(xs, ys) if len(xs) > 1 else ""
        parts, across, up = [], [], []
        for x, y in zip([*xs, math.nan], [*ys, math.nan]):
            if x - x == 0 and y - y == 0:
                across.append(x)
                up.append(y)
            elif across:
                if len(across) > 1:
                    parts.append(canvas.polyline(*(_merged(across, up) if len(across) > 3 * _MOST else (across, up))))
                across, up = [], []
        return "".join(parts)

    def _draw_marks(self, canvas, xs, ys, clip):
        if len(_data.finite(xs)) != len(xs) or len(_data.finite(ys)) != len(ys):
            pairs = [(x, y) for x, y in zip(xs, ys) if x - x == 0 and y - y == 0]
            xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
        if len(xs) > _MOST:
            pairs = list(dict.fromkeys(zip([round(x * 2) / 2 for x in xs], [round(y * 2) / 2 for y in ys])))
            xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
        path, filled = marker_path(self._p["marker"], self._p["markersize"])
        alpha = self._p["alpha"]
        edge = _svg.colour_or_none(self.get_markeredgecolor(), alpha)
        if path[0] == "$":
            block = _svg.measure(path, self._p["markersize"])
            for x, y in zip(xs, ys):
                left, low, _ = _svg.placed(block, x, y, "center", "center")
                canvas.text(left, low, block, canvas.style(edge or (0, 0, 0, 1), self._p["markersize"]), "center", clip=clip)
            return
        face = _svg.colour_or_none(self.get_markerfacecolor(), alpha) if filled and self._p["fillstyle"] != "none" else None
        width = self._p["markeredgewidth"] if self._p["marker"] != "," else 0
        kind = "" if face is None else "l" if edge == (0, 0, 0, 1) and face[:3] != (0, 0, 0) else ""
        if face is not None and face[:3] == (0, 0, 0) and edge is not None and edge[:3] == (0, 0, 0):
            kind = "l t"
        canvas.marks(path, xs, ys, canvas.paint(face, edge, width, join="miter" if path[-1] == "Z" else "round", kind=kind),
                     clip)

    def data_rows(self):
        return ("x", "y"), (self._x, self._y)


class AxLine(Line2D):
    """A line through two points, or with a slope, as far as the axes go."""

    def __init__(self, xy1, xy2, slope, **properties):
        super().__init__([], [], where="axline", **properties)
        self._through = xy1, xy2, slope

    def draw_on(self, canvas):
        self._x, self._y = self._ends()
        super().draw_on(canvas)

    def _ends(self):
        (x0, y0), second, slope = self._through
        low, high = self.axes.get_xlim()
        if slope is None:
            x1, y1 = second
            if x0 == x1:
                return [x0, x0], list(self.axes.get_ylim())
            slope = (y1 - y0) / (x1 - x0)
        return [low, high], [y0 + slope * (low - x0), y0 + slope * (high - x0)]

    def extent(self):
        return [], []

    def data_rows(self):
        return None


def parsed_format(text):
    """The line style, the marker and the colour that a format like `r--o` has."""
    if text[:1] == "C" and text[1:].isdigit() or text in ("0", "1") or not text:
        return None, None, text or None
    try:
        if len(text) > 2 or text not in MARKERS:
            to_rgba(text)
            if not (text in MARKERS or text.isdigit()):
                return None, None, text
    except ValueError:
        pass
    style = marker = colour = None
    at = 0
    wrong = f"{text!r} is not a valid format string"
    while at < len(text):
        part = text[at]
        if text[at : at + 2] in ("--", "-."):
            if style is not None:
                raise ValueError(f"{wrong} (two linestyle symbols)")
            style, at = text[at : at + 2], at + 2
        elif part in ("-", ":") or part == " ":
            if style is not None:
                raise ValueError(f"{wrong} (two linestyle symbols)")
            style, at = part, at + 1
        elif part in MARKERS and not (part in "12348" and part.isdigit() and colour == "C"):
            if marker is not None:
                raise ValueError(f"{wrong} (two marker symbols)")
            marker, at = part, at + 1
        elif part in "bgrcmykw":
            if colour is not None:
                raise ValueError(f"{wrong} (two color symbols)")
            colour, at = part, at + 1
        elif part == "C":
            end = at + 1
            while end < len(text) and text[end].isdigit():
                end += 1
            if end == at + 1:
                raise ValueError(f"{wrong} ('C' must be followed by a number)")
            colour, at = text[at:end], end
        else:
            raise ValueError(f"{wrong} (unrecognized character {part!r})")
    if style is None and marker is not None:
        style = "None"
    return style, marker, colour
