"""Named sets of settings, each with its main traits."""

import contextlib

import matplotlib
from matplotlib import cycler, rcParams

_TRAITS = {
    "default": "",
    "classic": "",
    "fast": "",
    "ggplot": """patch.linewidth:.5 patch.facecolor:#348ABD patch.edgecolor:#EEEEEE axes.facecolor:#E5E5E5
        axes.edgecolor:white axes.linewidth:1 axes.grid:True axes.titlesize:x-large axes.labelsize:large
        axes.labelcolor:#555555 axes.axisbelow:True xtick.color:#555555 ytick.color:#555555 grid.color:white
        cycle:E24A33,348ABD,988ED5,777777,FBC15E,8EBA42,FFB5B8""",
    "dark_background": """lines.color:white patch.edgecolor:white text.color:white axes.facecolor:black
        axes.edgecolor:white axes.labelcolor:white xtick.color:white ytick.color:white grid.color:white
        figure.facecolor:black figure.edgecolor:black boxplot.boxprops.color:white boxplot.capprops.color:white
        boxplot.flierprops.color:white boxplot.flierprops.markeredgecolor:white boxplot.whiskerprops.color:white
        cycle:8dd3c7,feffb3,bfbbd9,fa8174,81b1d2,fdb462,b3de69,bc82bd,ccebc4,ffed6f""",
    "bmh": """lines.linewidth:2 patch.linewidth:.5 patch.facecolor:blue patch.edgecolor:#eeeeee
        axes.facecolor:#eeeeee axes.edgecolor:#bcbcbc axes.grid:True axes.titlesize:x-large axes.labelsize:large
        grid.color:#b2b2b2 grid.linestyle:-- grid.linewidth:.5 xtick.direction:in ytick.direction:in
        cycle:348ABD,A60628,7A68A6,467821,D55E00,CC79A7,56B4E9,009E73,F0E442,0072B2""",
    "fivethirtyeight": """lines.linewidth:4 lines.solid_capstyle:butt axes.facecolor:#f0f0f0 axes.labelsize:large
        axes.axisbelow:True axes.grid:True axes.edgecolor:#f0f0f0 axes.linewidth:3 axes.titlesize:x-large
        patch.edgecolor:#f0f0f0 patch.linewidth:.5 grid.linewidth:1 grid.color:#cbcbcb xtick.major.size:0
        xtick.minor.size:0 ytick.major.size:0 ytick.minor.size:0 font.size:14 figure.subplot.left:.08
        figure.subplot.right:.95 figure.subplot.bottom:.07 figure.facecolor:#f0f0f0
        cycle:008fd5,fc4f30,e5ae38,6d904f,8b8b8b,810f7c""",
    "grayscale": """lines.color:black patch.facecolor:gray figure.facecolor:0.75 image.cmap:gray grid.color:black
        cycle:000000,666666,999999,b3b3b3""",
    "tableau-colorblind10": "cycle:006BA4,FF800E,ABABAB,595959,5F9ED1,C85200,898989,A2C8EC,FFBC79,CFCFCF",
}
_SEABORN = """figure.facecolor:white text.color:.15 axes.labelcolor:.15 legend.frameon:False xtick.color:.15
    ytick.color:.15 axes.axisbelow:True image.cmap:Greys lines.solid_capstyle:round"""
_NO_TICKS = "xtick.major.size:0 ytick.major.size:0 xtick.minor.size:0 ytick.minor.size:0"
_DEEP = "cycle:4C72B0,55A868,C44E52,8172B2,CCB974,64B5CD"
_DARK_GRID = (f"{_SEABORN} {_NO_TICKS} axes.grid:True axes.facecolor:#EAEAF2 axes.edgecolor:white axes.linewidth:0 "
              "grid.color:white")
