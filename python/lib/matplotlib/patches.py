"""Shapes with an inside: boxes, circles, polygons and arrows."""

import math

from matplotlib import _data, _svg, rcParams
from matplotlib._arrows import draw_arrow, parsed
from matplotlib.artist import Artist
from matplotlib.colors import to_rgba
from matplotlib.transforms import Bbox

_ROUND = 64


class Patch(Artist):
    zorder = 1
    _ALIASES = {"fc": "facecolor", "ec": "edgecolor", "lw": "linewidth", "ls": "linestyle", "aa": "antialiased"}
    _DEFAULTS = {
        "facecolor": None, "edgecolor": None, "linewidth": None, "linestyle": "-", "fill": True, "hatch": None,
        "capstyle": "butt", "joinstyle": "miter", "hatch_linewidth": 1.0,
    }

    def __init__(self, *, where="Patch", **properties):
        super().__init__()
        self._given(properties, where)

    def set_color(self, c):
        self.set_facecolor(c)
        self.set_edgecolor(c)

    def set_facecolor(self, color):
        if color is not None:
            to_rgba(color)
        self._p["facecolor"] = color

    def set_edgecolor(self, color):
        if color is not None:
            to_rgba(color)
        self._p["edgecolor"] = color

    def get_facecolor(self):
        face = rcParams["patch.facecolor"] if self._p["facecolor"] is None else self._p["facecolor"]
        face = to_rgba(face, self._p["alpha"])
        return face if self._p["fill"] else (*face[:3], 0.0)

    def get_edgecolor(self):
        edge = self._p["edgecolor"]
        if edge is None:
            if self._p["fill"] and not rcParams["patch.force_edgecolor"] and not self._has_edge:
                return (0.0, 0.0, 0.0, 0.0)
            edge = rcParams["patch.edgecolor"]
        return to_rgba(edge, self._p["alpha"])

    def get_linewidth(self):
        return rcParams["patch.linewidth"] if self._p["linewidth"] is None else float(self._p["linewidth"])

    def get_fill(self):
        return self._p["fill"]

    def parts(self):
        """The polygons of the shape, as pairs of lists."""
        return []

    is_closed, _has_edge = True, False

    def extent(self):
        xs, ys = [], []
        for across, up in self.parts():
            xs += across
            ys += up
        return xs, ys

    def _paint(self, canvas, kind=""):
        width = self.get_linewidth()
        return canvas.paint(self.get_facecolor(), self.get_edgecolor(), width, _svg.dashes(self._p["linestyle"], width),
                            self._p["capstyle"], self._p["joinstyle"], kind)

    def draw_on(self, canvas):
        clip, paint = self._clip_of(canvas), self._paint(canvas)
        transform = self.get_transform()
        path = "".join(
            canvas.polyline(*transform.points(xs, ys), self.is_closed)
            for xs, ys in self.parts()
            if len(_data.finite(xs)) == len(xs) and len(_data.finite(ys)) == len(ys)
        )
        canvas.path(path, paint, clip)
        if self._p["hatch"]:
            canvas.path(path, _hatch(canvas, self._p["hatch"], self.get_edgecolor(), self._p["hatch_linewidth"]), clip)

    def get_path(self):
        from matplotlib.lines import Path

        return Path([list(pair) for xs, ys in self.parts() for pair in zip(xs, ys)])

    def get_extents(self):
        xs, ys = self.extent()
        return Bbox([[min(xs), min(ys)], [max(xs), max(ys)]])

    def contains_point(self, point):
        """Whether a place of data is inside."""
        x, y = point
        inside = False
        for xs, ys in self.parts():
            for x0, y0, x1, y1 in zip(xs, ys, xs[1:] + xs[:1], ys[1:] + ys[:1]):
                if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
                    inside = not inside
        return inside



