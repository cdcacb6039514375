"""What colours mean: a bar of all of them with numbers beside it."""

from matplotlib import _data
from matplotlib._norms import BoundaryNorm, LogNorm, NoNorm, SymLogNorm
from matplotlib.collections import LineCollection, QuadMesh
from matplotlib.contour import ContourArea, ContourSet
from matplotlib.patches import Polygon
from matplotlib.ticker import FixedLocator, Locator
from matplotlib.transforms import Bbox


def place_beside(parents, location="right", fraction=0.15, pad=None, shrink=1.0, aspect=20, anchor=None):
    """Makes room beside plots; gives the place of the bar, how it is held there, and its aspect."""
    pad = (0.15 if location in ("bottom", "top") else 0.05) if pad is None else pad
    boxes = [axes.get_position(original=True) for axes in parents]
    whole = Bbox.union(boxes)
    if location in ("right", "left"):
        size, room = fraction * whole.width, (fraction + pad) * whole.width
        low = whole.y0 + (1 - shrink) / 2 * whole.height
        x = whole.x1 - size if location == "right" else whole.x0
        bar = Bbox.from_bounds(x, low, size, shrink * whole.height)
        rest = Bbox([[whole.x0 + (room if location == "left" else 0), whole.y0],
                     [whole.x1 - (room if location == "right" else 0), whole.y1]])
        hold = (0.0, 0.5) if location == "right" else (1.0, 0.5)
    else:
        size, room = fraction * whole.height, (fraction + pad) * whole.height
        left = whole.x0 + (1 - shrink) / 2 * whole.width
        y = whole.y0 if location == "bottom" else whole.y1 - size
        bar = Bbox.from_bounds(left, y, shrink * whole.width, size)
        rest = Bbox([[whole.x0, whole.y0 + (room if location == "bottom" else 0)],
                     [whole.x1, whole.y1 - (room if location == "top" else 0)]])
        hold, aspect = (0.5, 1.0) if location == "bottom" else (0.5, 0.0), 1 / aspect
    for axes, box in zip(parents, boxes):
        ends = []
        for low, high, old, size, start, new in ((box.x0, box.x1, whole.x0, whole.width, rest.x0, rest.width),
                                                 (box.y0, box.y1, whole.y0, whole.height, rest.y0, rest.height)):
            ends.append((start + (low - old) / size * new, start + (high - old) / size * new))
        (x0, x1), (y0, y1) = ends
        axes._anchor = {"right": (1.0, 0.5), "left": (0.0, 0.5), "bottom": (0.5, 0.0), "top": (0.5, 1.0)}[location]
        axes._stay_in(Bbox([[x0, y0], [x1, y1]]))
    return bar, hold, aspect


