"""Writes SVG: shapes, text and pictures in points, with `y` upwards until it is written."""

import math

from matplotlib import _mathtext, rcParams
from matplotlib.colors import to_rgba

_ESCAPES = {38: "&amp;", 60: "&lt;", 62: "&gt;", 34: "&quot;"}
# Characters that XML has no place for.
_ESCAPES.update({code: "\ufffd" for code in range(32) if code not in (9, 10, 13)})
_ESCAPES.update({code: "\ufffd" for code in (0xFFFE, 0xFFFF, *range(0xD800, 0xE000))})
_DARK = (
    "@media(prefers-color-scheme:dark){.b{fill:#1c1c1f}.t{fill:#e4e4e7}.l{stroke:#e4e4e7}.g{stroke:#4a4a50}"
    ".q{stroke:#57575e}}"
)
_DASHES = {"--": "dashed", "-.": "dashdot", ":": "dotted", "dashed": "dashed", "dashdot": "dashdot", "dotted": "dotted"}
SOLID = ("-", "solid", "None", "none", "", " ", None)


def escape(text):
    return str(text).translate(_ESCAPES)


def number(value):
    """A number with two digits after the point, and no more than it needs."""
    text = f"{value:.2f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def dashes(style, width):
    """The lengths of dashes and gaps in points; none for a solid line."""
    if isinstance(style, tuple):
        lengths = style[1]
        if not lengths:
            return None
    elif style in SOLID:
        return None
    else:
        lengths = rcParams[f"lines.{_DASHES[style]}_pattern"]
    size = width if rcParams["lines.scale_dashes"] else 1.0
    return [length * size for length in lengths]


def shown(colour):
    """A colour as SVG has it, and its opacity."""
    red, green, blue, alpha = colour
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}", alpha


def is_ink(colour):
    """Whether a colour is black or nearly so: what turns light where the page is dark."""
    red, green, blue, _ = colour
    return red == green == blue and red < 0.45


class Canvas:
    """Collects the elements of one picture."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.view = (0, 0, width, height)
        self.parts, self._clips, self._marks = [], {}, {}
        self.defs = []
        # Whether black is to turn light in the dark: not on what has a colour of its own.
        self.turns = True

    def clip(self, box):
        """The attribute that cuts off what is outside of a box."""
        if box is None:
            return ""
        key = tuple(map(number, (box.x0, self.height - box.y1, box.width, box.height)))
        if key not in self._clips:
            self._clips[key] = f"c{len(self._clips) + 1}"
            x, y, width, height = key
            self.defs.append(
                f'<clipPath id="{self._clips[key]}"><rect x="{x}" y="{y}" width="{width}" height="{height}"/></clipPath>'
            )
        return f' clip-path="url(#{self._clips[key]})"'

    def polyline(self, xs, ys, closed=False):
        """The text of a path through points."""
        height = self.height
        text = "L".join([f"{x:.2f} {height - y:.2f}" for x, y in zip(xs, ys)])
        return f"M{text}Z" if closed else f"M{text}"

    def paint(self, fill=None, stroke=None, width=0.0, dash=None, cap="butt", join="miter", kind=""):
        """The attributes of a shape's colours; `kind` is the class that turns it in the dark."""
        text = f' class="{kind}"' if kind and self.turns else ""
        if fill is None or fill[3] == 0:
            text += ' fill="none"'
        else:
            colour, alpha = shown(fill)
            text += f' fill="{colour}"'
            if alpha < 1:
                text += f' fill-opacity="{alpha:.3g}"'
        if stroke is None or stroke[3] == 0 or not width:
            return text
        colour, alpha = shown(stroke)
        if not kind and self.turns and colour == "#000000" and fill is None:
            text = f' class="l"{text}'
        text += f' stroke="{colour}"'
        if width != 1:
            text += f' stroke-width="{number(width)}"'
        if alpha < 1:
            text += f' stroke-opacity="{alpha:.3g}"'
        if dash:
            text += f' stroke-dasharray="{" ".join(map(number, dash))}"'
        if cap != "butt":
            text += f' stroke-linecap="{"square" if cap == "projecting" else cap}"'
        if join != "miter":
            text += f' stroke-linejoin="{join}"'
        return text

    def path(self, d, paint, clip="", more=""):
        if d:
            self.parts.append(f'<path d="{d}"{paint}{clip}{more}/>')

    def rect(self, box, paint, clip="", radius=0.0):
        round_off = f' rx="{number(radius)}"' if radius else ""
        self.parts.append(
            f'<rect x="{number(box.xmin)}" y="{number(self.height - box.ymax)}" width="{number(box.xmax - box.xmin)}" '
            f'height="{number(box.ymax - box.ymin)}"{round_off}{paint}{clip}/>'
        )

    def mark(self, d):
        """The name of a shape that is drawn many times."""
        if d not in self._marks:
            self._marks[d] = f"m{len(self._marks) + 1}"
            self.defs.append(f'<path id="{self._marks[d]}" d="{d}"/>')
        return self._marks[d]

    def marks(self, d, xs, ys, paint, clip=""):
        """A shape at many places; `d` is around 0, 0 and downwards."""
        name, height = self.mark(d), self.height
        uses = "".join([f'<use href="#{name}" x="{x:.2f}" y="{height - y:.2f}"/>' for x, y in zip(xs, ys)])
        if uses:
            self.parts.append(f"<g{clip}{paint}>{uses}</g>")

    def text(self, x, y, block, style, ha="left", angle=0.0, clip=""):
        """Draws a laid out text with its lower left corner at a place, turned around that."""
        turn = ""
        x, y = x, self.height - y
        if angle:
            turn = f' transform="rotate({number(-angle)} {number(x)} {number(y)})"'
        anchor = {"center": ' text-anchor="middle"', "right": ' text-anchor="end"'}.get(ha, "") if block.is_plain else ""
        parts = []
        for (baseline, box, wide), text in zip(block.lines, block.texts):
            part = {"center": 0.5, "right": 1.0}.get(ha, 0.0)
            left, base = x + (block.width - (0 if block.is_plain else wide)) * part, y - baseline
            if block.is_plain and text:
                keep = ' xml:space="preserve"' if "  " in text or text != text.strip() else ""
                parts.append(f'<text x="{number(left)}" '
                             f'y="{number(base)}"{anchor}{keep}{turn}{style}{clip}>{escape(text)}</text>')
            elif not block.is_plain:
                parts.append(self._maths(left, base, box, f"{turn}{style}{clip}"))
        self.parts += parts

    @staticmethod
    def _maths(x, y, box, attributes):
        spans = ""
        for dx, dy, text, size, font in box.runs:
            look = ' font-style="italic"' if "i" in font else ""
            look += ' font-weight="bold"' if "b" in font else ""
            look += ' font-family="monospace"' if "m" in font else ""
            place = f'x="{number(x + dx)}" y="{number(y - dy)}"'
            spans += f'<tspan {place} font-size="{number(size)}"{look}>{escape(text)}</tspan>'
        rules = "".join(
            f"M{number(x + dx)} {number(y - dy)}h{number(wide)}v{number(-high)}h{number(-wide)}z"
            for dx, dy, wide, high in box.rules
        )
        text = f'<text xml:space="preserve"{attributes}>{spans}</text>'
        return f'<g><path d="{rules}"{attributes}/>{text}</g>' if rules else text

    def style(self, colour, size, weight="normal", slant="normal", family=None, turns=True):
        """The attributes of a text."""
        fill, alpha = shown(colour)
        text = ' class="t"' if turns and self.turns and is_ink(colour) else ""
        text += f' fill="{fill}" font-size="{number(size)}"'
        if alpha < 1:
            text += f' opacity="{alpha:.3g}"'
        if is_bold(weight):
            text += ' font-weight="bold"'
        if slant != "normal":
            text += f' font-style="{escape(slant)}"'
        family = family or rcParams["font.family"]
        family = [family] if isinstance(family, str) else list(family)
        if family[0] not in ("sans-serif", "DejaVu Sans"):
            names = rcParams.get(f"font.{family[0]}", family)
            text += f" font-family=\"{escape(', '.join(names))}\""
        return text

    def document(self, title, description):
        """The whole picture."""
        left, top, wide, high = map(number, self.view)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {wide} {high}" width="{wide}pt" '
            f'height="{high}pt" '
            'font-family="DejaVu Sans, Verdana, sans-serif" stroke-miterlimit="10" role="img">'
            f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
            f"<style>{_DARK}</style><defs>{''.join(self.defs)}</defs>{''.join(self.parts)}</svg>"
        )


