"""What lines, bars and points mean: a box with their looks and their labels."""

from matplotlib import _data, _svg, rcParams
from matplotlib.artist import Artist
from matplotlib.collections import Collection, LineCollection, PathCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.container import BarContainer, Container, ErrorbarContainer, StemContainer
from matplotlib.lines import NO_MARKER, Line2D
from matplotlib.patches import FancyBboxPatch, Patch, Rectangle, _hatch
from matplotlib.text import Text
from matplotlib.transforms import Bbox

_CODES = {"best": 0, "upper right": 1, "upper left": 2, "lower left": 3, "lower right": 4, "right": 5, "center left": 6,
          "center right": 7, "lower center": 8, "upper center": 9, "center": 10}
_PLACES = {1: (1, 1), 2: (0, 1), 3: (0, 0), 4: (1, 0), 5: (1, 0.5), 6: (0, 0.5), 7: (1, 0.5), 8: (0.5, 0), 9: (0.5, 1),
           10: (0.5, 0.5)}


def handles_of(many):
    """What has a label in some plots, and these labels."""
    found = []
    for axes in many:
        found += [child for child in axes._children if isinstance(child, (Line2D, Patch, Collection))]
        found += axes.containers
    found = [handle for handle in found if handle.get_label() and not str(handle.get_label()).startswith("_")]
    return found, [handle.get_label() for handle in found]


def chosen(many, args, properties):
    """The handles and labels that a call of `legend` asks for."""
    handles, labels = properties.pop("handles", None), properties.pop("labels", None)
    if len(args) == 2:
        handles, labels = args
    elif len(args) == 1:
        (labels,) = args
    elif len(args) > 2:
        raise TypeError(f"Invalid arguments to legend: {len(args)} positional arguments")
    if handles is not None and labels is not None:
        pairs = list(zip(handles, labels))
        return [handle for handle, _ in pairs], [label for _, label in pairs]
    if handles is not None:
        return list(handles), [handle.get_label() for handle in handles]
    if labels is not None:
        if isinstance(labels, str):
            labels = list(labels)
        found = []
        for axes in many:
            found += [child for child in axes._children if isinstance(child, (Line2D, Patch, Collection))]
            parts = {id(part) for container in axes.containers for part in container._parts()}
            found = [child for child in found if id(child) not in parts] + list(axes.containers)
        return [handle for handle, _ in zip(found, labels)], [label for _, label in zip(found, labels)]
    handles, labels = handles_of(many)
    if not handles:
        _data.warn("No artists with labels found to put in legend.  Note that artists whose label start with an underscore "
                   "are "
                      "ignored when legend() is called with no argument.")
    return handles, labels


