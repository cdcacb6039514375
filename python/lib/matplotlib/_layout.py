"""Makes room for what is written around plots."""

from matplotlib import rcParams
from matplotlib.transforms import Bbox


def _groups(figure):
    """The plots of each place in the outermost grid."""
    found = {}
    for axes in figure._axes:
        if axes._subplotspec is not None and axes._p["visible"]:
            found.setdefault(axes._subplotspec.topmost(), []).append(axes)
    return found


def tighten(figure, pad=1.08, h_pad=None, w_pad=None, rect=None, reserve=False):
    """Puts the plots of a grid as close as what is written around them allows; distances are in sizes of the font."""
    groups = _groups(figure)
    if not groups:
        return
    size = rcParams["font.size"]
    wide, high = figure._points()
    pad_x = pad_y = pad * size
    between_x, between_y = (pad if w_pad is None else w_pad) * size, (pad if h_pad is None else h_pad) * size
    grid = next(iter(groups))._grid
    rows = max(spec._grid.nrows for spec in groups)
    columns = max(spec._grid.ncols for spec in groups)
    left, right, top, bottom = ([0.0] * (count + 1) for count in (columns, columns, rows, rows))
    for spec, many in groups.items():
        whole = spec.get_position(figure)
        box = Bbox([[whole.x0 * wide, whole.y0 * high], [whole.x1 * wide, whole.y1 * high]])
        around = Bbox.union([axes.tight_box() for axes in many])
        across, down = columns // spec._grid.ncols, rows // spec._grid.nrows
        first, last = spec.colspan[0] * across, (spec.colspan[-1] + 1) * across
        upper, lower = spec.rowspan[0] * down, (spec.rowspan[-1] + 1) * down
        left[first] = max(left[first], box.x0 - around.x0)
        right[last] = max(right[last], around.x1 - box.x1)
        top[upper] = max(top[upper], around.y1 - box.y1)
        bottom[lower] = max(bottom[lower], box.y0 - around.y0)
    x0, y0, x1, y1 = (0, 0, 1, 1) if rect is None else rect
    roof = floor = side = 0.0
    for name, text in figure._titles.items():
        if text.get_text() and text._p["in_layout"]:
            box = text.laid()[3]
            if name == "suptitle" and text._p["y"] > 0.5:
                roof = high - box.y0 + (pad_y if not reserve else 0)
            elif name == "supxlabel":
                floor = box.y1 + (pad_y if not reserve else 0)
            elif name == "supylabel":
                side = box.x1 + (pad_x if not reserve else 0)
    start = x0 * wide + max(pad_x, side) + left[0]
    end = x1 * wide - pad_x - right[-1]
    base = y0 * high + max(pad_y, floor) + bottom[-1]
    ceiling = y1 * high - max(pad_y, roof) - top[0]
    places = vars(figure.subplotpars)
    if start < end:
        places.update(left=start / wide, right=end / wide)
    if base < ceiling:
        places.update(bottom=base / high, top=ceiling / high)
    if columns > 1:
        space = max(a + b for a, b in zip(left[1:-1], right[1:-1])) + between_x
        room = (end - start - space * (columns - 1)) / columns
        if room > 0:
            places["wspace"] = space / room
    if rows > 1:
        space = max(a + b for a, b in zip(top[1:-1], bottom[1:-1])) + between_y
        room = (ceiling - base - space * (rows - 1)) / rows
        if room > 0:
            places["hspace"] = space / room
    own = getattr(grid.topmost() if hasattr(grid, "topmost") else grid, "_own", None)
    if own is not None and reserve:
        own.update(dict.fromkeys(("left", "right", "top", "bottom")))
    figure._replace()


def arrange(figure, kind, more):
    """What a figure's layout asks for before it is drawn."""
    if kind == "tight":
        tighten(figure, **{"pad": 1.08, **more})
    else:
        pad = 0.04167 * 72 / rcParams["font.size"]
        # A second time, since the room that labels need depends on the ticks that there is room for.
        for _ in range(2):
            tighten(figure, pad, 2 * pad, 2 * pad, None, True)


def whole(figure):
    """The box around all that is drawn."""
    boxes = [axes.tight_box() for axes in figure._axes if axes._p["visible"]]
    boxes += [text.bounds() for text in [*figure.texts, *figure._titles.values()] if text.bounds() is not None]
    boxes += [legend.box() for legend in figure.legends]
    wide, high = figure._points()
    return Bbox.union(boxes) if boxes else Bbox([[0, 0], [wide, high]])
