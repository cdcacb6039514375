"""Names and attributes written so that the language DOT reads them back."""

import re

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)")
_WORDS = {"node", "edge", "graph", "digraph", "subgraph", "strict"}
_QUOTE = re.compile(r'((?:\\\\)*)\\?"')


class NoHtml(str):
    """A string in <...> that is not meant as HTML."""


def nohtml(s):
    return NoHtml(s)


def escape(s):
    """The text with backslashes that stand for themselves."""
    return NoHtml(s.replace("\\", "\\\\"))


def quote(identifier):
    html = re.match(r"<.*>$", identifier, re.S) and not isinstance(identifier, NoHtml)
    if html or _PLAIN.fullmatch(identifier) and identifier.lower() not in _WORDS:
        return identifier
    return '"' + _QUOTE.sub(r'\1\\"', identifier) + '"'


def quote_edge(identifier):
    """A node with a port and a side after colons."""
    node, _, rest = identifier.partition(":")
    port, _, side = rest.partition(":")
    return quote(node) + (":" + quote(port) if rest else "") + (":" + side if side else "")


def a_list(label=None, kwargs=None, attributes=None):
    out = [] if label is None else ["label=" + quote(label)]
    for group in (kwargs, attributes):
        # Plain dicts are put in order, as the text should not depend on how they were filled.
        pairs = sorted(group.items()) if type(group) is dict else group.items() if hasattr(group, "items") else group or ()
        out += [quote(key) + "=" + quote(value) for key, value in pairs if value is not None]
    return " ".join(out)


def attr_list(label=None, kwargs=None, attributes=None):
    content = a_list(label, kwargs, attributes)
    return " [" + content + "]" if content else ""
