"""Artists that belong together: the bars of a chart, a line with its errors."""



class Container(tuple):
    """Artists that have one label and are removed together."""

    def __new__(cls, artists, label=None, **named):
        made = super().__new__(cls, artists)
        made._label = "" if label is None else str(label)
        made.__dict__.update(named)
        return made

    def get_label(self):
        return self._label

    def set_label(self, s):
        self._label = str(s)

    def _parts(self):
        """All artists, those within tuples too."""
        rest, found = list(self), []
        while rest:
            part = rest.pop(0)
            if isinstance(part, (tuple, list)):
                rest = list(part) + rest
            elif part is not None:
                found.append(part)
        return found

    def __repr__(self):
        return f"<{type(self).__name__} object of {len(self)} artists>"

    def remove(self):
        for part in self._parts():
            part.remove()
        if self.axes is not None and self in self.axes.containers:
            self.axes.containers.remove(self)

    axes = None

    def get_children(self):
        return self._parts()


class BarContainer(Container):
    """Bars, and the errors that are drawn at their ends."""

    errorbar = datavalues = orientation = None

    @property
    def patches(self):
        return list(self)

    def data_rows(self):
        names = self.names
        upright = self.orientation != "horizontal"
        boxes = [bar._box for bar in self]
        middles = [x + width / 2 if upright else y + height / 2 for x, y, width, height in boxes]
        sizes = [height if upright else width for _, _, width, height in boxes]
        return (("x", "height") if upright else ("y", "width")), (names or middles, sizes)

    names = None


class ErrorbarContainer(Container):
    has_xerr = has_yerr = False

    @property
    def lines(self):
        return tuple(self)


class StemContainer(Container):
    markerline = property(lambda self: self[0])
    stemlines = property(lambda self: self[1])
    baseline = property(lambda self: self[2])


class HistContainer(BarContainer):
    """The bars of a histogram."""

    def __repr__(self):
        return f"<BarContainer object of {len(self)} artists>"

    edges = counts = None

    def data_rows(self):
        edges, counts = self.edges, self.counts
        return ("from", "to", "count"), (edges[:-1], edges[1:], counts)


