"""Many shapes that share their look: points, segments, polygons, meshes."""

import math

from matplotlib import _data, _svg, rcParams
from matplotlib.artist import Artist
from matplotlib.cm import ScalarMappable
from matplotlib.colors import colour_list, to_rgba
from matplotlib.lines import marker_path

# More points than this are drawn on a grid, so that a picture stays small.
_MOST = 4000


class Collection(Artist, ScalarMappable):
    zorder = 1
    _ALIASES = {
        "facecolors": "facecolor", "edgecolors": "edgecolor", "linewidths": "linewidth", "linestyles": "linestyle",
        "fc": "facecolor", "ec": "edgecolor", "lw": "linewidth", "ls": "linestyle", "dashes": "linestyle", "colors": "color",
        "antialiaseds": "antialiased", "aa": "antialiased", "lws": "linewidth",
    }
    _DEFAULTS = {
        "facecolor": None, "edgecolor": None, "linewidth": None, "linestyle": "-", "hatch": None, "capstyle": None,
        "joinstyle": None, "urls": None, "pickradius": 5, "offset_transform": None,
    }

    def __init__(self, *, where="Collection", norm=None, cmap=None, array=None, **properties):
        Artist.__init__(self)
        ScalarMappable.__init__(self, norm, cmap)
        if array is not None:
            self.set_array(array)
        if "clim" in properties:
            self.set_clim(*properties.pop("clim"))
        self._given(properties, where)

    def set_color(self, c):
        self.set_facecolor(c)
        self.set_edgecolor(c)

    def set_facecolor(self, c):
        self._p["facecolor"] = c

    def set_edgecolor(self, c):
        self._p["edgecolor"] = c

    def get_facecolor(self):
        return _data.array([list(colour) for colour in self._faces()])

    get_facecolors = get_facecolor

    def get_edgecolor(self):
        return _data.array([list(colour) for colour in self._edges()])

    def _usual_face(self):
        return rcParams["patch.facecolor"]

    def _faces(self):
        """The colours of the insides, which are taken in turn."""
        if self._values is not None and not self._is_hollow():
            return self.colours(self._p["alpha"] if not isinstance(self._p["alpha"], list) else None)
        face = self._p["facecolor"]
        return self._with_alpha(colour_list(self._usual_face() if face is None else face))

    def _with_alpha(self, colours):
        alpha = self._p["alpha"]
        if alpha is None:
            return colours
        alphas = _data.plain(alpha)
        if isinstance(alphas, list):
            return [(*colours[place % len(colours)][:3], part) for place, part in enumerate(alphas)] if colours else []
        return [(*colour[:3], alphas) if colour[3] else colour for colour in colours]

    def _is_hollow(self):
        return isinstance(self._p["facecolor"], str) and self._p["facecolor"] == "none"

    def _edges(self):
        edge = self._p["edgecolor"]
        if isinstance(edge, str) and edge == "face":
            return self._faces()
        if edge is None:
            return []
        return self._with_alpha(colour_list(edge))

    def _widths(self):
        width = self._p["linewidth"]
        width = rcParams["patch.linewidth"] if width is None else _data.plain(width)
        return width if isinstance(width, list) else [width]

    def get_linewidth(self):
        return _data.array(self._widths())

    def _paints(self, canvas, count):
        """The attributes for each of some shapes."""
        faces, edges, widths = self._faces() or [None], self._edges() or [None], self._widths() or [0]
        style = self._p["linestyle"]
        styles = style if isinstance(style, list) else [style]
        made = {}
        for place in range(count):
            face, edge = faces[place % len(faces)], edges[place % len(edges)]
            width, style = widths[place % len(widths)], styles[place % len(styles)]
            style = (style[0], tuple(style[1] or ())) if isinstance(style, tuple) else style
            key = (face, edge, width, style)
            if key not in made:
                cap, join = self._p["capstyle"] or "butt", self._p["joinstyle"] or "miter"
                made[key] = canvas.paint(face, edge, width, _svg.dashes(style, width), cap, join)
            yield made[key]