def _hatch(canvas, hatch, edge, width):
    """The attribute that fills a shape with lines."""
    step = 24 / max(1, hatch.count(hatch[0]))
    text, places = "", (step / 4, 3 * step / 4)
    for letter in dict.fromkeys(hatch.replace("x", "/\\").replace("X", "/\\").replace("+", "-|")):
        if letter == "/":
            text += f"M0 {step}L{step} 0"
        elif letter == "\\":
            text += f"M0 0L{step} {step}"
        elif letter == "|":
            text += "".join(f"M{place} 0V{step}" for place in places)
        elif letter == "-":
            text += "".join(f"M0 {place}H{step}" for place in places)
        else:
            radius = {"o": 2.0, "O": 3.5, ".": 0.8, "*": 2.0}.get(letter, 1.0)
            text += "".join(f"M{x - radius} {y}a{radius} {radius} 0 1 0 {2 * radius} 0a{radius} {radius} 0 1 0 "
                            f"{-2 * radius} 0z"
                            for x, y in zip(places, places))
    colour, alpha = _svg.shown(edge if edge[3] else (0, 0, 0, 1))
    name = f"h{len(canvas.defs)}"
    fill = colour if "." in hatch or "*" in hatch else "none"
    canvas.defs.append(
        f'<pattern id="{name}" width="{step:g}" height="{step:g}" patternUnits="userSpaceOnUse">'
        f'<path d="{text}" stroke="{colour}" stroke-width="{width}" fill="{fill}" opacity="{alpha:.3g}"/></pattern>'
    )
    return f' fill="url(#{name})"'


class Rectangle(Patch):
    def __init__(self, xy, width, height, *, angle=0.0, rotation_point="xy", where="Rectangle", **properties):
        self._box = [*map(_data.plain, (*xy, width, height))]
        self._angle, self._sticky = angle, ((), ())
        super().__init__(where=where, **properties)

    def get_x(self):
        return self._box[0]

    def get_y(self):
        return self._box[1]

    def get_width(self):
        return self._box[2]

    def get_height(self):
        return self._box[3]

    def get_xy(self):
        return self._box[0], self._box[1]

    def get_bbox(self):
        return Bbox.from_bounds(*self._box)

    def set_bounds(self, *args):
        self._box = list(args[0] if len(args) == 1 else args)

    def set_x(self, x):
        self._box[0] = x

    def set_y(self, y):
        self._box[1] = y

    def set_xy(self, xy):
        self._box[:2] = xy

    def set_width(self, w):
        self._box[2] = w

    def set_height(self, h):
        self._box[3] = h

    xy = property(get_xy, set_xy)

    def get_center(self):
        x, y, width, height = self._box
        return _data.array([x + width / 2, y + height / 2])

    def parts(self):
        x, y, width, height = self._box
        corners = [(0, 0), (width, 0), (width, height), (0, height)]
        if self._angle:
            cos, sin = math.cos(math.radians(self._angle)), math.sin(math.radians(self._angle))
            corners = [(cos * a - sin * b, sin * a + cos * b) for a, b in corners]
        return [([x + a for a, _ in corners], [y + b for _, b in corners])]

    def stickies(self):
        return self._sticky


class Polygon(Patch):
    def __init__(self, xy, *, closed=True, where="Polygon", **properties):
        self.set_xy(xy)
        self.is_closed = closed
        super().__init__(where=where, **properties)

    def set_xy(self, xy):
        points = _data.plain(xy)
        self._xs, self._ys = [float(point[0]) for point in points], [float(point[1]) for point in points]

    def get_xy(self):
        return _data.array([list(pair) for pair in zip(self._xs, self._ys)])

    xy = property(get_xy, set_xy)

    def parts(self):
        return [(self._xs, self._ys)] if self._xs else []


class PathPatch(Polygon):
    _has_edge = True

    def __init__(self, path, **properties):
        super().__init__(path.vertices, **properties)


