"""How an axis is drawn: where its ticks and its labels are."""

from matplotlib import _svg
from matplotlib.colors import to_rgba
from matplotlib.text import Text
from matplotlib.ticker import NullFormatter


class AxisDrawing:
    def _visible(self, which):
        """The ticks that are within the limits, with their places in points."""
        part = self.axes._part(self.axis_name)
        found = self.ticks(which)
        start, end = sorted(part._span())
        places = part.many([place for place, _ in found]) if found else []
        near = 1e-8 * (end - start)
        return [(at, label) for at, (_, label) in zip(places, found) if start - near <= at <= end + near]

    def _label_boxes(self, side):
        """The boxes of what is written at the ticks of a side."""
        return [label.laid(*at)[3] for at, label in self._label_places(side) if label._p["text"]]

    def _label_places(self, side):
        """The labels of ticks at a side, and where they are."""
        if not self._p["visible"]:
            return
        line, outward = self._line(side)
        for which in ("major", "minor"):
            look = self._look[which]
            if not look["label1" if side == 0 else "label2"]:
                continue
            if isinstance(getattr(self, which).formatter, NullFormatter):
                continue
            reach = {"in": 0.0, "inout": 0.5, "out": 1.0}[look["direction"]] * look["size"] + look["pad"]
            at = line + outward * reach
            for place, label in self._visible(which):
                if not label._p["visible"]:
                    continue
                if side == 1:
                    label = label._mirrored(self.axis_name)
                yield ((place, at) if self.axis_name == "x" else (at, place)), label

    def _line(self, side):
        """Where the line of a side is, and in which direction its ticks go outwards."""
        spine = self.axes.spines[self._sides[side]]
        return spine.place(), -1 if side == 0 else 1

    def laid(self):
        """Puts the label and what is written beside the axis where the ticks leave room; gives all boxes."""
        if not self._p["visible"]:
            return []
        sides = [self._label_boxes(0), self._label_boxes(1)]
        boxes = [box for part in sides for box in part]
        frame = self.axes._box()
        across = self.axis_name == "x"
        first = self.label_position == self._sides[0]
        part = sides[0 if first else 1]
        line, outward = self._line(0 if first else 1)
        low, high = ("y0", "y1") if across else ("x0", "x1")
        edge = (
            min([getattr(box, low) for box in part] + [line]) if first
            else max([getattr(box, high) for box in part] + [line])
        )
        at = edge + outward * self.labelpad
        along = self.label._p["x"] if across else self.label._p["y"]
        loose = (frame.x0 + frame.width * along) if across else (frame.y0 + frame.height * along)
        self._label_point = (loose, at) if across else (at, loose)
        if self._label_at is not None:
            x, y, transform = self._label_at
            xs, ys = (transform or self.axes.transAxes).points([x], [y])
            self._label_point = xs[0], ys[0]
        if self.label._p["visible"] and self.label.get_text():
            boxes.append(self.label.laid(*self._label_point)[3])
        self.offsetText.set_text(self.major.formatter.get_offset())
        if self.offsetText.get_text():
            if across:
                edge = min([box.y0 for box in sides[0]] + [frame.y0]) - 3
                self._offset_point = (frame.x1, edge)
                self.offsetText._p.update(horizontalalignment="right", verticalalignment="top")
            else:
                right = self._look["major"]["label2"] and not self._look["major"]["label1"]
                self._offset_point = (frame.x1 if right else frame.x0, frame.y1 + 3)
                self.offsetText._p.update(horizontalalignment="right" if right else "left", verticalalignment="bottom")
            if self.offsetText._p["visible"]:
                boxes.append(self.offsetText.laid(*self._offset_point)[3])
        return boxes

    def draw_on(self, canvas):
        if not self._p["visible"]:
            return
        self.laid()
        for which in ("minor", "major"):
            self._draw_ticks(canvas, which)
        for side in (0, 1):
            for at, label in self._label_places(side):
                label.draw_on(canvas, at)
        if self.label._p["visible"]:
            self.label.draw_on(canvas, self._label_point)
        if self.offsetText.get_text() and self.offsetText._p["visible"]:
            self.offsetText.draw_on(canvas, self._offset_point)

    def _draw_ticks(self, canvas, which):
        look, frame = self._look[which], self.axes._box()
        across = self.axis_name == "x"
        places = [place for place, _ in self._visible(which)]

        def path(start, end):
            parts = [canvas.polyline([place, place], [start, end]) if across
                     else canvas.polyline([start, end], [place, place]) for place in places]
            return "".join(parts)

        if look["grid"]:
            start, end = (frame.y0, frame.y1) if across else (frame.x0, frame.x1)
            colour = to_rgba(look["grid_color"], look["grid_alpha"])
            width = look["grid_linewidth"]
            paint = canvas.paint(None, colour, width, _svg.dashes(look["grid_linestyle"], width),
                                 kind="g" if look["grid_color"] == "#b0b0b0" else "")
            canvas.path(path(start, end), paint, canvas.clip(frame))
        colour = to_rgba(look["color"])
        paint = canvas.paint(None, colour, look["width"], kind="l" if _svg.is_ink(colour) else "")
        inner, outer = {"in": (1.0, 0.0), "inout": (0.5, 0.5), "out": (0.0, 1.0)}[look["direction"]]
        for side, key in ((0, "tick1"), (1, "tick2")):
            if look[key] and look["size"]:
                line, outward = self._line(side)
                canvas.path(path(line - outward * inner * look["size"], line + outward * outer * look["size"]), paint)


class TickLabel(Text):
    """A text at a tick, which is of the colour of ticks unless it is given one."""

    _own_color = False

    def set_color(self, color):
        super().set_color(color)
        self._own_color = True

    def _mirrored(self, name):
        """The same text for the other side."""
        made = TickLabel(0, 0, "")
        made._p, made.axes, made.figure = dict(self._p), self.axes, self.figure
        if name == "x" and made._p["verticalalignment"] == "top":
            made._p["verticalalignment"] = "bottom"
        elif name == "y" and made._p["horizontalalignment"] == "right":
            made._p["horizontalalignment"] = "left"
        return made