class PathCollection(Collection):
    """Markers at points: what `scatter` draws."""

    def __init__(self, xs, ys, sizes, marker="o", *, where="scatter", **properties):
        self._x, self._y, self._sizes, self._marker = xs, ys, sizes, marker
        super().__init__(where=where, **properties)

    def _widths(self):
        width = self._p["linewidth"]
        if width is None:
            return [rcParams["lines.linewidth"]]
        width = _data.plain(width)
        return width if isinstance(width, list) else [width]

    def extent(self):
        return self._x, self._y

    def get_offsets(self):
        return _data.array([list(pair) for pair in zip(self._x, self._y)])

    def set_offsets(self, offsets):
        rows = _data.plain(offsets)
        rows = [rows] if rows and not isinstance(rows[0], list) else rows
        self._x, self._y = [row[0] for row in rows], [row[1] for row in rows]

    def get_sizes(self):
        return _data.array(self._sizes)

    def set_sizes(self, sizes, dpi=72.0):
        self._sizes = _data.flat(sizes)

    def draw_on(self, canvas):
        xs, ys = self.get_transform().points(self._x, self._y)
        clip = self._clip_of(canvas)
        sizes, count = self._sizes or [20.0], len(xs)
        is_one = len(sizes) == 1 and self._values is None and max(len(self._faces()), len(self._edges())) <= 1
        if count > _MOST:
            return self._draw_many(canvas, xs, ys, clip, is_one)
        groups = []
        for place, paint in enumerate(self._paints(canvas, count)):
            x, y = xs[place], ys[place]
            if x - x or y - y or x != x or y != y:
                continue
            size = sizes[place % len(sizes)]
            if not groups or groups[-1][:2] != (size, paint):
                groups.append((size, paint, [], []))
            groups[-1][2].append(x)
            groups[-1][3].append(y)
        for size, paint, across, up in groups:
            self._draw_group(canvas, size, paint, across, up, clip)
        return None

    def _draw_group(self, canvas, size, paint, xs, ys, clip):
        path, filled = marker_path(self._marker, math.sqrt(size) if size > 0 else 0.0)
        if path[0] == "$":
            block = _svg.measure(path, math.sqrt(size))
            colour = (self._faces() or [(0, 0, 0, 1)])[0]
            for x, y in zip(xs, ys):
                left, low, _ = _svg.placed(block, x, y, "center", "center")
                canvas.text(left, low, block, canvas.style(colour, math.sqrt(size)), "center", clip=clip)
            return
        canvas.marks(path, xs, ys, paint, clip)

    def _paints(self, canvas, count):
        if marker_path(self._marker, 1.0)[1]:
            yield from super()._paints(canvas, count)
            return
        # What has no inside is drawn in the colours of the insides.
        faces, widths = self._faces() or [None], self._widths()
        for place in range(count):
            yield canvas.paint(None, faces[place % len(faces)], widths[place % len(widths)])

    def _draw_many(self, canvas, xs, ys, clip, is_one):
        """Very many points: each cell of a fine grid has one of a kind, and a kind is drawn as one path of dots."""
        step = 2 if len(xs) <= 50000 else 1
        sizes, faces = self._sizes or [20.0], self._faces() or self._edges() or [(0, 0, 0, 1)]
        width = self._widths()[0] if self._edges() else 0.0
        groups = {}
        if is_one:
            cells = [(round(x * step), round(y * step)) for x, y in zip(xs, ys) if x - x == 0 and y - y == 0]
            groups[sizes[0], faces[0]] = dict.fromkeys(cells)
        else:
            for place, (x, y) in enumerate(zip(xs, ys)):
                if x - x == 0 and y - y == 0:
                    key = sizes[place % len(sizes)], faces[place % len(faces)]
                    groups.setdefault(key, {})[round(x * step), round(y * step)] = None
        high = canvas.height
        for (size, colour), cells in groups.items():
            dots = [f"M{x / step:g} {high - y / step:g}h.01" for x, y in cells]
            # What is seen through gets denser only where one path is over another.
            paths = 1 if colour[3] == 1 else 24
            for first in range(paths):
                canvas.path("".join(dots[first::paths]), canvas.paint(None, colour, math.sqrt(size) + width, None, "round"),
                            clip)

    def legend_elements(self, prop="colors", num="auto", fmt=None, func=lambda x: x, **properties):
        """Handles and labels for a legend of the colours or the sizes."""
        from matplotlib.lines import Line2D
        from matplotlib.ticker import MaxNLocator

        values = self._values if prop == "colors" else self._sizes
        distinct = sorted(set(values))
        if num == "auto" and len(distinct) > 9 or isinstance(num, int) and len(distinct) > num:
            low, high = min(distinct), max(distinct)
            places = MaxNLocator(nbins=8 if num == "auto" else num, min_n_ticks=1,
                                 steps=[1, 2, 2.5, 3, 5, 6, 8, 10]).tick_values(low, high)
            distinct = [place for place in places if low <= place <= high]
        handles, labels = [], []
        for value in distinct:
            look = {"markersize": rcParams["lines.markersize"], "color": self.cmap.colour(self.norm.places([value])[0])}
            if prop != "colors":
                look = {"markersize": math.sqrt(value), "color": (self._faces() or [(0, 0, 0, 1)])[0]}
            handles.append(Line2D([], [], linestyle="", marker=self._marker, **{**look, **properties}))
            labels.append(rf"$\mathdefault{{{func(value):g}}}$" if fmt is None else fmt.format(x=func(value)))
        return handles, labels

    def data_rows(self):
        if self._values is None:
            return ("x", "y"), (self._x, self._y)
        return ("x", "y", "value"), (self._x, self._y, self._values)


