"""Sentences about exceptions that depend on what is around; each function has the mistake and what its message names."""

import re
import sys

from _advice import _count, _numbers, _or, _product, _text, near, value_of


def _multiplied(it, rows, inner, other, columns):
    rows, inner, other, columns = map(int, (rows, inner, other, columns))
    first = it.named(lambda shape: shape and shape[-1] == inner and _product(shape[:-1]) == rows)
    second = it.named(lambda shape: shape in ((other, columns), (other,)), first and first[0])
    rule = f"the last size of the first, {inner}, must equal the first size of the second, {other}"
    if first and second:
        said = f"`{first[0]}` is {_text(first[1])} and `{second[0]}` is {_text(second[1])}: {rule}."
    elif first and not re.search(r"@|mm\(|matmul|linear\(", it.line):
        return (
            f"`{first[0]}` is {_text(first[1])}, but the layer wants a last size of {other}: the last size of the"
            f" input, {inner}, must equal the layer's `in_features`, {other}."
        )
    else:
        said = f"A matrix of {rows} × {inner} does not multiply one of {other} × {columns}: {rule}."
    return said + (" The transpose, `.T`, of the second would fit." if columns == inner else "")


def _both(it):
    """The first two tensors of the line, with their shapes."""
    both = list(it.shapes.items())[:2]
    return " and ".join(f"`{name}` is {_text(shape)}" for name, shape in both) + ". " if len(both) == 2 else ""


def _batched(it, expected, got):
    return (
        f"{_both(it)}The batch sizes must be equal, and the last size of the first must equal the last size but one of"
        f" the second: it begins with {_text(_numbers(got))} and should begin with {_text(_numbers(expected))}."
    )


def _broadcast(it, first, second, dimension):
    first, second, dimension = int(first), int(second), int(dimension)
    return (
        f"{_both(it)}Sizes are compared from the last to the first, and two must be equal unless one of them is 1: "
        f"here {first} meets {second} at dimension {dimension}."
    )


def _reshaped(it, shape, size):
    wanted, size = _numbers(shape), int(size)
    count = _product(number for number in wanted if number >= 0)
    if -1 in wanted:
        return (
            f"The tensor has {size} elements, which is no multiple of {count}: "
            f"so no size fits in the place of -1 in {_text(wanted)}."
        )
    return (
        f"The tensor has {_count(size, 'element')}, and a shape {_text(wanted)} has {count}: both counts must be equal."
    )


def _undefined(it, name):
    line = it.line.strip()
    found = near(name, it.names())
    if name in sys.builtin_module_names or name in (
        "torch",
        "math",
        "random",
        "einops",
        "numpy",
        "np",
        "nn",
        "F",
        "json",
        "re",
    ):
        way = {"np": "import numpy as np", "nn": "from torch import nn", "F": "import torch.nn.functional as F"}
        return f"`{name}` is a module that has not been imported: write `{way.get(name, 'import ' + name)}` above."
    if name in ("true", "false", "null", "none"):
        right = {"true": "True", "false": "False"}.get(name, "None")
        return f"Python writes `{right}`, not `{name}`."
    if line.startswith(f"{name} =="):
        return f"`==` compares, and `{name}` has no value yet: to give it one write `{name} = …`."
    if found:
        return f"No variable or function is called `{name}`. Did you mean {_or(found)}?"
    quoted = f' If it should be a text, write `"{name}"`.' if f"({name})" in line else ""
    return (
        f"No variable or function is called `{name}` yet: a name must be given a value in a line that runs"
        f" before.{quoted}"
    )


def _unbound(it, name):
    return (
        f"The function assigns to `{name}` somewhere, so `{name}` is its own variable throughout, and has no value yet"
        f" in this line. Assign to it first, take it as a parameter, or say `global {name}`."
    )


def _no_index(it, kind):
    return (
        f"An index is a whole number, a slice, or a tensor of them, and this is a value of type `{kind}`: `//` gives a"
        " whole number, `int(…)` too."
    )


def _no_cuda(it):
    return (
        'There is no device called `"cuda"` here. Write `"cuda" if torch.cuda.is_available() else "cpu"`, and it runs'
        " with and without one."
    )


def _no_module(it, name):
    return (
        f"There is no module `{name}` here: see whether its name is misspelt, or whether a file `{name}.py` should be"
        " beside this one."
    )


def _no_name(it, name, module):
    found = near(name, vars(sys.modules[module])) if module in sys.modules else []
    return f"`{module}` has no `{name}`." + (f" Did you mean {_or(found)}?" if found else "")