class Ellipse(Patch):
    def __init__(self, xy, width, height, *, angle=0, where="Ellipse", **properties):
        self._center, self._sizes, self._angle = tuple(xy), [width / 2, height / 2], angle
        self._turn = (0.0, 360.0)
        super().__init__(where=where, **properties)

    def get_center(self):
        return self._center

    def set_center(self, xy):
        self._center = tuple(xy)

    center = property(get_center, set_center)
    width = property(lambda self: 2 * self._sizes[0])
    height = property(lambda self: 2 * self._sizes[1])

    def _arc(self, start, end, scale=1.0, count=_ROUND):
        x, y = self._center
        a, b = self._sizes[0] * scale, self._sizes[1] * scale
        cos, sin = math.cos(math.radians(self._angle)), math.sin(math.radians(self._angle))
        xs, ys = [], []
        for step in range(count + 1):
            turn = math.radians(start + (end - start) * step / count)
            across, up = a * math.cos(turn), b * math.sin(turn)
            xs.append(x + cos * across - sin * up)
            ys.append(y + sin * across + cos * up)
        return xs, ys

    def parts(self):
        return [self._arc(*self._turn)]


class Circle(Ellipse):
    def __init__(self, xy, radius=5, *, where="Circle", **properties):
        super().__init__(xy, 2 * radius, 2 * radius, where=where, **properties)

    def get_radius(self):
        return self._sizes[0]

    def set_radius(self, radius):
        self._sizes = [radius, radius]

    radius = property(get_radius, set_radius)


class Arc(Ellipse):
    is_closed = False

    def __init__(self, xy, width, height, *, angle=0.0, theta1=0.0, theta2=360.0, **properties):
        super().__init__(xy, width, height, angle=angle, where="Arc", **{"fill": False, **properties})
        self._turn = (theta1, theta2 if theta2 > theta1 else theta2 + 360)


class Wedge(Ellipse):
    def __init__(self, center, r, theta1, theta2, *, width=None, where="Wedge", **properties):
        super().__init__(center, 2 * r, 2 * r, where=where)
        self.r, self.theta1, self.theta2, self._ring = r, theta1, theta2, width
        self._given(properties, where)

    def parts(self):
        end = self.theta2 if self.theta2 > self.theta1 or self.theta2 == self.theta1 else self.theta2 + 360
        xs, ys = self._arc(self.theta1, end)
        if self._ring is not None:
            across, up = self._arc(end, self.theta1, (self.r - self._ring) / self.r)
            return [(xs + across, ys + up)]
        if end - self.theta1 < 360:
            return [([*xs, self._center[0]], [*ys, self._center[1]])]
        return [(xs, ys)]


class RegularPolygon(Polygon):
    def __init__(self, xy, numVertices, *, radius=5, orientation=0, **properties):
        turns = [orientation + math.pi / 2 + 2 * math.pi * step / numVertices for step in range(numVertices)]
        points = [(xy[0] + radius * math.cos(turn), xy[1] + radius * math.sin(turn)) for turn in turns]
        super().__init__(points, where="RegularPolygon", **properties)


class FancyArrow(Polygon):
    """An arrow whose sizes are those of data."""

    _has_edge = True

    def __init__(self, x, y, dx, dy, *, width=0.001, length_includes_head=False, head_width=None, head_length=None,
                 shape="full", overhang=0, head_starts_at_zero=False, **properties):
        head = 3 * width if head_width is None else head_width
        long = 1.5 * head if head_length is None else head_length
        size = math.hypot(dx, dy)
        length = size if length_includes_head else size + long
        points = []
        if length:
            cos, sin = (dx / size, dy / size) if size else (1.0, 0.0)
            neck = length - long
            inner = neck + overhang * long
            half = [(length, 0), (neck, head / 2), (inner, width / 2), (0, width / 2)]
            other = [(a, -b) for a, b in reversed(half)]
            corners = half + ([(0, 0)] if shape == "left" else other)
            if shape == "right":
                corners = other + [(0, 0)]
            points = [(x + cos * a - sin * b, y + sin * a + cos * b) for a, b in corners]
        super().__init__(points or [(x, y)], where="arrow", **properties)


class Arrow(FancyArrow):
    def __init__(self, x, y, dx, dy, *, width=1.0, **properties):
        super().__init__(x, y, dx, dy, width=0.2 * width, head_width=0.6 * width, head_length=0.2 * math.hypot(dx, dy),
                         length_includes_head=True, **properties)


class BoxStyle(str):
    """The name of a box's style, with its numbers."""

    def __new__(cls, stylename, **numbers):
        return str.__new__(cls, ",".join([stylename, *(f"{key}={value}" for key, value in numbers.items())]))

    Round = staticmethod(lambda pad=0.3, rounding_size=None: BoxStyle("round", pad=pad))
    Square = staticmethod(lambda pad=0.3: BoxStyle("square", pad=pad))


