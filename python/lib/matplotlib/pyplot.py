"""Figures and plots that are current: what most programs import as `plt`."""

import contextlib

import matplotlib
from matplotlib import _data, _output, cm, colors, cycler, gridspec, image, rcdefaults, rcParams, style, ticker  # noqa: F401
from matplotlib import get_backend, rc, rc_context  # noqa: F401
from matplotlib import interactive as _interactive
from matplotlib.artist import Artist, getp as get, getp, setp  # noqa: F401
from matplotlib.axes import Axes, Subplot  # noqa: F401
from matplotlib.cm import get_cmap, register_cmap  # noqa: F401
from matplotlib.colors import Normalize  # noqa: F401
from matplotlib.figure import Figure, figaspect  # noqa: F401
from matplotlib.gridspec import GridSpec, SubplotSpec  # noqa: F401
from matplotlib.image import imread, imsave  # noqa: F401
from matplotlib.lines import Line2D  # noqa: F401
from matplotlib.patches import Arrow, Circle, Polygon, Rectangle  # noqa: F401
from matplotlib.text import Annotation, Text  # noqa: F401
from matplotlib.ticker import (  # noqa: F401
    AutoLocator, FixedFormatter, FixedLocator, FormatStrFormatter, Formatter, FuncFormatter, IndexLocator, LinearLocator,
    Locator,
    LogFormatter, LogFormatterExponent, LogFormatterMathtext, LogLocator, MaxNLocator, MultipleLocator, NullFormatter,
    NullLocator,
    ScalarFormatter,
)

_figures = {}
_current = None


class _Colormaps:
    """The registry of maps, which is also called for their names."""

    def __getattr__(self, name):
        return getattr(cm.colormaps, name)

    __getitem__ = lambda self, name: cm.colormaps[name]  # noqa: E731
    __iter__ = lambda self: iter(cm.colormaps)  # noqa: E731
    __contains__ = lambda self, name: name in cm.colormaps  # noqa: E731
    __len__ = lambda self: len(cm.colormaps)  # noqa: E731
    __call__ = lambda self: sorted(cm.colormaps)  # noqa: E731


colormaps = _Colormaps()


# Figures.


def figure(num=None, figsize=None, dpi=None, *, facecolor=None, edgecolor=None, frameon=True, FigureClass=Figure,
           clear=False,
           **properties):
    """A new figure, or that of a number or a name."""
    global _current
    if isinstance(num, Figure):
        _figures.setdefault(num.number or max(_figures, default=0) + 1, num)
        num = next(key for key, figure in _figures.items() if figure is num)
    label = ""
    if isinstance(num, str):
        label = num
        num = next((key for key, figure in _figures.items() if figure.get_label() == label), None)
    if num is None:
        num = max(_figures, default=0) + 1
    if num not in _figures:
        made = FigureClass(figsize, dpi, facecolor=facecolor, edgecolor=edgecolor, frameon=frameon, **properties)
        made.number, made.canvas.manager.num = num, num
        made.set_label(label)
        _figures[num] = made
        most = rcParams["figure.max_open_warning"]
        if len(_figures) == most + 1 > 1:
            _data.warn(f"More than {most} figures have been opened. Figures created through the pyplot interface "
                          "(`matplotlib.pyplot.figure`) are retained until explicitly closed and may consume too much "
                          "memory. (To "
                          "control this warning, see the rcParam `figure.max_open_warning`). Consider using "
                          "`matplotlib.pyplot.close()`.", RuntimeWarning)
    elif clear:
        _figures[num].clear()
    _current = num
    return _figures[num]


def gcf():
    return _figures[_current] if _current in _figures else figure()


def fignum_exists(num):
    return num in _figures or num in get_figlabels()


def get_fignums():
    return sorted(_figures)


def get_figlabels():
    return [_figures[num].get_label() for num in get_fignums()]


def close(fig=None):
    """Forgets a figure: the current one, one by its number or its name, or all."""
    global _current
    if fig == "all":
        _figures.clear()
    elif fig is None:
        _figures.pop(_current, None)
    else:
        for num, known in list(_figures.items()):
            if known is fig or num == fig or isinstance(fig, str) and known.get_label() == fig:
                del _figures[num]
    if _current not in _figures:
        _current = max(_figures, default=None)


