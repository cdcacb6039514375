"""Graphs put together in Python, their text in DOT, and their drawing as SVG."""

import contextlib
import os

from .drawing import drawing
from .parsing import parsed
from .quoting import a_list, attr_list, quote, quote_edge


def _drawn(nodes, edges, attributes):
    """The drawing of a graph given as plain data."""
    return drawing(nodes, edges, attributes)


class _Drawable:
    """What a graph and a text in DOT have in common once there is a `source`."""

    def _set(self, filename, directory, format, engine, encoding):
        self.filename, self.directory, self.encoding = filename, directory or "", encoding
        self.format, self.engine = format or "svg", engine or "dot"

    @property
    def filepath(self):
        return os.path.join(self.directory, self.filename)

    def save(self, filename=None, directory=None, *, skip_existing=False):
        """Writes the text in DOT to a file and says where."""
        if filename is not None:
            self.filename = filename
        if directory is not None:
            self.directory = directory
        path = self.filepath
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        with open(path, "w") as file:
            file.write(self.source)
        return path

    def pipe(self, format=None, renderer=None, formatter=None, neato_no_op=None, quiet=False, *, engine=None,
             encoding=None):
        """The drawing as bytes, or as a string where an encoding is named."""
        kind = (format or self.format).lower()
        if kind in ("dot", "gv"):
            text = self.source
        elif kind == "svg":
            text = _drawn(*parsed(self.source))
        else:
            raise ValueError("graphs are drawn as svg here, not as %s: pass format='svg'" % kind)
        return text if encoding else text.encode("utf-8")

    def render(self, filename=None, directory=None, view=False, cleanup=False, format=None, renderer=None,
               formatter=None, neato_no_op=None, quiet=False, quiet_view=False, *, outfile=None, engine=None):
        """Writes the text and beside it the drawing, and says where the drawing is."""
        kind = (format or self.format).lower()
        data = self.pipe(kind)
        path = self.save(filename, directory)
        target = outfile or path + "." + kind
        with open(target, "wb") as file:
            file.write(data)
        if cleanup:
            os.remove(path)
        return target

    def view(self, filename=None, directory=None, cleanup=False, quiet=False, quiet_view=False):
        """Renders; nothing here opens a window, so the file is all there is."""
        return self.render(filename, directory, cleanup=cleanup)

    def unflatten(self, *args, **more):
        raise NotImplementedError("unflatten is not there")

    def _repr_image_svg_xml(self):
        return self.pipe("svg", encoding="utf-8")

    _repr_svg_ = _repr_image_svg_xml

    def _repr_mimebundle_(self, include=None, exclude=None, **more):
        return {"image/svg+xml": self._repr_image_svg_xml()}

    def __str__(self):
        return self.source


class _Graph(_Drawable):
    _kind, _joint = "graph", " -- "

    def __init__(self, name=None, comment=None, filename=None, directory=None, format=None, engine=None,
                 encoding="utf-8", graph_attr=None, node_attr=None, edge_attr=None, body=None, strict=False, *,
                 renderer=None, formatter=None):
        self._set(filename or (name or type(self).__name__) + ".gv", directory, format, engine, encoding)
        self.name, self.comment, self.strict = name, comment, strict
        self.graph_attr, self.node_attr = dict(graph_attr or {}), dict(node_attr or {})
        self.edge_attr = dict(edge_attr or {})
        self.body = list(body or [])

    @property
    def directed(self):
        return self._kind == "digraph"

    def __iter__(self, subgraph=False):
        """The lines of the text in DOT."""
        if self.comment:
            yield "// " + self.comment + "\n"
        if subgraph and self.strict:
            raise ValueError("subgraphs cannot be strict")
        head = "subgraph " if self.name else ""
        if not subgraph:
            head = ("strict " if self.strict else "") + self._kind + " "
        yield head + (quote(self.name) + " " if self.name else "") + "{\n"
        for kind, attributes in (("graph", self.graph_attr), ("node", self.node_attr), ("edge", self.edge_attr)):
            if attributes:
                yield "\t" + kind + attr_list(None, attributes) + "\n"
        yield from self.body
        yield "}\n"

    @property
    def source(self):
        return "".join(self)

    def node(self, name, label=None, _attributes=None, **attrs):
        self.body.append("\t" + quote(name) + attr_list(label, attrs, _attributes) + "\n")

    def edge(self, tail_name, head_name, label=None, _attributes=None, **attrs):
        self.body.append("\t" + quote_edge(tail_name) + self._joint + quote_edge(head_name)
                         + attr_list(label, attrs, _attributes) + "\n")

    def edges(self, tail_head_iter):
        self.body += ["\t" + quote_edge(tail) + self._joint + quote_edge(head) + "\n" for tail, head in tail_head_iter]

    def attr(self, kw=None, _attributes=None, **attrs):
        """Attributes for all nodes, all edges or the graph that come after it, or of the graph itself."""
        if kw is not None and kw.lower() not in ("graph", "node", "edge"):
            raise ValueError("attributes belong to graph, node or edge, not to %r" % kw)
        if attrs or _attributes:
            rest = a_list(None, attrs, _attributes) if kw is None else kw + attr_list(None, attrs, _attributes)
            self.body.append("\t" + rest + "\n")

    def subgraph(self, graph=None, name=None, comment=None, graph_attr=None, node_attr=None, edge_attr=None, body=None):
        """Puts a graph inside this one; without one, gives a new graph to fill in a with block."""
        if graph is None:
            inner = type(self)(name, comment, None, self.directory, self.format, self.engine, self.encoding, graph_attr,
                               node_attr, edge_attr, body, None)
            return self._filled(inner)
        if any((name, comment, graph_attr, node_attr, edge_attr, body)):
            raise ValueError("a graph that is there already takes no more arguments")
        if graph.directed != self.directed:
            raise ValueError("a graph and its subgraph are both directed or both not")
        self.body += ["\t" + line for line in graph.__iter__(subgraph=True)]
        return None

    @contextlib.contextmanager
    def _filled(self, inner):
        yield inner
        self.subgraph(inner)

    def clear(self, keep_attrs=False):
        if not keep_attrs:
            for attributes in (self.graph_attr, self.node_attr, self.edge_attr):
                attributes.clear()
        self.body.clear()

    def copy(self):
        return type(self)(self.name, self.comment, self.filename, self.directory, self.format, self.engine, self.encoding,
                          self.graph_attr, self.node_attr, self.edge_attr, self.body, self.strict)


class Graph(_Graph):
    """A graph whose edges have no direction."""


class Digraph(_Graph):
    """A graph whose edges go from a tail to a head."""

    _kind, _joint = "digraph", " -> "


class Source(_Drawable):
    """A graph written in DOT."""

    def __init__(self, source, filename=None, directory=None, format=None, engine=None, encoding="utf-8", *,
                 renderer=None, formatter=None, loaded_from_path=None):
        self._set(filename or "Source.gv", directory, format, engine, encoding)
        self._source = source if source.endswith("\n") or not source else source + "\n"

    @classmethod
    def from_file(cls, filename, directory=None, format=None, engine=None, encoding="utf-8", renderer=None,
                  formatter=None):
        with open(os.path.join(directory or "", filename)) as file:
            return cls(file.read(), filename, directory, format, engine, encoding)

    @property
    def source(self):
        return self._source

    def __iter__(self):
        return iter(self._source.splitlines(True))
