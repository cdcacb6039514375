"""What plots draw of numbers on a plane: pictures, meshes, contours, arrows."""

import math
from bisect import bisect_right

from matplotlib import _data, rcParams
from matplotlib._bins import bin_edges
from matplotlib.collections import PolyCollection, QuadMesh
from matplotlib.contour import ContourArea, ContourLines
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator


class FieldsMixin:
    def imshow(self, X, cmap=None, norm=None, *, aspect=None, interpolation=None, alpha=None, vmin=None, vmax=None,
               origin=None,
               extent=None, interpolation_stage=None, filternorm=True, filterrad=4.0, resample=None, url=None, data=None,
               colorizer=None, **properties):
        """A picture of rows of numbers or of colours."""
        made = AxesImage(X, extent=extent, origin=origin, norm=norm, cmap=cmap, interpolation=interpolation, alpha=alpha)
        made._scaled_by(vmin, vmax, norm)
        if made._values is not None:
            made.norm.autoscale_None(made._values)
        made._given(properties, "imshow")
        self.set_aspect(rcParams["image.aspect"] if aspect is None else aspect)
        self._add(made, "")
        self._take_extent(made)
        self._current_image = made
        return made

    def _take_extent(self, image):
        """Ends the limits at the edges of a picture."""
        left, right, bottom, top = image.get_extent()
        for name, low, high in (("x", left, right), ("y", bottom, top)):
            if getattr(self, f"{name}axis")._auto:
                self._set_limits(name, low, high, auto=None)

    def matshow(self, Z, **properties):
        made = self.imshow(Z, **{"origin": "upper", "interpolation": "nearest", "aspect": "equal", **properties})
        self.title._p["y"] = 1.05
        self.xaxis.tick_top()
        for which in ("major", "minor"):
            self.xaxis._look[which]["tick1"] = True
        self.xaxis.set_major_locator(MaxNLocator(nbins=9, steps=[1, 2, 5, 10], integer=True))
        self.yaxis.set_major_locator(MaxNLocator(nbins=9, steps=[1, 2, 5, 10], integer=True))
        return made

    def spy(self, Z, precision=0, marker=None, markersize=None, aspect="equal", origin="upper", **properties):
        rows = _data.table(Z)
        made = self.imshow([[float(abs(value) > precision) for value in row] for row in rows],
                           cmap=properties.pop("cmap", "binary"),
                           aspect=aspect, origin=origin, interpolation="nearest", **properties)
        self.xaxis.tick_top()
        return made

    def pcolormesh(self, *args, alpha=None, norm=None, cmap=None, vmin=None, vmax=None, shading=None, antialiased=False,
                   data=None,
                   colorizer=None, **properties):
        """Coloured cells of a grid."""
        rows = _data.table(args[-1], "Input c")
        down, across = len(rows), len(rows[0])
        if len(args) == 1:
            xs, ys = list(range(across + 1)), list(range(down + 1))
        else:
            xs, ys = _data.plain(args[0]), _data.plain(args[1])
            xs, ys = self._straightened(xs, 0), self._straightened(ys, 1)
            counts = [len(_data.flat(xs)), len(_data.flat(ys))]
            if isinstance(xs[0], list):
                if len(xs) == down and len(xs[0]) == across:
                    xs, ys = _corners(xs), _corners(ys)
            else:
                if shading == "flat" and counts != [across + 1, down + 1] or counts[0] not in (across, across + 1):
                    raise TypeError(f"Dimensions of C ({down}, {across}) should be one smaller than X({counts[0]}) and "
                                    f"Y({counts[1]}) "
                                    "while using shading='flat' see help(pcolormesh)")
                xs = xs if counts[0] == across + 1 else _between(xs)
                ys = ys if counts[1] == down + 1 else _between(ys)
        made = QuadMesh(xs, ys, rows, norm=norm, cmap=cmap, alpha=alpha)
        made._scaled_by(vmin, vmax, norm)
        made.norm.autoscale_None(made._values)
        made._given(properties, "pcolormesh")
        self._add(made)
        self._current_image = made
        return made

    pcolor = pcolorfast = pcolormesh

    @staticmethod
    def _straightened(places, side):
        """The one row of places that a table of them repeats, if it does."""
        if not (places and isinstance(places[0], list)):
            return places
        if side == 0 and all(row == places[0] for row in places):
            return places[0]
        if side == 1 and all(len(set(row)) == 1 for row in places):
            return [row[0] for row in places]
        return places

    def hist2d(self, x, y, bins=10, *, range=None, density=False, weights=None, cmin=None, cmax=None, data=None,
               **properties):
        """How many points lie in each cell of a grid."""
        xs, ys = _data.flat(x), _data.flat(y)
        if len(xs) != len(ys):
            raise ValueError("x and y must have the same length.")
        bins = bins if isinstance(bins, (int, str)) else list(bins)
        two = bins if isinstance(bins, list) and len(bins) == 2 else [bins, bins]
        limits = [None, None] if range is None else range
        across, up = bin_edges(_data.finite(xs), two[0], limits[0]), bin_edges(_data.finite(ys), two[1], limits[1])
        wide, high = len(across) - 1, len(up) - 1
        counts = [[0.0] * high for _ in across[1:]]
        heavy = [1.0] * len(xs) if weights is None else _data.flat(weights)
        for a, b, weight in zip(xs, ys, heavy):
            if across[0] <= a <= across[-1] and up[0] <= b <= up[-1]:
                counts[min(bisect_right(across, a) - 1, wide - 1)][min(bisect_right(up, b) - 1, high - 1)] += weight
        if density:
            total = sum(map(sum, counts))
            counts = [
                [count / total / ((across[i + 1] - across[i]) * (up[j + 1] - up[j])) for j, count in enumerate(row)]
                for i, row in enumerate(counts)
            ]
        hidden = [[math.nan if cmin is not None and count < cmin or cmax is not None and count > cmax else count
                   for count in row]
                  for row in counts]
        made = self.pcolormesh(across, up, [list(column) for column in zip(*hidden)], **properties)
        self.set_xlim(across[0], across[-1])
        self.set_ylim(up[0], up[-1])
        return _data.array(counts), _data.array(across), _data.array(up), made

    def hexbin(self, x, y, C=None, *, gridsize=100, bins=None, xscale="linear", yscale="linear", extent=None, cmap=None,
               norm=None,
               vmin=None, vmax=None, alpha=None, mincnt=None, reduce_C_function=None, marginals=False, data=None,
               **properties):
        """How many points lie in each of some hexagons."""
        xs, ys = _data.flat(x), _data.flat(y)
        wide, high = gridsize if isinstance(gridsize, (tuple, list)) else (gridsize, int(gridsize / math.sqrt(3)))
        x0, x1, y0, y1 = extent or (min(xs), max(xs), min(ys), max(ys))
        step_x, step_y = (x1 - x0) / wide, (y1 - y0) / high
        found = {}
        for a, b, value in zip(xs, ys, [None] * len(xs) if C is None else _data.flat(C)):
            across, up = (a - x0) / step_x, (b - y0) / step_y
            first, second = (round(across), round(up)), (math.floor(across), math.floor(up))
            near = (across - first[0]) ** 2 + 3 * (up - first[1]) ** 2
            far = (across - second[0] - 0.5) ** 2 + 3 * (up - second[1] - 0.5) ** 2
            key = (*first, 0) if near < far else (*second, 1)
            found.setdefault(key, []).append(value)
        if C is None and not mincnt:
            for i in range(wide + 1):
                for j in range(high + 1):
                    found.setdefault((i, j, 0), [])
                    if i < wide and j < high:
                        found.setdefault((i, j, 1), [])
        corners = [(0.5, -1 / 6), (0.5, 1 / 6), (0, 1 / 3), (-0.5, 1 / 6), (-0.5, -1 / 6), (0, -1 / 3)]
        shapes, values = [], []
        for (i, j, odd), inside in sorted(found.items()):
            if mincnt and len(inside) < mincnt:
                continue
            a, b = x0 + (i + odd / 2) * step_x, y0 + (j + odd / 2) * step_y
            shapes.append([[a + dx * step_x, b + dy * step_y] for dx, dy in corners])
            values.append(float(len(inside)) if C is None else sum(inside) / len(inside))
        if bins == "log":
            norm = norm or "log"
        made = PolyCollection(shapes, where="hexbin", norm=norm, cmap=cmap, alpha=alpha, array=values, edgecolor="face",
                              linewidth=0.4)
        made._scaled_by(vmin, vmax, norm)
        made._given(properties, "hexbin")
        made._sticky = ((x0, x1), (y0, y1))
        self._add(made, "", False)
        self.update_datalim([[x0, y0], [x1, y1]])
        self._changed()
        self._current_image = made
        return made

    def contour(self, *args, data=None, **properties):
        return self._contours(ContourLines, args, properties, "contour")

    def contourf(self, *args, data=None, **properties):
        return self._contours(ContourArea, args, properties, "contourf")

    def _contours(self, kind, args, properties, where):
        made = self._add(kind(self, args, properties, where))
        self._current_image = made
        return made

    def clabel(self, CS, levels=None, **properties):
        return CS.clabel(levels, **properties)

    def quiver(self, *args, scale=None, units="width", angles="uv", scale_units=None, width=None, headwidth=3, headlength=5,
               headaxislength=4.5, minshaft=1, minlength=1, pivot="tail", color=None, cmap=None, norm=None, data=None,
               **properties):
        """Arrows at places, as long as numbers say."""
        args = [_data.plain(arg) for arg in args]
        colours = None
        if len(args) in (3, 5):
            *args, colours = args
        if len(args) == 2:
            down, across = (_data.shape(args[0]) + (1,))[:2] if len(_data.shape(args[0])) == 2 else (1, len(args[0]))
            xs, ys = [i for _ in range(down) for i in range(across)], [j for j in range(down) for _ in range(across)]
        else:
            if len(_data.shape(args[0])) == 1 and len(_data.shape(args[2])) == 2:
                xs = [x for _ in args[1] for x in args[0]]
                ys = [y for y in args[1] for _ in args[0]]
            else:
                xs, ys = _data.flat(args[0]), _data.flat(args[1])
        made = Quiver(xs, ys, _data.flat(args[-2]), _data.flat(args[-1]), (width, headwidth, headlength, headaxislength),
                      (scale, units, angles, scale_units, pivot), norm=norm, cmap=cmap)
        if colours is not None:
            made.set_array(colours)
        made._p["facecolor"] = "k" if color is None else color
        made._given(properties, "quiver")
        self._add(made)
        if colours is not None:
            self._current_image = made
        return made

    def quiverkey(self, Q, X, Y, U, label, **properties):
        return self.text(X, Y, label, transform=self.transAxes)

    def streamplot(self, *args, **properties):
        raise NotImplementedError("streamplot() is not here; quiver() draws the same field with arrows.")

    def tripcolor(self, *args, **properties):
        raise NotImplementedError("Triangulations are not here; contourf() and pcolormesh() draw numbers on a grid.")

    tricontour = tricontourf = triplot = tripcolor