def _no_attribute(it, owner, name):
    if owner == "NoneType":
        return _nothing(it)
    held = getattr(it.error, "obj", None)
    names = []
    if type(held) is type(sys):
        names = vars(held)
    elif held is not None:
        # A class of the program may have its own idea of what its attributes are.
        owners = type.__dict__["__mro__"].__get__(held if isinstance(held, type) else type(held))
        names = [known for each in owners for known in type.__dict__["__dict__"].__get__(each)]
        for path in ("", "_parameters", "_buffers", "_modules"):
            inner = value_of("held" + (path and "." + path), _Held(held))
            names += inner if path and type(inner) is dict else []
        names += _own(held)
    found = near(name, [known for known in names if not known.startswith("_") or name.startswith("_")])
    said = f"`{owner}` has no attribute `{name}`."
    if found:
        return f"{said} Did you mean {_or('.' + each for each in found)}?"
    if owner == "list" and name in ("shape", "size", "mean", "sum", "view", "to"):
        return f"{said} A list is no tensor: `torch.tensor(…)` makes one of it."
    if type(held) is type(sys):
        return f"{said} There is no function or value of that name in this module."
    return f"{said} What is used with a dot must have been assigned to it before, as `self.{name} = …` in `__init__`."


class _Held:
    """What `value_of` takes for a frame."""

    f_globals = {}

    def __init__(self, held):
        self.f_locals = {"held": held}


def _own(held):
    try:
        return list(object.__getattribute__(held, "__dict__"))
    except AttributeError:
        return []


def _nothing(it):
    return (
        "The value is `None`. A function without `return` gives `None`, and so does a method that changes things in"
        " place, as `list.sort()` or `list.append()`: return the value, or do not assign the result."
    )


def _operands(it, operator, left, right):
    if "NoneType" in (left, right):
        return _nothing(it)
    if {left, right} & {"builtin_function_or_method", "method", "function", "method_descriptor", "builtin_method"}:
        called = re.findall(r"[A-Za-z_][\w.]*(?![\w.]*[(\w.])", it.line)
        methods = [path for path in called if "." in path]
        which = f"`{methods[0]}` is a method" if methods else "One side is a function"
        return f"{which} that is not called: write brackets after its name" + (
            f", `{methods[0]}()`." if methods else "."
        )
    if "str" in (left, right):
        other = right if left == "str" else left
        return (
            f'A text and a value of type `{other}` do not go together: make a text with `str(…)` or `f"{{…}}"`, or a'
            " number with `int(…)` or `float(…)`."
        )
    if "list" in (left, right):
        return (
            "A list does not calculate with its elements: make a tensor of it, `torch.tensor(…)`, or go through it in a"
            " loop."
        )
    return f"`{operator.strip()}` does not work between `{left}` and `{right}`: make both the same kind of value."


def _joined(it, kind):
    return (
        f"Only a text can be joined to a text, and this is a value of type `{kind}`: write `str(…)` around it, or an"
        ' f-string, `f"… {value}"`.'
    )


def _not_callable(it, kind):
    kind = kind.split(".")[-1]
    if kind == "NoneType":
        return "What stands before the brackets is `None`, so it cannot be called."
    if kind in ("Size", "tuple") and ".shape(" in it.line:
        return "`shape` is no method but a value: write it without brackets, `.shape`, or ask with `.size()`."
    called = re.findall(r"([A-Za-z_]\w*)\(", it.line)
    hidden = [
        name for name in called if name in it.frame.f_builtins and type(value_of(name, it.frame)).__name__ == kind
    ]
    if hidden:
        return (
            f"`{hidden[0]}` was given another value, so the function `{hidden[0]}` of Python is hidden: take another"
            " name for the variable."
        )
    if kind == "module":
        return "A module cannot be called: call a function or class in it, with a dot."
    return (
        f"A value of type `{kind}` cannot be called: only a function or class has brackets after it. For an element"
        " write `[…]`, and between factors `*`."
    )


def _too_many(it, name, takes, given):
    more = (
        " An instance is passed too, as `self`: is `self` the first parameter?"
        if "." in name and it.line and "self" not in it.line
        else ""
    )
    return f"`{name}` takes {takes} and gets {given}: the call must have as many as the definition.{more}"


def _missing(it, name, what):
    return f"The call of `{name}` lacks {what}: every parameter without a default must be given."


def _keyword(it, name, keyword):
    function = value_of(name.split(".")[-1], it.frame)
    names = []
    if type(function) is type(_keyword):
        names = function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount]
    said = f"`{name}` has no parameter `{keyword}`."
    if near(keyword, names):
        return f"{said} Did you mean {_or(near(keyword, names))}?"
    return (
        f"{said} It has {', '.join(f'`{each}`' for each in names)}."
        if names
        else f"{said} See how its parameters are called."
    )


