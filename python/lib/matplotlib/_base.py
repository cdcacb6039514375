"""What every plot has: its place, its limits, its artists, its titles; and how all of it is drawn."""

import itertools

from matplotlib import rcParams
from matplotlib._limits import NOWHERE, LimitsMixin
from matplotlib.artist import Artist
from matplotlib.axis import XAxis, YAxis
from matplotlib.collections import Collection
from matplotlib.colors import to_rgba
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.spines import Spine, Spines
from matplotlib.text import Text
from matplotlib.transforms import Bbox, Part, Separate


class AxesBase(LimitsMixin, Artist):
    name = "rectilinear"

    def __init__(self, figure, position, *, facecolor=None, frameon=True, sharex=None, sharey=None, label="", xscale=None,
                 yscale=None, box_aspect=None, subplotspec=None, **properties):
        super().__init__()
        self.figure, self.axes = figure, self
        self._subplotspec, self._within = subplotspec, (0.0, 1.0, 0.0, 1.0)
        self._position = self._original = position if isinstance(position, Bbox) else Bbox.from_bounds(*position)
        self._own_face = facecolor is not None or rcParams["axes.facecolor"] != "white"
        self._face = rcParams["axes.facecolor"] if facecolor is None else facecolor
        self._p["label"] = label
        self._frame_on, self.axison, self._grid_zorder = frameon, True, None
        self._anchor, self._aspect, self._adjustable, self._box_aspect = "C", "auto", "box", box_aspect
        self._shared = {"x": [self], "y": [self]}
        self._twins = [self]
        self._start()
        for name, other in (("x", sharex), ("y", sharey)):
            if other is not None:
                self._share(name, other)
        for name, scale in (("x", xscale), ("y", yscale)):
            if scale is not None:
                self._change_scale(name, scale)
        self._given(properties, "axes")

    def _start(self):
        """What is cleared by `cla`."""
        self._children, self.containers = [], []
        self._reach = {"x": NOWHERE, "y": NOWHERE}
        self._margins = {"x": rcParams["axes.xmargin"], "y": rcParams["axes.ymargin"]}
        self._use_sticky = True
        self.legend_ = None
        self.xaxis, self.yaxis = XAxis(self), YAxis(self)
        self.set_axisbelow(rcParams["axes.axisbelow"])
        self.spines = Spines((side, Spine(self, side)) for side in ("left", "right", "bottom", "top"))
        self._titles = {}
        for side, x in (("left", 0.0), ("center", 0.5), ("right", 1.0)):
            self._titles[side] = Text(x, 1.0, "", fontsize=rcParams["axes.titlesize"],
                                      fontweight=rcParams["axes.titleweight"],
                                      horizontalalignment=side, verticalalignment="baseline")
            self._titles[side].axes, self._titles[side].figure = self, self.figure
        self.title, self._title_pad, self._title_at = (self._titles["center"], rcParams["axes.titlepad"],
                                                       rcParams["axes.titley"])
        self.patch = Rectangle((0, 0), 1, 1, where="axes.patch")
        self.patch._p["facecolor"] = self._face
        self.patch.set_facecolor = self.set_facecolor
        parts = {name: Part(lambda name=name: self._span_of(name), getattr(self, f"{name}axis")) for name in "xy"}
        whole = {name: Part(lambda name=name: self._span_of(name)) for name in "xy"}
        self._parts = parts
        self.transData = Separate(parts["x"], parts["y"], self.figure)
        self.transAxes = Separate(whole["x"], whole["y"], self.figure)
        self._xtransform = Separate(parts["x"], whole["y"], self.figure)
        self._ytransform = Separate(whole["x"], parts["y"], self.figure)
        self._xtransform._data_x = self._ytransform._data_y = True
        self._cycle = itertools.cycle(list(rcParams["axes.prop_cycle"]))
        self._patch_cycle = itertools.cycle(list(rcParams["axes.prop_cycle"]))
        self._current_image = None

    def cla(self):
        shared = {name: [axes for axes in group if axes is not self] for name, group in self._shared.items()}
        self._start()
        for name, others in shared.items():
            if others:
                getattr(self, f"{name}axis")._share(getattr(others[0], f"{name}axis"))

    clear = cla

    def _share(self, name, other):
        """Keeps the limits of an axis in common with another plot."""
        group = other._shared[name]
        group.append(self)
        self._shared[name] = group
        getattr(self, f"{name}axis")._share(getattr(other, f"{name}axis"))

    def sharex(self, other):
        self._share("x", other)

    def sharey(self, other):
        self._share("y", other)

    # Where the plot is.

    def _box(self):
        """The box of the plot in points."""
        wide, high = self.figure._points()
        place = self._position
        return Bbox([[place.x0 * wide, place.y0 * high], [place.x1 * wide, place.y1 * high]])

    bbox = property(lambda self: self.get_window_extent())

    def get_window_extent(self, renderer=None):
        box, size = self._box(), self.figure.dpi / 72
        return Bbox([[box.x0 * size, box.y0 * size], [box.x1 * size, box.y1 * size]])

    def _span_of(self, name):
        box = self._box()
        return (box.x0, box.x1) if name == "x" else (box.y0, box.y1)

    def _part(self, name):
        return self._parts[name]

    def get_position(self, original=False):
        if not original:
            self.apply_aspect()
        return self._original if original else self._position

    def set_position(self, pos, which="both"):
        self._original = self._position = pos if isinstance(pos, Bbox) else Bbox.from_bounds(*pos)
        self._subplotspec = None

    def get_subplotspec(self):
        return self._subplotspec

    def get_gridspec(self):
        return self._subplotspec.get_gridspec() if self._subplotspec is not None else None

    def _stay_in(self, box):
        """Takes a place of its own within that which the grid of plots gives."""
        self._original = self._position = box
        if self._subplotspec is not None:
            whole = self._subplotspec.get_position(self.figure)
            self._within = [(x - whole.x0) / whole.width for x in (box.x0, box.x1)] + [
                (y - whole.y0) / whole.height for y in (box.y0, box.y1)]

    def _replace(self):
        """Takes the place that the grid of plots has now."""
        if self._subplotspec is not None:
            whole = self._subplotspec.get_position(self.figure)
            x0, x1, y0, y1 = self._within
            self._original = self._position = Bbox([
                [whole.x0 + x0 * whole.width, whole.y0 + y0 * whole.height],
                [whole.x0 + x1 * whole.width, whole.y0 + y1 * whole.height]])

    def get_xaxis_transform(self, which="grid"):
        return self._xtransform

    def get_yaxis_transform(self, which="grid"):
        return self._ytransform

    def set_anchor(self, anchor, share=False):
        self._anchor = anchor

    def get_anchor(self):
        return self._anchor

    # Artists.

    def has_data(self):
        return any(isinstance(child, (Line2D, Patch, Collection, AxesImage)) for child in self._children)

    def _add(self, artist, fit="xy", reach=True):
        """Adds an artist; the limits are to hold it, and are found anew in the given directions."""
        artist.axes, artist.figure = self, self.figure
        if not artist._p["label"] and not isinstance(artist, Text):
            artist._p["label"] = f"_child{len(self._children)}"
        self._children.append(artist)
        if reach:
            self._reach_to(artist)
        if fit:
            self._changed(fit)
        return artist

    def add_line(self, line):
        return self._add(line, "")

    def add_patch(self, p):
        return self._add(p, "")

    def add_collection(self, collection, autolim=True):
        return self._add(collection, "xy" if autolim else "", autolim)

    def add_image(self, image):
        return self._add(image, "", False)

    def add_artist(self, a):
        return self._add(a, "", False)

    add_child_axes = add_artist

    def add_container(self, container):
        container.axes = self
        self.containers.append(container)
        return container

    def _remove(self, artist):
        if artist is self.legend_:
            self.legend_ = None
        else:
            self._children.remove(artist)

    def remove(self):
        self.figure.delaxes(self)

    lines = property(lambda self: _ArtistList(self, Line2D))
    patches = property(lambda self: _ArtistList(self, Patch))
    collections = property(lambda self: _ArtistList(self, Collection))
    images = property(lambda self: _ArtistList(self, AxesImage))
    texts = property(lambda self: _ArtistList(self, Text))

    @property
    def artists(self):
        known = (Line2D, Patch, Collection, AxesImage, Text)
        return [child for child in self._children if not isinstance(child, known)]

    def get_lines(self):
        return list(self.lines)

    def get_images(self):
        return list(self.images)

    def get_children(self):
        legend = [self.legend_] if self.legend_ is not None else []
        return [*self._children, *self.spines.values(), self.xaxis, self.yaxis, *self._titles.values(), *legend, self.patch]

    def findobj(self, match=None, include_self=True):
        return [child for child in self.get_children() if match is None or isinstance(child, match)]

    def get_xaxis(self):
        return self.xaxis

    def get_yaxis(self):
        return self.yaxis

    # Colours and the frame.

    def set_facecolor(self, color):
        to_rgba(color)
        self._face, self._own_face = color, True
        self.patch._p["facecolor"] = color

    set_fc = set_facecolor

    def get_facecolor(self):
        return to_rgba(self._face)

    def set_frame_on(self, b):
        self._frame_on = b

    def get_frame_on(self):
        return self._frame_on

    def set_axis_off(self):
        self.axison = False

    def set_axis_on(self):
        self.axison = True

    def set_axisbelow(self, b):
        for axis in (self.xaxis, self.yaxis):
            axis.zorder = {True: 0.5, False: 2.5, "line": 1.5}[b]

    def set_prop_cycle(self, *named, **properties):
        from matplotlib import cycler

        if len(named) == 1:
            rows = rcParams["axes.prop_cycle"] if named[0] is None else named[0]
        else:
            rows = cycler(*named, **properties)
        self._cycle, self._patch_cycle = itertools.cycle(list(rows)), itertools.cycle(list(rows))

    def _next_look(self):
        return dict(next(self._cycle))

    def _next_colour(self):
        return next(self._patch_cycle).get("color", "C0")

    # Drawing.

    def _is_dark_safe(self):
        """Whether black within the plot may turn light: not on colours of its own, nor on pictures."""
        from matplotlib.collections import QuadMesh
        from matplotlib.contour import ContourArea

        return (
            not self._own_face and not any(isinstance(child, (AxesImage, QuadMesh, ContourArea)) for child in self._children)
        )

    def _order(self):
        """All that is drawn, from the back to the front."""
        found = [child for child in self._children if child._p["visible"]]
        if self.axison:
            for axis in (self.xaxis, self.yaxis):
                found.append((axis.zorder if self._grid_zorder is None else self._grid_zorder, axis))
            if self._frame_on:
                found += [spine for spine in self.spines.values() if spine._p["visible"]]
        if self.legend_ is not None and self.legend_._p["visible"]:
            found.append(self.legend_)
        pairs = [part if isinstance(part, tuple) else (part.zorder, part) for part in found]
        return [artist for _, artist in sorted(pairs, key=lambda pair: pair[0])]

    def draw_on(self, canvas):
        if not self._p["visible"]:
            return
        outside, inside = canvas.turns, canvas.turns and self._is_dark_safe()
        if self._frame_on and self.axison and self.patch._p["visible"]:
            kind = "b" if outside and not self._own_face else ""
            canvas.rect(self._box(), canvas.paint(to_rgba(self._face, self.patch._p["alpha"]), kind=kind))
        for artist in self._order():
            canvas.turns = inside if artist in self._children or artist is self.legend_ else outside
            artist.draw_on(canvas)
        canvas.turns = outside
        self._place_titles()
        for title in self._titles.values():
            if title._p["visible"] and title.get_text():
                title.draw_on(canvas, title._point)

    def _place_titles(self):
        """Puts titles above everything at the upper edge."""
        box = self._box()
        top = box.y1
        if self._title_at is None:
            for axes in dict.fromkeys([*self._twins, self]):
                top = max(top, axes._top_of_axes(bool(self._titles["left"].get_text())))
        else:
            top = box.y0 + box.height * self._title_at
        for title in self._titles.values():
            # A title with deep letters is put higher, so that they do not reach into the plot.
            deep = title._block().descent if "$" in title.get_text() else 0.0
            title._point = (box.x0 + box.width * title._p["x"], max(top + self._title_pad, top + deep))

    def _top_of_axes(self, has_left):
        """How high what is written at the upper edge goes; with a title at the left, what is above the left edge too."""
        boxes = []
        if self.axison and self.xaxis._p["visible"]:
            boxes += self.xaxis._label_boxes(1)
            self.xaxis.laid()
            if self.xaxis.label_position == "top" and self.xaxis.label.get_text():
                boxes.append(self.xaxis.label.laid(*self.xaxis._label_point)[3])
        if has_left and self.axison and self.yaxis._p["visible"]:
            self.yaxis.laid()
            if self.yaxis.offsetText.get_text():
                boxes.append(self.yaxis.offsetText.laid(*self.yaxis._offset_point)[3])
        return max([self._box().y1] + [box.y1 for box in boxes])

    def tight_box(self, with_artists=True):
        """The box around all that is drawn, in points."""
        self.apply_aspect()
        boxes = [self._box()]
        if self.axison:
            boxes += self.xaxis.laid() + self.yaxis.laid()
            boxes.append(self._with_ticks())
        self._place_titles()
        boxes += [title.laid(*title._point)[3] for title in self._titles.values() if title.get_text()
                  and title._p["visible"]]
        if with_artists:
            for text in self.texts:
                box = text.bounds() if text._p["in_layout"] else None
                if box is not None and not text._p["clip_on"]:
                    boxes.append(box)
            if self.legend_ is not None:
                boxes.append(self.legend_.box())
        return Bbox.union(boxes)

    def _with_ticks(self):
        """The box of the plot with its ticks."""
        box = self._box()
        sides = [box.x0, box.y0, box.x1, box.y1]
        for axis, first in ((self.xaxis, 1), (self.yaxis, 0)):
            look = axis._look["major"]
            out = {"in": 0.0, "inout": 0.5, "out": 1.0}[look["direction"]] * look["size"]
            if axis._p["visible"] and axis.ticks():
                sides[first] -= out if look["tick1"] else 0.0
                sides[first + 2] += out if look["tick2"] else 0.0
        return Bbox([sides[:2], sides[2:]])

    def get_tightbbox(self, renderer=None, **_more):
        box, size = self.tight_box(), self.figure.dpi / 72
        return Bbox([[box.x0 * size, box.y0 * size], [box.x1 * size, box.y1 * size]])


class _ArtistList(list):
    """The artists of one kind; removing one here takes it from the plot."""

    def __init__(self, axes, kind):
        super().__init__(child for child in axes._children if isinstance(child, kind))

    def remove(self, artist):
        artist.remove()

    def pop(self, at=-1):
        artist = self[at]
        artist.remove()
        return artist

    def clear(self):
        for artist in self:
            artist.remove()


