"""The text of graphs, line by line."""
import graphviz
from graphviz import Digraph, Graph, Source, escape, nohtml

g = Digraph("G", comment="A comment", graph_attr={"rankdir": "LR", "bgcolor": "white smoke"}, node_attr={"shape": "box"},
            edge_attr={"color": "gray50"}, format="svg", engine="dot")
g.node("A", "King \"Arthur\"")
g.node("b 1", label="two\nlines", style="filled", fillcolor="#ff0000")
g.node("node", color=None, shape="")
g.node("x", "<<b>bold</b>>")
g.node("y", nohtml("<<b>bold</b>>"))
g.node("z", escape("back\\slash \\l"))
g.node("q", r"left\l \"quoted\" \\")
g.node("attrs", _attributes={"b": "2", "a": "1", "tooltip": "it's"}, z="last", aa="first")
g.node("m", "m", [("b", "2"), ("a", "1")])
g.edge("A", "b 1", "label text", weight="2")
g.edge("A:port:s", "b 1:p q")
g.edge("A:n", "x", constraint="false")
g.edges(["AB", "CD"])
g.edges([("one two", "3"), ("-4.2", ".5"), ("1e5", "_ok"), ("é", "Ünï")])
g.attr("node", shape="circle", color="")
g.attr(rank="same", label="graph label")
g.attr("graph")
g.attr("edge", {"style": "dashed"})
with g.subgraph(name="cluster_0", node_attr={"style": "filled"}) as c:
    c.attr(label="process #1", color="blue")
    c.node("c1")
    c.edges([("a0", "a1"), ("a1", "a2")])
    with c.subgraph(name="cluster inner", comment="inside") as d:
        d.node("deep")
with g.subgraph() as s:
    s.attr(rank="same")
    s.node("A")
    s.node("B")
h = Digraph("other", graph_attr={"k": "v"})
h.edge("p", "q")
g.subgraph(h)
print(g.source)
print(str(g) == g.source == "".join(g), g.name, g.directed, g.format, g.engine, g.filename, g.comment)

u = Graph(strict=True)
u.edge("a", "b")
u.edge("graph", "Strict")
print(u.source, u.filename, u.directed)
with u.subgraph(name="sub") as s:
    s.edge("c", "d", "e")
k = u.copy()
u.clear()
print(u.source, k.source)
for call in (lambda: u.attr("nonsense", a="b"), lambda: u.subgraph(h), lambda: g.subgraph(h, name="n"), lambda: g.node(3)):
    try:
        call()
        print("nothing")
    except (ValueError, TypeError) as problem:
        print(type(problem).__name__)

t = Source("digraph { a -> b }")
print(t.source, Source("graph {}\n").source, list(Source("digraph {\na -> b\n}")))
print(g.save("first.gv"), open("first.gv").read() == g.source, Source.from_file("first.gv").source == g.source)

# The drawing of a sum as in lessons on automatic differentiation: records, and the operations between them.
dot = Digraph(format="svg", graph_attr={"rankdir": "LR"})
values = {"a": 2.0, "b": -3.0, "c": 10.0, "d": 4.0}
for name, value in values.items():
    dot.node(name=name, label="{ %s | data %.4f | grad %.4f }" % (name, value, 1.0), shape="record")
dot.node(name="d+", label="+")
dot.edge("d+", "d")
for name in "abc":
    dot.edge(name, "d+")
print(dot.source)
print(graphviz.Digraph is Digraph, graphviz.__name__)
