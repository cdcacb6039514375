"""What `_advice` says of which exception: its class, what its message is like, and the sentence about it."""

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
            f"`{first[0]}` is {_text(first[1])}, but the layer wants a last size of {other}: the last size of the input, "
            f"{inner}, must equal the layer's `in_features`, {other}."
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
        f"{_both(it)}The batch sizes must be equal, and the last size of the first must equal the last size but one of the "
        f"second: it begins with {_text(_numbers(got))} and should begin with {_text(_numbers(expected))}."
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
    return f"The tensor has {_count(size, 'element')}, and a shape {_text(wanted)} has {count}: both counts must be equal."


def _undefined(it, name):
    line = it.line.strip()
    found = near(name, it.names())
    if name in sys.builtin_module_names or name in ("torch", "math", "random", "einops", "numpy", "np", "nn", "F", "json", "re"):
        way = {"np": "import numpy as np", "nn": "from torch import nn", "F": "import torch.nn.functional as F"}
        return f"`{name}` is a module that has not been imported: write `{way.get(name, 'import ' + name)}` above."
    if name in ("true", "false", "null", "none"):
        right = {"true": "True", "false": "False"}.get(name, "None")
        return f"Python writes `{right}`, not `{name}`."
    if found:
        return f"No variable or function is called `{name}`. Did you mean {_or(found)}?"
    quoted = f" If it should be a text, write `\"{name}\"`." if f"({name})" in line else ""
    return f"No variable or function is called `{name}` yet: a name must be given a value in a line that runs before.{quoted}"


def _unbound(it, name):
    return (
        f"The function assigns to `{name}` somewhere, so `{name}` is its own variable throughout, and has no value yet in "
        f"this line. Assign to it first, take it as a parameter, or say `global {name}`."
    )


def _no_module(it, name):
    return f"There is no module `{name}` here: see whether its name is misspelt, or whether a file `{name}.py` should be beside this one."


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
        "The value is `None`. A function without `return` gives `None`, and so does a method that changes things in place, "
        "as `list.sort()` or `list.append()`: return the value, or do not assign the result."
    )


def _operands(it, operator, left, right):
    if "NoneType" in (left, right):
        return _nothing(it)
    if {left, right} & {"builtin_function_or_method", "method", "function", "method_descriptor", "builtin_method"}:
        called = re.findall(r"[A-Za-z_][\w.]*(?![\w.]*[(\w.])", it.line)
        methods = [path for path in called if "." in path]
        which = f"`{methods[0]}` is a method" if methods else "One side is a function"
        return f"{which} that is not called: write brackets after its name" + (f", `{methods[0]}()`." if methods else ".")
    if "str" in (left, right):
        other = right if left == "str" else left
        return f"A text and a value of type `{other}` do not go together: make a text with `str(…)` or `f\"{{…}}\"`, or a number with `int(…)` or `float(…)`."
    if "list" in (left, right):
        return "A list does not calculate with its elements: make a tensor of it, `torch.tensor(…)`, or go through it in a loop."
    return f"`{operator.strip()}` does not work between `{left}` and `{right}`: make both the same kind of value."


def _joined(it, kind):
    return f"Only a text can be joined to a text, and this is a value of type `{kind}`: write `str(…)` around it, or an f-string, `f\"… {{value}}\"`."


def _not_callable(it, kind):
    kind = kind.split(".")[-1]
    if kind == "NoneType":
        return "What stands before the brackets is `None`, so it cannot be called."
    if kind in ("Size", "tuple") and ".shape(" in it.line:
        return "`shape` is no method but a value: write it without brackets, `.shape`, or ask with `.size()`."
    called = re.findall(r"([A-Za-z_]\w*)\(", it.line)
    hidden = [name for name in called if name in it.frame.f_builtins and type(value_of(name, it.frame)).__name__ == kind]
    if hidden:
        return f"`{hidden[0]}` was given another value, so the function `{hidden[0]}` of Python is hidden: take another name for the variable."
    if kind == "module":
        return "A module cannot be called: call a function or class in it, with a dot."
    return f"A value of type `{kind}` cannot be called: only a function or class has brackets after it. For an element write `[…]`, and between factors `*`."


