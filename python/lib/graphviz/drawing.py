"""Draws a graph as SVG from plain data: nodes, edges and attributes."""

import html
import re

from .layout import apart, layers, ordered, placed

_STYLE = (
    ".gv-line{stroke:#222;fill:none}.gv-head{stroke:#222;fill:#222}.gv-text{fill:#111}.gv-dark{fill:#111}"
    ".gv-group{stroke:#888;fill:none}"
    "@media (prefers-color-scheme: dark){.gv-line{stroke:#ddd}.gv-head{stroke:#ddd;fill:#ddd}.gv-text{fill:#eee}}")
_X11 = {"lightgoldenrod": "#eedd82", "violetred": "#d02090", "navyblue": "#000080", "lightslateblue": "#8470ff"}
_SPACE, _LEVEL, _LINE, _CHAR = 24, 44, 17, 7.6


def _escaped(text):
    return html.escape(str(text), quote=True)


def _color(name):
    """A color that SVG knows: without the number that X11 has after a name, grays by their share of white."""
    gray = re.fullmatch(r"gr[ae]y(\d+)", name)
    if gray:
        return "rgb(%d,%d,%d)" % ((round(int(gray.group(1)) * 2.55),) * 3)
    parts = re.fullmatch(r"([\d.]+)[ ,]+([\d.]+)[ ,]+([\d.]+)", name)
    if parts:
        hue, saturation, value = map(float, parts.groups())
        light = value * (1 - saturation / 2)
        rest = min(light, 1 - light)
        return "hsl(%d,%d%%,%d%%)" % (hue * 360, 100 * (value - light) / rest if rest else 0, light * 100)
    plain = re.sub(r"(?<=[a-z])[1-4]$", "", name.split(":")[0].split(";")[0])
    return _escaped(_X11.get(plain, plain))


def _lines(label):
    """The lines of a label; tags of HTML are left out."""
    if re.match(r"<.*>$", label, re.S):
        label = html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"(?i)<br\s*/?>|</tr>", "\n", label[1:-1])))
    return re.sub(r"\\(.)", r"\1", re.sub(r"\\[nlr]", "\n", label)).strip("\n").split("\n")


class _Field:
    """A part of a record: a text, or parts side by side, their direction turned at each level."""

    def __init__(self, label):
        self.port, self.parts, self.lines, self.braced = "", [], [""], False
        self.read(label)

    def read(self, label):
        pieces, depth, start, at = [], 0, 0, 0
        while at < len(label):
            if label[at] == "\\":
                at += 1
            elif label[at] in "{}":
                depth += 1 if label[at] == "{" else -1
            elif label[at] == "|" and not depth:
                pieces.append(label[start:at])
                start = at + 1
            at += 1
        pieces.append(label[start:])
        if len(pieces) > 1:
            self.parts = [_Field(piece) for piece in pieces]
            return
        text = label.strip()
        port = re.match(r"<([^>]*)>\s*", text)
        if port:
            self.port, text = port.group(1).strip(), text[port.end():]
        if text.startswith("{") and text.endswith("}"):
            inner, self.braced = _Field(text[1:-1]), True
            self.parts = inner.parts or [inner]
        else:
            self.lines = _lines(text)

    def measure(self, across):
        if not self.parts:
            self.size = (max(map(len, self.lines)) * _CHAR + 16, len(self.lines) * _LINE + 12)
            return self.size
        sizes = [part.measure(not across) for part in self.parts]
        widths, heights = zip(*sizes)
        self.size = (sum(widths), max(heights)) if across else (max(widths), sum(heights))
        return self.size

    def place(self, x, y, width, height, across):
        self.box = (x, y, width, height)
        if not self.parts:
            return
        total = sum(part.size[0 if across else 1] for part in self.parts)
        for part in self.parts:
            share = part.size[0 if across else 1] / total
            if across:
                part.place(x, y, width * share, height, False)
                x += width * share
            else:
                part.place(x, y, width, height * share, True)
                y += height * share

    def leaves(self):
        return [leaf for part in self.parts for leaf in part.leaves()] if self.parts else [self]


