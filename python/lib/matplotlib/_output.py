"""Where pictures go: a notebook, a page, or a file."""

import os
import types

from matplotlib import _svg, rcParams
from matplotlib._mathtext import spoken

_FORMATS = ("png", "svg")
# A table of data has so many rows of each set at most.
_MOST = 200


def _napkin():
    """The module that shows things, where there is one."""
    try:
        import _napkin
    except ImportError:
        return None
    return _napkin


def format_of(name, kind):
    """The format of a file: what is asked for, or what its name ends with."""
    if kind is None and not hasattr(name, "write"):
        kind = os.path.splitext(str(os.fspath(name)))[1][1:]
    kind = (kind or rcParams["savefig.format"]).lower()
    if kind not in _FORMATS:
        raise ValueError(f"Format {kind!r} is not supported (supported formats: {', '.join(_FORMATS)})")
    return kind


def write(name, picture, kind, width):
    """Writes a picture to a file by its name, or to an open one."""
    if kind == "png":
        make = getattr(_napkin(), "png", None)
        if make is None:
            raise NotImplementedError("A PNG file cannot be made here: save the figure as .svg instead.")
        data = make(picture, width)
    else:
        data = picture
    if hasattr(name, "write"):
        try:
            name.write(data)
        except TypeError:
            name.write(data.encode() if isinstance(data, str) else data)
        return
    name = str(os.fspath(name))
    if not os.path.splitext(name)[1]:
        name = f"{name}.{kind}"
    with open(name, "wb") as file:
        file.write(data.encode() if isinstance(data, str) else data)


def _address(picture):
    """A picture as an address of its own."""
    escapes = str.maketrans({letter: f"%{ord(letter):02X}" for letter in "%#\"'&?"})
    return "data:image/svg+xml;utf8," + " ".join(picture.split()).translate(escapes)


def show(figure):
    """Shows a figure to whoever looks; else writes it to a file."""
    if not (figure._axes or figure.texts or figure._titles):
        return
    picture, napkin = figure.svg(), _napkin()
    if napkin is not None:
        style = {"style": {"width": f"{_svg.number(figure._points()[0])}pt"}}
        if napkin.render("image", _address(picture), style):
            table = data_of(figure)
            if table:
                napkin.render("html", table)
            return
    number = 1
    while os.path.exists(f"figure-{number}.svg"):
        number += 1
    write(f"figure-{number}.svg", picture, "svg", 0)
    print(f"The figure is in figure-{number}.svg.")


def data_of(figure):
    """The numbers of a figure as tables, for readers who do not see it; nothing where there are none."""
    tables = "".join(_table(axes, name, *found) for axes in figure._axes for name, found in _sets(axes))
    return f"<details><summary>Data of the figure</summary>{tables}</details>" if tables else ""


def _sets(axes):
    """What is plotted, each with its name, the names of its columns, and these."""
    inside = {id(part) for container in axes.containers for part in container._parts()}
    for part in [*axes._children, *axes.containers]:
        if id(part) in inside or not hasattr(part, "data_rows"):
            continue
        found = part.data_rows()
        if found and len(found[1][0]):
            label = str(part.get_label() or "")
            yield "" if label.startswith("_") else label, found


def _cell(value):
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return f"<td>{_svg.escape(text)}</td>"


def _table(axes, name, names, columns):
    """One set of numbers."""
    labels = {"x": axes.get_xlabel(), "y": axes.get_ylabel(), "height": axes.get_ylabel(), "width": axes.get_xlabel()}
    heads = "".join(f"<th>{_svg.escape(spoken(labels.get(column) or column))}</th>" for column in names)
    caption = " – ".join(part for part in (spoken(axes.get_title()), spoken(name)) if part)
    rows = zip(*(column[:_MOST] for column in columns))
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    more = len(columns[0]) - _MOST
    body += f'<tr><td colspan="{len(names)}">and {more} more</td></tr>' if more > 0 else ""
    title = f"<caption>{_svg.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


class FigureCanvas:
    """What draws a figure, as far as programs ask for it."""

    def __init__(self, figure):
        self.figure = figure
        self.manager = types.SimpleNamespace(set_window_title=lambda title: None, num=1)

    def draw(self):
        self.figure.draw_without_rendering()

    draw_idle = draw

    def get_renderer(self):
        return None

    def flush_events(self):
        """There are no events."""

    def mpl_connect(self, s, func):
        return 0

    def mpl_disconnect(self, cid):
        """There are no events."""

    def print_figure(self, filename, **options):
        self.figure.savefig(filename, **options)

    def get_supported_filetypes(self):
        return {"png": "Portable Network Graphics", "svg": "Scalable Vector Graphics"}