def _too_many(it, name, takes, given):
    more = " An instance is passed too, as `self`: is `self` the first parameter?" if "." in name and it.line and "self" not in it.line else ""
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
    return f"{said} It has {', '.join(f'`{each}`' for each in names)}." if names else f"{said} See how its parameters are called."


def _invalid(it, name, argument=None):
    if argument:
        return f"`{name}` cannot take this for `{argument}`: see which type it wants there."
    return f"`{name}` cannot be called with arguments of these kinds: see how many it takes, of what types, and how they are called."


def _out_of_bounds(it, index, dimension, size):
    size = int(size)
    return f"Index {index} is outside dimension {dimension}, whose size is {size}: its indices go from 0 to {size - 1}, or from {-size} to -1."


def _no_dimension(it, low, high, got):
    return f"The tensor has {_count(int(high) + 1, 'dimension')}, numbered from 0 to {high} or from {low} to -1: there is no dimension {got}."


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
            return f"{said} in `{match[1]}`, but one of the other kind: `1` and `\"1\"` are different keys."
        return f"{said} in `{match[1]}`." + (f" Did you mean {_or(map(repr, alike))}?" if alike else " Ask with `in`, or take `.get(key)`, which gives `None`.")
    return f"{said}: ask with `in`, or take `.get(key)`, which gives `None`."


def _unpacked(it, expected, got=None):
    got = f", and there are {got}" if got else ", and there are more"
    return f"There are {expected} names on the left of `=`{got} values on the right: both counts must be equal."


def _dtypes(it, first, second):
    return f"One tensor is {first.lower()} and the other {second.lower()}: both must have one dtype. Turn one with `.float()` or `.to(other.dtype)`."


def _colon(it):
    if re.match(r"\s*else\s+if\b", it.line):
        return "Python writes `elif` for `else if`."
    return "A line that begins with `def`, `class`, `if`, `elif`, `else`, `for`, `while`, `try` or `with` ends with a colon, `:`."


def _unread(it):
    word = re.match(r"\s*(\w+)", it.line)
    if word and word[1] in ("def", "class", "if", "elif", "else", "for", "while", "with") and not it.line.rstrip().endswith(":"):
        return _colon(it)
    if it.message == "invalid syntax":
        return "Python cannot read the line from the marked place on: an operator, a bracket, a comma or a value is missing or too many there."
    return None


def _huge(it, *_):
    return "The tensor is too large for the memory: its bytes are the product of its sizes times the bytes of an element. See whether a size is larger than meant."


def _interrupted(it, *_):
    said = "The program was stopped."
    sources = sys.modules["_tracebacks"].sources
    above = sources.get(it.frame.f_code.co_filename, "").split("\n")[: it.frame.f_lineno]
    level = len(above[-1]) - len(above[-1].lstrip()) + 1 if above else 0
    for line in reversed(above):
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent < level:
            level = indent
            loop = re.match(r"\s*while\s+(.+?):\s*(?:#|$)", line)
            if loop and loop[1] in ("True", "1"):
                return f"{said} If it went on for too long: a `while {loop[1]}` ends only at a `break` or `return`, and none was reached."
            if loop:
                return f"{said} If it went on for too long: a `while` ends when its condition is false. Does anything in the loop change `{loop[1]}`?"
    return f"{said} If it went on for too long: make its loops shorter, or see whether one never ends."


def _says(text):
    return lambda it, *_: text


_GRADIENTS_OF_INTEGERS = "Only numbers with a fraction have gradients: make the tensor with `dtype=torch.float32` or `1.0` in place of `1`."
_DEVICE = "All tensors of an operation must be on one device: move each with `.to(device)`, the model too."
_INDENT = "Lines of one block begin at the same column, with spaces only: four more than the line with the colon above."

