"""Colours by their names, and the maps from numbers to colours."""

from matplotlib import _data, rcParams
from matplotlib._norms import (
    BoundaryNorm, CenteredNorm, LogNorm, NoNorm, Normalize, PowerNorm, SymLogNorm, TwoSlopeNorm,
)

_CSS = """
aliceblue:f0f8ff antiquewhite:faebd7 aqua:00ffff aquamarine:7fffd4 azure:f0ffff beige:f5f5dc bisque:ffe4c4
black:000000 blanchedalmond:ffebcd blue:0000ff blueviolet:8a2be2 brown:a52a2a burlywood:deb887 cadetblue:5f9ea0
chartreuse:7fff00 chocolate:d2691e coral:ff7f50 cornflowerblue:6495ed cornsilk:fff8dc crimson:dc143c cyan:00ffff
darkblue:00008b darkcyan:008b8b darkgoldenrod:b8860b darkgray:a9a9a9 darkgreen:006400 darkgrey:a9a9a9 darkkhaki:bdb76b
darkmagenta:8b008b darkolivegreen:556b2f darkorange:ff8c00 darkorchid:9932cc darkred:8b0000 darksalmon:e9967a
darkseagreen:8fbc8f darkslateblue:483d8b darkslategray:2f4f4f darkslategrey:2f4f4f darkturquoise:00ced1
darkviolet:9400d3 deeppink:ff1493 deepskyblue:00bfff dimgray:696969 dimgrey:696969 dodgerblue:1e90ff firebrick:b22222
floralwhite:fffaf0 forestgreen:228b22 fuchsia:ff00ff gainsboro:dcdcdc ghostwhite:f8f8ff gold:ffd700 goldenrod:daa520
gray:808080 green:008000 greenyellow:adff2f grey:808080 honeydew:f0fff0 hotpink:ff69b4 indianred:cd5c5c indigo:4b0082
ivory:fffff0 khaki:f0e68c lavender:e6e6fa lavenderblush:fff0f5 lawngreen:7cfc00 lemonchiffon:fffacd lightblue:add8e6
lightcoral:f08080 lightcyan:e0ffff lightgoldenrodyellow:fafad2 lightgray:d3d3d3 lightgreen:90ee90 lightgrey:d3d3d3
lightpink:ffb6c1 lightsalmon:ffa07a lightseagreen:20b2aa lightskyblue:87cefa lightslategray:778899
lightslategrey:778899 lightsteelblue:b0c4de lightyellow:ffffe0 lime:00ff00 limegreen:32cd32 linen:faf0e6
magenta:ff00ff maroon:800000 mediumaquamarine:66cdaa mediumblue:0000cd mediumorchid:ba55d3 mediumpurple:9370db
mediumseagreen:3cb371 mediumslateblue:7b68ee mediumspringgreen:00fa9a mediumturquoise:48d1cc mediumvioletred:c71585
midnightblue:191970 mintcream:f5fffa mistyrose:ffe4e1 moccasin:ffe4b5 navajowhite:ffdead navy:000080 oldlace:fdf5e6
olive:808000 olivedrab:6b8e23 orange:ffa500 orangered:ff4500 orchid:da70d6 palegoldenrod:eee8aa palegreen:98fb98
paleturquoise:afeeee palevioletred:db7093 papayawhip:ffefd5 peachpuff:ffdab9 peru:cd853f pink:ffc0cb plum:dda0dd
powderblue:b0e0e6 purple:800080 rebeccapurple:663399 red:ff0000 rosybrown:bc8f8f royalblue:4169e1 saddlebrown:8b4513
salmon:fa8072 sandybrown:f4a460 seagreen:2e8b57 seashell:fff5ee sienna:a0522d silver:c0c0c0 skyblue:87ceeb
slateblue:6a5acd slategray:708090 slategrey:708090 snow:fffafa springgreen:00ff7f steelblue:4682b4 tan:d2b48c
teal:008080 thistle:d8bfd8 tomato:ff6347 turquoise:40e0d0 violet:ee82ee wheat:f5deb3 white:ffffff whitesmoke:f5f5f5
yellow:ffff00 yellowgreen:9acd32
"""
CSS4_COLORS = {name: f"#{code}" for name, code in (entry.split(":") for entry in _CSS.split())}
TABLEAU_COLORS = dict(
    zip(
        (f"tab:{name}" for name in "blue orange green red purple brown pink gray olive cyan".split()),
        "#1f77b4 #ff7f0e #2ca02c #d62728 #9467bd #8c564b #e377c2 #7f7f7f #bcbd22 #17becf".split(),
    )
)
BASE_COLORS = {
    "b": (0, 0, 1), "g": (0, 0.5, 0), "r": (1, 0, 0), "c": (0, 0.75, 0.75), "m": (0.75, 0, 0.75),
    "y": (0.75, 0.75, 0), "k": (0, 0, 0), "w": (1, 1, 1),
}
_NAMED = {**CSS4_COLORS, **TABLEAU_COLORS, "tab:grey": "#7f7f7f"}
_seen = {}


