"""What plots draw of lines and points."""

from matplotlib import _data, rcParams
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.colors import colour_list, is_color_like
from matplotlib.container import ErrorbarContainer, StemContainer
from matplotlib.lines import AxLine, Line2D, parsed_format, steps
from matplotlib.patches import Polygon, Rectangle


def _size(values):
    """The shape of a list as NumPy writes it."""
    return _data.shape(values) or (len(values),)


class LinesMixin:
    def _lines_of(self, args, look, where, data=None):
        """The lines of arguments as `plot` has them: [x], y, [format], again and again."""
        rest, made = list(args), []
        while rest:
            part = [rest.pop(0)]
            if rest and not isinstance(rest[0], str) or rest and data is not None and rest[0] in data:
                part.append(rest.pop(0))
            text = rest.pop(0) if rest and isinstance(rest[0], str) else ""
            if data is not None:
                part = [data[key] if isinstance(key, str) and key in data else key for key in part]
            made += self._lines_of_one(part, text, look, where)
        return made

    def _lines_of_one(self, part, text, look, where):
        style, marker, colour = parsed_format(text)
        given = {key: value for key, value in (("linestyle", style), ("marker", marker), ("color", colour))
                 if value is not None}
        names = Line2D._ALIASES
        look = {names.get(key, key): value for key, value in look.items()}
        if given and "color" in given and "color" in look and look["color"] is None:
            look = {key: value for key, value in look.items() if key != "color"}
        given.update(look)
        for axis, value in zip((self.xaxis, self.yaxis), part if len(part) == 2 else (None, part[0])):
            axis.note_dates(value)
        values = [_data.plain(value) for value in part]
        values = [value if isinstance(value, list) else [value] for value in values]
        if len(values) == 2:
            x, y = values
            if len(x) != len(y):
                raise ValueError(f"x and y must have same first dimension, but have shapes {_size(x)} and {_size(y)}")
        else:
            y = values[0]
            x = list(range(len(y)))
        across, up = _data.columns(x), _data.columns(y)
        if len(across) > 1 and len(up) > 1 and len(across) != len(up):
            raise ValueError(f"x has {len(across)} columns but y has {len(up)} columns")
        count = max(len(across), len(up))
        labels = given.pop("label", None)
        if count != 1 and not isinstance(labels, str) and hasattr(labels, "__len__"):
            if len(labels) != count:
                raise ValueError(f"label must be scalar or have the same length as the input data, but found {len(labels)} "
                                 "for "
                                 f"{count} datasets.")
        elif isinstance(labels, (list, tuple)) and count == 1 and len(labels) == 1:
            labels = [labels[0]]
        else:
            labels = [labels] * count
        made = []
        for place in range(count):
            xs = self.xaxis.numbers(across[place % len(across)])
            ys = self.yaxis.numbers(up[place % len(up)])
            own = dict(given)
            missing = {key: value for key, value in self._cycle_look(own).items() if own.get(key) is None}
            own.update(missing)
            line = Line2D(xs, ys, where=where, **own)
            if labels[place] is not None:
                line.set_label(labels[place])
            made.append(line)
        return made

    def _cycle_look(self, given):
        """What the next line takes from the cycle, which goes on only where something is needed."""
        keys = rcParams["axes.prop_cycle"].keys | {"color"}
        if all(given.get(key) is not None for key in keys):
            return {}
        return {"color": "k", **self._next_look()}

    def plot(self, *args, scalex=True, scaley=True, data=None, **properties):
        """Lines through points, or marks at them."""
        if not args:
            return []
        made = self._lines_of(args, properties, "plot", data)
        for line in made:
            self._add(line, ("x" if scalex else "") + ("y" if scaley else ""))
        return made

    def _plot_scaled(self, names, args, properties):
        more = {key: properties.pop(key) for key in ("base", "subs", "nonpositive") if key in properties}
        for name in names:
            self._change_scale(name, "log", **more)
        return self.plot(*args, **properties)

    def loglog(self, *args, **properties):
        return self._plot_scaled("xy", args, properties)

    def semilogx(self, *args, **properties):
        return self._plot_scaled("x", args, properties)

    def semilogy(self, *args, **properties):
        return self._plot_scaled("y", args, properties)

    def step(self, x, y, *args, where="pre", data=None, **properties):
        if where not in ("pre", "post", "mid"):
            raise ValueError(f"{where!r} is not a valid value for where; supported values are 'pre', 'post', 'mid'")
        return self.plot(x, y, *args, data=data, **{**properties, "drawstyle": f"steps-{where}"})

    def plot_date(self, x, y, fmt="o", **properties):
        return self.plot(x, y, fmt, **properties)

    def scatter(self, x, y, s=None, c=None, *, marker=None, cmap=None, norm=None, vmin=None, vmax=None, alpha=None,
                linewidths=None, edgecolors=None, plotnonfinite=False, data=None, colorizer=None, **properties):
        """Marks at points, of sizes and colours of their own."""
        if data is not None:
            x, y, s, c = (data[key] if isinstance(key, str) and key in data else key for key in (x, y, s, c))
        xs, ys = self.xaxis.take(x), self.yaxis.take(y)
        if len(xs) != len(ys):
            raise ValueError("x and y must be the same size")
        sizes = [rcParams["lines.markersize"] ** 2] if s is None else [float(size) for size in _data.flat(s)]
        if len(sizes) not in (1, len(xs)):
            raise ValueError("s must be a scalar, or float array-like with the same size as x and y")
        colours = self._scatter_colours(c, len(xs), properties)
        marker = rcParams["scatter.marker"] if marker is None else marker
        alpha = properties.pop("alpha", alpha)
        edge = edgecolors
        for key in ("edgecolor", "ec"):
            edge = properties.pop(key, edge)
        for key in ("linewidth", "lw"):
            linewidths = properties.pop(key, linewidths)
        made = PathCollection(xs, ys, sizes, marker, cmap=cmap, norm=norm, alpha=alpha, linewidth=linewidths,
                              edgecolor=rcParams["scatter.edgecolors"] if edge is None else edge)
        if isinstance(colours, tuple):
            made.set_array(colours[0])
            made._scaled_by(vmin, vmax, norm)
            made.norm.autoscale_None(made._values)
        else:
            made.set_facecolor(colours)
            for name, value in (("cmap", cmap), ("vmin", vmin), ("vmax", vmax)):
                if value is not None:
                    _data.warn(f"No data for colormapping provided via 'c'. Parameters '{name}' will be ignored")
        made._given(properties, "scatter")
        return self._add(made)

    def _scatter_colours(self, c, count, properties):
        """Colours as a list, or numbers for the map in a tuple."""
        for key in ("color", "facecolors", "facecolor", "fc"):
            if key in properties and (c is None or key == "color"):
                if c is not None and key == "color":
                    raise ValueError("Supply a 'c' argument or a 'color' kwarg but not both; they differ but their "
                                     "functionalities "
                                     "overlap.")
                c = properties.pop(key)
                if key == "color":
                    properties.setdefault("edgecolor", c)
                return c if c is not None else self._next_colour()
        if c is None:
            return self._next_colour()
        if isinstance(c, str):
            if c.lower() != "none" and not is_color_like(c):
                raise ValueError(f"'c' argument must be a color, a sequence of colors, or a sequence of numbers, not {c!r}")
            return c
        values = (
            list(c) if isinstance(c, (list, tuple)) and any(isinstance(part, (str, tuple)) for part in c) else _data.plain(c)
        )
        if not isinstance(values, list):
            return ([values],) if count == 1 else values
        if values and any(isinstance(part, (str, tuple)) for part in values):
            rows = colour_list(values)
            if len(rows) not in (1, count):
                raise ValueError(f"'c' argument has {len(rows)} elements, which is inconsistent with 'x' and 'y' with size "
                                 f"{count}.")
            return values
        shape = _data.shape(values)
        numbers = _data.flat(values)
        if len(numbers) == count and not (len(shape) == 2 and shape[0] == 1 and shape[1] in (3, 4) and count in (3, 4)):
            return (numbers,)
        if len(shape) == 1 and shape[0] in (3, 4) and all(0 <= part <= 1 for part in values):
            return values
        if len(shape) == 2 and shape[1] in (3, 4) and shape[0] in (1, count):
            return values
        raise ValueError(f"'c' argument has {len(numbers)} elements, which is inconsistent with 'x' and 'y' with size "
                         f"{count}.")

    def _across(self, name, value, low, high, properties, where):
        """A line over the whole plot at a place of the other axis."""
        transform = self._ytransform if name == "y" else self._xtransform
        place = getattr(self, f"{name}axis").numbers([_data.plain(value)])[0]
        bounds = getattr(self, f"get_{name}bound")()
        outside = not bounds[0] <= place <= bounds[1]
        ends, there = [low, high], [place, place]
        line = Line2D(*((ends, there) if name == "y" else (there, ends)), where=where, transform=transform, **properties)
        return self._add(line, name if outside else "")

    def axhline(self, y=0, xmin=0, xmax=1, **properties):
        return self._across("y", y, xmin, xmax, properties, "axhline")

    def axvline(self, x=0, ymin=0, ymax=1, **properties):
        return self._across("x", x, ymin, ymax, properties, "axvline")

    def axline(self, xy1, xy2=None, *, slope=None, **properties):
        if (xy2 is None) == (slope is None):
            raise TypeError("Exactly one of 'xy2' and 'slope' must be given")
        line = self._add(AxLine(tuple(xy1), xy2, slope, **properties), reach=False)
        for x, y in [xy1] if xy2 is None else [xy1, xy2]:
            self._take("x", [float(x)])
            self._take("y", [float(y)])
        return line

    def _span_rectangle(self, name, start, end, low, high, properties, where):
        start, end = getattr(self, f"{name}axis").numbers([_data.plain(start), _data.plain(end)])
        box = (low, start, high - low, end - start) if name == "y" else (start, low, end - start, high - low)
        shape = Rectangle(box[:2], *box[2:], where=where, transform=self._ytransform if name == "y" else self._xtransform,
                          **properties)
        return self._add(shape, name)

    def axhspan(self, ymin, ymax, xmin=0, xmax=1, **properties):
        return self._span_rectangle("y", ymin, ymax, xmin, xmax, properties, "axhspan")

    def axvspan(self, xmin, xmax, ymin=0, ymax=1, **properties):
        return self._span_rectangle("x", xmin, xmax, ymin, ymax, properties, "axvspan")

    def _parallel(self, upright, places, starts, ends, colors, linestyles, label, properties, where):
        name, other = ("x", "y") if upright else ("y", "x")
        places, starts, ends = _data.broadcast(getattr(self, f"{name}axis").take(places), starts, ends)
        segments = [
            [[place, start], [place, end]] if upright else [[start, place], [end, place]] for place, start,
            end in zip(places, starts, ends)
        ]
        colors = rcParams["lines.color"] if colors is None else colors
        properties = {"colors": colors, "linestyles": linestyles, **properties}
        if label:
            properties["label"] = label
        for key in ("color", "edgecolor", "ec"):
            if key in properties:
                properties["colors"] = properties.pop(key)
        return self._add(LineCollection(segments, where=where, **properties))

    def vlines(self, x, ymin, ymax, colors=None, linestyles="solid", label="", data=None, **properties):
        return self._parallel(True, x, ymin, ymax, colors, linestyles, label, properties, "vlines")

    def hlines(self, y, xmin, xmax, colors=None, linestyles="solid", label="", data=None, **properties):
        return self._parallel(False, y, xmin, xmax, colors, linestyles, label, properties, "hlines")

    def eventplot(self, positions, orientation="horizontal", lineoffsets=1, linelengths=1, linewidths=None, colors=None,
                  alpha=None, linestyles="solid", **properties):
        rows = _data.plain(positions)
        rows = rows if rows and isinstance(rows[0], list) else [rows]
        offsets, lengths = _data.spread(lineoffsets, len(rows)), _data.spread(linelengths, len(rows))
        if lineoffsets == 1:
            offsets = list(range(1, len(rows) + 1)) if len(rows) > 1 else [1]
        made = []
        for place, row in enumerate(rows):
            colour = colors if colors is None or isinstance(colors, str) else colors[place % len(colors)]
            low, high = offsets[place] - lengths[place] / 2, offsets[place] + lengths[place] / 2
            made.append(self._parallel(orientation == "horizontal", row, low, high, colour, linestyles, "",
                                       {"linewidth": linewidths, "alpha": alpha, **properties}, "eventplot"))
        return made

    def stem(self, *args, linefmt=None, markerfmt=None, basefmt=None, bottom=0, label=None, orientation="vertical",
             use_line_collection=True, data=None):
        """Marks on lines that stand on a base."""
        args = list(args)
        if len(args) > 1 and not isinstance(args[1], str):
            x, y, *rest = args
        else:
            y, *rest = args
            x = range(len(_data.flat(y)))
        for text, name in zip(rest, ("linefmt", "markerfmt", "basefmt")):
            linefmt = text if name == "linefmt" else linefmt
            markerfmt = text if name == "markerfmt" else markerfmt
            basefmt = text if name == "basefmt" else basefmt
        style, marker, colour = parsed_format(linefmt or "C0-")
        colour, style = colour or "C0", style or "-"
        if markerfmt is None:
            markerfmt = "o"
        own_style, own_marker, own_colour = parsed_format(markerfmt)
        base_style, base_marker, base_colour = parsed_format(basefmt or "C3-")
        xs, ys = self.xaxis.take(x), self.yaxis.take(y)
        upright = orientation == "vertical"
        stems = self._parallel(upright, xs, bottom, ys, colour, style, "", {}, "stem")
        across, up = (xs, ys) if upright else (ys, xs)
        (marks,) = self.plot(across, up, linestyle=own_style or "None", marker=own_marker or "o", color=own_colour or colour,
                             label="_nolegend_")
        ends, there = [min(xs), max(xs)], [bottom, bottom]
        (base,) = self.plot(*((ends, there) if upright else (there, ends)), linestyle=base_style or "-",
                            color=base_colour or "C3",
                            marker=base_marker or "None", label="_nolegend_")
        return self.add_container(StemContainer((marks, stems, base), label=label))

    def errorbar(self, x, y, yerr=None, xerr=None, fmt="", *, ecolor=None, elinewidth=None, capsize=None, barsabove=False,
                 lolims=False, uplims=False, xlolims=False, xuplims=False, errorevery=1, capthick=None, elinestyle=None,
                 data=None, **properties):
        """A line with how far its points may be off."""
        label, zorder = properties.pop("label", None), properties.pop("zorder", 2)
        xs, ys = self.xaxis.take(x), self.yaxis.take(y)
        if len(xs) != len(ys):
            raise ValueError("'x' and 'y' must have the same size")
        hides = isinstance(fmt, str) and fmt.lower() == "none"
        (line,) = self._lines_of_one([xs, ys], "" if hides else fmt, properties, "errorbar")
        line.set_zorder(zorder)
        line.set_label("_nolegend_")
        if hides:
            line = None
        else:
            self._add(line)
        colour = (
            ecolor if ecolor is not None else (line._p["color"] if line else properties.get("color") or self._next_colour())
        )
        width = (
            elinewidth if elinewidth is not None
            else properties.get("linewidth", properties.get("lw", rcParams["lines.linewidth"]))
        )
        cap = rcParams["errorbar.capsize"] if capsize is None else capsize
        look = {"linewidth": width, "alpha": properties.get("alpha"), "zorder": zorder}
        bars, caps = [], []
        start, every = errorevery if isinstance(errorevery, tuple) else (0, errorevery)
        for errors, name in ((xerr, "x"), (yerr, "y")):
            if errors is None:
                continue
            here, there = (xs, ys) if name == "x" else (ys, xs)
            lows, highs = self._errors(errors, len(here), name)
            lows = [value - error for value, error in zip(here, lows)][start::every]
            highs = [value + error for value, error in zip(here, highs)][start::every]
            there = there[start::every]
            bars.append(self._parallel(name == "y", there, lows, highs, colour, elinestyle or "solid", "", look, "errorbar"))
            if cap > 0:
                for ends in (lows, highs):
                    caps.append(self._add(Line2D(
                        *((ends, there) if name == "x" else (there, ends)), marker="|" if name == "x" else "_",
                        markersize=2 * cap,
                        linestyle="None", color=colour, markeredgewidth=capthick or rcParams["lines.markeredgewidth"],
                        alpha=properties.get("alpha"), zorder=zorder, label="_nolegend_")))
        made = ErrorbarContainer((line, tuple(caps), tuple(bars)), label=label, has_xerr=xerr is not None,
                                 has_yerr=yerr is not None)
        return self.add_container(made)

    @staticmethod
    def _errors(errors, count, name):
        """How far values may be too large and too small."""
        errors = _data.plain(errors)
        if any(error < 0 for error in _data.flat(errors)):
            raise ValueError(f"'{name}err' must not contain negative values")
        if not isinstance(errors, list):
            return [errors] * count, [errors] * count
        if len(_data.shape(errors)) == 2:
            lows, highs = errors
        else:
            lows = highs = errors
        if len(lows) not in (1, count):
            raise ValueError(f"'{name}err' (shape: {_data.shape(errors)}) must be a scalar or a 1D or (2, n) array-like "
                             "whose shape "
                             f"matches '{name}' (shape: ({count},))")
        return (lows * count, highs * count) if len(lows) == 1 else (lows, highs)

    def _fill(self, name, there, first, second, where, interpolate, step, properties):
        """The area between two lines; `name` is the axis along which they go."""
        along = self.xaxis if name == "x" else self.yaxis
        there, first, second = _data.broadcast(along.take(there), first, second)
        chosen = [True] * len(there) if where is None else [bool(part) for part in _data.flat(where)]
        if len(chosen) != len(there):
            raise ValueError(f"where size ({len(chosen)}) does not match {name!r} size ({len(there)})")
        chosen = [is_in and x - x == 0 and a - a == 0 and b - b == 0 for is_in, x, a, b in zip(chosen, there, first, second)]
        polygons, start = [], None
        for place in range(len(there) + 1):
            is_in = place < len(there) and chosen[place]
            if is_in and start is None:
                start = place
            elif not is_in and start is not None:
                if place - start > 1 or step:
                    at, low, high = there[start:place], first[start:place], second[start:place]
                    if interpolate:
                        at, low, high = self._to_crossings(there, first, second, start, place)
                    style = f"steps-{step}" if step else None
                    (at_low, low), (at_high, high) = steps(at, low, style), steps(at, high, style)
                    polygons.append((at_low + at_high[::-1], low + high[::-1]))
                start = None
        if not any(key in properties for key in ("color", "facecolor", "facecolors", "fc")):
            properties["facecolor"] = self._next_colour()
        verts = [[[x, y] if name == "x" else [y, x] for x, y in zip(*polygon)] for polygon in polygons]
        made = PolyCollection(verts, where="fill_between", **properties)
        return self._add(made)

    @staticmethod
    def _to_crossings(there, first, second, start, end):
        """A part of two lines, as far as where they meet."""
        at, low, high = there[start:end], first[start:end], second[start:end]
        for place, side in ((start, -1), (end - 1, 1)):
            other = place + side
            if 0 <= other < len(there):
                here, away = first[place] - second[place], first[other] - second[other]
                if here * away <= 0 and here != 0:
                    part = here / (here - away)
                    x = there[place] + part * (there[other] - there[place])
                    y = first[place] + part * (first[other] - first[place])
                    at, low, high = ([x, *at], [y, *low], [y, *high]) if side < 0 else ([*at, x], [*low, y], [*high, y])
        return at, low, high

    def fill_between(self, x, y1, y2=0, where=None, interpolate=False, step=None, *, data=None, **properties):
        return self._fill("x", x, y1, y2, where, interpolate, step, properties)

    def fill_betweenx(self, y, x1, x2=0, where=None, step=None, interpolate=False, *, data=None, **properties):
        return self._fill("y", y, x1, x2, where, interpolate, step, properties)

    def fill(self, *args, data=None, **properties):
        rest, made = list(args), []
        while len(rest) > 1:
            x, y = self.xaxis.numbers(_data.flat(rest.pop(0))), self.yaxis.numbers(_data.flat(rest.pop(0)))
            text = rest.pop(0) if rest and isinstance(rest[0], str) else ""
            _, _, colour = parsed_format(text)
            own = dict(properties)
            if not any(key in own for key in ("color", "facecolor", "fc")):
                own["color"] = colour or self._next_colour()
            made.append(self._add(Polygon([list(pair) for pair in zip(x, y)], where="fill", **own)))
        return made

    def stackplot(self, x, *args, labels=(), colors=None, hatch=None, baseline="zero", data=None, **properties):
        """Areas on top of each other."""
        rows = (
            _data.plain(args[0]) if len(args) == 1 and len(_data.shape(_data.plain(args[0]))) == 2
            else [_data.flat(row) for row in args]
        )
        count = len(rows[0])
        if baseline == "zero":
            low = [0.0] * count
        elif baseline == "sym":
            low = [-sum(row[place] for row in rows) / 2 for place in range(count)]
        else:
            high = len(rows)
            low = [-sum((high - 0.5 - at) * row[place] for at, row in enumerate(rows)) / high for place in range(count)]
        labels, made = iter(labels), []
        for at, row in enumerate(rows):
            top = [a + b for a, b in zip(low, row)]
            colour = colors[at % len(colors)] if colors else self._next_look().get("color", "C0")
            label = next(labels, None)
            made.append(self.fill_between(x, low, top, facecolor=colour, **({} if label is None else {"label": label}),
                                          **properties))
            if at == 0:
                made[0]._sticky = ((), (0,)) if baseline == "zero" else ((), ())
            low = top
        return made