# The classes of an exception, what its message is like, and what is said then; the first that says something is it.
RULES = [
    (TabError, "", _says("Some lines are indented with tabs and others with spaces: use four spaces for each level everywhere.")),
    (IndentationError, "unexpected indent", _says("The line is indented, but nothing above opens a block: take the spaces at its beginning away. " + _INDENT)),
    (IndentationError, r"expected an indented block after (.+?)(?: on line (\d+))?$", lambda it, what, line: f"After the {what.replace(chr(39), '`')}{line and f' in line {line}'} a block must follow: indent the lines that belong to it by four spaces, or write `pass`."),
    (IndentationError, "", _says("The line is less indented than the one above, but no line further up begins at that column. " + _INDENT)),
    (SyntaxError, r"^expected ':'", _colon),
    (SyntaxError, r"^'(.)' was never closed", lambda it, bracket: f"The bracket `{bracket}` has no partner: write `{ {'(': ')', '[': ']', '{': '}'}[bracket] }` where it should end."),
    (SyntaxError, r"^unmatched '(.)'", lambda it, bracket: f"There is a `{bracket}` too many, or the bracket that it closes is missing: each has one partner."),
    (SyntaxError, r"parenthesis '(.)' does not match opening parenthesis '(.)'", lambda it, close, open: f"`{open}` was opened last, so it must be closed before anything else: `{close}` is the other kind of bracket."),
    (SyntaxError, "unterminated triple-quoted", _says("The text begins with three quotes and never ends: write the same three quotes behind it.")),
    (SyntaxError, "^unterminated", _says("The text has no quote at its end: close it in the same line with the quote that opened it; a quote within needs the other kind around.")),
    (SyntaxError, "'==' (?:or ':=' )?instead of '='|perhaps you meant \"==\"", _says("`=` gives a name a value, and `==` compares two values: this place needs `==`, or a plain name on the left.")),
    (SyntaxError, r"^cannot assign to (.+?)(?: here.*)?$", lambda it, what: f"A value can be given to a name, an attribute or an element, not to a {what}: the name stands on the left of `=`."),
    (SyntaxError, "forgot a comma", _says("Two values stand side by side: write a comma between them, or the operator that is missing.")),
    (SyntaxError, r"Missing parentheses in call to '(\w+)'", lambda it, name: f"`{name}` is a function: what it is to take stands in brackets, `{name}(…)`."),
    (SyntaxError, r"Did you mean '(\w+)'\?", lambda it, word: f"A word of Python is misspelt: write `{word}`."),
    (SyntaxError, r"^'return' outside", _says("`return` ends a function, so it must be in the indented block of a `def`.")),
    (SyntaxError, r"^'(\w+)' (?:outside loop|not properly in loop)", lambda it, word: f"`{word}` must be in the indented block of a `for` or `while`."),
    (SyntaxError, r"^invalid (?:character '(.)'|non-printable character) ?\(?(U\+\w+)", lambda it, char, code: f"The character {f'`{char}`' if char else code} is none of Python's; it may have come with copied text: type it again, quotes as `\"`, times as `*`, minus as `-`."),
    (SyntaxError, "leading zeros", _says("A whole number does not begin with 0: take the zeros away.")),
    (SyntaxError, "invalid decimal literal", _says("A name must not begin with a digit, and between a number and a name stands an operator, as in `2 * x`.")),
    (SyntaxError, "positional argument follows keyword", _says("In a call, arguments without a name come before those with `name=`.")),
    (SyntaxError, "keyword argument repeated: (.+)", lambda it, name: f"`{name}` is given twice in one call: take one of them away."),
    (SyntaxError, "^f-string", _says("In an f-string, `{` and `}` stand around an expression; a brace that is text is doubled, `{{` or `}}`.")),
    (SyntaxError, "unicodeescape", _says("A backslash in a text begins an escape: double it, `\\\\`, or write `r` before the quote.")),
    (SyntaxError, "(?s).*", _unread),
    (UnboundLocalError, r"variable '(\w+)'", _unbound),
    (NameError, r"name '(\w+)' is not defined", _undefined),
    (ModuleNotFoundError, r"^No module named '([\w.]+)\.(\w+)'", lambda it, module, name: _no_name(it, name, module)),
    (ModuleNotFoundError, r"^No module named '([\w.]+)'", _no_module),
    (ImportError, r"cannot import name '(\w+)' from '([\w.]+)'", _no_name),
    (AttributeError, r"^module '([\w.]+)' has no attribute '(\w+)'", _no_attribute),
    (AttributeError, r"^([\w.]+) has no attribute `(\w+)`", _no_attribute),
    (AttributeError, r"^(?:type object )?'([\w.]+)' (?:object )?has no attribute '(\w+)'", _no_attribute),
    (RuntimeError, r"shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", _multiplied),
    (RuntimeError, r"batch2 tensor to be: \[([\d, ]+)\] but got: \[([\d, ]+)\]", _batched),
    (RuntimeError, "batch. must be a 3D tensor", _says("`bmm` multiplies batches of matrices, (b, n, m) with (b, m, p): both need three dimensions. `@` takes any number.")),
    (RuntimeError, r"size mismatch, got input \((\d+)\), mat \((\d+)x(\d+)\), vec \((\d+)\)", lambda it, _, n, m, k: f"The last size of the matrix, {m}, must equal the size of the vector, {k}."),
    (RuntimeError, r"inconsistent tensor size, expected tensor \[(\d+)\] and src \[(\d+)\]", lambda it, n, m: f"A dot product needs two vectors of one size: {n} is not {m}."),
    (RuntimeError, r"einsum\(\): subscript (\w) has size (\d+) .* seen size (\d+)", lambda it, letter, size, seen: f"In `einsum` a letter stands for one size: `{letter}` is {seen} in one operand and {size} in another, and both must be equal."),
    (RuntimeError, r"number of subscripts in the equation \((\d+)\).*dimensions \((\d+)\) for operand (\d+)", lambda it, letters, sizes, which: f"In `einsum` each dimension has a letter: operand {which} has {_count(int(sizes), 'dimension')}, and the equation gives it {_count(int(letters), 'letter')}."),
    (RuntimeError, "einsum\\(\\): (?:fewer|more) operands", _says("In `einsum` each tensor has its letters, with a comma between: there must be as many tensors as groups of letters.")),
    (RuntimeError, r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)", _broadcast),
    (RuntimeError, r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\) at non-singleton dimension (\d+)", lambda it, new, old, dimension: f"Only a size 1 can be expanded: dimension {dimension} has size {old}, and should become {new}."),
    (RuntimeError, r"output with shape \[(.*?)\] doesn't match the broadcast shape \[(.*?)\]", lambda it, had, gets: f"An operation in place keeps the shape ({had}), but its result would be ({gets}): write it without the underscore or `+=`, as `x = x + y`."),
    (RuntimeError, r"shape '(\[.*?\])' is invalid for input of size (\d+)", _reshaped),
    (RuntimeError, "view size is not compatible", _says("`view` only looks at the same memory in another way, and after a transpose the elements do not lie in that order: use `.reshape(…)`, or `.contiguous().view(…)`.")),
    (RuntimeError, "[Oo]nly Tensors of floating point", _says(_GRADIENTS_OF_INTEGERS)),
    (RuntimeError, "leaf Variable that requires grad is being used in an in-place", _says("A tensor with `requires_grad` must not be changed in place while operations are recorded: change it within `with torch.no_grad():`, or write `x = x + y`.")),
    (RuntimeError, "modified by an inplace operation", _says("`backward` needs a value that was changed in place after it was used: replace that change, `x += y` or a method with `_` at its end, by `x = x + y`.")),
    (RuntimeError, "backward through the graph a second time", _says("`backward` frees what it needed, so it runs once for each forward pass: compute the loss again, or call `backward(retain_graph=True)` the first time. In a loop, `.detach()` what comes from the step before.")),
    (RuntimeError, "does not require grad and does not have a grad_fn", _says("Nothing that this was computed from has `requires_grad=True`, so there is nothing to find gradients for: see whether it was made under `torch.no_grad()` or with `.detach()` or `.item()`, or from integers.")),
    (RuntimeError, "implicitly created only for scalar outputs", _says("`backward` begins at one number: make one first, with `.mean()` or `.sum()`.")),
    (RuntimeError, "Can't call numpy\\(\\) on Tensor that requires grad", _says("An array of NumPy has no gradients: write `.detach().numpy()`.")),
    (RuntimeError, "appears to not have been used in the graph", _says("The result does not depend on one of these tensors: was it computed from another one, or from a copy?")),
    (RuntimeError, "on the expected device|on the same device", _says(_DEVICE)),
    (RuntimeError, r"to have the same dtype, but got: (\w+) != (\w+)", _dtypes),
    (RuntimeError, r"same dtype, but (?:got|found) (\w+) and (\w+)", _dtypes),
    (RuntimeError, "both inputs should have same dtype", _says("Both tensors must have one dtype: turn one with `.float()` or `.to(other.dtype)`.")),
    (RuntimeError, "target dtype to be Long|expected scalar type Long", _says("Classes are whole numbers: turn the targets into them with `.long()`.")),
    (RuntimeError, "(?s)'indices'.*checking arguments for embedding", _says("`Embedding` takes the numbers of rows, whole numbers: turn them into those with `.long()`.")),
    (RuntimeError, r"result type (\w+) can't be cast to the desired output type (\w+)", lambda it, wide, narrow: f"An operation in place keeps the dtype {narrow.lower()}, which cannot hold {wide.lower()}: write it without the underscore or `+=`, as `x = x + y`."),
    (NotImplementedError, "not implemented for '(Long|Int|Bool|Byte)'|could not infer output dtype|only support floating", _says("This needs numbers with a fraction: turn the tensor into those with `.float()`.")),
    (RuntimeError, "Boolean value of Tensor", _says("A condition needs one truth, and this tensor has several: say which with `.any()` or `.all()`, or choose elements with `torch.where`.")),
    ((RuntimeError, ValueError), r"Tensor with (\d+) elements cannot be converted|only one element tensors", _says("Only a tensor with one element becomes a number: choose one with an index, or make one with `.sum()` or `.mean()`; `.tolist()` gives all.")),
    (RuntimeError, "Tensors must have same number of dimensions|Sizes of tensors must match", _says("`cat` joins along one dimension: all other sizes must be equal. `stack` makes a new dimension.")),
    (RuntimeError, "stack expects each tensor to be equal size", _says("`stack` puts tensors of one shape side by side: all their sizes must be equal.")),
    (ValueError, r"input batch_size \((\d+)\) to match target batch_size \((\d+)\)", lambda it, n, m: f"Each row of the scores has one target: there are {_count(int(n), 'row')} and {_count(int(m), 'target')}. Scores are (rows, classes), so a sequence is made flat first, `.view(-1, classes)` and `.view(-1)`."),
    ((RuntimeError, MemoryError), "allocate|memory|too large|Storage size calculation overflowed", _huge),
    (MemoryError, "", _huge),
    (IndexError, r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)", _out_of_bounds),
    (IndexError, r"index (-?\d+) out of range for tensor of size .* at dimension (\d+)", lambda it, index, dimension: f"Index {index} is outside dimension {dimension}: its indices go from 0 to its size less 1."),
    (IndexError, r"expected to be in range of \[(-\d+), (\d+)\], but got (-?\d+)", _no_dimension),
    (IndexError, "tensors used as indices must be", _says("Indices are whole numbers: turn them into those with `.long()`; a mask is a tensor of bools.")),
    (IndexError, "too many indices for tensor of dimension (\\d+)", lambda it, count: f"The tensor has {_count(int(count), 'dimension')}, so it takes at most that many indices."),
    (IndexError, "index out of range in self", _says("A number is no row of the embedding: each must be at least 0 and less than `num_embeddings`.")),
    (IndexError, r"Target (-?\d+) is out of bounds", lambda it, target: f"Target {target} is no class: with n scores in a row the classes go from 0 to n - 1."),
    (IndexError, "^invalid index of a 0-dim tensor|0-dim tensor|no dimensions", _says("The tensor is one number and has no dimension: take it with `.item()`.")),
    (IndexError, "^(list|tuple|string|pop|range)", _list_index),
    (KeyError, "", _key),
    (ZeroDivisionError, "", _says("The number after `/`, `//` or `%` is 0: see where it comes from, a length or a count perhaps, and ask before dividing.")),
    (ValueError, r"not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)", _unpacked),
    (ValueError, r"too many values to unpack \(expected (\d+)(?:, got (\d+))?\)", _unpacked),
    (ValueError, "invalid literal for int\\(\\)|could not convert string to float", _says("The text is no number, so it cannot become one: see what it has in it.")),
    (TypeError, r"^cannot unpack non-iterable (\w+)", lambda it, kind: _nothing(it) if kind == "NoneType" else f"One value of type `{kind}` cannot be given to several names."),
    (TypeError, "NoneType", _nothing),
    (TypeError, r"unsupported operand type\(s\) for (.+?): '(.+?)' and '(.+?)'", _operands),
    (TypeError, r"can only concatenate \w+ \(not \"(.+?)\"\)", _joined),
    (TypeError, r"'(.+?)' not supported between instances of '(.+?)' and '(.+?)'", _operands),
    (TypeError, "can't multiply sequence by non-int", _says("A list or text times n is n copies of it: to calculate with the elements make a tensor, `torch.tensor(…)`.")),
    (TypeError, r"^'([\w.]+)' object is not callable", _not_callable),
    (TypeError, r"^'([\w.]*(?:function|method)\w*)' object is not subscriptable", _says("A function or method has no elements: it is called with round brackets.")),
    (TypeError, r"^'(\w+)' object is not (subscriptable|iterable)", lambda it, kind, _: f"A value of type `{kind}` has no elements: only a list, a tensor, a text and the like have." + (" For a loop over numbers write `range(…)`." if kind == "int" else "")),
    (TypeError, r"^(?:list|tuple|string) indices must be integers or slices, not ([\w.]+)|list indices must be integers", lambda it, kind: f"An element has a whole number as its place, and this is a value of type `{kind}`: `//` gives a whole number, `int(…)` too."),
    (TypeError, r"^(\S+?)\(\) takes (.+?) but (.+?) (?:was|were) given", _too_many),
    (TypeError, r"^(\S+?)\(\) missing (.+)", _missing),
    (TypeError, r"^(\S+?)\(\) got an unexpected keyword argument '(\w+)'", _keyword),
    (TypeError, r"^(\S+?)\(\) got multiple values for argument '(\w+)'", lambda it, name, keyword: f"`{name}` gets `{keyword}` twice: by its place and by its name. Take one away."),
    (TypeError, r"^(\S+?)\(\)(?: received an invalid combination|: argument '(\w+)')", _invalid),
    (TypeError, r"^unhashable type: '(\w+)'", lambda it, kind: f"A `{kind}` can change, so it is no key of a dict and no element of a set: a tuple is."),
    (RecursionError, "", _says("A function calls itself without an end: it needs a case that returns before it calls itself again, and each call must come nearer to it.")),
    (FileNotFoundError, "(?s).*", _says("There is no such file: see its name and folder.")),
    (KeyboardInterrupt, "", _interrupted),
]
