"""Matplotlib's names, drawn as SVG: settings, and what belongs to the whole package."""

import contextlib
import itertools

__version__ = "3.11.0"
__version_info__ = (3, 11, 0)

_TABLEAU = "#1f77b4 #ff7f0e #2ca02c #d62728 #9467bd #8c564b #e377c2 #7f7f7f #bcbd22 #17becf".split()


class cycler:
    """Properties that lines take in turn: `cycler(color=[...], linestyle=[...])` or `cycler("color", [...])`."""

    def __init__(self, *named, **properties):
        if len(named) == 2:
            properties = {named[0]: named[1]}
        elif named:
            properties = {key: [row[key] for row in named[0]] for key in named[0].keys}
        aliases = {"c": "color", "ls": "linestyle", "lw": "linewidth", "ms": "markersize"}
        properties = {aliases.get(key, key): list(values) for key, values in properties.items()}
        if len({len(values) for values in properties.values()}) > 1:
            raise ValueError("Can only add equal length cycles")
        self._rows = [dict(zip(properties, row)) for row in zip(*properties.values())]

    @property
    def keys(self):
        return set(self._rows[0]) if self._rows else set()

    def by_key(self):
        return {key: [row[key] for row in self._rows] for key in (self._rows[0] if self._rows else ())}

    @classmethod
    def _of(cls, rows):
        made = cls()
        made._rows = rows
        return made

    def __iter__(self):
        return iter(self._rows)

    def __call__(self):
        return itertools.cycle(self._rows)

    def __len__(self):
        return len(self._rows)

    def __add__(self, other):
        if len(self) != len(other):
            raise ValueError(f"Can only add equal length cycles, not {len(self)} and {len(other)}")
        return self._of([{**mine, **theirs} for mine, theirs in zip(self, other)])

    def __mul__(self, other):
        if isinstance(other, int):
            return self._of(self._rows * other)
        return self._of([{**mine, **theirs} for mine in self for theirs in other])

    def __getitem__(self, at):
        return self._of(self._rows[at])

    def __repr__(self):
        return " + ".join(f"cycler({key!r}, {values!r})" for key, values in self.by_key().items())


def _ticks(axis, sides):
    """The settings of one axis's ticks."""
    found = {
        "alignment": "center" if axis == "xtick" else "center_baseline", "color": "black", "direction": "out",
        "labelcolor": "inherit", "labelsize": "medium", "major.pad": 3.5, "major.size": 3.5, "major.width": 0.8,
        "minor.ndivs": "auto", "minor.pad": 3.4, "minor.size": 2.0, "minor.visible": False, "minor.width": 0.6,
    }
    for side, shown in zip(sides, (True, False)):
        found[side] = found[f"label{side}"] = shown
        found[f"major.{side}"] = found[f"minor.{side}"] = True
    return {f"{axis}.{key}": value for key, value in found.items()}


def _group(name, **settings):
    return {f"{name}.{key.replace('__', '.')}": value for key, value in settings.items()}


_DEFAULTS = {
    "backend": "svg", "interactive": False, "toolbar": "None", "timezone": "UTC",
    **_group(
        "axes", autolimit_mode="data", axisbelow="line", edgecolor="black", facecolor="white", grid=False,
        grid__axis="both", grid__which="major", labelcolor="black", labelpad=4.0, labelsize="medium",
        labelweight="normal", linewidth=0.8, prop_cycle=cycler("color", _TABLEAU), spines__bottom=True,
        spines__left=True, spines__right=True, spines__top=True, titlecolor="auto", titlelocation="center",
        titlepad=6.0, titlesize="large", titleweight="normal", titley=None, unicode_minus=True, xmargin=0.05,
        ymargin=0.05, formatter__limits=[-5, 6], formatter__min_exponent=0, formatter__offset_threshold=4,
        formatter__use_locale=False, formatter__use_mathtext=False, formatter__useoffset=True,
    ),
    **_group(
        "figure", autolayout=False, constrained_layout__use=False, dpi=100.0, edgecolor="white", facecolor="white",
        figsize=[6.4, 4.8], frameon=True, labelsize="large", labelweight="normal", max_open_warning=20,
        subplot__bottom=0.11, subplot__hspace=0.2, subplot__left=0.125, subplot__right=0.9, subplot__top=0.88,
        subplot__wspace=0.2, titlesize="large", titleweight="normal",
    ),
    **_group("font", family=["sans-serif"], size=10.0, style="normal", weight="normal", variant="normal"),
    "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
    "font.serif": ["DejaVu Serif", "serif"],
    "font.monospace": ["DejaVu Sans Mono", "monospace"],
    **_group(
        "lines", antialiased=True, color="C0", dashdot_pattern=[6.4, 1.6, 1.0, 1.6], dashed_pattern=[3.7, 1.6],
        dotted_pattern=[1.0, 1.65], linestyle="-", linewidth=1.5, marker="None", markeredgecolor="auto",
        markeredgewidth=1.0, markerfacecolor="auto", markersize=6.0, scale_dashes=True, dash_capstyle="butt",
        dash_joinstyle="round", solid_capstyle="projecting", solid_joinstyle="round",
    ),
    **_group("patch", antialiased=True, edgecolor="black", facecolor="C0", force_edgecolor=False, linewidth=1.0),
    **_group(
        "legend", borderaxespad=0.5, borderpad=0.4, columnspacing=2.0, edgecolor="0.8", facecolor="inherit",
        fancybox=True, fontsize="medium", framealpha=0.8, frameon=True, handleheight=0.7, handlelength=2.0,
        handletextpad=0.8, labelcolor=None, labelspacing=0.5, loc="best", markerscale=1.0, numpoints=1,
        scatterpoints=1, shadow=False, title_fontsize=None,
    ),
    **_group("grid", alpha=1.0, color="#b0b0b0", linestyle="-", linewidth=0.8),
    **_group("image", aspect="equal", cmap="viridis", interpolation="auto", lut=256, origin="upper"),
    **_group("savefig", bbox=None, dpi="figure", edgecolor="auto", facecolor="auto", format="png",
             pad_inches=0.1, transparent=False),
    **_group("text", color="black", usetex=False, parse_math=True),
    **_group("boxplot", boxprops__color="black", whiskerprops__color="black", capprops__color="black",
             medianprops__color="C1", meanprops__color="C2", flierprops__color="black",
             flierprops__markeredgecolor="black", whiskers=1.5),
    **_group("scatter", edgecolors="face", marker="o"),
    **_group("errorbar", capsize=0.0),
    **_group("hist", bins=10),
    **_group("contour", negative_linestyle="dashed", linewidth=None),
    **_group("mathtext", fontset="dejavusans", default="normal"),
    **_group("hatch", color="edge", linewidth=1.0),
    **_group("svg", fonttype="none"),
    **_group("pdf", fonttype=3),
    **_group("ps", fonttype=3),
    **_group("animation", html="none"),
    **_ticks("xtick", ("bottom", "top")),
    **_ticks("ytick", ("left", "right")),
}