class FancyBboxPatch(Rectangle):
    """A box with round corners, and with room around what it holds."""

    _has_edge = True

    def __init__(self, xy, width, height, boxstyle="round", *, mutation_scale=1, mutation_aspect=1, where="FancyBboxPatch",
                 **properties):
        self._boxstyle, self._mutation = boxstyle, mutation_scale
        super().__init__(xy, width, height, where=where, **properties)

    def set_boxstyle(self, boxstyle=None, **numbers):
        self._boxstyle = BoxStyle(boxstyle, **numbers)

    def _shape(self):
        name, numbers = parsed(self._boxstyle)
        pad = numbers.get("pad", 0.3) * self._mutation
        is_round = name.startswith("round") or name in ("circle", "ellipse")
        default = (pad / self._mutation if name != "round4" else 0.6) if is_round else 0.0
        return pad, numbers.get("rounding_size", default) * self._mutation if is_round else 0.0

    def parts(self):
        x, y, width, height = self._box
        pad, radius = self._shape()
        x, y, width, height = x - pad, y - pad, width + 2 * pad, height + 2 * pad
        radius = min(radius, width / 2, height / 2)
        if not radius:
            return [([x, x + width, x + width, x], [y, y, y + height, y + height])]
        xs, ys = [], []
        for start, (a, b) in enumerate(((width - radius, height - radius), (radius, height - radius), (radius, radius),
                                        (width - radius, radius))):
            for step in range(9):
                turn = (start + step / 8) * math.pi / 2
                xs.append(x + a + radius * math.cos(turn))
                ys.append(y + b + radius * math.sin(turn))
        return [(xs, ys)]

    def draw_turned(self, canvas, left, low, angle):
        """Draws this around a text, turned with it; in points."""
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        for xs, ys in self.parts():
            across = [left + cos * a - sin * b for a, b in zip(xs, ys)]
            up = [low + sin * a + cos * b for a, b in zip(xs, ys)]
            canvas.path(canvas.polyline(across, up, True), self._paint(canvas))


class FancyArrowPatch(Patch):
    zorder = 1

    def __init__(self, posA=None, posB=None, *, arrowstyle="simple", connectionstyle="arc3", mutation_scale=1, shrinkA=2,
                 shrinkB=2, **properties):
        super().__init__(where="FancyArrowPatch")
        self._ends, self._arrow = (posA, posB), (arrowstyle, connectionstyle, mutation_scale, (shrinkA, shrinkB))
        self._look = properties
        for name in ("transform", "zorder", "clip_on", "label"):
            if name in properties:
                self._given({name: properties.pop(name)}, "FancyArrowPatch")

    def set_positions(self, posA, posB):
        self._ends = (posA, posB)

    def extent(self):
        return [], []

    def draw_on(self, canvas):
        xs, ys = self.get_transform().points(*map(list, zip(*self._ends)))
        style, bend, size, shrink = self._arrow
        look = {"connectionstyle": bend, **self._look}
        draw_arrow(canvas, (xs[0], ys[0]), (xs[1], ys[1]), style, size, look, shrink, clip=self._clip_of(canvas),
                   where="FancyArrowPatch")


class ConnectionPatch(FancyArrowPatch):
    """A line between places of two axes."""

    def __init__(self, xyA, xyB, coordsA, coordsB=None, *, axesA=None, axesB=None, arrowstyle="-", **properties):
        super().__init__(xyA, xyB, arrowstyle=arrowstyle, mutation_scale=10, clip_on=False, **properties)
        self._sides = (axesA, axesB or axesA)

    def draw_on(self, canvas):
        starts = [axes.transData.points([end[0]], [end[1]]) for axes, end in zip(self._sides, self._ends)]
        style, bend, size, _ = self._arrow
        (x0, y0), (x1, y1) = starts
        draw_arrow(canvas, (x0[0], y0[0]), (x1[0], y1[0]), style, size, {"connectionstyle": bend, **self._look}, (0, 0))
