"""Texts, and texts that point at something."""

import math

from matplotlib import _data, _svg, rcParams
from matplotlib.artist import Artist
from matplotlib.colors import check, to_rgba
from matplotlib.transforms import Bbox


class Text(Artist):
    zorder = 3
    _ALIASES = {
        "size": "fontsize", "weight": "fontweight", "style": "fontstyle", "family": "fontfamily",
        "ha": "horizontalalignment",
        "va": "verticalalignment", "c": "color", "name": "fontfamily", "fontname": "fontfamily", "variant": "fontvariant",
        "stretch": "fontstretch", "ma": "multialignment", "font": "fontproperties", "font_properties": "fontproperties",
        "s": "text",
    }
    _DEFAULTS = {
        "fontstyle": "normal", "fontfamily": None, "horizontalalignment": "left", "verticalalignment": "baseline",
        "rotation": 0.0, "rotation_mode": "default", "bbox": None, "linespacing": 1.2, "multialignment": None, "wrap": False,
        "usetex": False, "parse_math": True, "math_fontfamily": None, "fontvariant": "normal", "fontstretch": "normal",
        "backgroundcolor": None, "fontproperties": None, "transform_rotates_text": False, "clip_on": False,
    }

    def __init__(self, x=0, y=0, text="", *, where="Text", **properties):
        super().__init__()
        self._p.update(color=rcParams["text.color"], fontsize=float(rcParams["font.size"]),
                       fontweight=rcParams["font.weight"])
        self._p.update(text="", x=x, y=y)
        self.set_text(text)
        self._given(properties, where)

    def set_text(self, s):
        self._p["text"] = "" if s is None else str(s)

    def set_fontsize(self, fontsize):
        self._p["fontsize"] = _svg.points_of(fontsize)

    def set_color(self, color):
        check(color)
        self._p["color"] = color

    def set_position(self, xy):
        self._p["x"], self._p["y"] = xy

    def get_position(self):
        return self._p["x"], self._p["y"]

    def set_rotation(self, s):
        self._p["rotation"] = {"horizontal": 0.0, "vertical": 90.0, None: 0.0}.get(s, s)

    def get_rotation(self):
        return float(self._p["rotation"]) % 360

    def set_fontproperties(self, fp):
        given = fp if isinstance(fp, dict) else vars(fp) if hasattr(fp, "_size") else {"family": fp}
        self._given({key.strip("_"): value for key, value in given.items() if value is not None}, "fontproperties")

    def set_fontdict(self, fontdict):
        self._given(fontdict or {}, "fontdict")

    def get_fontname(self):
        return "DejaVu Sans"

    def set_bbox(self, rectprops):
        self._p["bbox"] = rectprops

    def set_backgroundcolor(self, color):
        self._p["bbox"] = {"facecolor": color, "edgecolor": color, "boxstyle": "square,pad=0.2"}

    def _block(self):
        return _svg._mathtext.Block(
            self._p["text"], self._p["fontsize"], _svg.is_bold(self._p["fontweight"]), self._p["linespacing"] or 1.2,
            self._p["parse_math"],
        )

    def _place(self):
        """Where the text is to be, in points."""
        xs, ys = self.get_transform().points([self._x()], [self._y()])
        return xs[0], ys[0]

    def _x(self):
        x = self._p["x"]
        return self.axes.xaxis.numbers([x])[0] if isinstance(x, str) and self.axes is not None else float(_data.plain(x))

    def _y(self):
        y = self._p["y"]
        return self.axes.yaxis.numbers([y])[0] if isinstance(y, str) and self.axes is not None else float(_data.plain(y))

    def laid(self, x=None, y=None):
        """The lines, where they start, and the box around them, in points."""
        if x is None:
            x, y = self._place()
        block = self._block()
        left, low, box = _svg.placed(
            block, x, y, self._p["horizontalalignment"], self._p["verticalalignment"], self.get_rotation(),
            self._p["rotation_mode"],
        )
        return block, left, low, Bbox([box[:2], box[2:]])

    def bounds(self):
        """The box around the text, or nothing where there is none."""
        if not self._p["visible"] or not self._p["text"].strip():
            return None
        return self.laid()[3]

    def get_window_extent(self, renderer=None, dpi=None):
        box, size = self.laid()[3], self.figure.dpi / 72
        return Bbox([[box.x0 * size, box.y0 * size], [box.x1 * size, box.y1 * size]])

    def draw_on(self, canvas, at=None):
        if not self._p["text"].strip():
            return
        x, y = at or self._place()
        if not (math.isfinite(x) and math.isfinite(y)):
            return
        clip = self._clip_of(canvas)
        if clip and not self.axes._box().padded(0.5).overlaps(Bbox([[x, y], [x, y]])):
            return
        block, left, low, box = self.laid(x, y)
        turns = True
        if self._p["bbox"] is not None:
            turns = self._draw_box(canvas, block, left, low)
        angle, ha = self.get_rotation(), self._p["multialignment"] or self._p["horizontalalignment"]
        anchor = ha if not angle else _svg.anchor_of(self._p["horizontalalignment"], self._p["verticalalignment"], angle)
        if self._p["path_effects"]:
            self._draw_halo(canvas, block, left, low, anchor, angle, clip)
        style = canvas.style(
            to_rgba(self._p["color"], self._p["alpha"]), self._p["fontsize"], self._p["fontweight"], self._p["fontstyle"],
            self._p["fontfamily"], turns,
        )
        canvas.text(left, low, block, style, anchor, angle, clip)

    def _draw_halo(self, canvas, block, left, low, anchor, angle, clip):
        """The outline that `withStroke` draws behind a text."""
        for effect in self._p["path_effects"]:
            look = getattr(effect, "properties", None)
            if look and look.get("foreground") is not None:
                colour, _ = _svg.shown(to_rgba(look["foreground"]))
                style = canvas.style((0, 0, 0, 1), self._p["fontsize"], self._p["fontweight"], turns=False)
                style += f' stroke="{colour}" stroke-width="{look.get("linewidth", 1)}" stroke-linejoin="round"'
                canvas.text(left, low, block, style, anchor, angle, clip)

    def _draw_box(self, canvas, block, left, low):
        """The box around a text; whether black letters in it may turn light in the dark."""
        from matplotlib.patches import FancyBboxPatch

        look = dict(self._p["bbox"])
        size = self._p["fontsize"]
        style = look.pop("boxstyle", None)
        pad = look.pop("pad", None)
        if style is None:
            style = f"square,pad={(4 if pad is None else pad) / size}"
        alpha = look.get("alpha")
        box = FancyBboxPatch((0, 0), block.width, block.height, boxstyle=style, mutation_scale=size, where="bbox")
        box._given({"edgecolor": "black", "facecolor": rcParams["patch.facecolor"], **look}, "bbox")
        box.draw_turned(canvas, left, low, self.get_rotation())
        face = _svg.colour_or_none(box._p["facecolor"], alpha)
        return face is None or face[3] == 0