class RcParams(dict):
    """Settings by name; a name that is not known is an error."""

    def __setitem__(self, key, value):
        if key not in _DEFAULTS:
            raise KeyError(f"{key} is not a valid rc parameter (see rcParams.keys() for a list of valid parameters)")
        if value is None and isinstance(_DEFAULTS[key], (int, float)):
            value = _DEFAULTS[key]
        if key == "axes.prop_cycle" and not isinstance(value, cycler):
            value = cycler("color", [row["color"] for row in value])
        super().__setitem__(key, value)

    def update(self, *others, **named):
        for key, value in dict(*others, **named).items():
            self[key] = value

    def setdefault(self, key, default=None):
        return self[key]

    def copy(self):
        made = RcParams()
        made.update(self)
        return made

    def find_all(self, pattern):
        import re

        return {key: value for key, value in self.items() if re.search(pattern, key)}


rcParams = RcParams()
rcParams.update(_DEFAULTS)
rcParamsDefault = rcParams.copy()
rcParamsOrig = rcParams.copy()

_SHORT = {"lw": "linewidth", "ls": "linestyle", "c": "color", "fc": "facecolor", "ec": "edgecolor",
          "mew": "markeredgewidth", "aa": "antialiased", "sans": "sans-serif"}


def rc(group, **settings):
    """Sets several settings of a group: `rc("lines", linewidth=2)`."""
    for name in [group] if isinstance(group, str) else group:
        for key, value in settings.items():
            whole = f"{name}.{_SHORT.get(key, key)}"
            if whole not in _DEFAULTS:
                raise KeyError(f'Unrecognized key "{whole}" for group "{name}" and name "{key}"')
            rcParams[whole] = value


def rcdefaults():
    """Sets every setting back."""
    rcParams.update(_DEFAULTS)


@contextlib.contextmanager
def rc_context(rc=None, fname=None):
    """Settings that hold within a `with`."""
    before = dict(rcParams)
    try:
        rcParams.update(rc or {})
        yield
    finally:
        rcParams.update(before)


def use(backend, *, force=True):
    """Figures are always drawn as SVG, so a backend is only noted."""
    rcParams["backend"] = backend


def get_backend(*, auto_select=True):
    return rcParams["backend"]


def is_interactive():
    return rcParams["interactive"]


def interactive(b):
    rcParams["interactive"] = bool(b)


def set_loglevel(level):
    """There is no log to set."""


def get_cachedir():
    return "."


get_configdir = get_cachedir


def _show_open():
    """Shows every open figure and closes it: what a notebook does at the end of a cell."""
    import sys

    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot._show_open()


def __getattr__(name):
    """Modules and tables that are loaded when they are first asked for."""
    import importlib

    if name == "colormaps":
        return importlib.import_module("matplotlib.cm").colormaps
    if name == "color_sequences":
        return importlib.import_module("matplotlib.colors").color_sequences
    if name.startswith("_"):
        raise AttributeError(f"module 'matplotlib' has no attribute {name!r}")
    try:
        return importlib.import_module(f"matplotlib.{name}")
    except ModuleNotFoundError:
        raise AttributeError(f"module 'matplotlib' has no attribute {name!r}") from None