def _of_text(text):
    if text == "none":
        return (0.0, 0.0, 0.0, 0.0)
    if text in BASE_COLORS:
        return (*map(float, BASE_COLORS[text]), 1.0)
    name = text.lower() if text.lower() in _NAMED else text
    if name in _NAMED:
        return _of_text(_NAMED[name])
    if text[:1] == "#" and len(text) in (4, 5, 7, 9):
        digits = text[1:] if len(text) > 5 else "".join(digit * 2 for digit in text[1:])
        try:
            parts = [int(digits[place : place + 2], 16) / 255 for place in range(0, len(digits), 2)]
            return (*parts, 1.0)[:4]
        except ValueError:
            return None
    try:
        gray = float(text)
    except ValueError:
        return None
    if not 0 <= gray <= 1:
        raise ValueError(f"Invalid string grayscale value {text!r}. Value must be within 0-1 range")
    return (gray, gray, gray, 1.0)


def to_rgba(c, alpha=None):
    """A colour as red, green, blue and opacity."""
    if isinstance(c, tuple) and len(c) == 2:
        c, own = c
        alpha = own if alpha is None else alpha
    if isinstance(c, str):
        if len(c) > 1 and c[0] == "C" and c[1:].isdigit():
            colours = rcParams["axes.prop_cycle"].by_key().get("color", ["k"])
            return to_rgba(colours[int(c[1:]) % len(colours)], alpha)
        found = _seen.get(c)
        if found is None:
            found = _of_text(c)
            if found is None:
                raise ValueError(f"Invalid RGBA argument: {c!r}")
            _seen[c] = found
        if alpha is not None and c != "none":
            found = (*found[:3], alpha)
        return found
    parts = _data.plain(c)
    if type(parts) is not list or any(isinstance(part, (str, list)) for part in parts):
        raise ValueError(f"Invalid RGBA argument: {c!r}")
    if len(parts) not in (3, 4):
        raise ValueError("RGBA sequence should have length 3 or 4")
    if any(part < 0 or part > 1 for part in parts):
        raise ValueError("RGBA values should be within 0-1 range")
    parts = tuple(map(float, parts))
    if alpha is not None:
        return (*parts[:3], alpha)
    return parts if len(parts) == 4 else (*parts, 1.0)


def check(color):
    """Says what colours there are if this is none."""
    if not is_color_like(color):
        raise ValueError(
            f"{color!r} is not a valid value for color: supported inputs are (r, g, b) and (r, g, b, a) 0-1 float tuples; "
            "'#rrggbb', '#rrggbbaa', '#rgb', '#rgba' strings; named color strings; string reprs of 0-1 floats for grayscale "
            "values; 'C0', 'C1', ... strings for colors of the color cycle; and pairs combining one of the above with an "
            "alpha value")


def to_rgb(c):
    return to_rgba(c)[:3]