def is_bold(weight):
    return (
        weight >= 600 if isinstance(weight, (int, float)) else weight in ("bold", "heavy", "semibold", "black", "demibold")
    )


_SIZES = {"xx-small": 0.579, "x-small": 0.694, "small": 0.833, "smaller": 0.833, "medium": 1.0, "large": 1.2, "larger": 1.2,
          "x-large": 1.44, "xx-large": 1.728}


def points_of(size, base=None):
    """The size of a font in points."""
    if size is None:
        return float(rcParams["font.size"])
    if isinstance(size, str):
        if size not in _SIZES:
            return float(size)
        return _SIZES[size] * (rcParams["font.size"] if base is None else base)
    return float(size)


def placed(block, x, y, ha, va, angle=0.0, mode="default"):
    """Where a text's lower left corner is, and the box that it takes: from its place and its alignment."""
    wide, high = block.width, block.height
    up = {"bottom": 0.0, "top": high, "center": high / 2, "baseline": block.descent,
          "center_baseline": high - block.first_ascent / 2}.get(va, 0.0)
    along = {"center": 0.5, "right": 1.0}.get(ha, 0.0)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    corners = [(cos * a - sin * b, sin * a + cos * b) for a, b in ((0, 0), (wide, 0), (0, high), (wide, high))]
    left, right = min(corner[0] for corner in corners), max(corner[0] for corner in corners)
    low, top = min(corner[1] for corner in corners), max(corner[1] for corner in corners)
    if mode == "anchor" and angle:
        a, b = along * wide, up
        shift = (cos * a - sin * b, sin * a + cos * b)
    elif angle:
        if va == "baseline":
            height = corners[0][1] + cos * block.descent
        else:
            height = {"bottom": low, "top": top, "center": (low + top) / 2, "center_baseline": (low + top) / 2}.get(va, low)
        shift = (left + along * (right - left), height)
    else:
        shift = (along * wide, up)
    x, y = x - shift[0], y - shift[1]
    return x, y, (x + left, y + low, x + right, y + top)


# Where the letters of a text begin or end when it is drawn in a font of another width.
def anchor_of(ha, va, angle):
    turned = angle % 360
    if turned == 0:
        return ha
    if abs(turned - 90) < 1:
        return {"bottom": "left", "top": "right"}.get(va, "center")
    if abs(turned - 270) < 1:
        return {"bottom": "right", "top": "left"}.get(va, "center")
    return ha


def colour_or_none(colour, alpha=None):
    """A colour, or nothing where there is none."""
    return None if colour is None or isinstance(colour, str) and colour.lower() == "none" else to_rgba(colour, alpha)


def measure(text, size, weight="normal"):
    return _mathtext.Block(text, size, is_bold(weight))