def clf():
    gcf().clear()


def cla():
    gca().cla()


def show(*args, **properties):
    """Shows every open figure, and closes it."""
    for num in get_fignums():
        shown = _figures.pop(num)
        _output.show(shown)
    close("all")


_show_open = show


def draw():
    gcf().canvas.draw()


def pause(interval):
    """There is no window that would have to be drawn anew."""


def ion():
    _interactive(True)
    return contextlib.nullcontext()


def ioff():
    _interactive(False)
    return contextlib.nullcontext()


def isinteractive():
    return matplotlib.is_interactive()


def switch_backend(newbackend):
    matplotlib.use(newbackend)


def xkcd(scale=1, length=100, randomness=2):
    """Lines stay as straight as they are."""
    return contextlib.nullcontext()


def get_current_fig_manager():
    return gcf().canvas.manager


def savefig(*args, **properties):
    return gcf().savefig(*args, **properties)


def connect(s, func):
    return gcf().canvas.mpl_connect(s, func)


# Plots.


def gca():
    return gcf().gca()


def sca(ax):
    global _current
    figure(ax.figure)
    ax.figure.sca(ax)


def axes(arg=None, **properties):
    if arg is None:
        return gcf().add_subplot(**properties)
    if isinstance(arg, Axes):
        sca(arg)
        return arg
    return gcf().add_axes(arg, **properties)


def delaxes(ax=None):
    (gca() if ax is None else ax).remove()


def subplot(*args, **properties):
    """The plot at a place of a grid: the one that is there, or a new one."""
    fig = gcf()
    spec = fig._spec_of(args) if not (args and isinstance(args[0], Axes)) else None
    for known in fig._axes if spec is not None else ():
        if known._subplotspec == spec and known.get_label() != "<colorbar>":
            fig.sca(known)
            known._given({key: value for key, value in properties.items()
                          if key not in ("sharex", "sharey", "projection", "polar")}, "subplot")
            return known
    return fig.add_subplot(*([spec] if spec is not None else args), **properties)


def subplots(nrows=1, ncols=1, *, sharex=False, sharey=False, squeeze=True, width_ratios=None, height_ratios=None,
             subplot_kw=None,
             gridspec_kw=None, **properties):
    fig = figure(**properties)
    made = fig.subplots(nrows, ncols, sharex=sharex, sharey=sharey, squeeze=squeeze, width_ratios=width_ratios,
                        height_ratios=height_ratios, subplot_kw=subplot_kw, gridspec_kw=gridspec_kw)
    return fig, made


def subplot_mosaic(mosaic, *, sharex=False, sharey=False, width_ratios=None, height_ratios=None, empty_sentinel=".",
                   subplot_kw=None,
                   gridspec_kw=None, per_subplot_kw=None, **properties):
    fig = figure(**properties)
    made = fig.subplot_mosaic(mosaic, sharex=sharex, sharey=sharey, width_ratios=width_ratios, height_ratios=height_ratios,
                              empty_sentinel=empty_sentinel, subplot_kw=subplot_kw, gridspec_kw=gridspec_kw,
                              per_subplot_kw=per_subplot_kw)
    return fig, made


def subplot2grid(shape, loc, rowspan=1, colspan=1, fig=None, **properties):
    fig = gcf() if fig is None else fig
    known = next((axes._subplotspec._grid for axes in fig._axes if axes._subplotspec is not None
                  and axes._subplotspec._grid.get_geometry() == tuple(shape)), None)
    grid = known or GridSpec(shape[0], shape[1], fig)
    return fig.add_subplot(grid.new_subplotspec(loc, rowspan, colspan), **properties)


def twinx(ax=None):
    return (gca() if ax is None else ax).twinx()


def twiny(ax=None):
    return (gca() if ax is None else ax).twiny()


def axis(*args, **properties):
    return gca().axis(*args, **properties)


def xlim(*args, **properties):
    return gca().set_xlim(*args, **properties) if args or properties else gca().get_xlim()


def ylim(*args, **properties):
    return gca().set_ylim(*args, **properties) if args or properties else gca().get_ylim()