def to_hex(c, keep_alpha=False):
    """A colour as `#` and its hexadecimal digits."""
    return "#" + "".join(f"{round(part * 255):02x}" for part in to_rgba(c)[: 4 if keep_alpha else 3])


def is_color_like(c):
    try:
        to_rgba(c)
    except (TypeError, ValueError):
        return False
    return True


def to_rgba_array(c, alpha=None):
    return _data.array([list(colour) for colour in colour_list(c, alpha)])


def colour_list(c, alpha=None):
    """One colour or several, as a list of RGBA; no colour is none."""
    if c is None or isinstance(c, str) and c.lower() == "none":
        return []
    if isinstance(c, str) or isinstance(c, tuple) and len(c) == 2 and isinstance(c[0], str) and not isinstance(c[1], str):
        return [to_rgba(c, alpha)]
    rows = c if isinstance(c, (list, tuple)) else _data.plain(c)
    if len(rows) in (3, 4) and all(isinstance(part, (int, float)) for part in rows):
        return [to_rgba(rows, alpha)]
    return [to_rgba(colour, alpha) for colour in rows]


def same_color(c1, c2):
    return colour_list(c1) == colour_list(c2)


def hsv_to_rgb(hsv):
    """Hue, saturation and value as red, green and blue; also for rows of them."""
    parts = _data.plain(hsv)
    if isinstance(parts[0], list):
        return _data.array([_data.plain(hsv_to_rgb(row)) for row in parts])
    hue, full, value = parts
    sector, part = int(hue * 6), hue * 6 - int(hue * 6)
    low, falling, rising = value * (1 - full), value * (1 - full * part), value * (1 - full * (1 - part))
    order = ((value, rising, low), (falling, value, low), (low, value, rising), (low, falling, value),
             (rising, low, value), (value, low, falling))
    return _data.array([float(part) for part in order[sector % 6]])


def rgb_to_hsv(arr):
    parts = _data.plain(arr)
    if isinstance(parts[0], list):
        return _data.array([_data.plain(rgb_to_hsv(row)) for row in parts])
    red, green, blue = parts
    top = max(parts)
    span = top - min(parts)
    if not span:
        return _data.array([0.0, 0.0, float(top)])
    hue = (green - blue) / span if red == top else 2 + (blue - red) / span if green == top else 4 + (red - green) / span
    return _data.array([hue / 6 % 1.0, span / top, float(top)])


class Colormap:
    """A map from 0..1, or from whole numbers below `N`, to colours: `_table` has `N` of them."""

    def __init__(self, name, N=256):
        self.name, self.N = name, N
        self._under = self._over = None
        self._bad = (0.0, 0.0, 0.0, 0.0)
        self.colorbar_extend = False

    def colour(self, value):
        """The colour of one number."""
        if value != value:
            return self._bad
        if not isinstance(value, int) or isinstance(value, bool):
            place = value * self.N
            if value < 0:
                return self._under or self._table[0]
            if value > 1:
                return self._over or self._table[-1]
            value = min(int(place), self.N - 1)
        if value < 0:
            return self._under or self._table[0]
        return self._table[value] if value < self.N else self._over or self._table[-1]

    def __call__(self, X, alpha=None, bytes=False):
        values = _data.plain(X)

        def mapped(part):
            if isinstance(part, list):
                return [mapped(inner) for inner in part]
            found = self.colour(part)
            found = found if alpha is None else (*found[:3], alpha)
            return [min(int(channel * 256), 255) for channel in found] if bytes else list(found)

        found = mapped(values)
        return _data.array(found) if isinstance(values, list) else tuple(found)

    def set_under(self, color="k", alpha=None):
        self._under = to_rgba(color, alpha)

    def set_over(self, color="k", alpha=None):
        self._over = to_rgba(color, alpha)

    def set_bad(self, color="k", alpha=None):
        self._bad = to_rgba(color, alpha)

    def set_extremes(self, *, bad=None, under=None, over=None):
        for colour, setter in ((bad, self.set_bad), (under, self.set_under), (over, self.set_over)):
            if colour is not None:
                setter(colour)

    def with_extremes(self, **colours):
        made = self.copy()
        made.set_extremes(**colours)
        return made

    def copy(self):
        made = Colormap(self.name, self.N)
        made.__class__ = self.__class__
        made.__dict__.update(self.__dict__)
        return made

    __copy__ = copy

    def _with_table(self, name, table):
        made = self.copy()
        made.name, made.N, made._table = name, len(table), table
        return made

    def reversed(self, name=None):
        return self._with_table(name or (self.name[:-2] if self.name.endswith("_r") else self.name + "_r"),
                                self._table[::-1])

    def resampled(self, lutsize):
        """The same colours in another number of steps."""
        last = len(self._table) - 1
        places = [step / max(lutsize - 1, 1) for step in range(lutsize)]
        if isinstance(self, ListedColormap) and last < 255:
            return self._with_table(self.name, [self.colour(place) for place in places])
        return self._with_table(self.name, [_between(self._table, place * last) for place in places])

    def __eq__(self, other):
        return isinstance(other, Colormap) and self._table == other._table

    def __hash__(self):
        return hash(self.name)