class _Node:
    def __init__(self, name, attributes, sideways):
        self.name, self.own = name, attributes
        self.shape = attributes.get("shape", "ellipse").lower()
        self.record, self.sideways, self.x, self.y = None, sideways, 0, 0
        label = attributes.get("label", "\\N").replace("\\N", name)
        if self.shape in ("record", "mrecord"):
            self.record = _Field(label)
            # Braces around all of it turn the direction the graph gives its records.
            self.across = sideways if self.record.braced else not sideways
            self.width, self.height = self.record.measure(self.across)
            return
        self.lines = [""] if self.shape == "point" else _lines(label)
        self.width = max(map(len, self.lines)) * _CHAR + 20
        self.height = len(self.lines) * _LINE + 14
        if self.shape not in ("plaintext", "plain", "none"):
            self.width, self.height = max(self.width, 46), max(self.height, 32)
        if self.shape in ("ellipse", "oval", "diamond"):
            self.width, self.height = self.width * 1.15, self.height * (1.7 if self.shape == "diamond" else 1.1)
        elif self.shape == "point":
            self.width = self.height = 8
        elif "circle" in self.shape:
            self.width = self.height = max(self.width, self.height)

    def box(self):
        return self.x - self.width / 2, self.y - self.height / 2, self.width, self.height

    def side(self, port, later):
        """Where an edge leaves towards later layers, or comes in from earlier ones."""
        x, y, width, height = self.box()
        if self.record and port:
            self.record.place(x, y, width, height, self.across)
            for leaf in self.record.leaves():
                if leaf.port == port and self.sideways:
                    y, height = leaf.box[1], leaf.box[3]
                elif leaf.port == port:
                    x, width = leaf.box[0], leaf.box[2]
        if self.sideways:
            return (x + width if later else x), y + height / 2
        return x + width / 2, (y + height if later else y)

    def drawn(self):
        x, y, width, height = self.box()
        style = self.own.get("style", "")
        filled = "filled" in style or self.shape == "point"
        paint = self.own.get("fillcolor") or self.own.get("color") or ("black" if self.shape == "point" else "lightgrey")
        css = "fill:" + _color(paint) if filled else ""
        css += ";stroke:" + _color(self.own["color"]) if "color" in self.own else ""
        css += ";stroke-dasharray:5 3" if "dashed" in style else ";stroke-dasharray:2 3" if "dotted" in style else ""
        look = 'class="gv-line"' + (' style="%s"' % css.strip(";") if css else "")
        out = []
        if self.shape in ("ellipse", "oval", "circle", "doublecircle", "point"):
            for inset in (0, 4) if self.shape == "doublecircle" else (0,):
                out.append('<ellipse %s cx="%.1f" cy="%.1f" rx="%.1f" ry="%.1f"/>' % (
                    look, self.x, self.y, width / 2 - inset, height / 2 - inset))
        elif self.shape == "diamond":
            out.append('<path %s d="M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ"/>' % (
                look, self.x, y, x + width, self.y, self.x, y + height, x, self.y))
        elif self.shape not in ("plaintext", "plain", "none") or filled:
            round_ = 8 if "rounded" in style or self.shape == "mrecord" else 0
            out.append('<rect %s x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%d"/>' % (
                look, x, y, width, height, round_))
        dark, ink = filled and self.shape != "point", self.own.get("fontcolor")
        if not self.record:
            return out + [_text(self.x, self.y, self.lines, dark, ink)]
        self.record.place(x, y, width, height, self.across)
        out += _rules(self.record, self.across)
        return out + [_text(leaf.box[0] + leaf.box[2] / 2, leaf.box[1] + leaf.box[3] / 2, leaf.lines, dark, ink)
                      for leaf in self.record.leaves()]


def _rules(field, across):
    """The lines between the parts of a record."""
    out = []
    for part in field.parts[1:]:
        x, y, width, height = part.box
        out.append('<path class="gv-line" d="M%.1f %.1f%s"/>' % (x, y, "v%.1f" % height if across else "h%.1f" % width))
    for part in field.parts:
        out += _rules(part, not across)
    return out


def _text(x, y, lines, dark=False, color=None):
    first = y - (len(lines) - 1) * _LINE / 2 + 4.5
    spans = "".join('<tspan x="%.1f" y="%.1f">%s</tspan>' % (x, first + at * _LINE, _escaped(line))
                    for at, line in enumerate(lines))
    ink = ' style="fill:%s"' % _color(color) if color else ""
    return '<text class="%s" text-anchor="middle"%s>%s</text>' % ("gv-dark" if dark else "gv-text", ink, spans)


