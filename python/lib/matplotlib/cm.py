"""The colour maps by name, and what gives numbers their colours."""

from matplotlib import _data, rcParams
from matplotlib.colors import Colormap, LinearSegmentedColormap, ListedColormap, Normalize

_ALIASES = {"Grays": "Greys", "grey": "gray", "gist_grey": "gist_gray", "gist_yarg": "binary", "gist_yerg": "binary"}


def _sources():
    """The text of every map, by its name."""
    from matplotlib import _colormaps

    found = {}
    for text, kind in ((_colormaps.STRAIGHT, 8), (_colormaps.LISTED, 6)):
        name = None
        for line in text.strip().split("\n"):
            first, rest = line.split(" ", 1)
            if first:
                name = first
                found[name] = (kind, [])
            found[name][1].append(rest)
    return found


def _colours(kind, text):
    """The colours that a map's text stands for."""
    nodes = []
    for at in range(0, len(text), kind):
        code = int(text[at : at + kind], 16)
        nodes.append((code >> 24, (code >> 16 & 255) / 255, (code >> 8 & 255) / 255, (code & 255) / 255, 1.0))
    if kind == 6:
        return [node[1:] for node in nodes]
    found = []
    for low, high in zip(nodes, nodes[1:]):
        count = high[0] - low[0]
        for step in range(count):
            part = step / count
            found.append(tuple([a + (b - a) * part for a, b in zip(low[1:], high[1:])]))
    found.append(nodes[-1][1:])
    return found


class ColormapRegistry:
    """Maps by name: each is made when it is first asked for, and given as a copy."""

    def __init__(self):
        self._made, self._texts = {}, None

    def _known(self):
        if self._texts is None:
            self._texts = _sources()
        return self._texts

    def _find(self, name):
        if name not in self._made:
            stem = name[:-2] if name.endswith("_r") and name not in self._made else name
            if stem != name and (stem in self._made or stem in self._known() or stem in _ALIASES):
                self._made[name] = self._find(stem).reversed()
            elif name in _ALIASES:
                self._made[name] = self._find(_ALIASES[name])
            else:
                kind, parts = self._known()[name]
                found = Colormap(name)
                found.__class__ = ListedColormap if kind == 6 else LinearSegmentedColormap
                found = found._with_table(name, _colours(kind, "".join(parts)))
                self._made[name] = found.resampled(510) if name.startswith("twilight") else found
        return self._made[name]

    def __getitem__(self, name):
        try:
            return self._find(name).copy()
        except (KeyError, TypeError):
            raise KeyError(f"{name!r} is not a known colormap name") from None

    def __contains__(self, name):
        stem = name.removesuffix("_r")
        return name in self._made or stem in self._known() or stem in _ALIASES

    def __iter__(self):
        names = [*self._known(), *_ALIASES]
        return iter(dict.fromkeys([*names, *(f"{name}_r" for name in names), *self._made]))

    def __len__(self):
        return sum(1 for _ in self)

    def keys(self):
        return list(self)

    def __call__(self):
        return list(self)

    def register(self, cmap, *, name=None, force=False):
        self._made[name or cmap.name] = cmap

    def get_cmap(self, cmap):
        return get_cmap(cmap)


colormaps = ColormapRegistry()


def get_cmap(name=None, lut=None):
    """A map by its name, in `lut` steps."""
    if isinstance(name, Colormap):
        return name
    name = rcParams["image.cmap"] if name is None else name
    if name not in colormaps:
        known = ", ".join(repr(known) for known in sorted(colormaps))
        raise ValueError(f"{name!r} is not a valid value for cmap; supported values are {known}")
    found = colormaps[name]
    return found if lut is None else found.resampled(lut)


def register_cmap(name=None, cmap=None):
    colormaps.register(cmap, name=name)


class ScalarMappable:
    """Numbers with a map and a scale: `colours()` are their colours."""

    def __init__(self, norm=None, cmap=None):
        self._values = self.colorbar = None
        self.cmap = get_cmap(cmap)
        self.norm = self._norm_of(norm)

    def _norm_of(self, norm):
        if norm is None or norm == "linear":
            return Normalize()
        if norm == "log":
            from matplotlib.colors import LogNorm

            return LogNorm()
        return norm

    def _scaled_by(self, vmin, vmax, norm=None):
        """Takes limits of values."""
        if norm is not None and (vmin is not None or vmax is not None) and not isinstance(norm, str):
            raise ValueError("Passing a Normalize instance simultaneously with vmin/vmax is not supported.  "
                             "Please pass vmin/vmax directly to the norm when creating it.")
        self.set_clim(vmin, vmax)

    def set_array(self, A):
        self._values = None if A is None else _data.flat(A)

    def get_array(self):
        return None if self._values is None else _data.array(self._values)

    def colours(self, alpha=None):
        """The colour of each number; None where all have the colour of before."""
        self.norm.autoscale_None(self._values)
        colour = self.cmap.colour
        places = self.norm.places(self._values)
        if alpha is None:
            return [colour(place) for place in places]
        return [(*colour(place)[:3], alpha) for place in places]

    def to_rgba(self, x, alpha=None, bytes=False, norm=True):
        return self.cmap(self.norm(x) if norm else x, alpha, bytes)

    def set_cmap(self, cmap):
        self.cmap = get_cmap(cmap)
        self.changed()

    def get_cmap(self):
        return self.cmap

    def set_norm(self, norm):
        self.norm = self._norm_of(norm)
        self.changed()

    def set_clim(self, vmin=None, vmax=None):
        if vmax is None and isinstance(vmin, (tuple, list)):
            vmin, vmax = vmin
        if vmin is not None:
            self.norm.vmin = float(vmin)
        if vmax is not None:
            self.norm.vmax = float(vmax)
        self.changed()

    def get_clim(self):
        return self.norm.vmin, self.norm.vmax

    def autoscale(self):
        self.norm.autoscale(self._values)

    def autoscale_None(self):
        self.norm.autoscale_None(self._values)

    def changed(self):
        """Lets the bar of colours follow."""
        if self.colorbar is not None:
            self.colorbar.update_normal()


def __getattr__(name):
    if name.startswith("_") or name not in colormaps:
        raise AttributeError(f"module 'matplotlib.cm' has no attribute {name!r}")
    return colormaps[name]