def _between(table, place):
    """The colour at a place between two of a table."""
    low = min(int(place), len(table) - 1)
    high, part = min(low + 1, len(table) - 1), place - low
    return tuple(a + (b - a) * part for a, b in zip(table[low], table[high]))


class ListedColormap(Colormap):
    """A map that has its colours from a list."""

    def __init__(self, colors, name="from_list", N=None):
        colors = [colors] if isinstance(colors, str) else colors
        rows = colour_list(colors)
        super().__init__(name, len(rows) if N is None else N)
        self._table = [rows[place % len(rows)] for place in range(self.N)]

    @property
    def colors(self):
        return [list(row[:3]) for row in self._table]


class LinearSegmentedColormap(Colormap):
    """A map whose colours lie on straight lines between given ones."""

    def __init__(self, name, segmentdata, N=256, gamma=1.0):
        super().__init__(name, N)
        channels = [_line(segmentdata[channel], N, gamma) for channel in ("red", "green", "blue")]
        channels.append(_line(segmentdata["alpha"], N, 1.0) if "alpha" in segmentdata else [1.0] * N)
        self._table = list(zip(*channels))

    @classmethod
    def from_list(cls, name, colors, N=256, gamma=1.0):
        colors = list(colors)
        if colors and isinstance(colors[0], (list, tuple)) and len(colors[0]) == 2 and not isinstance(colors[0][0], str):
            places, colors = zip(*colors)
        else:
            places = [step / (len(colors) - 1) for step in range(len(colors))]
        rows = [to_rgba(colour) for colour in colors]
        data = {
            channel: [(place, row[index], row[index]) for place, row in zip(places, rows)]
            for index, channel in enumerate(("red", "green", "blue", "alpha"))
        }
        return cls(name, data, N, gamma)


def _line(nodes, count, gamma):
    """The values of one channel: nodes are a place, and the values before and after it."""
    if callable(nodes):
        return [min(max(nodes((step / (count - 1)) ** gamma), 0.0), 1.0) for step in range(count)]
    found, node = [], 0
    for step in range(count):
        place = (step / (count - 1)) ** gamma if count > 1 else 1.0
        while node < len(nodes) - 2 and place > nodes[node + 1][0]:
            node += 1
        (start, _, low), (end, high, _) = nodes[node][:3], nodes[node + 1][:3]
        part = (place - start) / (end - start) if end > start else 1.0
        found.append(min(max(low + (high - low) * part, 0.0), 1.0))
    if count > 1:
        found[-1] = nodes[-1][1]
    return found


color_sequences = {"tab10": list(TABLEAU_COLORS.values())}


def get_named_colors_mapping():
    return {**_NAMED, **BASE_COLORS}