def _set_ticks(name, ticks, labels, minor, properties):
    axis = getattr(gca(), f"{name}axis")
    if ticks is None:
        if labels is not None:
            raise TypeError(f"{name}ticks(): Parameter 'labels' can't be set without setting 'ticks'")
        places = axis.get_ticklocs(minor=minor)
    else:
        axis.set_ticks(ticks, minor=minor)
        places = axis.get_ticklocs(minor=minor)
        if labels is not None:
            axis.set_ticklabels(labels, minor=minor)
    texts = axis.get_ticklabels(minor=minor)
    for text in texts:
        text._given(properties, f"{name}ticks")
    if properties:
        names = {"rotation": "labelrotation", "fontsize": "labelsize", "size": "labelsize", "color": "labelcolor"}
        axis.set_tick_params(**{names[key]: value for key, value in properties.items() if key in names and key != "color"})
    return places, texts


def xticks(ticks=None, labels=None, *, minor=False, **properties):
    return _set_ticks("x", ticks, labels, minor, properties)


def yticks(ticks=None, labels=None, *, minor=False, **properties):
    return _set_ticks("y", ticks, labels, minor, properties)


def box(on=None):
    gca().set_frame_on(not gca().get_frame_on() if on is None else on)


# Pictures and their colours.


def gci():
    """What was last given colours by numbers."""
    for known in [gca(), *reversed(gcf()._axes)]:
        if known._current_image is not None:
            return known._current_image
    return None


def sci(im):
    im.axes._current_image = im


def colorbar(mappable=None, cax=None, ax=None, **properties):
    mappable = gci() if mappable is None else mappable
    if mappable is None:
        raise RuntimeError("No mappable was found to use for colorbar creation. First define a mappable such as an image "
                           "(with imshow) "
                           "or a contour set (with contourf).")
    return gcf().colorbar(mappable, cax=cax, ax=ax, **properties)


def clim(vmin=None, vmax=None):
    found = gci()
    if found is None:
        raise RuntimeError("You must first define an image, e.g., with imshow")
    found.set_clim(vmin, vmax)


def set_cmap(cmap):
    found = get_cmap(cmap)
    rcParams["image.cmap"] = found.name
    if _current in _figures and gci() is not None:
        gci().set_cmap(found)


def scatter(*args, **properties):
    made = gca().scatter(*args, **properties)
    if made._values is not None:
        made.axes._current_image = made
    return made


def matshow(A, fignum=None, **properties):
    rows = _data.table(A)
    if fignum != 0 and (fignum is None or fignum not in _figures):
        aspect = len(rows) / len(rows[0])
        wide = min(max(4.8 / aspect, 4.0), 16.0)
        figure(fignum, figsize=(wide, min(max(wide * aspect, 2.0), 16.0)))
        axes([0.15, 0.09, 0.775, 0.775])
    return gca().matshow(A, **properties)


def get_plot_commands():
    return sorted(_PLOTS)


_PLOTS = """
plot hist imshow bar barh fill fill_between fill_betweenx errorbar step stem axhline axvline axline axhspan axvspan
hlines vlines text annotate contour contourf clabel quiver quiverkey boxplot violinplot pie stackplot hist2d hexbin
table loglog semilogx semilogy pcolormesh pcolor spy arrow legend grid tick_params ticklabel_format minorticks_on
minorticks_off margins autoscale locator_params bar_label broken_barh eventplot stairs plot_date streamplot tripcolor
tricontour tricontourf triplot
title:set_title xlabel:set_xlabel ylabel:set_ylabel xscale:set_xscale yscale:set_yscale
""".split()
_WHOLE = "suptitle supxlabel supylabel subplots_adjust tight_layout figtext:text figlegend:legend autofmt_xdate".split()


def _forward(entry, owner):
    """A function that calls a method of the current plot, or of the current figure."""
    name, _, method = entry.partition(":")
    method = method or name

    def forwarded(*args, **properties):
        return getattr(owner(), method)(*args, **properties)

    forwarded.__name__ = name
    globals()[name] = forwarded


for _entry in _PLOTS:
    _forward(_entry, gca)
for _entry in _WHOLE:
    _forward(_entry, gcf)


def _set_map(name):
    """A function that makes a map the one to use, like `plt.gray()`."""

    def chosen():
        set_cmap(name)

    chosen.__name__ = name
    globals()[name] = chosen


for _entry in "viridis plasma inferno magma gray hot cool jet hsv bone copper pink spring summer autumn winter".split():
    _set_map(_entry)