class Quiver(PolyCollection):
    """Arrows whose lengths are parts of the width of the plot."""

    def __init__(self, xs, ys, us, vs, sizes, look, **properties):
        self._x, self._y, self.U, self.V = xs, ys, us, vs
        self._sizes_of, self._look = sizes, look
        super().__init__([], where="quiver", linewidth=0, **properties)

    def extent(self):
        return self._x, self._y

    def set_UVC(self, U, V, C=None):
        self.U, self.V = _data.flat(U), _data.flat(V)
        if C is not None:
            self.set_array(C)

    def draw_on(self, canvas):
        count, box = len(self._x), self.axes._box()
        width, head_width, head_length, head_axis = self._sizes_of
        scale, units, angles, scale_units, pivot = self._look
        lengths = [math.hypot(u, v) for u, v in zip(self.U, self.V)]
        known = _data.finite(lengths)
        mean = sum(known) / max(len(known), 1) or 1.0
        unit = {"width": box.width, "height": box.height, "dots": 72 / self.figure.dpi, "inches": 72, "x": None, "y": None,
                "xy": None}[units] or box.width / abs(self.axes.get_xlim()[1] - self.axes.get_xlim()[0])
        shaft = (0.06 / min(max(math.sqrt(count), 8), 25) if width is None else width) * unit
        size = 1.8 * mean * max(10, math.sqrt(count)) if scale is None else scale
        xs, ys = self.get_transform().points(self._x, self._y)
        (x0, x1), (y0, y1) = self.axes.get_xlim(), self.axes.get_ylim()
        per_x, per_y = box.width / (x1 - x0), box.height / (y1 - y0)
        clip, paints = self._clip_of(canvas), self._paints(canvas, count)
        for x, y, u, v, paint in zip(xs, ys, self.U, self.V, paints):
            if u != u or v != v or u == v == 0:
                continue
            dx, dy = (u * per_x, v * per_y) if angles == "xy" or scale_units == "xy" else (u, v)
            turn = math.hypot(dx, dy)
            long = turn / size if scale_units == "xy" else math.hypot(u, v) / size * unit
            cos, sin = dx / turn, dy / turn
            back = {"tail": 0, "middle": long / 2, "mid": long / 2, "tip": long}[pivot]
            head, wing = head_length * shaft, head_width * shaft / 2
            if long < head:
                head, wing = long, wing * long / head
            neck = long - head * head_axis / head_length
            half = min(shaft / 2, wing)
            corners = [(0, half), (neck, half), (long - head, wing), (long, 0), (long - head, -wing), (neck, -half),
                       (0, -half)]
            points = [(x + cos * (a - back) - sin * b, y + sin * (a - back) + cos * b) for a, b in corners]
            canvas.path(canvas.polyline([a for a, _ in points], [b for _, b in points], True), paint, clip)


def _between(places):
    """The edges between places, and those beyond the first and the last."""
    if len(places) < 2:
        return [places[0] - 0.5, places[0] + 0.5]
    inner = [(low + high) / 2 for low, high in zip(places, places[1:])]
    return [places[0] - (places[1] - places[0]) / 2, *inner, places[-1] + (places[-1] - places[-2]) / 2]


def _corners(rows):
    """The corners of cells around places in rows."""
    columns = [_between(list(column)) for column in zip(*[_between(row) for row in rows])]
    return [list(row) for row in zip(*columns)]
