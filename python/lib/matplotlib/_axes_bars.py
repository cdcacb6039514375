"""What plots draw of counts and shares: bars, histograms, boxes, pies, tables."""

import math

from matplotlib import _data, rcParams
from matplotlib._bins import bin_edges, counted, density_at, quantile, running
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import colour_list, is_color_like
from matplotlib.container import BarContainer, HistContainer
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon, Rectangle, Wedge


class BarsMixin:
    def _bars(self, places, lengths, widths, base, align, upright, properties, where):
        """Bars; `places` are along the axis on which they stand."""
        along, up = (self.xaxis, self.yaxis) if upright else (self.yaxis, self.xaxis)
        names = _data.flat(places)
        names = [str(name) for name in names] if _data.has_text(names) else None
        if properties.pop("log", False):
            self._change_scale("y" if upright else "x", "log", nonpositive="clip")
        is_log = up.get_scale() == "log"
        if base is None:
            base = 0
        given = {"x" if upright else "y": along.take(places),
                 "height" if upright else "width": _data.flat(lengths)}
        (first, places), (second, lengths) = given.items()
        if len(places) != len(lengths) and 1 not in (len(places), len(lengths)):
            raise ValueError("shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between "
                             f"{first!r} with shape ({len(places)},) and {second!r} with shape ({len(lengths)},).")
        places, lengths, widths, base = _data.broadcast(places, lengths, widths, base)
        count = len(places)
        errors = {key: properties.pop(key, None) for key in ("xerr", "yerr")}
        look = properties.pop("error_kw", None) or {}
        ecolor, capsize = properties.pop("ecolor", "k"), properties.pop("capsize", rcParams["errorbar.capsize"])
        colour = properties.pop("color", None)
        face = properties.pop("facecolor", properties.pop("fc", None))
        edge = properties.pop("edgecolor", properties.pop("ec", None))
        width = properties.pop("linewidth", properties.pop("lw", None))
        label, labels = properties.pop("label", ""), None
        ticks, hatch = properties.pop("tick_label", None), properties.pop("hatch", None)
        if not isinstance(label, str) and hasattr(label, "__len__"):
            labels, label = [str(part) for part in label], ""
            if len(labels) != count:
                raise ValueError(f"number of labels ({len(labels)}) does not match number of bars ({count}).")
        if colour is None and face is None:
            colour = self._next_colour()
        faces = colour_list(colour if face is None else face) or ["none"]
        edges = [None] if edge is None else colour_list(edge) or ["none"]
        made = []
        for place in range(count):
            wide, long, low = widths[place], lengths[place], base[place]
            start = places[place] - (wide / 2 if align == "center" else 0)
            box = (start, low, wide, long) if upright else (low, start, long, wide)
            bar = Rectangle(box[:2], *box[2:], where=where, facecolor=faces[place % len(faces)],
                            edgecolor=edges[place % len(edges)])
            bar._p.update(linewidth=_data.spread(width, count)[place], hatch=_data.spread(hatch, count)[place])
            bar._p["label"] = labels[place] if labels else "_nolegend_"
            bar._given(properties, where)
            bar._sticky = ((), (low,)) if upright else ((low,), ())
            made.append(self._add(bar, ""))
        if is_log:
            # Bars start at nothing, which no logarithm reaches.
            self._reach["y" if upright else "x"] = self._above_nothing("y" if upright else "x", made, upright)
        self._changed()
        container = BarContainer(made, label, datavalues=lengths, orientation="vertical" if upright else "horizontal",
                                 names=names)
        if errors["xerr"] is not None or errors["yerr"] is not None:
            ends = [low + long for low, long in zip(base, lengths)]
            middles = [place + (0 if align == "center" else wide / 2) for place, wide in zip(places, widths)]
            x, y = (middles, ends) if upright else (ends, middles)
            look = {"ecolor": ecolor, "capsize": capsize, "label": "_nolegend_", **look}
            container.errorbar = self.errorbar(x, y, yerr=errors["yerr"], xerr=errors["xerr"], fmt="none", **look)
        if ticks is not None:
            along.set_ticks(places, labels=_data.spread(ticks, count))
        return self.add_container(container)

    def _above_nothing(self, name, bars, upright):
        low, high, least = self._reach[name]
        tops = [bar._box[1 if upright else 0] + bar._box[3 if upright else 2] for bar in bars]
        tops = [top for top in tops if top > 0]
        least = min([least, *tops])
        return (least if low <= 0 and math.isfinite(least) else low), high, least

    def bar(self, x, height, width=0.8, bottom=None, *, align="center", data=None, **properties):
        if data is not None:
            x, height = (data[key] if isinstance(key, str) else key for key in (x, height))
        return self._bars(x, height, width, bottom, align, True, properties, "bar")

    def barh(self, y, width, height=0.8, left=None, *, align="center", data=None, **properties):
        if data is not None:
            y, width = (data[key] if isinstance(key, str) else key for key in (y, width))
        return self._bars(y, width, height, left, align, False, properties, "barh")

    def bar_label(self, container, labels=None, *, fmt="%g", label_type="edge", padding=0, **properties):
        """Numbers at the ends, or in the middle, of bars."""
        made, upright = [], container.orientation != "horizontal"
        tips = [0.0] * len(container)
        if container.errorbar is not None and container.errorbar[2]:
            tips = [abs(ups[-1] - ups[0]) / 2 + abs(across[-1] - across[0]) / 2 for across,
                    ups in container.errorbar[2][0]._lines]
        for place, (bar, value) in enumerate(zip(container, container.datavalues)):
            x, y, width, height = bar._box
            text = (
                labels[place] if labels is not None else fmt(value) if callable(fmt) else fmt.format(value) if "{" in fmt
                else fmt % value
            )
            sign, over = 1 if value >= 0 else -1, tips[place]
            if label_type == "center":
                at, offset = (x + width / 2, y + height / 2), (0, 0)
                look = {"ha": "center", "va": "center"}
            elif upright:
                at, offset = (x + width / 2, y + height + sign * over), (0, sign * padding)
                look = {"ha": "center", "va": "bottom" if sign > 0 else "top"}
            else:
                at, offset = (x + width + sign * over, y + height / 2), (sign * padding, 0)
                look = {"ha": "left" if sign > 0 else "right", "va": "center"}
            made.append(self.annotate(text, at, xytext=offset, textcoords="offset points", **{**look, **properties}))
        return made

    def broken_barh(self, xranges, yrange, align="bottom", **properties):
        low, high = yrange
        return [self._add(Rectangle((start, low), length, high, where="broken_barh", **properties)) for start,
                length in xranges]

    def hist(self, x, bins=None, *, range=None, density=False, weights=None, cumulative=False, bottom=None, histtype="bar",
             align="mid", orientation="vertical", rwidth=None, log=False, color=None, label=None, stacked=False, data=None,
             **properties):
        """How many numbers lie in each of some bins."""
        if data is not None and isinstance(x, str):
            x = data[x]
        if histtype not in ("bar", "barstacked", "step", "stepfilled"):
            raise ValueError(f"{histtype!r} is not a valid value for histtype; supported values are 'bar', 'barstacked', "
                             "'step', "
                             "'stepfilled'")
        stacked = stacked or histtype == "barstacked"
        upright = orientation == "vertical"
        along = self.xaxis if upright else self.yaxis
        sets = [along.numbers(values) for values in self._sets(x)]
        heavy = [None] * len(sets) if weights is None else self._sets(weights)
        if any(part is not None and len(part) != len(values) for part,
               values in zip(heavy, sets)) or len(heavy) != len(sets):
            raise ValueError("weights should have the same shape as x")
        if color is None:
            colours = [self._next_look().get("color", "k") for _ in sets]
        else:
            colours = [color] * len(sets) if is_color_like(color) else list(color)
            if len(colours) != len(sets):
                raise ValueError("The 'color' keyword argument must have one color per dataset, but "
                                 f"{len(sets)} datasets and {len(colours)} colors were provided")
        everything = [value for values in sets for value in _data.finite(values)]
        edges = bin_edges(everything, rcParams["hist.bins"] if bins is None else bins, range)
        sizes = [high - low for low, high in zip(edges, edges[1:])]
        tops = [counted(values, edges, weight) for values, weight in zip(sets, heavy)]
        if density and not stacked:
            tops = [[top / size / (sum(row) or math.nan) for top, size in zip(row, sizes)] for row in tops]
        if stacked:
            for low, row in zip(tops, tops[1:]):
                row[:] = [a + b for a, b in zip(low, row)]
            if density:
                total = sum(tops[-1])
                tops = [[top / size / total for top, size in zip(row, sizes)] for row in tops]
        if cumulative:
            step = -1 if not isinstance(cumulative, bool) and cumulative < 0 else 1
            if density:
                tops = [[top * size for top, size in zip(row, sizes)] for row in tops]
            tops = [running(row[::step])[::step] for row in tops]
        draw = self._hist_bars if histtype.startswith("bar") else self._hist_steps
        made = draw(tops, edges, sizes, colours, stacked=stacked, bottom=bottom, align=align, upright=upright, rwidth=rwidth,
                    log=log,
                    histtype=histtype)
        labels = [] if label is None else [label] if isinstance(label, str) or not hasattr(label, "__len__") else list(label)
        if histtype == "step" and not {"edgecolor", "ec", "color"} & set(properties):
            properties["edgecolor"] = colours
        for place, part in enumerate(made):
            own = {key: value[place % len(value)] if isinstance(value, list) else value for key, value in properties.items()}
            for patch in part:
                patch._given(own, "hist")
            if place < len(labels):
                part[0].set_label(str(labels[place])) if isinstance(part, list) else part.set_label(str(labels[place]))
        counts = [_data.array([float(top) for top in row]) for row in tops]
        edges = _data.array(edges)
        if len(sets) == 1:
            return counts[0], edges, made[0]
        return (_data.array([[float(top) for top in row] for row in tops]), edges, made)

    @staticmethod
    def _sets(x):
        """The sets of numbers that a histogram has: the columns of a table, or the lists of a list."""
        is_table = hasattr(x, "shape") and len(x.shape) == 2
        values = _data.plain(x)
        if not isinstance(values, list):
            return [[values]]
        if values and isinstance(values[0], list):
            return [list(column) for column in zip(*values)] if is_table else values
        return [values]

    def _hist_bars(self, tops, edges, sizes, colours, *, stacked, bottom, align, upright, rwidth, log, histtype):
        share = min(max(rwidth, 0), 1) if rwidth is not None else 0.8 if len(tops) > 1 and not stacked else 1.0
        count = 1 if stacked else len(tops)
        widths = [share * size / count for size in sizes]
        shift = {"mid": 0.5, "right": 1.0, "left": 0.0}[align]
        offsets = [shift * size - 0.5 * share * size * (1 - 1 / count) for size in sizes]
        made, base = [], [0.0] * len(sizes) if bottom is None else _data.spread(bottom, len(sizes))
        for row, colour in zip(tops, colours):
            heights = [top - low for top, low in zip(row, base)] if stacked else row
            places = [edge + offset for edge, offset in zip(edges, offsets)]
            bars = self._bars(places, heights, widths, base, "center", upright, {"color": colour, "log": log}, "hist")
            bars.__class__, bars.edges, bars.counts = HistContainer, edges, row
            if stacked:
                base = row
            else:
                offsets = [offset + width for offset, width in zip(offsets, widths)]
            made.append(bars)
        for bars in made[1:]:
            for bar in bars:
                bar._sticky = ((), ())
        return made

    def _hist_steps(self, tops, edges, sizes, colours, *, stacked, bottom, align, upright, rwidth, log, histtype):
        fill = histtype == "stepfilled"
        if log:
            self._change_scale("y" if upright else "x", "log", nonpositive="clip")
        shift = {"mid": 0.0, "left": -0.5, "right": 0.5}[align] * sizes[0]
        across = [edge + shift for edge in edges for _ in (0, 1)]
        low, made = [float(bottom or 0)] * len(across), []
        for row, colour in zip(tops, colours):
            outline = [low[0]] + [top + (bottom or 0) for top in row for _ in (0, 1)] + [low[-1]]
            xs, ys = (across + across[::-1], outline + low[::-1]) if fill else (across, outline)
            points = [[x, y] if upright else [y, x] for x, y in zip(xs, ys)]
            look = {"facecolor": colour} if fill else {"edgecolor": colour, "fill": False, "zorder": 2, "closed": False}
            made.append([Polygon(points, where="hist", **look)])
            made[-1][0].stickies = lambda: ((), (0,)) if upright else ((0,), ())
            if stacked:
                low = [outline[0], *outline[1:-1], outline[-1]]
        for part in reversed(made):
            self._add(part[0])
        return made

    def stairs(self, values, edges=None, *, orientation="vertical", baseline=0, fill=False, data=None, **properties):
        values = _data.flat(values)
        edges = list(range(len(values) + 1)) if edges is None else _data.flat(edges)
        across = [edge for edge in edges for _ in (0, 1)]
        outline = [baseline or 0] + [value for value in values for _ in (0, 1)] + [baseline or 0]
        points = [[x, y] if orientation == "vertical" else [y, x] for x, y in zip(across, outline)]
        colour = properties.pop("color", None) or self._next_look().get("color", "C0")
        look = {"facecolor": colour} if fill else {"edgecolor": colour, "fill": False, "closed": False}
        made = Polygon(points, where="stairs", **{**look, **properties})
        made.stickies = lambda: ((), (baseline,)) if orientation == "vertical" else ((baseline,), ())
        return self._add(made)

    def pie(self, x, *, explode=None, labels=None, colors=None, autopct=None, pctdistance=0.6, shadow=False,
            labeldistance=1.1,
            startangle=0, radius=1, counterclock=True, wedgeprops=None, textprops=None, center=(0, 0), frame=False,
            rotatelabels=False, normalize=True, hatch=None, data=None):
        """Shares of a circle."""
        values = _data.flat(x)
        total = sum(values)
        if any(value < 0 for value in values):
            raise ValueError("Wedge sizes 'x' must be non negative values")
        if not normalize and total > 1:
            raise ValueError("Cannot plot an unnormalized pie with sum(x) > 1")
        shares = [value / total for value in values] if normalize else values
        count = len(values)
        labels = [""] * count if labels is None else labels
        explode = [0] * count if explode is None else explode
        if len(labels) != count:
            raise ValueError(f"'labels' must be of length 'x', not {len(labels)}")
        if len(explode) != count:
            raise ValueError(f"'explode' must be of length 'x', not {len(explode)}")
        wedges, texts, numbers, turn = [], [], [], startangle / 360
        for place, (share, label, out) in enumerate(zip(shares, labels, explode)):
            after = turn + share if counterclock else turn - share
            middle = math.pi * (turn + after)
            dx, dy = math.cos(middle), math.sin(middle)
            x0, y0 = center[0] + out * dx, center[1] + out * dy
            colour = colors[place % len(colors)] if colors else self._next_colour()
            wedge = Wedge((x0, y0), radius, 360 * min(turn, after), 360 * max(turn, after), where="pie",
                          **{"facecolor": colour, "label": str(label), **(wedgeprops or {})})
            wedges.append(self._add(wedge))
            if labeldistance is not None:
                texts.append(self.text(x0 + labeldistance * radius * dx, y0 + labeldistance * radius * dy, label,
                                       ha="left" if dx > 0 else "right",
                                       va="center", **{"fontsize": rcParams["xtick.labelsize"], **(textprops or {})}))
            if autopct is not None:
                text = autopct(100 * share) if callable(autopct) else autopct % (100 * share)
                numbers.append(self.text(x0 + pctdistance * radius * dx, y0 + pctdistance * radius * dy, text, ha="center",
                                         va="center",
                                         **(textprops or {})))
            turn = after
        if not frame:
            self._frame_on = False
            self.xaxis.set_ticks([])
            self.yaxis.set_ticks([])
            self.set_xlim(center[0] - 1.25, center[0] + 1.25)
            self.set_ylim(center[1] - 1.25, center[1] + 1.25)
        self.set_aspect("equal")
        return (wedges, texts, numbers) if autopct is not None else (wedges, texts)

    def boxplot(self, x, notch=None, sym=None, vert=None, whis=None, positions=None, widths=None, patch_artist=None,
                showmeans=None, showcaps=None, showbox=None, showfliers=None, boxprops=None, tick_labels=None, labels=None,
                flierprops=None, medianprops=None, meanprops=None, capprops=None, whiskerprops=None, manage_ticks=True,
                meanline=None, orientation="vertical", zorder=None, label=None, data=None, **properties):
        """Quartiles as boxes, and how far the rest goes."""
        for name in properties:
            _data.unknown("boxplot", name)
        sets = [sorted(_data.finite(values)) for values in self._sets(x)]
        upright = (orientation == "vertical") if vert is None else bool(vert)
        tick_labels = labels if tick_labels is None else tick_labels
        positions = list(range(1, len(sets) + 1)) if positions is None else _data.flat(positions)
        if widths is None:
            widths = [min(max(0.15 * (max(positions) - min(positions)), 0.15), 0.5)] * len(sets)
        widths = _data.spread(widths, len(sets))
        whis = rcParams["boxplot.whiskers"] if whis is None else whis
        names = ("whiskers", "caps", "boxes", "medians", "fliers", "means")
        made = {name: [] for name in names}

        def line(xs, ys, look, own):
            look = {"color": "black", "linewidth": 1.0, **look, **(own or {}), "label": "_nolegend_"}
            return self._add(Line2D(*((xs, ys) if upright else (ys, xs)), where="boxplot", **look))

        setting = lambda name: {"color": rcParams[f"boxplot.{name}.color"]}  # noqa: E731
        for values, at, wide in zip(sets, positions, widths):
            if not values:
                continue
            low, middle, high = (quantile(values, part) for part in (0.25, 0.5, 0.75))
            if isinstance(whis, (int, float)):
                reach = whis * (high - low)
                inside = [value for value in values if low - reach <= value <= high + reach]
            else:
                bottom, top = (quantile(values, part / 100) for part in whis)
                inside = [value for value in values if bottom <= value <= top]
            start, end = min(inside[0], low) if inside else low, max(inside[-1], high) if inside else high
            left, right = at - wide / 2, at + wide / 2
            for a, b in ((low, start), (high, end)):
                made["whiskers"].append(line([at, at], [a, b], setting("whiskerprops"), whiskerprops))
            if showcaps is not False:
                for b in (start, end):
                    made["caps"].append(line([at - wide / 4, at + wide / 4], [b, b], setting("capprops"), capprops))
            if showbox is not False:
                if patch_artist:
                    corners = [[left, low], [right, low], [right, high], [left, high]]
                    look = {"facecolor": rcParams["patch.facecolor"], "edgecolor": "black", **(boxprops or {})}
                    corners = corners if upright else [point[::-1] for point in corners]
                    made["boxes"].append(self._add(Polygon(corners, where="boxplot", zorder=2, **look)))
                else:
                    made["boxes"].append(line([left, right, right, left, left], [low, low, high, high, low],
                                              setting("boxprops"), boxprops))
            made["medians"].append(line([left, right], [middle, middle], setting("medianprops"), medianprops))
            edges = (at - 0.5, at + 0.5)
            made["medians"][-1].stickies = lambda edges=edges: (edges, ()) if upright else ((), edges)
            mean = sum(values) / len(values)
            if showmeans and meanline:
                made["means"].append(line([left, right], [mean, mean], {"color": "C2", "linestyle": "--"}, meanprops))
            elif showmeans:
                made["means"].append(line([at], [mean], {"color": "C2", "marker": "^", "linestyle": "None"}, meanprops))
            if showfliers is not False and sym != "":
                out = [value for value in values if value < start or value > end]
                look = {"marker": "o", "linestyle": "None", "markerfacecolor": "none", **setting("flierprops")}
                made["fliers"].append(line([at] * len(out), out, look, flierprops))
        if manage_ticks:
            axis, name = (self.xaxis, "x") if upright else (self.yaxis, "y")
            texts = [str(at) for at in positions] if tick_labels is None else list(tick_labels)
            self._take(name, [min(positions) - 0.5, max(positions) + 0.5])
            axis.set_ticks(positions, texts)
            self._changed()
        return made

    def violinplot(self, dataset, positions=None, vert=None, widths=0.5, showmeans=False, showextrema=True,
                   showmedians=False,
                   quantiles=None, points=100, bw_method=None, side="both", orientation="vertical", data=None, **properties):
        """How dense numbers lie, as shapes."""
        sets = [_data.finite(values) for values in self._sets(dataset)]
        upright = (orientation == "vertical") if vert is None else bool(vert)
        positions = list(range(1, len(sets) + 1)) if positions is None else _data.flat(positions)
        widths, colour = _data.spread(widths, len(sets)), self._next_look().get("color", "C0")
        made = {"bodies": []}
        lines = {"cmins": [], "cmaxes": [], "cbars": [], "cmeans": [], "cmedians": []}
        for values, at, wide in zip(sets, positions, widths):
            low, high = min(values), max(values)
            places = [low + (high - low) * step / (points - 1) for step in range(points)]
            dense = density_at(values, places, bw_method)
            sizes = [0.5 * wide * part / max(dense) for part in dense]
            left = at if side == "high" else [at - size for size in sizes]
            right = at if side == "low" else [at + size for size in sizes]
            left, right, places = _data.broadcast(left, right, places)
            outline = list(zip(left + right[::-1], places + places[::-1]))
            outline = [[x, y] if upright else [y, x] for x, y in outline]
            made["bodies"].append(self._add(PolyCollection([outline], where="violinplot", facecolor=colour, alpha=0.3)))
            mean, middle = sum(values) / len(values), quantile(sorted(values), 0.5)
            ends = (at - wide / 4, at + wide / 4)
            for name, value, shown in (("cmins", low, showextrema), ("cmaxes", high, showextrema),
                                       ("cmeans", mean, showmeans),
                                       ("cmedians", middle, showmedians)):
                if shown:
                    lines[name].append([[ends[0], value], [ends[1], value]])
            if showextrema:
                lines["cbars"].append([[at, low], [at, high]])
        for name, segments in lines.items():
            if segments:
                segments = segments if upright else [[point[::-1] for point in segment] for segment in segments]
                made[name] = self._add(LineCollection(segments, where="violinplot", color=colour))
        return made

    def table(self, cellText=None, cellColours=None, cellLoc="right", colWidths=None, rowLabels=None, rowColours=None,
              rowLoc="left",
              colLabels=None, colColours=None, colLoc="center", loc="bottom", bbox=None, edges="closed", **properties):
        """Texts in cells below the plot, above it, or in its middle."""
        from matplotlib.table import Table

        made = Table(self, cellText, cellColours, cellLoc, colWidths, rowLabels, rowColours, rowLoc, colLabels, colColours,
                     colLoc, loc, bbox)
        return self._add(made._given(properties, "table"), "", False)