class FontProperties:
    """What a font is asked to be."""

    def __init__(self, family=None, style=None, variant=None, weight=None, stretch=None, size=None, fname=None, **_more):
        self._family, self._style, self._weight, self._size = family, style, weight, size

    def get_size_in_points(self):
        return _svg.points_of(self._size)


class Annotation(Text):
    """A text at one place, with an arrow to another."""

    def __init__(self, text, xy, xytext=None, xycoords="data", textcoords=None, arrowprops=None, annotation_clip=None,
                 **properties):
        self.xy = tuple(xy)
        self.xycoords = xycoords
        self.anncoords = textcoords if textcoords is not None else xycoords
        self.arrowprops = arrowprops
        xytext = self.xy if xytext is None else xytext
        super().__init__(*xytext, text, where="annotate", **properties)

    xyann = property(lambda self: self.get_position())

    def _point(self, place, coords):
        """A place of some kind of coordinates, in points."""
        if isinstance(coords, (tuple, list)):
            return self._point(place, coords[0])[0], self._point(place, coords[1])[1]
        if hasattr(coords, "points"):
            xs, ys = coords.points([place[0]], [place[1]])
            return xs[0], ys[0]
        figure = self.figure
        kind, _, unit = coords.partition(" ")
        if kind == "offset":
            x, y = self._point(self.xy, self.xycoords)
            size = 1.0 if unit == "points" else 72 / figure.dpi if unit == "pixels" else self._p["fontsize"]
            return x + place[0] * size, y + place[1] * size
        if coords == "data":
            x, y = self.axes.xaxis.numbers([place[0]])[0], self.axes.yaxis.numbers([place[1]])[0]
            xs, ys = self.axes.transData.points([x], [y])
            return xs[0], ys[0]
        transform = self.axes.transAxes if kind == "axes" else figure.transFigure
        if unit == "fraction":
            return transform.across.one(place[0]), transform.up.one(place[1])
        size = 1.0 if unit == "points" else 72 / figure.dpi
        return transform.across.one(0) + place[0] * size, transform.up.one(0) + place[1] * size

    def _place(self):
        if self._p["transform"] is not None:
            return super()._place()
        return self._point(self.get_position(), self.anncoords)

    def draw_on(self, canvas, at=None):
        if self.xycoords == "data" and self.axes is not None and self.anncoords != "data":
            x, y = self._point(self.xy, "data")
            if not self.axes._box().padded(0.01).overlaps(Bbox([[x, y], [x, y]])):
                return
        if self.arrowprops is not None:
            self._draw_arrow(canvas)
        super().draw_on(canvas)

    def _draw_arrow(self, canvas):
        from matplotlib._arrows import draw_arrow

        look = dict(self.arrowprops)
        size = look.pop("mutation_scale", self._p["fontsize"])
        block, left, low, box = self.laid()
        end = self._point(self.xy, self.xycoords)
        is_simple = "arrowstyle" not in look
        start = look.pop("relpos", (0.5, 0.5))
        pad = 0.3 * size if self._p["bbox"] else 4.0 if self._p["text"] else 0
        around = box.padded(pad) if self._p["text"] else None
        if is_simple:
            shrink = look.pop("shrink", 0.0)
            width, head = look.pop("width", 4), look.pop("headwidth", 12)
            length = look.pop("headlength", 12)
            x0 = min((box.x0, box.x1, (box.x0 + box.x1) / 2), key=lambda x: abs(x - end[0]))
            y0 = min((box.y0, box.y1, (box.y0 + box.y1) / 2), key=lambda y: abs(y - end[1]))
            reach = math.hypot(end[0] - x0, end[1] - y0)
            draw_arrow(canvas, (x0, y0), end, "simple-wide", size, look, shrink=(reach * shrink, reach * shrink),
                       sizes=(width, head, length), where="annotate")
            return
        begin = (box.x0 + start[0] * box.width, box.y0 + start[1] * box.height)
        shrink = (look.pop("shrinkA", 2), look.pop("shrinkB", 2))
        draw_arrow(canvas, begin, end, look.pop("arrowstyle"), size, look, shrink=shrink, leaving=around, where="annotate")
