"""A table of texts in a plot."""

from matplotlib import _svg
from matplotlib.artist import Artist
from matplotlib.patches import Rectangle
from matplotlib.text import Text


class Table(Artist):
    """Cells by row and column; the row of the names of columns is row 0, the column of names of rows is -1."""

    zorder = 1

    def __init__(self, axes, texts, colours, loc, widths, row_names, row_colours, row_loc, names, name_colours, name_loc,
                 place, bbox):
        super().__init__()
        self.axes, self.figure = axes, axes.figure
        rows = texts if texts is not None else [[""] * len(row) for row in colours]
        count = len(rows[0])
        widths = [1 / count] * count if widths is None else widths
        self._place, self._bbox, self._size, self._stretch = place, bbox, 10.0, (1.0, 1.0)
        self._widths, self._cells = dict(enumerate(widths)), {}
        first = 0 if names is None else 1
        for at, name in enumerate(names or ()):
            self._cell(0, at, name, name_loc, name_colours and name_colours[at])
        for down, row in enumerate(rows):
            if row_names is not None:
                self._cell(down + first, -1, row_names[down], row_loc, row_colours and row_colours[down])
            for at, text in enumerate(row):
                self._cell(down + first, at, text, loc, colours and colours[down][at])
        if row_names is not None:
            self._widths[-1] = None

    def _cell(self, row, column, text, loc, colour):
        cell = Cell(colour or "w", text, loc)
        cell._text.axes, cell._text.figure = self.axes, self.figure
        self._cells[row, column] = cell

    def get_celld(self):
        return self._cells

    def __getitem__(self, at):
        return self._cells[at]

    def auto_set_font_size(self, value=True):
        """Sizes of fonts stay as they are set."""

    def auto_set_column_width(self, col):
        for column in [col] if isinstance(col, int) else col:
            texts = [cell._text.get_text() for (_, at), cell in self._cells.items() if at == column]
            width = max(_svg._mathtext.width(text) for text in texts) * self._size + 12
            self._widths[column] = width / self.axes._box().width

    def set_fontsize(self, size):
        self._size = _svg.points_of(size)

    def scale(self, xscale, yscale):
        self._stretch = (self._stretch[0] * xscale, self._stretch[1] * yscale)

    def draw_on(self, canvas):
        frame = self.axes._box()
        high = self._size * 1.2 * self._stretch[1]
        wide = {}
        for column, width in self._widths.items():
            if width is None:
                texts = [cell._text.get_text() for (_, at), cell in self._cells.items() if at == column]
                wide[column] = max(_svg._mathtext.width(text) for text in texts) * self._size + 10
            else:
                wide[column] = width * frame.width * self._stretch[0]
        rows = sorted({row for row, _ in self._cells})
        total, body = high * len(rows), sum(width for column, width in wide.items() if column >= 0)
        left, top = frame.x0 + (frame.width - body) / 2, frame.y0
        if "center" == self._place:
            top = (frame.y0 + frame.y1 + total) / 2
        elif self._place.startswith("upper"):
            top = frame.y1
        elif self._place == "top":
            top = frame.y1 + total
        elif self._place.startswith("lower"):
            top = frame.y0 + total
        if self._bbox is not None:
            x, y, width, height = getattr(self._bbox, "bounds", self._bbox)
            left, top = frame.x0 + x * frame.width, frame.y0 + (y + height) * frame.height
            high = height * frame.height / len(rows)
            wide = {column: size * width * frame.width / body for column, size in wide.items()}
        for (row, column), cell in sorted(self._cells.items()):
            x = left - wide.get(-1, 0) if column < 0 else left + sum(wide[at] for at in range(column))
            cell.draw_at(canvas, x, top - high * (row + 1), wide[column], high, self._size)


class Cell(Rectangle):
    """A box with a text."""

    def __init__(self, colour, text, loc):
        super().__init__((0, 0), 1, 1, where="table", facecolor=colour, edgecolor="black")
        self._text = Text(0, 0, text, horizontalalignment=loc, verticalalignment="center")
        self._loc = loc

    def get_text(self):
        return self._text

    def set_text_props(self, **properties):
        self._text.set(**properties)

    def draw_at(self, canvas, x, y, width, height, size):
        from matplotlib.transforms import Bbox

        canvas.rect(Bbox.from_bounds(x, y, width, height), self._paint(canvas))
        self._text._p["fontsize"] = size
        at = {"left": x + 0.1 * width, "center": x + width / 2, "right": x + 0.9 * width}[self._loc]
        turns, canvas.turns = canvas.turns, False
        self._text.draw_on(canvas, (at, y + height / 2))
        canvas.turns = turns
