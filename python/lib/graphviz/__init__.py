"""Graphs of nodes and edges, written in DOT and drawn as SVG."""

from .graphs import Digraph, Graph, Source
from .quoting import escape, nohtml

__version__ = "0.21"
__all__ = ["Digraph", "Graph", "Source", "escape", "nohtml"]