def _head(tip, before):
    """An arrow head that ends at the tip."""
    dx, dy = tip[0] - before[0], tip[1] - before[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1
    dx, dy = dx / length, dy / length
    x, y = tip[0] - 8 * dx, tip[1] - 8 * dy
    return "M%.1f %.1fL%.1f %.1fL%.1f %.1fZ" % (*tip, x - 3.5 * dy, y + 3.5 * dx, x + 3.5 * dy, y - 3.5 * dx)


def _edge(edge, points, sideways, directed):
    """A curve through the points, which leaves and comes in along the direction of the layers."""
    path, last = "M%.1f %.1f" % points[0], points[0]
    (x0, y0), flat = points[0], points[0][0 if sideways else 1] == points[-1][0 if sideways else 1]
    for x, y in points[1:]:
        if flat or len(points) == 4 and points[0] == points[-1]:
            ax, ay, bx, by = (2 * x0 + x) / 3, (2 * y0 + y) / 3, (x0 + 2 * x) / 3, (y0 + 2 * y) / 3
        elif sideways:
            ax, ay, bx, by = (x0 + x) / 2, y0, (x0 + x) / 2, y
        else:
            ax, ay, bx, by = x0, (y0 + y) / 2, x, (y0 + y) / 2
        path += "C%.1f %.1f %.1f %.1f %.1f %.1f" % (ax, ay, bx, by, x, y)
        last, x0, y0 = (bx, by), x, y
    style, color = edge.get("style", ""), edge.get("color")
    css = "stroke:" + _color(color) + ";" if color else ""
    css += "stroke-dasharray:5 3" if "dashed" in style else "stroke-dasharray:2 3" if "dotted" in style else ""
    css += ";stroke-width:%s" % _escaped(edge["penwidth"]) if "penwidth" in edge else ""
    if style in ("invis", "invisible"):
        return []
    out = ['<path class="gv-line"%s d="%s"/>' % (' style="%s"' % css if css else "", path)]
    way = edge.get("dir", "forward" if directed else "none")
    paint = ' style="fill:%s;stroke:%s"' % (_color(color), _color(color)) if color else ""
    if way in ("forward", "both") and edge.get("arrowhead") != "none":
        out.append('<path class="gv-head"%s d="%s"/>' % (paint, _head(points[-1], last)))
    if way in ("back", "both"):
        following = points[1] if flat else (points[0][0], points[1][1])
        out.append('<path class="gv-head"%s d="%s"/>' % (paint, _head(points[0], following)))
    if edge.get("label"):
        half = len(points) // 2
        (ax, ay), (bx, by) = points[half - 1], points[half]
        lines = _lines(edge["label"])
        away = max(map(len, lines)) * _CHAR / 2 + 4
        out.append(_text((ax + bx) / 2 + (0 if sideways else away), (ay + by) / 2 - (8 if sideways else 0), lines,
                         color=edge.get("fontcolor")))
    return out


class _Bend:
    """A place in a layer kept free for an edge that passes."""

    width = height = 6
    x = y = 0


def drawing(nodes, edges, attributes):
    """The graph as SVG."""
    direction = attributes.get("rankdir", "TB").upper()
    sideways = direction in ("LR", "RL")
    things = {node["name"]: _Node(node["name"], node, sideways) for node in nodes}
    names = list(things)
    rank = layers(names, [(edge["tail"], edge["head"]) for edge in edges], attributes.get("same", ()))
    low, high = min(rank.values(), default=0), max(rank.values(), default=-1)
    rows = [[] for _ in range(high - low + 1)]
    for name in names:
        rows[rank[name] - low].append(name)
    joined = {name: ([], []) for name in names}
    ways = []
    for number, edge in enumerate(edges):
        start, stop = edge["tail"], edge["head"]
        first, last = (start, stop) if rank[start] <= rank[stop] else (stop, start)
        way = [first]
        for level in range(rank[first] + 1, rank[last]):
            bend = (number, level)
            things[bend], joined[bend] = _Bend(), ([], [])
            rows[level - low].append(bend)
            way.append(bend)
        way.append(last)
        if rank[first] < rank[last]:
            for one, following in zip(way, way[1:]):
                joined[one][1].append(following)
                joined[following][0].append(one)
        ways.append(way if first == start else way[::-1])
    group_of = {name: at for at, cluster in enumerate(attributes.get("clusters", ())) for name in cluster["nodes"]}
    rows = ordered(rows, joined, group_of)
    size = {key: thing.height if sideways else thing.width for key, thing in things.items()}
    across = placed(rows, joined, size, _SPACE)
    apart(rows, across, size, group_of, 2 * _SPACE)
    labels = 18 if any(edge.get("label") for edge in edges) else 0
    if sideways and labels:
        labels = max(len(edge.get("label", "")) for edge in edges) * _CHAR
    along = 0
    for row in rows:
        thick = max((things[key].width if sideways else things[key].height for key in row), default=0)
        for key in row:
            middle = along + thick / 2
            things[key].x, things[key].y = (middle, across[key]) if sideways else (across[key], middle)
        along += thick + _LEVEL + labels
    if direction in ("RL", "BT"):
        for thing in things.values():
            thing.x, thing.y = (-thing.x, thing.y) if sideways else (thing.x, -thing.y)
    return _written(things, edges, ways, attributes, direction, [_around(cluster, things) for cluster in
                                                                 attributes.get("clusters", ())])


def _around(cluster, things):
    boxes = [things[name].box() for name in cluster["nodes"]] or [(0, 0, 0, 0)]
    x, y = min(box[0] for box in boxes) - 12, min(box[1] for box in boxes) - (30 if cluster.get("label") else 12)
    return x, y, max(b[0] + b[2] for b in boxes) + 12 - x, max(b[1] + b[3] for b in boxes) + 12 - y, cluster


def _points(edge, way, things, direction):
    """The points an edge goes through, from border to border."""
    tail, head = things[edge["tail"]], things[edge["head"]]
    sideways = direction in ("LR", "RL")
    if tail is head:
        x, y, width, height = tail.box()
        right = x + width
        return [(right, tail.y - 6), (right + 22, tail.y - 12), (right + 22, tail.y + 12), (right, tail.y + 6)]
    here, there = (tail.x, head.x) if sideways else (tail.y, head.y)
    if abs(here - there) < 1e-6:
        forward = (head.y > tail.y) if sideways else (head.x > tail.x)
        half = (tail.height / 2, head.height / 2) if sideways else (tail.width / 2, head.width / 2)
        sign = 1 if forward else -1
        if sideways:
            return [(tail.x, tail.y + sign * half[0]), (head.x, head.y - sign * half[1])]
        return [(tail.x + sign * half[0], tail.y), (head.x - sign * half[1], head.y)]
    later = (there > here)
    bends = [(things[key].x, things[key].y) for key in way[1:-1]]
    return [tail.side(edge.get("tailport"), later)] + bends + [head.side(edge.get("headport"), not later)]


def _written(things, edges, ways, attributes, direction, groups):
    parts, points = [], []
    for x, y, width, height, cluster in groups:
        css = "fill:" + _color(cluster.get("fillcolor") or cluster.get("bgcolor") or cluster.get("color", "lightgrey")) \
            if "filled" in cluster.get("style", "") or "bgcolor" in cluster else ""
        css += ";fill-opacity:.4" if css else ""
        css += ";stroke:" + _color(cluster["color"]) if "color" in cluster else ""
        parts.append('<rect class="gv-group" style="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>' % (
            css.strip(";"), x, y, width, height))
        if cluster.get("label"):
            parts.append(_text(x + width / 2, y + 14, _lines(cluster["label"])))
        points += [(x, y), (x + width, y + height)]
    for edge, way in zip(edges, ways):
        through = _points(edge, way, things, direction)
        points += through
        if edge.get("label"):
            points.append((through[len(through) // 2][0] + len(edge["label"]) * _CHAR, through[0][1]))
        parts += _edge(edge, through, direction in ("LR", "RL"), attributes.get("directed", True))
    for thing in things.values():
        if isinstance(thing, _Node):
            x, y, width, height = thing.box()
            points += [(x, y), (x + width, y + height)]
            if thing.own.get("style") not in ("invis", "invisible"):
                parts += thing.drawn()
    left, top = (min((p[k] for p in points), default=0) - 8 for k in (0, 1))
    right, bottom = (max((p[k] for p in points), default=0) + 8 for k in (0, 1))
    if attributes.get("label"):
        bottom += 24
        parts.append(_text((left + right) / 2, bottom - 14, _lines(attributes["label"])))
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="%.1f %.1f %.1f %.1f" '
            'font-family="Helvetica,Arial,sans-serif" font-size="14"><style>%s</style>\n%s\n</svg>\n') % (
                right - left, bottom - top, left, top, right - left, bottom - top, _STYLE, "\n".join(parts))