class LineCollection(Collection):
    """Lines that share their look."""

    zorder = 2
    _DEFAULTS = {**Collection._DEFAULTS, "facecolor": "none"}

    def __init__(self, segments, *, where="LineCollection", **properties):
        self.set_segments(segments)
        super().__init__(where=where, **properties)

    def set_segments(self, segments):
        rows = [_data.plain(segment) for segment in segments]
        self._lines = [([point[0] for point in row], [point[1] for point in row]) for row in rows]

    set_verts = set_paths = set_segments

    def get_segments(self):
        return [_data.array([list(pair) for pair in zip(xs, ys)]) for xs, ys in self._lines]

    def set_color(self, c):
        self._p["edgecolor"] = c

    set_colors = set_color

    def get_color(self):
        return self._edges()

    get_colors = get_color

    def _widths(self):
        if self._p["linewidth"] is None:
            return [rcParams["lines.linewidth"]]
        return super()._widths()

    def _edges(self):
        if self._values is not None:
            return self.colours(self._p["alpha"])
        if self._p["edgecolor"] is None:
            return [to_rgba(rcParams["lines.color"], self._p["alpha"])]
        return super()._edges()

    def _is_hollow(self):
        return True

    def extent(self):
        return [x for xs, _ in self._lines for x in xs], [y for _, ys in self._lines for y in ys]

    def draw_on(self, canvas):
        clip, transform = self._clip_of(canvas), self.get_transform()
        before, path = None, ""
        for (xs, ys), paint in zip(self._lines, self._paints(canvas, len(self._lines))):
            xs, ys = transform.points(xs, ys)
            if len(xs) < 2 or len(_data.finite(xs)) < len(xs) or len(_data.finite(ys)) < len(ys):
                continue
            if paint != before:
                canvas.path(path, before, clip)
                before, path = paint, ""
            path += canvas.polyline(xs, ys)
        canvas.path(path, before, clip)


class EventCollection(LineCollection):
    """Short lines at places of an axis."""


