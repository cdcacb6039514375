"""Lines where numbers on a grid have one value, and the areas between them."""

import math

from matplotlib import _data, _svg, rcParams
from matplotlib.artist import Artist
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, NoNorm, colour_list
from matplotlib.ticker import LogLocator, MaxNLocator, ScalarFormatter

# The sides of a cell in turn: from which corner to which, as offsets across and up.
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


# So many crossings are looked at in each direction at most: more are closer than what a picture shows.
_MOST = 200


def _some(count):
    """The places of crossings that are looked at: the first, the last, and some between."""
    step = -(-count // _MOST)
    return sorted({*range(0, count, step), count - 1})


class _Field:
    """Numbers at the crossings of a grid, and where these are."""

    def __init__(self, xs, ys, rows):
        self.xs, self.ys, self.rows = xs, ys, rows
        self.down, self.across = len(rows), len(rows[0])

    def place(self, key, level):
        """Where a crossing of the grid is, or where between two the level lies."""
        if len(key) == 2:
            return self.xs[key[1]][key[0]], self.ys[key[1]][key[0]]
        i, j, k, m = key
        low, high = self.rows[j][i], self.rows[m][k]
        part = (level - low) / (high - low)
        x, y = self.xs[j][i], self.ys[j][i]
        return x + part * (self.xs[m][k] - x), y + part * (self.ys[m][k] - y)

    def walks(self, level, area):
        """The edges of the area at and above a level, or only those that lie on the level; as keys of points."""
        edges = {}
        for j in range(self.down - 1):
            low, high = self.rows[j], self.rows[j + 1]
            above_low = [value >= level for value in low]
            above_high = [value >= level for value in high]
            for i in range(self.across - 1):
                count = above_low[i] + above_low[i + 1] + above_high[i] + above_high[i + 1]
                if count == 0 or count == 4 and not area:
                    continue
                values = low[i] + low[i + 1] + high[i] + high[i + 1]
                if values != values:
                    continue
                if count == 4:
                    keys = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
                    self._keep(edges, keys)
                else:
                    self._cut(edges, i, j, level, values / 4 >= level, area)
        return self._chained(edges)

    def _cut(self, edges, i, j, level, is_high, area):
        """Adds what a level cuts out of a cell."""
        corners = [(i + a, j + b) for a, b in _CORNERS]
        above = [self.rows[b][a] >= level for a, b in corners]
        parts, part = [], []
        for at in range(4):
            here, after = corners[at], corners[(at + 1) % 4]
            if above[at]:
                part.append(here)
            if above[at] != above[(at + 1) % 4]:
                part.append((*min(here, after), *max(here, after)))
                if above[at]:
                    parts.append(part)
                    part = []
        if part:
            parts[0] = part + parts[0]
        if len(parts) == 2 and is_high:
            parts = [parts[0] + parts[1]]
        for part in parts:
            if area:
                self._keep(edges, part)
            else:
                # Only sides from a cut to a cut are on the level.
                for start, end in zip(part, part[1:] + part[:1]):
                    if len(start) == len(end) == 4 and start != end:
                        edges.setdefault(start, []).append(end)

    @staticmethod
    def _keep(edges, keys):
        """Adds the sides of a shape; a side that a neighbour has too, the other way, is none of the whole."""
        for start, end in zip(keys, keys[1:] + keys[:1]):
            if start == end:
                continue
            back = edges.get(end)
            if back and start in back:
                back.remove(start)
                if not back:
                    del edges[end]
            else:
                edges.setdefault(start, []).append(end)

    @staticmethod
    def _chained(edges):
        """Joins edges to walks."""
        entered = {end for ends in edges.values() for end in ends}
        starts = [start for start in edges if start not in entered]
        walks = []
        while edges:
            start = starts.pop() if starts else next(iter(edges))
            if start not in edges:
                continue
            walk = [start]
            while walk[-1] in edges:
                here = walk[-1]
                ends = edges[here]
                walk.append(ends.pop())
                if not ends:
                    del edges[here]
                if walk[-1] == start:
                    break
            walks.append(walk)
        return walks


class ContourSet(Artist, ScalarMappable):
    """Lines or areas of several levels."""

    zorder = 1
    filled = False
    _ALIASES = {"linewidth": "linewidths", "linestyle": "linestyles", "lw": "linewidths", "ls": "linestyles",
                "color": "colors"}
    _DEFAULTS = {"linewidths": None, "linestyles": None, "hatches": None, "corner_mask": None, "nchunk": 0, "xunits": None,
                 "negative_linestyles": None, "algorithm": None}

    def __init__(self, axes, args, properties, where):
        Artist.__init__(self)
        take = lambda name, default=None: properties.pop(name, default)  # noqa: E731
        colors = take("colors", take("color"))
        norm, cmap, low, high = take("norm"), take("cmap"), take("vmin"), take("vmax")
        self.extend, locator, levels = take("extend", "neither"), take("locator"), take("levels")
        origin, bounds = take("origin"), take("extent")
        ScalarMappable.__init__(self, norm, cmap)
        self.axes = axes
        self._field, rest = self._grid(args, origin, bounds)
        levels = rest[0] if rest else levels
        values = [value for row in self._field.rows for value in _data.finite(row)]
        self.zmin, self.zmax = (min(values), max(values)) if values else (0.0, 1.0)
        self.levels = self._chosen(levels, locator, values)
        layers = [(a + b) / 2 for a, b in zip(self.levels, self.levels[1:])] if self.filled else list(self.levels)
        if self.filled and self.extend in ("min", "both"):
            layers.insert(0, -1e250)
        if self.filled and self.extend in ("max", "both"):
            layers.append(1e250)
        self._is_plain = colors is not None
        if colors is not None:
            rows = colour_list(colors)
            self.cmap = ListedColormap([rows[place % len(rows)] for place in range(len(layers))])
            self.norm = NoNorm(0, max(len(layers) - 1, 1))
            self._values = list(range(len(layers)))
        else:
            self.set_clim(low, high)
            self.norm.autoscale_None(self.levels)
            self._values = layers
        self._gaps, self.labelTexts = [], []
        self._given(properties, where)

    def _grid(self, args, origin, bounds):
        """The grid that arguments stand for, and what follows them."""
        args = list(args)
        if len(args) > 2 or len(args) == 2 and len(_data.shape(_data.plain(args[1]))) == 2:
            x, y, z, *rest = args
        else:
            x = y = None
            z, *rest = args
        rows = _data.table(z)
        down, across = len(rows), len(rows[0])
        if down < 2 or across < 2:
            raise TypeError(f"Input z must be at least a (2, 2) shaped array, but has shape {(down, across)}")
        if x is None:
            if bounds is not None:
                x0, x1, y0, y1 = bounds
            elif origin is None:
                x0, x1, y0, y1 = 0, across - 1, 0, down - 1
            else:
                x0, x1, y0, y1 = 0, across, 0, down
            if origin is None:
                xs = [x0 + (x1 - x0) * i / (across - 1) for i in range(across)]
                ys = [y0 + (y1 - y0) * j / (down - 1) for j in range(down)]
            else:
                xs = [x0 + (x1 - x0) * (i + 0.5) / across for i in range(across)]
                ys = [y0 + (y1 - y0) * (j + 0.5) / down for j in range(down)]
            if origin in ("upper", "image"):
                ys = ys[::-1]
        else:
            xs, ys = _data.plain(x), _data.plain(y)
            if len(_data.shape(xs)) == 1:
                if len(xs) != across:
                    raise TypeError(f"Length of x ({len(xs)}) must match number of columns in z ({across})")
                if len(ys) != down:
                    raise TypeError(f"Length of y ({len(ys)}) must match number of rows in z ({down})")
            elif _data.shape(xs) != (down, across):
                raise TypeError(f"Shapes of x {_data.shape(xs)} and z {(down, across)} do not match")
        if not isinstance(xs[0], list):
            xs, ys = [xs] * down, [[y] * across for y in ys]
        if max(down, across) > _MOST:
            places, lines = _some(across), _some(down)
            xs, ys, rows = ([[part[j][i] for i in places] for j in lines] for part in (xs, ys, rows))
        return _Field(xs, ys, rows), rest

    def _chosen(self, levels, locator, values):
        """The levels that are asked for, or as many good ones."""
        if levels is not None and not isinstance(levels, int):
            found = [float(level) for level in _data.flat(levels)]
            if any(low >= high for low, high in zip(found, found[1:])):
                raise ValueError("Contour levels must be increasing")
            if self.filled and len(found) < 2:
                raise ValueError("Filled contours require at least 2 levels.")
            return found
        if locator is None:
            is_log = type(self.norm).__name__ == "LogNorm"
            locator = LogLocator() if is_log else MaxNLocator((7 if levels is None else levels) + 1, min_n_ticks=1)
        low = min((value for value in values if value > 0), default=1.0) if isinstance(locator, LogLocator) else self.zmin
        found = locator.tick_values(low, self.zmax)
        first = max((place for place, level in enumerate(found) if level < low), default=0)
        last = next((place + 1 for place, level in enumerate(found) if level > self.zmax), len(found))
        return found if last - first < 3 else found[first:last]

    collections = property(lambda self: [self])

    def extent(self):
        return [x for row in self._field.xs for x in row], [y for row in self._field.ys for y in row]

    def stickies(self):
        xs, ys = self.extent()
        return (min(xs), max(xs)), (min(ys), max(ys))

    def _paths(self, canvas, level, area):
        """The path of a level in the picture."""
        field, transform, path = self._field, self.get_transform(), ""
        for walk in field.walks(level, area):
            points = [field.place(key, level) for key in walk]
            xs, ys = transform.points([x for x, _ in points], [y for _, y in points])
            if area:
                path += canvas.polyline(xs[:-1], ys[:-1], True)
            else:
                path += self._broken(canvas, xs, ys)
        return path

    def _broken(self, canvas, xs, ys):
        """The path of a line without what is behind labels."""
        if not self._gaps:
            return canvas.polyline(xs, ys)
        path, across, up = "", [], []
        for x, y in zip(xs, ys):
            if any((x - a) ** 2 + (y - b) ** 2 < reach * reach for a, b, reach in self._gaps):
                path += canvas.polyline(across, up) if len(across) > 1 else ""
                across, up = [], []
            else:
                across.append(x)
                up.append(y)
        return path + (canvas.polyline(across, up) if len(across) > 1 else "")

    def draw_on(self, canvas):
        self._draw(canvas, self._clip_of(canvas), self.colours(self._p["alpha"]))

    def legend_elements(self, variable_name="x", str_format=str):
        from matplotlib.lines import Line2D

        handles = [Line2D([], [], color=colour) for colour in self.colours()]
        return handles, [f"${variable_name} = {str_format(level)}$" for level in self.levels]


class ContourLines(ContourSet):
    zorder = 2

    def _width_of(self, place):
        widths = rcParams["lines.linewidth"] if self._p["linewidths"] is None else self._p["linewidths"]
        return _data.spread(widths, place + 1)[place]

    def _style_of(self, place):
        styles = self._p["linestyles"]
        if styles is None:
            negative = self._p["negative_linestyles"] or rcParams["contour.negative_linestyle"]
            return negative if self._is_plain and self.levels[place] < -1e-14 * (self.zmax - self.zmin) else "-"
        return styles if isinstance(styles, (str, tuple)) else styles[place % len(styles)]

    def _draw(self, canvas, clip, colours):
        self._lay_labels()
        for place, (level, colour) in enumerate(zip(self.levels, colours)):
            width = self._width_of(place)
            dash = _svg.dashes(self._style_of(place), width)
            canvas.path(self._paths(canvas, level, False), canvas.paint(None, colour, width, dash), clip)

    def set_linewidth(self, width):
        self._p["linewidths"] = width

    def clabel(self, levels=None, *, fontsize=None, inline=True, inline_spacing=5, fmt=None, colors=None,
               use_clabeltext=False,
               manual=False, rightside_up=True, zorder=None):
        """Writes the levels on their lines."""
        fontsize = _svg.points_of(rcParams["font.size"] if fontsize is None else fontsize)
        chosen = self.levels if levels is None else _data.flat(levels)
        own, formatter = self.colours(), ScalarFormatter()
        formatter.axis = self
        texts = formatter.format_ticks(self.levels)
        for place, level in enumerate(self.levels):
            if not any(abs(level - other) < 1e-12 for other in chosen):
                continue
            text = texts[place] if fmt is None else self._written(level, fmt)
            colour = (
                own[place] if colors is None else colors if isinstance(colors, (str, tuple)) else colors[place % len(colors)]
            )
            wide = _svg._mathtext.width(text) * fontsize
            for walk in self._field.walks(level, False):
                points = [self._field.place(key, level) for key in walk]
                label = self.axes.text(*points[len(points) // 2], text, color=colour, fontsize=fontsize, ha="center",
                                       va="center",
                                       rotation_mode="anchor", clip_on=True, zorder=zorder or 3)
                label._walk, label._wide, label._spacing = points, wide, inline_spacing if inline else None
                self.labelTexts.append(label)
        return self.labelTexts

    def get_view_interval(self):
        return self.levels[0], self.levels[-1]

    @staticmethod
    def _written(level, fmt):
        if isinstance(fmt, dict):
            return fmt.get(level, f"{level:1.3f}")
        return fmt(level) if callable(fmt) else fmt.format(level) if "{" in fmt else fmt % level

    def _lay_labels(self):
        """Puts labels where their lines are nearly straight, turned with them, and notes the gaps."""
        self._gaps, kept = [], []
        for label in self.labelTexts:
            points, wide = label._walk, label._wide
            xs, ys = self.axes.transData.points([x for x, _ in points], [y for _, y in points])
            label._p["visible"] = max(max(xs) - min(xs), max(ys) - min(ys)) > 1.2 * wide
            if not label._p["visible"]:
                continue
            best = None
            step = max(len(xs) // 40, 1)
            for at in range(0, len(xs), step):
                end, reach = at, 0.0
                while end < len(xs) - 1 and reach < wide:
                    reach += math.hypot(xs[end + 1] - xs[end], ys[end + 1] - ys[end])
                    end += 1
                if reach < wide:
                    break
                bend = reach - math.hypot(xs[end] - xs[at], ys[end] - ys[at])
                middle = (at + end) // 2
                near = sum(math.hypot(xs[middle] - x, ys[middle] - y) < 1.5 * wide for x, y in kept)
                rank = near, round(bend), abs(middle - len(xs) / 2)
                if best is None or rank < best[0]:
                    best = rank, middle, math.degrees(math.atan2(ys[end] - ys[at], xs[end] - xs[at]))
            if best is None:
                label._p["visible"] = False
                continue
            _, middle, angle = best
            label.set_position(points[middle])
            label._p["rotation"] = (angle + 90) % 180 - 90
            kept.append((xs[middle], ys[middle]))
            if label._spacing is not None:
                self._gaps.append((xs[middle], ys[middle], wide / 2 + label._spacing * 0.4))


class ContourArea(ContourSet):
    filled = True

    def _draw(self, canvas, clip, colours):
        levels, lowest = list(self.levels), -math.inf
        if self.extend in ("min", "both"):
            levels.insert(0, lowest)
        if self.extend in ("max", "both"):
            levels.append(math.inf)
        # What is in the greatest number itself belongs to the last area.
        edge = [math.nextafter(level, math.inf) if level == self.zmax and at else level for at, level in enumerate(levels)]
        paths = [self._paths(canvas, max(level, self.zmin), True) if level <= self.zmax else "" for level in edge]
        opaque = all(colour[3] == 1 for colour in colours)
        for place, colour in enumerate(colours):
            # Areas that hide each other leave no gaps; those that are seen through are cut out.
            path = paths[place] + (paths[-1] if opaque else paths[place + 1])
            canvas.path(path, canvas.paint(colour), clip, ' fill-rule="evenodd"')


QuadContourSet = ContourSet
