"""What stands in place of a line of code: prose, pictures, links, charts, notes."""

import re
import sys

import _napkin
import _tracebacks

from .reference import Reference

__all__ = [
    "Reference",
    "arxiv_reference",
    "graph",
    "image",
    "is_arxiv_link",
    "is_url",
    "link",
    "make_graph",
    "note",
    "plot",
    "system_text",
    "text",
    "url_reference",
    "video",
]

_FIELDS = ("title", "authors", "organization", "date", "url", "description", "notes")


def _draw(kind, data, style=None, external_link=None, internal_link=None):
    """Whether somebody looks."""
    more = {"style": style, "external_link": external_link, "internal_link": internal_link}
    return _napkin.render(kind, data, more)


def text(message, style=None, verbatim=False):
    """Prose in Markdown; what is verbatim is drawn line by line as it is."""
    style = style or {}
    if not isinstance(message, str):
        raise TypeError(f"text() takes Markdown, not {type(message).__name__}")
    if verbatim:
        style = {"fontFamily": "monospace", "whiteSpace": "pre", **style}
    # Both before either: whoever does not look gets the message in one piece.
    lines = message.split("\n") if verbatim else [message]
    if not all([_draw("markdown", line, style) for line in lines]):
        print(message)


def _file(kind, url, style, width):
    style = dict(style or {})
    if width is not None:
        style["width"] = width
    _draw(kind, url, style)


def image(url, style=None, width=None):
    """A picture: a file beside the lecture, or an address."""
    _file("image", url, style, width)


def video(url, style=None, width=None):
    """A video: a file beside the lecture, or an address."""
    _file("video", url, style, width)


def is_url(url):
    return url.startswith("http")


def is_arxiv_link(url):
    return url.startswith("https://arxiv.org/")


def url_reference(url, **kwargs):
    """What is known of an address: nothing is fetched."""
    return Reference(url=url, **kwargs)


arxiv_reference = url_reference


def link(arg=None, style=None, **kwargs):
    """A link to a source (its fields, a `Reference` or an address), or to the code of a function or class."""
    style = style or {}
    if isinstance(arg, str):
        arg = url_reference(arg, **kwargs)
    elif arg is None:
        arg = Reference(**kwargs)
    if all(hasattr(arg, name) for name in _FIELDS):
        fields = {name: getattr(arg, name) for name in _FIELDS}
        if not _draw("link", None, style, external_link=fields):
            print(" ".join(part for part in (arg.title, arg.url) if part))
    elif isinstance(arg, type) or callable(arg):
        path, line = _place(arg)
        _draw("link", arg.__name__, style, internal_link={"path": path, "line_number": line})
    else:
        raise ValueError(f"Invalid argument: {arg}")


def _place(arg):
    """The file and the first line of a function or class."""
    if isinstance(arg, type):
        module = sys.modules.get(arg.__module__)
        path = getattr(module, "__file__", None)
        begin = re.compile(rf"\s*class\s+{re.escape(arg.__name__)}\b")
        lines = _tracebacks.sources.get(path, "").split("\n")
        found = [at for at, line in enumerate(lines, 1) if begin.match(line)]
        if found:
            return path, found[0]
    else:
        code = getattr(getattr(arg, "__wrapped__", arg), "__code__", None)
        if code is not None:
            return code.co_filename, code.co_firstlineno
    raise TypeError(f"{arg!r} has no source here: link() takes functions and classes of the program")


def plot(spec):
    """A chart as Vega-Lite describes it."""
    _draw("plot", spec)


def graph(spec, style=None):
    """A graph as `make_graph` describes it."""
    if spec is not None:
        _draw("graph", spec, style or {})


def make_graph(nodes, edges, layout="preset", stylesheet=None, width=500, height=200):
    """Nodes (`id`, `label`, `x`, `y`) and edges (`source`, `target`, `label`) in the form of Cytoscape."""

    def element(item, is_node):
        item = {name: str(value) if name in ("id", "source", "target") else value for name, value in item.items()}
        made = {}
        if is_node:
            item.setdefault("label", item["id"])
            if "x" in item and "y" in item:
                made["position"] = {"x": item.pop("x"), "y": item.pop("y")}
        if "classes" in item:
            made["classes"] = item.pop("classes")
        return {**made, "data": item}

    return {
        "nodes": [element(node, True) for node in nodes],
        "edges": [element(edge, False) for edge in edges],
        "layout": {"name": layout} if isinstance(layout, str) else layout,
        "stylesheet": stylesheet or [],
        "width": width,
        "height": height,
    }


def note(message):
    """A note for whoever speaks."""
    _draw("note", message)


def system_text(command):
    """What a command prints, verbatim; where no command can be run, a sentence that says so."""
    try:
        code, told, errors = _napkin.process([str(part) for part in command], b"", None, None)
        print(errors.decode(errors="replace"), end="", file=sys.stderr)
        output = told.decode(errors="replace")
        if code:
            raise OSError(f"{command[0]} ended with {code}")
    except OSError as error:
        if _napkin.has_processes():
            raise
        output = f"`{' '.join(map(str, command))}` was not run: {error}"
    text(re.sub(r"\x1b\[[0-9;]*m", "", output), verbatim=True)
