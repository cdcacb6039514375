"""Places: of data, of axes and of the figure, in points from the lower left corner; and boxes."""

import math

from matplotlib import _data


class Bbox:
    """A box by two corners."""

    def __init__(self, points):
        (self.x0, self.y0), (self.x1, self.y1) = _data.plain(points)

    @classmethod
    def from_bounds(cls, x0, y0, width, height):
        return cls([[x0, y0], [x0 + width, y0 + height]])

    @classmethod
    def from_extents(cls, *args):
        x0, y0, x1, y1 = args[0] if len(args) == 1 else args
        return cls([[x0, y0], [x1, y1]])

    @classmethod
    def unit(cls):
        return cls([[0, 0], [1, 1]])

    @staticmethod
    def union(bboxes):
        """The least box that holds all of some."""
        boxes = [box.extents for box in bboxes]
        lows, highs = list(zip(*boxes))[:2], list(zip(*boxes))[2:]
        return Bbox([[min(low) for low in lows], [max(high) for high in highs]])

    width = property(lambda self: self.x1 - self.x0)
    height = property(lambda self: self.y1 - self.y0)
    xmin = property(lambda self: min(self.x0, self.x1))
    ymin = property(lambda self: min(self.y0, self.y1))
    xmax = property(lambda self: max(self.x0, self.x1))
    ymax = property(lambda self: max(self.y0, self.y1))
    p0 = property(lambda self: _data.array([self.x0, self.y0]))
    p1 = property(lambda self: _data.array([self.x1, self.y1]))
    size = property(lambda self: _data.array([self.width, self.height]))
    bounds = property(lambda self: (self.x0, self.y0, self.width, self.height))
    extents = property(lambda self: (self.x0, self.y0, self.x1, self.y1))
    intervalx = property(lambda self: (self.x0, self.x1))
    intervaly = property(lambda self: (self.y0, self.y1))

    def get_points(self):
        return _data.array([[self.x0, self.y0], [self.x1, self.y1]])

    def __iter__(self):
        return iter(self.extents)

    def __eq__(self, other):
        return isinstance(other, Bbox) and self.extents == other.extents

    def __hash__(self):
        return hash(self.extents)

    def shrunk_to_aspect(self, aspect, anchor, figure_aspect):
        """The box of a height that is `aspect` times the width, within this one; `anchor` is where."""
        width, height = self.width, self.width * aspect / figure_aspect
        if height > self.height:
            width, height = self.height * figure_aspect / aspect, self.height
        x, y = _ANCHORS[anchor] if isinstance(anchor, str) else anchor
        return Bbox.from_bounds(self.x0 + x * (self.width - width), self.y0 + y * (self.height - height), width, height)

    def overlaps(self, other):
        return other.x1 > self.x0 and other.x0 < self.x1 and other.y1 > self.y0 and other.y0 < self.y1

    def padded(self, p):
        return Bbox([[self.x0 - p, self.y0 - p], [self.x1 + p, self.y1 + p]])

    def transformed(self, transform):
        xs, ys = transform.points([self.x0, self.x1], [self.y0, self.y1])
        return Bbox([[xs[0], ys[0]], [xs[1], ys[1]]])

    def __repr__(self):
        return f"Bbox([[{self.x0}, {self.y0}], [{self.x1}, {self.y1}]])"

    def __str__(self):
        return f"Bbox(x0={self.x0}, y0={self.y0}, x1={self.x1}, y1={self.y1})"


_ANCHORS = {"C": (0.5, 0.5), "SW": (0, 0), "S": (0.5, 0), "SE": (1, 0), "E": (1, 0.5), "NE": (1, 1), "N": (0.5, 1),
            "NW": (0, 1), "W": (0, 0.5)}


class Transform:
    """Where things are in the figure: `points` gives lists in points, `transform` what programs ask for."""

    figure = None

    def points(self, xs, ys):
        return xs, ys

    def back(self, x, y):
        return x, y

    def _scale(self):
        return self.figure.dpi / 72 if self.figure is not None else 1.0

    def transform(self, values):
        rows, size = _data.plain(values), self._scale()
        single = not isinstance(rows[0], list)
        xs, ys = (
            self.points([row[0] for row in rows], [row[1] for row in rows]) if not single
            else self.points(*([v] for v in rows))
        )
        found = [[x * size, y * size] for x, y in zip(xs, ys)]
        return _data.array(found[0] if single else found)

    def transform_point(self, point):
        return self.transform(list(point))

    def inverted(self):
        return _Inverted(self)

    def __add__(self, other):
        return _Chain(self, other)

    def __sub__(self, other):
        return _Chain(self, other.inverted())