class Legend(Artist):
    zorder = 5

    def __init__(self, axes, handles, labels, *, loc=None, numpoints=None, markerscale=None, markerfirst=True, reverse=False,
                 scatterpoints=None, scatteryoffsets=None, prop=None, fontsize=None, labelcolor=None, borderpad=None,
                 labelspacing=None, handlelength=None, handleheight=None, handletextpad=None, borderaxespad=None,
                 columnspacing=None, ncols=1, ncol=None, mode=None, fancybox=None, shadow=None, title=None,
                 title_fontsize=None,
                 framealpha=None, edgecolor=None, facecolor=None, bbox_to_anchor=None, bbox_transform=None, frameon=None,
                 handler_map=None, title_fontproperties=None, alignment="center", draggable=False, **properties):
        super().__init__()
        given = locals()
        self.axes, self.figure = axes, axes.figure if axes is not None else None
        self._size = {}
        for name in ("borderpad", "labelspacing", "handlelength", "handleheight", "handletextpad", "borderaxespad",
                     "columnspacing",
                     "fancybox", "framealpha", "edgecolor", "facecolor", "frameon", "markerscale", "shadow", "numpoints"):
            self._size[name] = rcParams[f"legend.{name}"] if given[name] is None else given[name]
        if self._size["shadow"] and framealpha is None:
            self._size["framealpha"] = 1.0
        if prop is not None:
            fontsize = (prop.get("size") if isinstance(prop, dict) else prop._size) or fontsize
        self._fontsize = _svg.points_of(rcParams["legend.fontsize"] if fontsize is None else fontsize)
        loc = rcParams["legend.loc"] if loc is None else loc
        if isinstance(loc, str):
            if loc not in _CODES:
                known = ", ".join(repr(name) for name in _CODES)
                raise ValueError(f"{loc!r} is not a valid value for loc; supported values are {known}")
            loc = _CODES[loc]
        self._loc = loc
        pairs = [(handle, str(label)) for handle, label in zip(handles, labels)]
        pairs = pairs[::-1] if reverse else pairs
        self.legend_handles = [handle for handle, _ in pairs]
        self.texts = [Text(0, 0, label, fontsize=self._fontsize, verticalalignment="baseline") for _, label in pairs]
        colours = rcParams["legend.labelcolor"] if labelcolor is None else labelcolor
        for at, text in enumerate(self.texts):
            text.axes, text.figure = axes, self.figure
            if colours is not None:
                text.set_color(self._label_colour(colours, at))
        self._columns = max(min(ncols if ncol is None else ncol, len(pairs)), 1)
        size = title_fontsize or rcParams["legend.title_fontsize"]
        self._title = Text(0, 0, title or "", fontsize=_svg.points_of(size) if size else float(rcParams["font.size"]))
        self._title.axes, self._title.figure = axes, self.figure
        if title_fontproperties:
            self._title.set_fontproperties(title_fontproperties)
        self._anchor, self._anchor_transform, self._mode = bbox_to_anchor, bbox_transform, mode
        self._align = alignment
        self.legendPatch = self.frame = FancyBboxPatch((0, 0), 1, 1, where="legend")
        self.legendPatch._p.update(facecolor=None, edgecolor=self._size["edgecolor"])
        self._given(properties, "legend")

    def _label_colour(self, colours, at):
        """The colour of a label; `linecolor` is that of its line."""
        handle = self.legend_handles[at]
        if colours == "linecolor":
            return (
                handle.get_color() if hasattr(handle, "get_color")
                else (handle.get_facecolor() if isinstance(handle, Patch) else "black")
            )
        return colours if isinstance(colours, str) or isinstance(colours, tuple) else colours[at % len(colours)]

    legendHandles = property(lambda self: self.legend_handles)

    def get_texts(self):
        return self.texts

    def get_lines(self):
        return [handle for handle in self.legend_handles if isinstance(handle, Line2D)]

    def get_patches(self):
        return [handle for handle in self.legend_handles if isinstance(handle, Patch)]

    def get_title(self):
        return self._title

    def get_frame(self):
        return self.legendPatch

    def set_title(self, title, prop=None):
        self._title.set_text(title)

    def set_frame_on(self, b):
        self._size["frameon"] = b

    def set_loc(self, loc=None):
        self._loc = _CODES[loc] if isinstance(loc, str) else loc

    def set_bbox_to_anchor(self, bbox, transform=None):
        self._anchor, self._anchor_transform = bbox, transform

    def set_draggable(self, state, **_more):
        """Nothing is dragged in a picture that does not change."""

    def _measured(self):
        """The sizes of all: columns of entries, their widths, and those of the whole."""
        font, size = self._fontsize, self._size
        blocks = [text._block() for text in self.texts]
        high = [max(block.height, size["handleheight"] * font) for block in blocks]
        per, more = divmod(len(blocks), self._columns)
        columns, at = [], 0
        for column in range(self._columns):
            count = per + (column < more)
            columns.append(list(range(at, at + count)))
            at += count
        hand = (size["handlelength"] + size["handletextpad"]) * font
        widths = [hand + max((blocks[at].width for at in column), default=0) for column in columns]
        heights = [sum(high[at] for at in column) + size["labelspacing"] * font * max(len(column) - 1, 0)
                   for column in columns]
        pad = size["borderpad"] * font
        wide = sum(widths) + size["columnspacing"] * font * (len(columns) - 1)
        tall = max(heights, default=0)
        title = self._title._block() if self._title.get_text() else None
        if title:
            wide = max(wide, title.width)
            tall += title.height + size["labelspacing"] * font
        return blocks, high, columns, widths, title, wide + 2 * pad, tall + 2 * pad

    def _frame(self):
        """The box in which the legend is put."""
        frame = self.axes._box() if self.axes is not None else Bbox.from_bounds(0, 0, *self.figure._points())
        if self._anchor is None:
            return frame
        transform = self._anchor_transform or (self.axes.transAxes if self.axes is not None else self.figure.transFigure)
        bounds = getattr(self._anchor, "bounds", self._anchor)
        x, y, *sizes = bounds
        ends = [x, x + sizes[0]] if sizes else [x, x], [y, y + sizes[1]] if len(sizes) > 1 else [y, y]
        xs, ys = transform.points(*ends)
        return Bbox([[xs[0], ys[0]], [xs[1], ys[1]]])

    def box(self, measured=None):
        """The box of the legend, in points."""
        measured = measured or self._measured()
        wide, tall = measured[-2:]
        frame, pad = self._frame(), self._size["borderaxespad"] * self._fontsize
        if self._mode == "expand":
            wide = frame.width - 2 * pad
        if isinstance(self._loc, (tuple, list)):
            return Bbox.from_bounds(frame.x0 + self._loc[0] * frame.width, frame.y0 + self._loc[1] * frame.height, wide,
                                    tall)
        inner = Bbox([[frame.x0 + pad, frame.y0 + pad], [frame.x1 - pad, frame.y1 - pad]])
        boxes = []
        for code in range(1, 11) if self._loc == 0 else [self._loc]:
            x, y = _PLACES[code]
            boxes.append(Bbox.from_bounds(inner.x0 + x * (inner.width - wide), inner.y0 + y * (inner.height - tall), wide,
                                          tall))
        if self._loc != 0:
            return boxes[0]
        # The first place that hides least is the best.
        points, segments, shapes = self._hidden()
        return min(boxes, key=lambda box: _badness(box, points, segments, shapes))

    def _hidden(self):
        """What is drawn in the plot: points, polylines, boxes; in points."""
        points, lines, shapes = [], [], []
        for child in self.axes._children if self.axes is not None else ():
            if not child._p["visible"]:
                continue
            if isinstance(child, Line2D):
                step = max(len(child._x) // 500, 1)
                xs, ys = child.get_transform().points(child._x[::step], child._y[::step])
                lines.append([(x, y) for x, y in zip(xs, ys) if x - x == 0 and y - y == 0])
            elif isinstance(child, Rectangle):
                x, y, width, height = child._box
                xs, ys = child.get_transform().points([x, x + width], [y, y + height])
                shapes.append(Bbox([[min(xs), min(ys)], [max(xs), max(ys)]]))
            elif isinstance(child, PathCollection):
                step = max(len(child._x) // 2000, 1)
                points += zip(*child.get_transform().points(child._x[::step], child._y[::step]))
            elif isinstance(child, (Patch, PolyCollection, LineCollection)):
                if isinstance(child, Patch):
                    parts = child.parts()
                else:
                    parts = child._polygons if isinstance(child, PolyCollection) else child._lines
                lines += [list(zip(*child.get_transform().points(xs, ys))) for xs, ys in parts]
            elif isinstance(child, Text) and child.bounds() is not None:
                shapes.append(child.bounds())
        return points, lines, shapes

    def draw_on(self, canvas):
        measured = self._measured()
        blocks, high, columns, widths, title, _, _ = measured
        box, size, font = self.box(measured), self._size, self._fontsize
        if size["frameon"] and self.legendPatch._p["visible"]:
            self._draw_frame(canvas, box)
        pad = size["borderpad"] * font
        top = box.y1 - pad
        if title:
            left = {"center": box.x0 + (box.width - title.width) / 2, "left": box.x0 + pad,
                    "right": box.x1 - pad - title.width}[self._align]
            style = canvas.style(to_rgba(self._title._p["color"]), self._title._p["fontsize"], self._title._p["fontweight"])
            canvas.text(left, top - title.height, title, style)
            top -= title.height + size["labelspacing"] * font
        extra = 0.0
        if self._mode == "expand" and len(columns) > 1:
            extra = (box.width - 2 * pad - sum(widths)) / (len(columns) - 1) - size["columnspacing"] * font
        x = box.x0 + pad
        if title and self._mode != "expand":
            inner = sum(widths) + size["columnspacing"] * font * (len(columns) - 1)
            x += {"center": (box.width - 2 * pad - inner) / 2, "left": 0, "right": box.width - 2 * pad - inner}[self._align]
        for column, width in zip(columns, widths):
            y = top
            for at in column:
                y -= high[at]
                block, text = blocks[at], self.texts[at]
                base = y + (high[at] - block.height) / 2
                style = canvas.style(to_rgba(text._p["color"], text._p["alpha"]), text._p["fontsize"], text._p["fontweight"],
                                     text._p["fontstyle"])
                canvas.text(x + (size["handlelength"] + size["handletextpad"]) * font, base, block, style)
                handle_box = Bbox.from_bounds(x, base + block.descent, size["handlelength"] * font,
                                              size["handleheight"] * font)
                self._draw_handle(canvas, self.legend_handles[at], handle_box)
                y -= size["labelspacing"] * font
            x += width + size["columnspacing"] * font + extra

    def _draw_frame(self, canvas, box):
        look, face = self._size, self._size["facecolor"]
        own = self.legendPatch._p["facecolor"]
        kind = ""
        if own is not None:
            face = own
        elif face == "inherit":
            face = self.axes._face if self.axes is not None else rcParams["axes.facecolor"]
            kind = "" if self.axes is not None and self.axes._own_face else "b"
        alpha = self.legendPatch._p["alpha"]
        colour = to_rgba(face, look["framealpha"] if alpha is None else alpha)
        edge = to_rgba(self.legendPatch._p["edgecolor"], look["framealpha"])
        paint = canvas.paint(colour, edge, self.legendPatch.get_linewidth(), kind=f"{kind} q".strip() if kind else "")
        if look["shadow"]:
            canvas.rect(Bbox.from_bounds(box.x0 + 2, box.y0 - 2, box.width, box.height), canvas.paint((0.3, 0.3, 0.3, 0.5)))
        canvas.rect(box, paint, radius=0.2 * self._fontsize if look["fancybox"] else 0)

    def _draw_handle(self, canvas, handle, box):
        """The look of one entry, in a small box."""
        middle = box.y0 + box.height / 2
        if isinstance(handle, BarContainer):
            handle = handle[0] if len(handle) else Rectangle((0, 0), 1, 1)
        if isinstance(handle, tuple) and not isinstance(handle, Container):
            for part in handle:
                self._draw_handle(canvas, part, box)
        elif isinstance(handle, ErrorbarContainer):
            if handle[2]:
                colour, width = handle[2][0]._edges()[0], handle[2][0]._widths()[0]
                path = ""
                if handle.has_yerr:
                    path += canvas.polyline([box.x0 + box.width / 2] * 2,
                                            [middle - 0.5 * self._fontsize, middle + 0.5 * self._fontsize])
                if handle.has_xerr:
                    path += canvas.polyline([box.x0 + box.width / 2 - 0.5 * self._fontsize,
                                             box.x0 + box.width / 2 + 0.5 * self._fontsize], [middle] * 2)
                canvas.path(path, canvas.paint(None, colour, width))
            if handle[0] is not None:
                self._draw_handle(canvas, handle[0], box)
        elif isinstance(handle, StemContainer):
            self._draw_line(canvas, handle.markerline, box, middle)
        elif isinstance(handle, Line2D):
            self._draw_line(canvas, handle, box, middle)
        elif isinstance(handle, PathCollection):
            sizes = handle._sizes or [36.0]
            size = (max(sizes) + min(sizes)) / 2 * self._size["markerscale"] ** 2
            paint = next(iter(handle._paints(canvas, 1)))
            handle._draw_group(canvas, size, paint, [box.x0 + box.width / 2], [middle - 0.125 * box.height], "")
        elif isinstance(handle, LineCollection):
            colour, width = handle._edges()[0], handle._widths()[0]
            style = handle._p["linestyle"]
            canvas.path(canvas.polyline([box.x0, box.x1], [middle, middle]),
                        canvas.paint(None, colour, width, _svg.dashes(style, width)))
        elif isinstance(handle, Patch):
            canvas.rect(box, handle._paint(canvas))
            if handle._p["hatch"]:
                canvas.rect(box, _hatch(canvas, handle._p["hatch"], handle.get_edgecolor(), 1.0))
        elif isinstance(handle, Collection):
            canvas.rect(box, next(iter(handle._paints(canvas, 1))))

    def _draw_line(self, canvas, line, box, middle):
        if line._has_line():
            canvas.path(canvas.polyline([box.x0, box.x1], [middle, middle]), line._paint(canvas))
        if line._p["marker"] not in NO_MARKER:
            before = line._p["markersize"]
            line._p["markersize"] = before * self._size["markerscale"]
            count = self._size["numpoints"]
            xs = [box.x0 + box.width * (at + 0.5) / count for at in range(count)] if count == 1 else [
                box.x0 + 0.3 * self._fontsize + (box.width - 0.6 * self._fontsize) * at / (count - 1) for at in range(count)]
            line._draw_marks(canvas, xs, [middle] * count, "")
            line._p["markersize"] = before


def _badness(box, points, lines, shapes):
    """How much of a plot a box hides."""
    x0, y0, x1, y1 = box.extents
    bad = sum([x0 < x < x1 and y0 < y < y1 for x, y in points])
    bad += sum(box.overlaps(shape) for shape in shapes)
    for line in lines:
        bad += sum([x0 < x < x1 and y0 < y < y1 for x, y in line])
        bad += any(_crosses(start, end, x0, y0, x1, y1) for start, end in zip(line, line[1:]))
    return bad


def _crosses(start, end, x0, y0, x1, y1):
    """Whether a straight line goes through a box."""
    (a, b), (c, d) = start, end
    if max(a, c) < x0 or min(a, c) > x1 or max(b, d) < y0 or min(b, d) > y1:
        return False
    low, high = 0.0, 1.0
    for at, step, least, most in ((a, c - a, x0, x1), (b, d - b, y0, y1)):
        if step == 0:
            continue
        first, last = sorted(((least - at) / step, (most - at) / step))
        low, high = max(low, first), min(high, last)
    return low <= high