class PolyCollection(Collection):
    """Polygons that share their look."""

    def __init__(self, verts, *, where="PolyCollection", **properties):
        self._polygons = []
        for verse in verts:
            rows = _data.plain(verse)
            self._polygons.append(([point[0] for point in rows], [point[1] for point in rows]))
        self._sticky = ((), ())
        super().__init__(where=where, **properties)

    def extent(self):
        return [x for xs, _ in self._polygons for x in xs], [y for _, ys in self._polygons for y in ys]

    def stickies(self):
        return self._sticky

    def draw_on(self, canvas):
        from matplotlib.patches import _hatch

        clip, transform = self._clip_of(canvas), self.get_transform()
        for (xs, ys), paint in zip(self._polygons, self._paints(canvas, len(self._polygons))):
            xs, ys = transform.points(xs, ys)
            path = canvas.polyline(xs, ys, True) if xs else ""
            canvas.path(path, paint, clip)
            if self._p["hatch"]:
                canvas.path(path, _hatch(canvas, self._p["hatch"], (self._edges() or [(0, 0, 0, 1)])[0], 1.0), clip)


class PatchCollection(PolyCollection):
    """The shapes of patches, in one look or in their own."""

    def __init__(self, patches, *, match_original=False, **properties):
        polygons = [list(zip(*part)) for patch in patches for part in patch.parts()]
        if match_original:
            properties = {
                "facecolor": [patch.get_facecolor() for patch in patches],
                "edgecolor": [patch.get_edgecolor() for patch in patches],
                "linewidth": [patch.get_linewidth() for patch in patches], **properties,
            }
        super().__init__([[list(point) for point in polygon] for polygon in polygons], where="PatchCollection", **properties)


FillBetweenPolyCollection = PolyCollection


class QuadMesh(Collection):
    """Cells between lines across and lines up: `xs` and `ys` are edges, or rows of corners."""

    _DEFAULTS = {**Collection._DEFAULTS, "edgecolor": "none"}

    def __init__(self, xs, ys, rows, *, where="pcolormesh", **properties):
        self._xs, self._ys, self._rows = xs, ys, rows
        super().__init__(where=where, **properties)
        self._values = [value for row in rows for value in row]

    def set_array(self, A):
        values = _data.flat(A)
        wide = len(self._rows[0])
        self._rows = [values[at : at + wide] for at in range(0, len(values), wide)]
        self._values = values

    def _all(self, edges):
        return [value for row in edges for value in row] if edges and isinstance(edges[0], list) else edges

    def extent(self):
        return self._all(self._xs), self._all(self._ys)

    def stickies(self):
        xs, ys = self._all(self._xs), self._all(self._ys)
        return (min(xs), max(xs)), (min(ys), max(ys))

    def draw_on(self, canvas):
        from matplotlib.image import draw_cells, is_even

        clip, transform = self._clip_of(canvas), self.get_transform()
        self.norm.autoscale_None(self._values)
        if isinstance(self._xs[0], list):
            colours = iter(self._faces())
            for row in range(len(self._rows)):
                for column in range(len(self._rows[0])):
                    corners = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column)]
                    xs, ys = transform.points([self._xs[r][c] for r, c in corners], [self._ys[r][c] for r, c in corners])
                    face = next(colours)
                    canvas.path(canvas.polyline(xs, ys, True), canvas.paint(face, face, 0.3), clip)
            return
        xs, ys = transform.points(self._xs, [])[0], transform.points([], self._ys)[1]
        edge = (self._edges() or [None])[0]
        even = is_even(xs) and is_even(ys)
        draw_cells(canvas, self, self._rows, xs, ys, even, clip, self._p["alpha"])
        if edge is not None and edge[3]:
            paint = canvas.paint(None, edge, self._widths()[0])
            path = "".join(canvas.polyline([x, x], [ys[0], ys[-1]]) for x in xs)
            canvas.path(path + "".join(canvas.polyline([xs[0], xs[-1]], [y, y]) for y in ys), paint, clip)

    def data_rows(self):
        return None