class IdentityTransform(Transform):
    """Places in pixels."""


class _Inverted(Transform):
    def __init__(self, inner):
        self._inner = inner

    def transform(self, values):
        rows, size = _data.plain(values), self._inner._scale()
        if isinstance(rows[0], list):
            return _data.array([list(self._inner.back(x / size, y / size)) for x, y in rows])
        return _data.array(list(self._inner.back(rows[0] / size, rows[1] / size)))

    def points(self, xs, ys):
        pairs = [self._inner.back(x, y) for x, y in zip(xs, ys)]
        return [x for x, _ in pairs], [y for _, y in pairs]


class _Chain(Transform):
    def __init__(self, first, second):
        self._first, self._second = first, second
        self.figure = second.figure or first.figure

    def points(self, xs, ys):
        return self._second.points(*self._first.points(xs, ys))

    def back(self, x, y):
        return self._first.back(*self._second.back(x, y))


class Separate(Transform):
    """Horizontal and vertical places that do not depend on each other: each side has `many` and `back`."""

    def __init__(self, across, up, figure):
        self.across, self.up, self.figure = across, up, figure

    def points(self, xs, ys):
        return self.across.many(xs), self.up.many(ys)

    def back(self, x, y):
        return self.across.back(x), self.up.back(y)


def blended_transform_factory(x_transform, y_transform):
    return Separate(x_transform.across, y_transform.up, x_transform.figure)


class Part:
    """One side of a transform: `span()` is where 0 and 1 are, in points."""

    def __init__(self, span, axis=None):
        self._span, self._axis = span, axis

    def many(self, values):
        start, end = self._span()
        if self._axis is not None:
            scale = self._axis._scale
            low, high = map(scale.forward, self._axis.get_view_interval())
            values = scale.forward_all(values)
            size = (end - start) / (high - low)
            start -= low * size
        else:
            size = end - start
        return [start + value * size for value in values]

    def one(self, value):
        return self.many([value])[0]

    def back(self, place):
        start, end = self._span()
        part = (place - start) / (end - start)
        if self._axis is None:
            return part
        scale = self._axis._scale
        low, high = map(scale.forward, self._axis.get_view_interval())
        return scale.inverse(low + part * (high - low))


class Affine2D(Transform):
    """Moves, turns and sizes; the last is done last."""

    def __init__(self, matrix=None):
        self._m = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0) if matrix is None else matrix

    def _then(self, a, b, c, d, e, f):
        p, q, r, s, t, u = self._m
        self._m = (a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f)
        return self

    def translate(self, tx, ty):
        return self._then(1, 0, 0, 1, tx, ty)

    def scale(self, sx, sy=None):
        return self._then(sx, 0, 0, sx if sy is None else sy, 0, 0)

    def rotate(self, theta):
        cos, sin = math.cos(theta), math.sin(theta)
        return self._then(cos, sin, -sin, cos, 0, 0)

    def rotate_deg(self, degrees):
        return self.rotate(math.radians(degrees))

    def rotate_around(self, x, y, theta):
        return self.translate(-x, -y).rotate(theta).translate(x, y)

    def rotate_deg_around(self, x, y, degrees):
        return self.rotate_around(x, y, math.radians(degrees))

    def skew_deg(self, xShear, yShear):
        return self._then(1, math.tan(math.radians(yShear)), math.tan(math.radians(xShear)), 1, 0, 0)

    def points(self, xs, ys):
        a, b, c, d, e, f = self._m
        return [a * x + c * y + e for x, y in zip(xs, ys)], [b * x + d * y + f for x, y in zip(xs, ys)]

    def back(self, x, y):
        a, b, c, d, e, f = self._m
        size, x, y = a * d - b * c, x - e, y - f
        return (d * x - c * y) / size, (a * y - b * x) / size


class ScaledTranslation(Affine2D):
    """A move by inches, where the third argument is a figure's `dpi_scale_trans`."""

    def __init__(self, xt, yt, scale_trans):
        super().__init__((1.0, 0.0, 0.0, 1.0, xt * 72, yt * 72))


def offset_copy(trans, fig=None, x=0.0, y=0.0, units="inches"):
    size = {"inches": 72, "points": 1, "dots": 72 / (fig.dpi if fig is not None else 72), "pixels": 0.72}[units]
    return trans + Affine2D((1.0, 0.0, 0.0, 1.0, x * size, y * size))
