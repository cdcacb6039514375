"""Arrows between places of a picture."""

import math

from matplotlib import _svg, rcParams
from matplotlib.colors import to_rgba


def parsed(text):
    """The name of a style and its numbers: `round,pad=0.3`."""
    if not isinstance(text, str):
        text = getattr(text, "name", "square")
    name, *parts = text.replace(" ", "").split(",")
    return name, {key: float(value) for key, value in (part.split("=") for part in parts)}


def draw_arrow(canvas, start, end, style, size, look, shrink=(2, 2), leaving=None, sizes=None, clip="", where="arrow"):
    """An arrow between two places in points; `look` is its colours and its bend."""
    from matplotlib.patches import Patch

    look = dict(look)
    bend = look.pop("connectionstyle", None)
    patch = Patch(where=where, **{key: value for key, value in look.items() if key not in ("patchA", "patchB")})
    edge = to_rgba("black" if patch._p["edgecolor"] is None else patch._p["edgecolor"], patch._p["alpha"])
    face = to_rgba(rcParams["patch.facecolor"] if patch._p["facecolor"] is None else patch._p["facecolor"],
                   patch._p["alpha"])
    width = patch.get_linewidth()
    points = _bent(start, end, bend)
    if leaving is not None:
        points = _outside(points, leaving)
    points = _shortened(_shortened(points, shrink[0])[::-1], shrink[1])[::-1]
    if len(points) < 2:
        return
    dash = _svg.dashes(patch._p["linestyle"], width)
    name, numbers = parsed(style)
    kind = "l" if edge == (0, 0, 0, 1) else ""
    line = canvas.paint(None, edge, width, dash, "round", "round")
    if sizes is not None or name in ("simple", "fancy", "wedge"):
        shaft, head, long = sizes or (numbers.get("tail_width", 0.2) * size, numbers.get("head_width", 0.5) * size,
                                      numbers.get("head_length", 0.5) * size)
        path = _broad(canvas, points, shaft, head, 0 if name == "wedge" else long)
        is_black = kind and face[:3] == (0, 0, 0)
        canvas.path(path, canvas.paint(face, edge, width, kind="l t" if is_black else kind), clip)
        return
    long, wide = numbers.get("head_length", 0.4) * size, numbers.get("head_width", 0.2) * size
    heads = ""
    filled = "|>" in name or "<|" in name
    for place, inner, marks in ((points[-1], points[-2], (">",)), (points[0], points[1], ("<",))):
        if any(mark in name for mark in marks):
            heads += _head(canvas, place, inner, long, wide, filled)
    bars = numbers.get("widthB", 1.0) * size * (0.5 if name == "|-|" else 0.2)
    for place, inner, there in ((points[-1], points[-2], name.endswith(("]", "-|"))),
                                (points[0], points[1], name[:1] in "]|[")):
        if there and name != "-":
            dx, dy = _unit(inner, place)
            canvas.path(canvas.polyline([place[0] - dy * bars, place[0] + dy * bars],
                                        [place[1] + dx * bars, place[1] - dx * bars]), line, clip)
    canvas.path(canvas.polyline([x for x, _ in points], [y for _, y in points]), line, clip)
    if filled:
        canvas.path(heads,
                    canvas.paint(edge if patch._p["facecolor"] is None and patch._p["edgecolor"] is None else face, edge,
                                 width,
                                        kind=f"{kind} t" if kind and face[:3] == (0, 0, 0) else kind), clip)
    else:
        canvas.path(heads, canvas.paint(None, edge, width, None, "round", "round"), clip)


def _unit(start, end):
    dx, dy = end[0] - start[0], end[1] - start[1]
    size = math.hypot(dx, dy) or 1.0
    return dx / size, dy / size


def _head(canvas, tip, inner, long, wide, filled):
    dx, dy = _unit(inner, tip)
    back = (tip[0] - dx * long, tip[1] - dy * long)
    xs = [back[0] - dy * wide, tip[0], back[0] + dy * wide]
    ys = [back[1] + dx * wide, tip[1], back[1] - dx * wide]
    return canvas.polyline(xs, ys, filled)


def _broad(canvas, points, shaft, head, long):
    """The outline of an arrow with a broad shaft."""
    start, tip = points[0], points[-1]
    dx, dy = _unit(points[-2], tip)
    neck = (tip[0] - dx * long, tip[1] - dy * long)
    outline = [(start[0] - dy * shaft / 2, start[1] + dx * shaft / 2), (neck[0] - dy * shaft / 2, neck[1] + dx * shaft / 2),
               (neck[0] - dy * head / 2, neck[1] + dx * head / 2), tip, (neck[0] + dy * head / 2, neck[1] - dx * head / 2),
               (neck[0] + dy * shaft / 2, neck[1] - dx * shaft / 2), (start[0] + dy * shaft / 2, start[1] - dx * shaft / 2)]
    return canvas.polyline([x for x, _ in outline], [y for _, y in outline], True)


def _bent(start, end, bend):
    """The points of a connection: straight, an arc, or with an angle."""
    if not bend:
        return [start, end]
    name, numbers = parsed(bend)
    (x0, y0), (x1, y1) = start, end
    if name == "arc3":
        rad = numbers.get("rad", 0.0)
        cx, cy = (x0 + x1) / 2 + rad * (y1 - y0), (y0 + y1) / 2 - rad * (x1 - x0)
    elif name in ("angle3", "angle"):
        a, b = math.radians(numbers.get("angleA", 90)), math.radians(numbers.get("angleB", 0))
        cross = math.cos(a) * math.sin(b) - math.sin(a) * math.cos(b)
        along = ((x1 - x0) * math.sin(b) - (y1 - y0) * math.cos(b)) / (cross or 1)
        cx, cy = x0 + along * math.cos(a), y0 + along * math.sin(a)
        if name == "angle":
            return [start, (cx, cy), end]
    else:
        return [start, end]
    steps = [step / 24 for step in range(25)]
    return [((1 - t) ** 2 * x0 + 2 * t * (1 - t) * cx + t * t * x1, (1 - t) ** 2 * y0 + 2 * t * (1 - t) * cy + t * t * y1)
            for t in steps]


def _outside(points, box):
    """Points without the part at the start that is in a box."""
    fine = []
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        fine += [(x0 + (x1 - x0) * step / 40, y0 + (y1 - y0) * step / 40) for step in range(40)]
    fine.append(points[-1])
    inside = [box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for x, y in fine]
    first = max((place for place, is_in in enumerate(inside) if is_in), default=-1) + 1
    kept = fine[first:]
    return kept if len(points) > 2 or len(kept) < 2 else [kept[0], kept[-1]]


def _shortened(points, length):
    """Points without a length at their start."""
    while len(points) > 1:
        (x0, y0), (x1, y1) = points[:2]
        size = math.hypot(x1 - x0, y1 - y0)
        if size > length:
            return [(x0 + (x1 - x0) * length / size, y0 + (y1 - y0) * length / size), *points[1:]]
        points, length = points[1:], length - size
    return points