def _invalid(it, name, argument=None):
    if argument:
        return f"`{name}` cannot take this for `{argument}`: see which type it wants there."
    return (
        f"`{name}` cannot be called with arguments of these kinds: see how many it takes, of what types, and how they"
        " are called."
    )


def _out_of_bounds(it, index, dimension, size):
    size = int(size)
    return (
        f"Index {index} is outside dimension {dimension}, whose size is {size}: its indices go from 0 to {size - 1}, or"
        f" from {-size} to -1."
    )


def _no_dimension(it, low, high, got):
    return (
        f"The tensor has {_count(int(high) + 1, 'dimension')}, numbered from 0 to {high} or from {low} to -1: there is"
        f" no dimension {got}."
    )


def _list_index(it, kind):
    match = re.search(r"([A-Za-z_][\w.]*)\[([^\[\]]+)\]", it.line)
    held = match and value_of(match[1], it.frame)
    if type(held) in (list, tuple, str):
        index = value_of(match[2], it.frame) if match[2].isidentifier() else match[2]
        at = f", and the index is {index}" if type(index) is int or re.fullmatch(r"-?\d+", str(index)) else ""
        if not held:
            return f"`{match[1]}` is empty{at}: it has no element yet."
        return f"`{match[1]}` has {_count(len(held), 'element')}{at}: its indices go from 0 to {len(held) - 1}."
    return "The index is beyond the end: of n elements the first has index 0 and the last n - 1."


def _key(it, *_):
    match = re.search(r"([A-Za-z_][\w.]*)\[", it.line)
    held = match and value_of(match[1], it.frame)
    key = it.first
    if type(key) not in (str, int) or len(repr(key)) > 80:
        return "The dict has no such key: ask with `in`, or take `.get(key)`, which gives `None`."
    said = f"There is no key `{key!r}`"
    if type(held) is dict:
        alike = near(key, held) if type(key) is str else []
        if type(key) is int and str(key) in held or type(key) is str and key.isdigit() and int(key) in held:
            return f'{said} in `{match[1]}`, but one of the other kind: `1` and `"1"` are different keys.'
        return f"{said} in `{match[1]}`." + (
            f" Did you mean {_or(map(repr, alike))}?"
            if alike
            else " Ask with `in`, or take `.get(key)`, which gives `None`."
        )
    return f"{said}: ask with `in`, or take `.get(key)`, which gives `None`."


def _unpacked(it, expected, got=None):
    got = f", and there are {got}" if got else ", and there are more"
    return f"There are {expected} names on the left of `=`{got} values on the right: both counts must be equal."


def _dtypes(it, first, second):
    return (
        f"One tensor is {first.lower()} and the other {second.lower()}: both must have one dtype. Turn one with"
        " `.float()` or `.to(other.dtype)`."
    )


def _colon(it):
    if re.match(r"\s*else\s+if\b", it.line):
        return "Python writes `elif` for `else if`."
    return (
        "A line that begins with `def`, `class`, `if`, `elif`, `else`, `for`, `while`, `try` or `with` ends with a"
        " colon, `:`."
    )


def _unread(it):
    word = re.match(r"\s*(\w+)", it.line)
    if (
        word
        and word[1] in ("def", "class", "if", "elif", "else", "for", "while", "with")
        and not it.line.rstrip().endswith(":")
    ):
        return _colon(it)
    if it.message == "invalid syntax":
        return (
            "Python cannot read the line from the marked place on: an operator, a bracket, a comma or a value is"
            " missing or too many there."
        )
    return None


def _huge(it, *_):
    return (
        "The tensor is too large for the memory: its bytes are the product of its sizes times the bytes of an element."
        " See whether a size is larger than meant."
    )


def _interrupted(it, *_):
    said = "The program was stopped."
    sources = sys.modules["_tracebacks"].sources
    above = sources.get(it.frame.f_code.co_filename, "").split("\n")[: it.frame.f_lineno]
    level = len(above[-1]) - len(above[-1].lstrip()) + 1 if above else 0
    for line in reversed(above):
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent < level:
            level = indent
            endless = re.match(r"\s*while\s+(True|1)\s*:", line)
            if endless:
                return (
                    f"{said} If it went on for too long: a `while {endless[1]}` ends only at a `break` or `return`, and"
                    " none was reached."
                )
            loop = re.match(r"\s*while\s+(.+?):\s*(?:#|$)", line)
            if loop:
                return (
                    f"{said} If it went on for too long: a `while` ends when its condition is false. Does anything in"
                    f" the loop change `{loop[1]}`?"
                )
    return f"{said} If it went on for too long: make its loops shorter, or see whether one never ends."


def _says(text):
    return lambda it, *_: text
