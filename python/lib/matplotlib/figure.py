"""A figure: plots, what is written around them, and the picture of all."""

import math
import types

from matplotlib import _data, _layout, _svg, rcParams
from matplotlib._output import FigureCanvas
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.gridspec import GridSpec, SubplotSpec
from matplotlib.patches import Patch, Rectangle
from matplotlib.text import Text
from matplotlib.transforms import Affine2D, Bbox, Part, Separate


class Figure(Artist):
    def __init__(self, figsize=None, dpi=None, *, facecolor=None, edgecolor=None, linewidth=0.0, frameon=None,
                 subplotpars=None,
                 tight_layout=None, constrained_layout=None, layout=None, **properties):
        super().__init__()
        self.figure, self.number = self, None
        size = rcParams["figure.figsize"] if figsize is None else figsize
        self.dpi = rcParams["figure.dpi"] if dpi is None else dpi
        self.set_size_inches(size)
        self._own_face = facecolor is not None or rcParams["figure.facecolor"] != "white"
        self._face = rcParams["figure.facecolor"] if facecolor is None else facecolor
        self._edge, self._line = edgecolor, linewidth
        self.frameon = rcParams["figure.frameon"] if frameon is None else frameon
        self.subplotpars = types.SimpleNamespace(**{
            name: rcParams[f"figure.subplot.{name}"] for name in ("left", "bottom", "right", "top", "wspace", "hspace")})
        self._layout = layout
        if tight_layout or rcParams["figure.autolayout"]:
            self._layout = "tight"
        if constrained_layout or rcParams["figure.constrained_layout.use"]:
            self._layout = "constrained"
        self._layout_more = tight_layout if isinstance(tight_layout, dict) else {}
        wide, high = Part(lambda: (0.0, self._points()[0])), Part(lambda: (0.0, self._points()[1]))
        self.transFigure = self.transSubfigure = Separate(wide, high, self)
        self.dpi_scale_trans = Affine2D((72.0, 0.0, 0.0, 72.0, 0.0, 0.0))
        self.canvas = FigureCanvas(self)
        self.patch = Rectangle((0, 0), 1, 1)
        self.patch.set_facecolor = self.set_facecolor
        self.clear()
        self._given(properties, "figure")

    def clear(self, keep_observers=False):
        self._axes, self._current, self._keys = [], None, {}
        self.texts, self.legends, self.patches, self.lines, self.artists = [], [], [], [], []
        self._titles = {}

    clf = clear

    # Sizes.

    def _points(self):
        wide, high = self._size
        return wide * 72, high * 72

    def set_size_inches(self, w, h=None, forward=True):
        w, h = _data.plain(w) if h is None else (w, h)
        if not (math.isfinite(w) and math.isfinite(h)) or w < 0 or h < 0:
            raise ValueError(f"figure size must be positive finite not {(w, h)}")
        self._size = (float(w), float(h))

    def get_size_inches(self):
        return _data.array(list(self._size))

    def get_figwidth(self):
        return self._size[0]

    def get_figheight(self):
        return self._size[1]

    def set_figwidth(self, val, forward=True):
        self._size = (float(val), self._size[1])

    def set_figheight(self, val, forward=True):
        self._size = (self._size[0], float(val))

    def get_dpi(self):
        return self.dpi

    def set_dpi(self, val):
        self.dpi = val

    @property
    def bbox(self):
        return Bbox([[0, 0], [self._size[0] * self.dpi, self._size[1] * self.dpi]])

    # Plots.

    axes = property(lambda self: list(self._axes))

    def get_axes(self):
        return list(self._axes)

    def _new_axes(self, position, properties, spec, current=True):
        properties = dict(properties)
        projection = properties.pop("projection", None)
        if properties.pop("polar", False):
            projection = "polar"
        if projection == "3d":
            raise NotImplementedError("Plots in three dimensions are not here: projection='3d' draws nothing.")
        if projection not in (None, "rectilinear"):
            raise NotImplementedError(f"The projection {projection!r} is not here: plots have two straight axes.")
        made = Axes(self, position, subplotspec=spec, **properties)
        self._axes.append(made)
        if current or self._current is None:
            self._current = made
        return made

    def add_axes(self, *args, **properties):
        if args and isinstance(args[0], Axes):
            if args[0] not in self._axes:
                self._axes.append(args[0])
            self._current = args[0]
            return args[0]
        rect = args[0] if args else properties.pop("rect")
        rect = rect if isinstance(rect, Bbox) else _data.plain(rect)
        if not isinstance(rect, Bbox) and not all(map(math.isfinite, rect)):
            raise ValueError(f"all entries in rect must be finite not {rect}")
        return self._new_axes(rect, properties, None)

    def add_subplot(self, *args, **properties):
        if args and isinstance(args[0], Axes):
            self._current = args[0]
            return args[0]
        spec = self._spec_of(args)
        return self._new_axes(spec.get_position(self), properties, spec)

    def _spec_of(self, args):
        """The place in a grid that arguments like `2, 2, 1` or `221` stand for."""
        if not args:
            args = (1, 1, 1)
        if len(args) == 1:
            (arg,) = args
            if isinstance(arg, SubplotSpec):
                arg._grid.figure = arg._grid.figure or self
                return arg
            if not isinstance(arg, int) or not 100 <= arg <= 999:
                raise ValueError(f"Integer subplot specification must be a three-digit number, not {arg!r}")
            args = tuple(map(int, str(arg)))
        if len(args) != 3:
            raise TypeError(f"subplot() takes 1 or 3 positional arguments but {len(args)} were given")
        rows, columns, num = args
        rows, columns = int(rows), int(columns)
        grid = next((axes._subplotspec._grid for axes in self._axes if axes._subplotspec is not None
                     and axes._subplotspec._grid.get_geometry() == (rows, columns)
                     and type(axes._subplotspec._grid) is GridSpec), None) or GridSpec(rows, columns, self)
        if isinstance(num, (tuple, list)):
            first, last = num
        else:
            first = last = int(num)
        if not 1 <= first <= last <= rows * columns:
            raise ValueError(f"num must be an integer with 1 <= num <= {rows * columns}, not {num!r}")
        return grid[first - 1 : last] if first != last else grid[first - 1]

    def add_gridspec(self, nrows=1, ncols=1, **properties):
        return GridSpec(nrows, ncols, figure=self, **properties)

    def subplots(self, nrows=1, ncols=1, *, sharex=False, sharey=False, squeeze=True, width_ratios=None, height_ratios=None,
                 subplot_kw=None, gridspec_kw=None):
        more = dict(gridspec_kw or {})
        for name, ratios in (("width_ratios", width_ratios), ("height_ratios", height_ratios)):
            if ratios is not None:
                more[name] = ratios
        return self.add_gridspec(nrows, ncols, **more).subplots(sharex=sharex, sharey=sharey, squeeze=squeeze,
                                                                subplot_kw=subplot_kw)

    def subplot_mosaic(self, mosaic, *, sharex=False, sharey=False, width_ratios=None, height_ratios=None,
                       empty_sentinel=".",
                       subplot_kw=None, per_subplot_kw=None, gridspec_kw=None):
        if isinstance(mosaic, str):
            mosaic = [list(row.strip()) for row in mosaic.strip().replace(";", "\n").split("\n")]
        grid = self.add_gridspec(len(mosaic), len(mosaic[0]), width_ratios=width_ratios, height_ratios=height_ratios,
                                 **(gridspec_kw or {}))
        places = {}
        for row, names in enumerate(mosaic):
            for column, name in enumerate(names):
                if name != empty_sentinel:
                    places.setdefault(name, []).append((row, column))
        made = {}
        for name, cells in places.items():
            rows, columns = [row for row, _ in cells], [column for _, column in cells]
            first = next(iter(made.values()), None)
            shared = {key: first for key, is_shared in (("sharex", sharex), ("sharey", sharey)) if is_shared
                      and first is not None}
            made[name] = self.add_subplot(grid[min(rows) : max(rows) + 1, min(columns) : max(columns) + 1], label=str(name),
                                          **{**(subplot_kw or {}), **(per_subplot_kw or {}).get(name, {}), **shared})
        return made

    def subfigures(self, *args, **properties):
        raise NotImplementedError("Figures within a figure are not here; subplots() with gridspec_kw has grids of plots.")

    def gca(self):
        return self._current if self._current is not None else self.add_subplot()

    def sca(self, a):
        self._current = a
        return a

    def delaxes(self, ax):
        self._remove(ax)

    def _remove(self, part):
        for parts in (self._axes, self.texts, self.legends, self.patches, self.lines, self.artists):
            if part in parts:
                parts.remove(part)
        if part is self._current:
            self._current = self._axes[-1] if self._axes else None
        for name in "xy" if isinstance(part, Axes) else ():
            if len(part._shared[name]) > 1:
                part._shared[name].remove(part)

    def subplots_adjust(self, left=None, bottom=None, right=None, top=None, wspace=None, hspace=None):
        given = {"left": left, "bottom": bottom, "right": right, "top": top, "wspace": wspace, "hspace": hspace}
        for name, value in given.items():
            if value is not None:
                setattr(self.subplotpars, name, value)
        if self.subplotpars.left >= self.subplotpars.right:
            raise ValueError("left cannot be >= right")
        if self.subplotpars.bottom >= self.subplotpars.top:
            raise ValueError("bottom cannot be >= top")
        self._replace()

    def _replace(self):
        for axes in self._axes:
            axes._replace()

    def tight_layout(self, *, pad=1.08, h_pad=None, w_pad=None, rect=None):
        _layout.tighten(self, pad, h_pad, w_pad, rect)

    def set_layout_engine(self, layout=None, **more):
        self._layout = layout

    def set_tight_layout(self, tight):
        self._layout = "tight" if tight else None

    def set_constrained_layout(self, constrained):
        self._layout = "constrained" if constrained else None

    def get_layout_engine(self):
        return self._layout

    # What is written around plots.

    def _write(self, name, text, x, y, look, properties):
        size = {"size": rcParams["figure.titlesize" if name == "suptitle" else "figure.labelsize"],
                "weight": rcParams["figure.titleweight" if name == "suptitle" else "figure.labelweight"]}
        made = self._titles.get(name)
        if made is None:
            made = self._titles[name] = Text(x, y, text)
            made.figure = self
        made.set_text(text)
        made._p.update(x=properties.pop("x", x), y=properties.pop("y", y))
        names = Text._ALIASES
        properties = {names.get(key, key): value for key, value in properties.items()}
        return made._given({names.get(key, key): value for key, value in {**size, **look}.items()} | properties, name)

    def suptitle(self, t, **properties):
        return self._write("suptitle", t, 0.5, 0.98, {"ha": "center", "va": "top"}, properties)

    def supxlabel(self, t, **properties):
        return self._write("supxlabel", t, 0.5, 0.01, {"ha": "center", "va": "bottom"}, properties)

    def supylabel(self, t, **properties):
        return self._write("supylabel", t, 0.02, 0.5,
                           {"ha": "left", "va": "center", "rotation": 90, "rotation_mode": "default"}, properties)

    def get_suptitle(self):
        return self._titles["suptitle"].get_text() if "suptitle" in self._titles else ""

    def text(self, x, y, s, fontdict=None, **properties):
        made = Text(x, y, s)
        made.figure = self
        made._given(fontdict or {}, "text")
        made._given(properties, "text")
        self.texts.append(made)
        return made

    def legend(self, *args, **properties):
        from matplotlib.legend import Legend, chosen

        handles, labels = chosen(self._axes, args, properties)
        made = Legend(None, handles, labels, **{"loc": "upper right", **properties})
        made.figure = self
        for text in [*made.texts, made._title]:
            text.figure = self
        self.legends.append(made)
        return made

    def add_artist(self, artist, clip=False):
        artist.figure = self
        (self.patches if isinstance(artist, Patch) else self.artists).append(artist)
        return artist

    def colorbar(self, mappable, cax=None, ax=None, use_gridspec=True, **properties):
        from matplotlib.colorbar import Colorbar, place_beside

        if ax is None:
            ax = getattr(mappable, "axes", None)
            if ax is None and cax is None:
                raise ValueError("Unable to determine Axes to steal space for Colorbar. Either provide the *cax* argument "
                                 "to use as "
                                 "the Axes for the Colorbar, provide the *ax* argument to steal space from it, or add "
                                 "*mappable* to "
                                 "an Axes.")
        location, orientation = properties.get("location"), properties.get("orientation")
        if location is None:
            location = "bottom" if orientation == "horizontal" else "right"
        properties["orientation"] = "vertical" if location in ("left", "right") else "horizontal"
        current = self._current
        take = {name: properties.pop(name) for name in ("fraction", "pad", "shrink", "aspect", "anchor", "panchor")
                if name in properties}
        if cax is None:
            parents = [ax] if isinstance(ax, Axes) else list(ax.flat) if hasattr(ax, "flat") else list(ax)
            take.pop("panchor", None)
            spec = parents[0]._subplotspec if len(parents) == 1 else None
            place, hold, aspect = place_beside(parents, location, **take)
            cax = self._new_axes(place, {"label": "<colorbar>"}, spec, current=False)
            cax._stay_in(place)
            cax._anchor, cax._box_aspect = hold, aspect
        made = Colorbar(cax, mappable, **properties)
        self._current = current
        return made

    def autofmt_xdate(self, bottom=0.2, rotation=30, ha="right", which="major"):
        for axes in self._axes:
            if axes._subplotspec is None or axes._subplotspec.is_last_row():
                for label in axes.get_xticklabels():
                    label.set(rotation=rotation, ha=ha)
        self.subplots_adjust(bottom=bottom)

    def align_labels(self, axs=None):
        """Labels stay where their plots put them."""

    align_xlabels = align_ylabels = align_titles = align_labels

    def set_facecolor(self, color):
        to_rgba(color)
        self._face, self._own_face = color, True

    def get_facecolor(self):
        return to_rgba(self._face)

    def get_edgecolor(self):
        return to_rgba(rcParams["figure.edgecolor"] if self._edge is None else self._edge)

    # The picture.

    def draw_without_rendering(self):
        """Finds places and limits, as drawing does."""
        if self._layout in ("tight", "constrained", "compressed"):
            _layout.arrange(self, self._layout, self._layout_more)
        for axes in self._axes:
            axes.apply_aspect()
            axes.xaxis.ticks()
            axes.yaxis.ticks()

    draw = lambda self, renderer=None: self.draw_without_rendering()  # noqa: E731

    def svg(self, *, facecolor=None, transparent=False, tight=False, pad=0.1, dpi=None):
        """The text of the picture."""
        wide, high = self._points()
        pixels = [int(size / 72 * (dpi or self.dpi)) for size in (wide, high)]
        if max(pixels) >= 2**16:
            raise ValueError(f"Image size of {pixels[0]}x{pixels[1]} pixels is too large. It must be less than 2^16 in "
                             "each direction.")
        self.draw_without_rendering()
        canvas = _svg.Canvas(wide, high)
        face = to_rgba(self._face if facecolor in (None, "auto") else facecolor)
        own = self._own_face or facecolor not in (None, "auto")
        canvas.turns = not own or transparent
        if self.frameon and not transparent:
            canvas.rect(Bbox([[0, 0], [wide, high]]), canvas.paint(face, kind="" if own else "b"))
        for part in sorted([*self.patches, *self.artists, *self.lines], key=lambda part: part.zorder):
            part.draw_on(canvas)
        for axes in sorted(self._axes, key=lambda axes: axes.zorder):
            if transparent and axes.patch._p["visible"]:
                axes.patch._p["visible"] = False
                axes.draw_on(canvas)
                axes.patch._p["visible"] = True
            else:
                axes.draw_on(canvas)
        for part in [*self.texts, *self._titles.values(), *self.legends]:
            if part._p["visible"]:
                part.draw_on(canvas)
        if tight:
            box = _layout.whole(self).padded(pad * 72)
            canvas.view = (box.x0, high - box.y1, box.width, box.height)
        return canvas.document(self.title_text(), self.describe())

    def title_text(self):
        """What the figure is called, for readers who do not see it."""
        found = self.get_suptitle() or next((axes.get_title() for axes in self._axes if axes.get_title()), "")
        return _svg._mathtext.spoken(found) or ("A figure" if self.number is None else f"Figure {self.number}")

    def describe(self):
        shown = [axes for axes in self._axes if axes.get_label() != "<colorbar>" and axes._p["visible"]]
        words = [axes.describe() for axes in shown[:12]]
        if len(shown) > 12:
            words.append(f"and {len(shown) - 12} more plots")
        return ". ".join(words) or "An empty figure"

    def _repr_svg_(self):
        return self.svg()

    def savefig(self, fname, *, transparent=None, format=None, dpi="figure", bbox_inches=None, pad_inches=None,
                facecolor="auto",
                edgecolor="auto", metadata=None, **properties):
        """Writes the picture to a file: SVG, or PNG where something here makes one."""
        from matplotlib import _output

        for name in properties:
            if name not in ("orientation", "papertype", "backend", "pil_kwargs", "bbox_extra_artists", "quality",
                            "optimize"):
                _data.unknown("savefig", name)
        kind = _output.format_of(fname, format)
        dpi = rcParams["savefig.dpi"] if dpi == "figure" or dpi is None else dpi
        dpi = self.dpi if dpi == "figure" else dpi
        face = rcParams["savefig.facecolor"] if facecolor == "auto" else facecolor
        picture = self.svg(
            facecolor=face, transparent=rcParams["savefig.transparent"] if transparent is None else transparent, dpi=dpi,
            tight=(rcParams["savefig.bbox"] if bbox_inches is None else bbox_inches) == "tight",
            pad=rcParams["savefig.pad_inches"] if pad_inches in (None, "layout") else pad_inches,
        )
        _output.write(fname, picture, kind, round(self._size[0] * dpi))

    def show(self, warn=True):
        from matplotlib import _output

        _output.show(self)

    def __repr__(self):
        wide, high = (int(size * self.dpi) for size in self._size)
        return f"<Figure size {wide}x{high} with {len(self._axes)} Axes>"

    __str__ = lambda self: f"Figure({self.bbox.x1:g}x{self.bbox.y1:g})"  # noqa: E731


def figaspect(arg):
    """A size with a given relation of height to width."""
    shape = _data.shape(_data.plain(arg))
    aspect = shape[0] / shape[1] if len(shape) > 1 else float(_data.plain(arg))
    return _data.array([4.8 / aspect, 4.8])