for _name, _traits in {
    "": f"""{_DARK_GRID} {_DEEP} axes.labelsize:11 axes.titlesize:12 figure.figsize:8,5.5 grid.linewidth:1
        legend.fontsize:10 lines.linewidth:1.75 lines.markeredgewidth:0 lines.markersize:7 patch.facecolor:#4C72B0
        patch.linewidth:.3 xtick.labelsize:10 ytick.labelsize:10 xtick.major.pad:7 ytick.major.pad:7""",
    "darkgrid": _DARK_GRID,
    "whitegrid": f"{_SEABORN} {_NO_TICKS} axes.grid:True axes.edgecolor:.8 axes.linewidth:1 grid.color:.8",
    "white": f"{_SEABORN} {_NO_TICKS} axes.edgecolor:.15 axes.linewidth:1.25 grid.color:.8",
    "dark": f"{_SEABORN} {_NO_TICKS} axes.facecolor:#EAEAF2 axes.edgecolor:white axes.linewidth:0 grid.color:white",
    "ticks": f"""{_SEABORN} axes.edgecolor:.15 axes.linewidth:1.25 grid.color:.8 xtick.major.size:6 ytick.major.size:6
        xtick.minor.size:3 ytick.minor.size:3""",
    "deep": _DEEP,
    "muted": "cycle:4878CF,6ACC65,D65F5F,B47CC7,C4AD66,77BEDB",
    "bright": "cycle:003FFF,03ED3A,E8000B,8A2BE2,FFC400,00D7FF",
    "pastel": "cycle:92C6FF,97F0AA,FF9F9A,D0BBFF,FFFEA3,B0E0E6",
    "dark-palette": "cycle:001C7F,017517,8C0900,7600A1,B8860B,006374",
    "colorblind": "cycle:0072B2,009E73,D55E00,CC79A7,F0E442,56B4E9",
    "notebook": "figure.figsize:8,5.5 axes.labelsize:11 axes.titlesize:12 legend.fontsize:10 lines.linewidth:1.75",
    "paper": "figure.figsize:6.4,4.4 axes.labelsize:8.8 axes.titlesize:9.6 legend.fontsize:8 lines.linewidth:1.4",
    "talk": "figure.figsize:10.4,7.15 axes.labelsize:14.3 axes.titlesize:15.6 legend.fontsize:13 lines.linewidth:2.275",
    "poster": "figure.figsize:12.8,8.8 axes.labelsize:17.6 axes.titlesize:19.2 legend.fontsize:16 lines.linewidth:2.8",
}.items():
    _TRAITS["-".join(filter(None, ("seaborn-v0_8", _name)))] = _traits

available = sorted(name for name in _TRAITS if name != "default")


def _settings(name):
    """The settings of a style; `seaborn-white` is the name that `seaborn-v0_8-white` had."""
    if name.startswith("seaborn") and "v0_8" not in name:
        name = name.replace("seaborn", "seaborn-v0_8", 1)
    if name not in _TRAITS:
        raise OSError(
            f"{name!r} is not a valid package style, path of style file, URL of style file, or library style name "
            "(library styles are listed in `style.available`)"
        )
    found = {}
    for trait in _TRAITS[name].split():
        key, _, text = trait.partition(":")
        if key == "cycle":
            found["axes.prop_cycle"] = cycler("color", [f"#{colour}" for colour in text.split(",")])
        elif text in ("True", "False"):
            found[key] = text == "True"
        elif key.endswith("color"):
            found[key] = text
        elif key == "figure.figsize":
            found[key] = [float(size) for size in text.split(",")]
        else:
            found[key] = float(text) if text[0] in ".0123456789" else text
    return found


class _Library(dict):
    """The styles by name, each with its settings."""

    def __missing__(self, name):
        return _settings(name)


library = _Library()


def use(style):
    """Takes the settings of a style, of a dictionary, or of several one after another."""
    for one in [style] if isinstance(style, (str, dict)) or hasattr(style, "keys") else style:
        if isinstance(one, str):
            if one == "default":
                matplotlib.rcdefaults()
            one = _settings(one)
        rcParams.update(one)


@contextlib.contextmanager
def context(style, after_reset=False):
    """A style that holds within a `with`."""
    with matplotlib.rc_context():
        if after_reset:
            matplotlib.rcdefaults()
        use(style)
        yield
