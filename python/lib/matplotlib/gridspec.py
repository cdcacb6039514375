"""Where plots are in a grid of them."""

from itertools import accumulate

from matplotlib import rcParams
from matplotlib.transforms import Bbox


class GridSpecBase:
    figure = None

    def __init__(self, nrows, ncols, height_ratios=None, width_ratios=None):
        for name, count in (("rows", nrows), ("columns", ncols)):
            if not isinstance(count, int) or count <= 0:
                raise ValueError(f"Number of {name} must be a positive integer, not {count!r}")
        self.nrows, self.ncols = nrows, ncols
        self._ratios = [list(ratios or [1] * count) for ratios, count in ((width_ratios, ncols), (height_ratios, nrows))]
        for ratios, count, name in zip(self._ratios, (ncols, nrows), (("width", "columns"), ("height", "rows"))):
            if len(ratios) != count:
                raise ValueError(f"Expected the given number of {name[0]} ratios to match the number of {name[1]} of the "
                                 "grid")

    def get_geometry(self):
        return self.nrows, self.ncols

    def get_width_ratios(self):
        return self._ratios[0]

    def get_height_ratios(self):
        return self._ratios[1]

    def set_width_ratios(self, width_ratios):
        self._ratios[0] = list(width_ratios)

    def set_height_ratios(self, height_ratios):
        self._ratios[1] = list(height_ratios)

    def new_subplotspec(self, loc, rowspan=1, colspan=1):
        row, column = loc
        return self[row : row + rowspan, column : column + colspan]

    def edges(self, figure):
        """Where columns start and end from the left, and rows from the top."""
        sizes = self.sizes(figure)

        def parts(start, end, ratios, space):
            count = len(ratios)
            cell = (end - start) / (count + space * (count - 1))
            norm = cell * count / sum(ratios)
            steps = []
            for at, ratio in enumerate(ratios):
                steps += [space * cell if at else 0.0, ratio * norm]
            places = list(accumulate(steps))
            return [start + place for place in places[::2]], [start + place for place in places[1::2]]

        lefts, rights = parts(sizes["left"], sizes["right"], self._ratios[0], sizes["wspace"])
        tops, bottoms = parts(0.0, sizes["top"] - sizes["bottom"], self._ratios[1], sizes["hspace"])
        return lefts, rights, [sizes["top"] - top for top in tops], [sizes["top"] - bottom for bottom in bottoms]

    def __getitem__(self, key):
        def span(item, count):
            if isinstance(item, slice):
                start, stop, _ = item.indices(count)
                if start >= stop:
                    raise IndexError("GridSpec slice would result in no space allocated for subplot")
                return start, stop - 1
            item = int(item)
            if not -count <= item < count:
                raise IndexError(f"index {item} is out of bounds for axis with size {count}")
            return item % count, item % count

        if isinstance(key, tuple):
            if len(key) != 2:
                raise ValueError("Unrecognized subplot spec")
            (row, last_row), (column, last_column) = span(key[0], self.nrows), span(key[1], self.ncols)
            return SubplotSpec(self, row, last_row, column, last_column)
        first, last = span(key, self.nrows * self.ncols)
        rows = sorted((first // self.ncols, last // self.ncols))
        columns = sorted((first % self.ncols, last % self.ncols))
        return SubplotSpec(self, *rows, *columns)

    def subplots(self, *, sharex=False, sharey=False, squeeze=True, subplot_kw=None):
        """A plot in every place of the grid."""
        from matplotlib._data import Grid

        names = {True: "all", False: "none"}
        sharex, sharey = names.get(sharex, sharex), names.get(sharey, sharey)
        for name, share in (("sharex", sharex), ("sharey", sharey)):
            if share not in ("all", "row", "col", "none"):
                raise ValueError(f"{share!r} is not a valid value for {name}; supported values are 'all', 'row', 'col', "
                                 "'none', False, True")
        rows = []
        for row in range(self.nrows):
            rows.append([])
            for column in range(self.ncols):
                with_ = {"none": None, "all": (0, 0), "row": (row, 0), "col": (0, column)}
                shared = {}
                for name, share in (("sharex", sharex), ("sharey", sharey)):
                    place = with_[share]
                    if place is not None and place != (row, column):
                        shared[name] = rows[place[0]][place[1]]
                rows[row].append(self.figure.add_subplot(self[row, column], **{**(subplot_kw or {}), **shared}))
        for row in range(self.nrows):
            for column in range(self.ncols):
                axes = rows[row][column]
                if sharex in ("col", "all") and row < self.nrows - 1:
                    axes.xaxis.set_tick_params(which="both", labelbottom=False)
                    axes.xaxis.offsetText.set_visible(False)
                if sharey in ("row", "all") and column:
                    axes.yaxis.set_tick_params(which="both", labelleft=False)
                    axes.yaxis.offsetText.set_visible(False)
        everything = [axes for row in rows for axes in row]
        if not squeeze:
            return Grid(everything, (self.nrows, self.ncols))
        if len(everything) == 1:
            return everything[0]
        shape = tuple(size for size in (self.nrows, self.ncols) if size > 1)
        return Grid(everything, shape)


_PLACES = ("left", "bottom", "right", "top", "wspace", "hspace")


class GridSpec(GridSpecBase):
    def __init__(self, nrows, ncols, figure=None, left=None, bottom=None, right=None, top=None, wspace=None, hspace=None,
                 width_ratios=None, height_ratios=None):
        super().__init__(nrows, ncols, height_ratios, width_ratios)
        self.figure = figure
        self._own = dict(zip(_PLACES, (left, bottom, right, top, wspace, hspace)))

    def sizes(self, figure):
        """The edges of the grid and the spaces within."""
        figure = figure or self.figure
        shared = (
            {name: rcParams[f"figure.subplot.{name}"] for name in _PLACES} if figure is None else vars(figure.subplotpars)
        )
        return {name: shared[name] if own is None else own for name, own in self._own.items()}

    def update(self, **sizes):
        self._own.update(sizes)
        if self.figure is not None:
            self.figure._replace()

    def tight_layout(self, figure, **sizes):
        figure.tight_layout(**sizes)

    def locally_modified_subplot_params(self):
        return [name for name, own in self._own.items() if own is not None]


class GridSpecFromSubplotSpec(GridSpecBase):
    """A grid within a place of another."""

    def __init__(self, nrows, ncols, subplot_spec, wspace=None, hspace=None, height_ratios=None, width_ratios=None):
        super().__init__(nrows, ncols, height_ratios, width_ratios)
        self._spec = subplot_spec if isinstance(subplot_spec, SubplotSpec) else subplot_spec.get_subplotspec()
        self._spaces = (wspace, hspace)
        self.figure = self._spec._grid.figure

    def sizes(self, figure):
        box = self._spec.get_position(figure)
        found = {"left": box.x0, "right": box.x1, "bottom": box.y0, "top": box.y1}
        outer = self.topmost().sizes(figure)
        for name, space in zip(("wspace", "hspace"), self._spaces):
            found[name] = outer[name] if space is None else space
        return found

    def topmost(self):
        grid = self._spec._grid
        return grid.topmost() if isinstance(grid, GridSpecFromSubplotSpec) else grid


class SubplotSpec:
    """A place in a grid: from a row to a row, from a column to a column."""

    def __init__(self, grid, row, last_row, column, last_column):
        self._grid = grid
        self.rowspan, self.colspan = range(row, last_row + 1), range(column, last_column + 1)

    def get_gridspec(self):
        return self._grid

    num1 = property(lambda self: self.rowspan[0] * self._grid.ncols + self.colspan[0])

    def get_geometry(self):
        last = self.rowspan[-1] * self._grid.ncols + self.colspan[-1]
        return self._grid.nrows, self._grid.ncols, self.num1, last

    def get_position(self, figure):
        lefts, rights, tops, bottoms = self._grid.edges(figure)
        return Bbox([[lefts[self.colspan[0]], bottoms[self.rowspan[-1]]], [rights[self.colspan[-1]], tops[self.rowspan[0]]]])

    def topmost(self):
        """The place of the outermost grid that this is in."""
        grid = self._grid
        return grid._spec.topmost() if isinstance(grid, GridSpecFromSubplotSpec) else self

    get_topmost_subplotspec = topmost

    def is_first_row(self):
        return self.rowspan[0] == 0

    def is_last_row(self):
        return self.rowspan[-1] == self._grid.nrows - 1

    def is_first_col(self):
        return self.colspan[0] == 0

    def is_last_col(self):
        return self.colspan[-1] == self._grid.ncols - 1

    def subgridspec(self, nrows, ncols, **properties):
        return GridSpecFromSubplotSpec(nrows, ncols, self, **properties)

    def __eq__(self, other):
        return (
            isinstance(other, SubplotSpec)
            and (self._grid, self.rowspan, self.colspan) == (other._grid, other.rowspan, other.colspan)
        )

    def __hash__(self):
        return hash((id(self._grid), self.rowspan, self.colspan))
