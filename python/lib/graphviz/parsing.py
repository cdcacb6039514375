"""Reads the language DOT into plain data: nodes, edges and the attributes of the graph."""

import re

_TOKEN = re.compile(
    r'\s+|//[^\n]*|/\*.*?\*/|^#[^\n]*|(?P<string>"(?:[^"\\]|\\.)*")|(?P<mark>->|--|[{}\[\]=;,:])'
    r'|(?P<word>[^\W\d]\w*|-?(?:\.\d+|\d+(?:\.\d*)?))', re.S | re.M)


def _tokens(text):
    at, out = 0, []
    while at < len(text):
        if text[at] == "<":
            depth, end = 0, at
            while end < len(text):
                depth += {"<": 1, ">": -1}.get(text[end], 0)
                end += 1
                if not depth:
                    break
            out.append(("html", text[at:end]))
            at = end
            continue
        found = _TOKEN.match(text, at)
        if not found:
            raise ValueError("this graph cannot be read at %r" % text[at:at + 20])
        if found.lastgroup == "string":
            out.append(("string", found.group()[1:-1].replace('\\"', '"').replace("\\\n", "")))
        elif found.lastgroup:
            out.append((found.lastgroup, found.group()))
        at = found.end()
    return out


class _Reader:
    def __init__(self, text):
        self.tokens, self.at = _tokens(text) + [("end", "")], 0
        self.nodes, self.edges, self.clusters, self.same = {}, [], [], []
        self.attributes = {}

    def peek(self):
        return self.tokens[self.at]

    def is_mark(self, *marks):
        kind, text = self.peek()
        return kind == "mark" and text in marks

    def take(self):
        if self.peek()[0] == "end":
            raise ValueError("the graph ends before its closing brace")
        self.at += 1
        return self.tokens[self.at - 1]

    def word(self, *words):
        kind, text = self.peek()
        if kind == "word" and text.lower() in words:
            self.at += 1
            return text.lower()
        return None

    def graph(self):
        self.word("strict")
        kind = self.word("graph", "digraph")
        if not kind:
            raise ValueError("a graph begins with graph or digraph")
        if not self.is_mark("{"):
            self.take()
        self.take()
        self.body(self.attributes, {"node": {}, "edge": {}}, [])
        nodes = [dict(attributes, name=name) for name, attributes in self.nodes.items()]
        return nodes, self.edges, dict(self.attributes, directed=kind == "digraph", clusters=self.clusters, same=self.same)

    def body(self, own, defaults, members):
        """Statements up to the closing brace; `members` takes in the nodes named."""
        while not self.is_mark("}"):
            kind, text = self.peek()
            if self.is_mark(";", ","):
                self.take()
            elif kind == "word" and text.lower() in ("graph", "node", "edge"):
                self.take()
                (own if text.lower() == "graph" else defaults[text.lower()]).update(self.attribute_lists())
            elif kind not in ("mark", "end") and self.tokens[self.at + 1] == ("mark", "="):
                self.at += 2
                own[text] = self.take()[1]
            else:
                self.chain(defaults, members)
        self.take()

    def chain(self, defaults, members):
        """One node, or some joined by edges."""
        ends = [self.end(defaults, members)]
        while self.is_mark("->", "--"):
            self.take()
            ends.append(self.end(defaults, members))
        more = self.attribute_lists()
        if len(ends) == 1:
            if ends[0][1]:
                self.nodes[ends[0][0][0][0]].update(more)
            return
        for (tails, _), (heads, _) in zip(ends, ends[1:]):
            for tail, tailport in tails:
                for head, headport in heads:
                    ports = {"tailport": tailport, "headport": headport}
                    self.edges.append({**defaults["edge"], **ports, **more, "tail": tail, "head": head})

    def end(self, defaults, members):
        """The nodes at one end of an edge with their ports, and whether it is a single node."""
        if self.word("subgraph") or self.is_mark("{"):
            name = "" if self.is_mark("{") else self.take()[1]
            self.take()
            own, inner = {}, []
            self.body(own, {kind: dict(values) for kind, values in defaults.items()}, inner)
            if name.startswith("cluster"):
                self.clusters.append(dict(own, nodes=list(inner)))
            if own.get("rank") == "same":
                self.same.append(list(inner))
            members.extend(name for name in inner if name not in members)
            return [(name, "") for name in inner], False
        kind, name = self.take()
        if kind == "mark":
            raise ValueError("%r stands where a node should" % name)
        port = ""
        while self.is_mark(":"):
            self.take()
            port = port or self.take()[1]
        if name not in self.nodes:
            self.nodes[name] = dict(defaults["node"])
        if name not in members:
            members.append(name)
        return [(name, port)], True

    def attribute_lists(self):
        out = {}
        while self.is_mark("["):
            self.take()
            while not self.is_mark("]"):
                if self.is_mark(",", ";"):
                    self.take()
                    continue
                name = self.take()[1]
                out[name] = "true"
                if self.is_mark("="):
                    self.take()
                    out[name] = self.take()[1]
            self.take()
        return out


def parsed(text):
    """The nodes, the edges and the attributes of a graph written in DOT."""
    return _Reader(text).graph()