class Colorbar:
    """A bar of the colours of a picture, points or contours."""

    def __init__(self, ax, mappable=None, *, cmap=None, norm=None, alpha=None, orientation="vertical", ticks=None,
                 format=None,
                 extend=None, label="", drawedges=False, spacing="uniform", ticklocation="auto", extendfrac=None,
                 extendrect=False,
                 boundaries=None, values=None, location=None, **properties):
        from matplotlib.cm import ScalarMappable

        for name in properties:
            _data.unknown("colorbar", name)
        if mappable is None:
            mappable = ScalarMappable(norm, cmap)
        self.ax, self.mappable, self.orientation = ax, mappable, orientation
        self.cmap, self.norm = mappable.cmap, mappable.norm
        self._place = (
            ticklocation if ticklocation != "auto" else location or ("right" if orientation == "vertical" else "bottom")
        )
        mappable.colorbar = self
        if mappable._values is not None:
            self.norm.autoscale_None(mappable._values)
        if not self.norm.scaled():
            self.norm.vmin, self.norm.vmax = 0.0, 1.0
        extend = extend or getattr(mappable, "extend", None) or getattr(self.norm, "extend", None) or "neither"
        self.extend, self.vmin, self.vmax = extend, self.norm.vmin, self.norm.vmax
        upright = orientation == "vertical"
        self._axis, other = (ax.yaxis, ax.xaxis) if upright else (ax.xaxis, ax.yaxis)
        other.set_visible(False)
        if self._place in ("right", "top"):
            self._axis.tick_top()
        else:
            self._axis.tick_bottom()
        self._axis.set_label_position(self._place)
        self._alpha = alpha
        self._fit()
        if ticks is not None:
            self.set_ticks(ticks)
        if format is not None:
            from matplotlib.ticker import FormatStrFormatter

            self._axis.set_major_formatter(FormatStrFormatter(format) if isinstance(format, str) and "%" in format
                                           else format)
        self.formatter, self.locator = self._axis.major.formatter, self._axis.major.locator
        if label:
            self.set_label(label)
        self.outline = ax.spines["left"]

    def _fit(self):
        """Fills the bar with the colours that there are now."""
        ax, mappable, upright = self.ax, self.mappable, self.orientation == "vertical"
        ax._children.clear()
        edges = self._edges(mappable)
        (ax.set_ylim if upright else ax.set_xlim)(self.vmin, self.vmax)
        (ax.set_xlim if upright else ax.set_ylim)(0, 1)
        self._fill(mappable, edges, upright, getattr(mappable, "_p", {}).get("alpha") if self._alpha is None
                   else self._alpha)

    def update_normal(self, mappable=None):
        """Follows the colours and the limits of what this is the bar of."""
        self.mappable = self.mappable if mappable is None else mappable
        self.cmap, self.norm = self.mappable.cmap, self.mappable.norm
        self.vmin, self.vmax = self.norm.vmin, self.norm.vmax
        self._fit()

    def _edges(self, mappable):
        """The edges of the parts with one colour, and the limits of the bar; also the scale and its ticks."""
        name = "y" if self.orientation == "vertical" else "x"
        norm = self.norm
        if isinstance(norm, BoundaryNorm):
            self._axis.set_major_locator(FixedLocator(norm.boundaries, 10))
            self.vmin, self.vmax = norm.boundaries[0], norm.boundaries[-1]
            return norm.boundaries
        if isinstance(mappable, ContourSet):
            levels = list(mappable.levels)
            if mappable.filled:
                self._axis.set_major_locator(FixedLocator(levels, 10))
                self.vmin, self.vmax = levels[0], levels[-1]
                return levels
            self.vmin, self.vmax = (self.vmin, self.vmax) if not isinstance(norm, NoNorm) else (levels[0], levels[-1])
            self._axis.set_major_locator(FixedLocator(levels, 10))
            return []
        if isinstance(norm, LogNorm):
            self.ax._change_scale(name, "log")
        elif isinstance(norm, SymLogNorm):
            self.ax._change_scale(name, "symlog")
        count = len(self.cmap._table)
        low, high = norm._forward(self.vmin), norm._forward(self.vmax)
        if type(norm).__name__ in ("TwoSlopeNorm", "PowerNorm"):
            return [self.vmin + (self.vmax - self.vmin) * step / count for step in range(count + 1)]
        return [norm._backward(low + (high - low) * step / count) for step in range(count + 1)]

    def _fill(self, mappable, edges, upright, alpha):
        ax = self.ax
        if not edges:
            segments, low, high = [], *sorted((self.vmin, self.vmax))
            for level in mappable.levels:
                segments.append([[0, level], [1, level]] if upright else [[level, 0], [level, 1]])
            lines = LineCollection(segments, where="colorbar", colors=mappable.colours(),
                                   linewidths=[mappable._width_of(at) for at in range(len(segments))])
            ax._add(lines, "", False)
            return
        middles = [(low + high) / 2 for low, high in zip(edges, edges[1:])]
        rows = [[value] for value in middles] if upright else [middles]
        if isinstance(mappable, ContourArea):
            first = 1 if mappable.extend in ("min", "both") else 0
            colours = mappable.colours(alpha)[first : first + len(middles)]
            for low, high, colour in zip(edges, edges[1:], colours):
                corners = [[0, low], [1, low], [1, high], [0, high]]
                ax._add(Polygon(corners if upright else [point[::-1] for point in corners], facecolor=colour,
                                edgecolor=colour, linewidth=0.2), "", False)
        else:
            xs, ys = ([0, 1], edges) if upright else (edges, [0, 1])
            mesh = QuadMesh(xs, ys, rows, where="colorbar", norm=self.norm, cmap=self.cmap,
                            alpha=alpha if not isinstance(alpha, list) else None)
            ax._add(mesh, "", False)
        for name, tip in (("min", -0.05), ("max", 1.05)):
            if self.extend in (name, "both"):
                ends = [[0, 0 if name == "min" else 1], [1, 0 if name == "min" else 1], [0.5, tip]]
                colour = self.cmap.colour(-1 if name == "min"
                                          else self.cmap.N) if not isinstance(mappable, ContourArea) else (
                    mappable.colours(alpha)[0 if name == "min" else -1])
                shape = Polygon(ends if upright else [point[::-1] for point in ends], facecolor=colour, edgecolor="black",
                                linewidth=0.8,
                                transform=ax.transAxes, clip_on=False)
                ax._add(shape, "", False)

    def set_label(self, label, *, loc=None, **properties):
        (self.ax.set_ylabel if self.orientation == "vertical" else self.ax.set_xlabel)(label, loc=loc, **properties)

    def set_ticks(self, ticks, *, labels=None, minor=False, **properties):
        if isinstance(ticks, Locator):
            self._axis.set_major_locator(ticks)
        else:
            low, high = self.vmin, self.vmax
            self._axis.set_ticks(ticks, labels, minor=minor, **properties)
            (self.ax.set_ylim if self.orientation == "vertical" else self.ax.set_xlim)(low, high)

    def set_ticklabels(self, ticklabels, *, minor=False, **properties):
        self._axis.set_ticklabels(ticklabels, minor=minor, **properties)

    def get_ticks(self, minor=False):
        return self._axis.get_ticklocs(minor=minor)

    def set_alpha(self, alpha):
        for child in self.ax._children:
            child.set_alpha(alpha)

    def update_ticks(self):
        """Ticks are found anew each time."""

    draw_all = update_ticks

    def add_lines(self, *args, **properties):
        """The lines of contours are not marked in the bar."""

    def minorticks_on(self):
        self._axis.minorticks_on()

    def minorticks_off(self):
        self._axis.minorticks_off()

    def remove(self):
        self.ax.remove()
