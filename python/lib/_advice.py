"""What to do about an exception, in a sentence or two of Markdown.

Nothing here runs a program's own code: of its values only numbers, texts and the shapes of tensors are looked at.
"""

import re
import sys

from _tracebacks import variables


def advice(error, frame=None, source=None):
    """Says what is wrong and what the rule is, or nothing; `frame` and `source` are the program's innermost ones."""
    try:
        return _Mistake(error, frame, source).advice()
    except BaseException:
        # An exception is told even if nothing can be said about it.
        return None


def shapes_in(source, frame):
    """The tensors that a line names, `self.w` too, with their shapes, each once."""
    found = {}
    for path in re.findall(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", source or ""):
        shape = _shape(value_of(path, frame))
        if shape is not None:
            found[path] = shape
    return found


def value_of(path, frame):
    """What a name with dots stands for, without asking a class of the program; None if that is not known."""
    first, *rest = path.split(".")
    value = None if frame is None else variables(frame).get(first, frame.f_globals.get(first))
    for name in rest:
        try:
            inner = object.__getattribute__(value, "__dict__")
        except AttributeError:
            return None
        for held in (inner, inner.get("_parameters"), inner.get("_buffers"), inner.get("_modules")):
            if type(held) is dict and name in held:
                value = held[name]
                break
        else:
            return None
    return value


def _shape(value):
    torch = sys.modules.get("torch")
    is_ours = torch is not None and type(value) in (torch.Tensor, torch.nn.Parameter)
    return tuple(value.shape) if is_ours else None


def near(name, names, most=2):
    """Those names that are most like another, as many as are equally like it."""
    from traceback import _levenshtein_distance as distance

    most_moves = (len(name) + 3) * 2 // 3 if len(name) > 2 else 2
    counted = []
    for other in sorted({other for other in names if type(other) is str and other != name})[:2000]:
        moves = distance(name, other, 2 * len(name) + 3)
        if moves <= most_moves and (len(name) > 1 or other.lower() == name.lower()):
            counted.append((moves, other))
    return [other for moves, other in sorted(counted) if moves == min(counted)[0]][:most]


def _or(names):
    return " or ".join(f"`{name}`" for name in names)


def _count(number, thing):
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _text(shape):
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"


def _numbers(text):
    return tuple(map(int, re.findall(r"-?\d+", text)))


def _product(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product


class _Mistake:
    def __init__(self, error, frame, source):
        arguments = BaseException.args.__get__(error)
        first = error.msg if isinstance(error, SyntaxError) else arguments[0] if arguments else None
        self.error, self.frame, self.first = error, frame, first
        # Longer ones are no messages, and take long to search.
        self.message = first[:2000] if type(first) is str else ""
        self.line = source[:2000] if type(source) is str else ""
        self.shapes = shapes_in(self.line, frame)

    def advice(self):
        from _advice_rules import RULES

        for kinds, pattern, say in RULES:
            if isinstance(self.error, kinds):
                match = re.search(pattern, self.message)
                said = match and say(self, *match.groups())
                if said:
                    return said
        return None

    def named(self, wanted, *but):
        """The name and shape of the first tensor of the line whose shape is as wanted."""
        return next(((name, shape) for name, shape in self.shapes.items() if name not in but and wanted(shape)), None)

    def names(self):
        """All names that the innermost frame sees."""
        if self.frame is None:
            return []
        return [*variables(self.frame), *self.frame.f_code.co_varnames, *self.frame.f_globals, *self.frame.f_builtins]
