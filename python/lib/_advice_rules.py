"""What `_advice` says of which exception."""

from _advice import _count
from _advice_words import (
    _batched,
    _broadcast,
    _colon,
    _dtypes,
    _huge,
    _interrupted,
    _invalid,
    _joined,
    _key,
    _keyword,
    _list_index,
    _missing,
    _multiplied,
    _no_attribute,
    _no_cuda,
    _no_dimension,
    _no_index,
    _no_module,
    _no_name,
    _not_callable,
    _nothing,
    _operands,
    _out_of_bounds,
    _reshaped,
    _says,
    _too_many,
    _unbound,
    _undefined,
    _unpacked,
    _unread,
)

_GRADIENTS_OF_INTEGERS = (
    "Only numbers with a fraction have gradients: make the tensor with `dtype=torch.float32` or `1.0` in place of `1`."
)
_DEVICE = "All tensors of an operation must be on one device: move each with `.to(device)`, the model too."
_INDENT = "Lines of one block begin at the same column, with spaces only: four more than the line with the colon above."

# The classes of an exception, what its message is like, and what is said then; the first that says something is it.
RULES = [
    (
        TabError,
        "",
        _says("Some lines are indented with tabs and others with spaces: use four spaces for each level everywhere."),
    ),
    (
        IndentationError,
        "unexpected indent",
        _says(
            "The line is indented further than the one above, and that opens no block. Take the spaces away that are too"
            " many, or, if the line above has lost its own, put them back there. " + _INDENT
        ),
    ),
    (
        IndentationError,
        r"expected an indented block after (.+?)(?: on line (\d+))?$",
        lambda it, what, line: (
            f"After the {what.replace(chr(39), '`')}{line and f' in line {line}'} a block must follow: indent the lines"
            " that belong to it by four spaces, or write `pass`."
        ),
    ),
    (
        IndentationError,
        "",
        _says("The line is less indented than the one above, but no line further up begins at that column. " + _INDENT),
    ),
    (SyntaxError, r"^expected ':'", _colon),
    (
        SyntaxError,
        r"^'(.)' was never closed",
        lambda it, bracket: (
            f"The bracket `{bracket}` has no partner: write `{ {'(': ')', '[': ']', '{': '}'}[bracket] }` where it"
            " should end."
        ),
    ),
    (
        SyntaxError,
        r"^unmatched '(.)'",
        lambda it, bracket: (
            f"There is a `{bracket}` too many, or the bracket that it closes is missing: each has one partner."
        ),
    ),
    (
        SyntaxError,
        r"parenthesis '(.)' does not match opening parenthesis '(.)'",
        lambda it, close, open: (
            f"`{open}` was opened last, so it must be closed before anything else: `{close}` is the other kind of"
            " bracket."
        ),
    ),
    (
        SyntaxError,
        "unterminated triple-quoted",
        _says("The text begins with three quotes and never ends: write the same three quotes behind it."),
    ),
    (
        SyntaxError,
        "^unterminated",
        _says(
            "The text has no quote at its end: close it in the same line with the quote that opened it; a quote within"
            " needs the other kind around."
        ),
    ),
    (
        SyntaxError,
        "'==' (?:or ':=' )?instead of '='|perhaps you meant \"==\"",
        _says(
            "`=` gives a name a value, and `==` compares two values: this place needs `==`, or a plain name on the"
            " left."
        ),
    ),
    (
        SyntaxError,
        r"^cannot assign to (.+?)(?: here.*)?$",
        lambda it, what: (
            f"A value can be given to a name, an attribute or an element, not to a {what}: the name stands on the left"
            " of `=`."
        ),
    ),
    (
        SyntaxError,
        "forgot a comma",
        _says("Two values stand side by side: write a comma between them, or the operator that is missing."),
    ),
    (
        SyntaxError,
        r"Missing parentheses in call to '(\w+)'",
        lambda it, name: f"`{name}` is a function: what it is to take stands in brackets, `{name}(…)`.",
    ),
    (SyntaxError, r"Did you mean '(\w+)'\?", lambda it, word: f"A word of Python is misspelt: write `{word}`."),
    (
        SyntaxError,
        r"^'return' outside",
        _says("`return` ends a function, so it must be in the indented block of a `def`."),
    ),
    (
        SyntaxError,
        r"^'(\w+)' (?:outside loop|not properly in loop)",
        lambda it, word: f"`{word}` must be in the indented block of a `for` or `while`.",
    ),
    (
        SyntaxError,
        r"^invalid (?:character '(.)'|non-printable character) ?\(?(U\+\w+)",
        lambda it, char, code: (
            f"The character {f'`{char}`' if char else code} is none of Python's; it may have come with copied text:"
            ' type it again, quotes as `"`, times as `*`, minus as `-`.'
        ),
    ),
    (SyntaxError, "leading zeros", _says("A whole number does not begin with 0: take the zeros away.")),
    (
        SyntaxError,
        "invalid decimal literal",
        _says("A name must not begin with a digit, and between a number and a name stands an operator, as in `2 * x`."),
    ),
    (
        SyntaxError,
        "positional argument follows keyword",
        _says("In a call, arguments without a name come before those with `name=`."),
    ),
    (
        SyntaxError,
        "keyword argument repeated: (.+)",
        lambda it, name: f"`{name}` is given twice in one call: take one of them away.",
    ),
    (
        SyntaxError,
        "^f-string",
        _says("In an f-string, `{` and `}` stand around an expression; a brace that is text is doubled, `{{` or `}}`."),
    ),
    (
        SyntaxError,
        "unicodeescape",
        _says("A backslash in a text begins an escape: double it, `\\\\`, or write `r` before the quote."),
    ),
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
    (
        RuntimeError,
        "batch. must be a 3D tensor",
        _says(
            "`bmm` multiplies batches of matrices, (b, n, m) with (b, m, p): both need three dimensions. `@` takes any"
            " number."
        ),
    ),
    (
        RuntimeError,
        r"size mismatch, got input \((\d+)\), mat \((\d+)x(\d+)\), vec \((\d+)\)",
        lambda it, _, n, m, k: f"The last size of the matrix, {m}, must equal the size of the vector, {k}.",
    ),
    (
        RuntimeError,
        r"inconsistent tensor size, expected tensor \[(\d+)\] and src \[(\d+)\]",
        lambda it, n, m: f"A dot product needs two vectors of one size: {n} is not {m}.",
    ),
    (
        RuntimeError,
        r"einsum\(\): subscript (\w) has size (\d+) .* seen size (\d+)",
        lambda it, letter, size, seen: (
            f"In `einsum` a letter stands for one size: `{letter}` is {seen} in one operand and {size} in another, and"
            " both must be equal."
        ),
    ),
    (
        RuntimeError,
        r"number of subscripts in the equation \((\d+)\).*dimensions \((\d+)\) for operand (\d+)",
        lambda it, letters, sizes, which: (
            f"In `einsum` each dimension has a letter: operand {which} has {_count(int(sizes), 'dimension')}, and the"
            f" equation gives it {_count(int(letters), 'letter')}."
        ),
    ),
    (
        RuntimeError,
        "einsum\\(\\): (?:fewer|more) operands",
        _says(
            "In `einsum` each tensor has its letters, with a comma between: there must be as many tensors as groups of"
            " letters."
        ),
    ),
    (
        RuntimeError,
        r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)",
        _broadcast,
    ),
    (
        RuntimeError,
        (
            r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\) at non-singleton dimension"
            r" (\d+)"
        ),
        lambda it, new, old, dimension: (
            f"Only a size 1 can be expanded: dimension {dimension} has size {old}, and should become {new}."
        ),
    ),
    (
        RuntimeError,
        r"output with shape \[(.*?)\] doesn't match the broadcast shape \[(.*?)\]",
        lambda it, had, gets: (
            f"An operation in place keeps the shape ({had}), but its result would be ({gets}): write it without the"
            " underscore or `+=`, as `x = x + y`."
        ),
    ),
    (RuntimeError, r"shape '(\[.*?\])' is invalid for input of size (\d+)", _reshaped),
    (
        RuntimeError,
        "view size is not compatible",
        _says(
            "`view` only looks at the same memory in another way, and after a transpose the elements do not lie in that"
            " order: use `.reshape(…)`, or `.contiguous().view(…)`."
        ),
    ),
    (RuntimeError, "[Oo]nly Tensors of floating point", _says(_GRADIENTS_OF_INTEGERS)),
    (
        RuntimeError,
        "leaf Variable that requires grad is being used in an in-place",
        _says(
            "A tensor with `requires_grad` must not be changed in place while operations are recorded: change it within"
            " `with torch.no_grad():`, or write `x = x + y`."
        ),
    ),
    (
        RuntimeError,
        "modified by an inplace operation",
        _says(
            "`backward` needs a value that was changed in place after it was used: replace that change, `x += y` or a"
            " method with `_` at its end, by `x = x + y`."
        ),
    ),
    (
        RuntimeError,
        "backward through the graph a second time",
        _says(
            "`backward` frees what it needed, so it runs once for each forward pass: compute the loss again, or call"
            " `backward(retain_graph=True)` the first time. In a loop, `.detach()` what comes from the step before."
        ),
    ),
    (
        RuntimeError,
        "does not require grad and does not have a grad_fn",
        _says(
            "Nothing that this was computed from has `requires_grad=True`, so there is nothing to find gradients for:"
            " see whether it was made under `torch.no_grad()` or with `.detach()` or `.item()`, or from integers."
        ),
    ),
    (
        RuntimeError,
        "implicitly created only for scalar outputs",
        _says("`backward` begins at one number: make one first, with `.mean()` or `.sum()`."),
    ),
    (
        RuntimeError,
        "Can't call numpy\\(\\) on Tensor that requires grad",
        _says("An array of NumPy has no gradients: write `.detach().numpy()`."),
    ),
    (
        RuntimeError,
        "appears to not have been used in the graph",
        _says("The result does not depend on one of these tensors: was it computed from another one, or from a copy?"),
    ),
    (RuntimeError, "on the expected device|on the same device", _says(_DEVICE)),
    (RuntimeError, r"to have the same dtype, but got: (\w+) != (\w+)", _dtypes),
    (RuntimeError, r"same dtype, but (?:got|found) (\w+) and (\w+)", _dtypes),
    (
        RuntimeError,
        "both inputs should have same dtype",
        _says("Both tensors must have one dtype: turn one with `.float()` or `.to(other.dtype)`."),
    ),
    (
        RuntimeError,
        "target dtype to be Long|expected scalar type Long",
        _says("Classes are whole numbers: turn the targets into them with `.long()`."),
    ),
    (
        RuntimeError,
        "(?s)'indices'.*checking arguments for embedding",
        _says("`Embedding` takes the numbers of rows, whole numbers: turn them into those with `.long()`."),
    ),
    (
        RuntimeError,
        r"result type (\w+) can't be cast to the desired output type (\w+)",
        lambda it, wide, narrow: (
            f"An operation in place keeps the dtype {narrow.lower()}, which cannot hold {wide.lower()}: write it"
            " without the underscore or `+=`, as `x = x + y`."
        ),
    ),
    (
        NotImplementedError,
        "not implemented for '(Long|Int|Bool|Byte)'|could not infer output dtype|only support floating",
        _says("This needs numbers with a fraction: turn the tensor into those with `.float()`."),
    ),
    (
        RuntimeError,
        "Boolean value of Tensor",
        _says(
            "A condition needs one truth, and this tensor has several: say which with `.any()` or `.all()`, or choose"
            " elements with `torch.where`."
        ),
    ),
    (
        (RuntimeError, ValueError),
        r"Tensor with (\d+) elements cannot be converted|only one element tensors",
        _says(
            "Only a tensor with one element becomes a number: choose one with an index, or make one with `.sum()` or"
            " `.mean()`; `.tolist()` gives all."
        ),
    ),
    (
        RuntimeError,
        "Tensors must have same number of dimensions|Sizes of tensors must match",
        _says("`cat` joins along one dimension: all other sizes must be equal. `stack` makes a new dimension."),
    ),
    (
        RuntimeError,
        "stack expects each tensor to be equal size",
        _says("`stack` puts tensors of one shape side by side: all their sizes must be equal."),
    ),
    (
        ValueError,
        r"input batch_size \((\d+)\) to match target batch_size \((\d+)\)",
        lambda it, n, m: (
            f"Each row of the scores has one target: there are {_count(int(n), 'row')} and {_count(int(m), 'target')}."
            " Scores are (rows, classes), so a sequence is made flat first, `.view(-1, classes)` and `.view(-1)`."
        ),
    ),
    ((RuntimeError, MemoryError), "allocate|memory|too large|Storage size calculation overflowed", _huge),
    (MemoryError, "", _huge),
    (IndexError, r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)", _out_of_bounds),
    (
        IndexError,
        r"index (-?\d+) out of range for tensor of size .* at dimension (\d+)",
        lambda it, index, dimension: (
            f"Index {index} is outside dimension {dimension}: its indices go from 0 to its size less 1."
        ),
    ),
    (IndexError, r"expected to be in range of \[(-\d+), (\d+)\], but got (-?\d+)", _no_dimension),
    (
        IndexError,
        "tensors used as indices must be",
        _says("Indices are whole numbers: turn them into those with `.long()`; a mask is a tensor of bools."),
    ),
    (IndexError, r"^only integers, slices .*\(got (\w+)\)", _no_index),
    (RuntimeError, "^No CUDA GPUs are available", _no_cuda),
    (
        IndexError,
        "too many indices for tensor of dimension (\\d+)",
        lambda it, count: f"The tensor has {_count(int(count), 'dimension')}, so it takes at most that many indices.",
    ),
    (
        IndexError,
        "index out of range in self",
        _says("A number is no row of the embedding: each must be at least 0 and less than `num_embeddings`."),
    ),
    (
        IndexError,
        r"Target (-?\d+) is out of bounds",
        lambda it, target: f"Target {target} is no class: with n scores in a row the classes go from 0 to n - 1.",
    ),
    (
        IndexError,
        "^invalid index of a 0-dim tensor|0-dim tensor|no dimensions",
        _says("The tensor is one number and has no dimension: take it with `.item()`."),
    ),
    (IndexError, "^(list|tuple|string|pop|range)", _list_index),
    (KeyError, "", _key),
    (
        ZeroDivisionError,
        "",
        _says(
            "The number after `/`, `//` or `%` is 0: see where it comes from, a length or a count perhaps, and ask"
            " before dividing."
        ),
    ),
    (ValueError, r"not enough values to unpack \(expected (?:at least )?(\d+), got (\d+)\)", _unpacked),
    (ValueError, r"too many values to unpack \(expected (\d+)(?:, got (\d+))?\)", _unpacked),
    (
        ValueError,
        "invalid literal for int\\(\\)|could not convert string to float",
        _says("The text is no number, so it cannot become one: see what it has in it."),
    ),
    (
        TypeError,
        r"^cannot unpack non-iterable (\w+)",
        lambda it, kind: (
            _nothing(it) if kind == "NoneType" else f"One value of type `{kind}` cannot be given to several names."
        ),
    ),
    (TypeError, "NoneType", _nothing),
    (TypeError, r"unsupported operand type\(s\) for (.+?): '(.+?)' and '(.+?)'", _operands),
    (TypeError, r"can only concatenate \w+ \(not \"(.+?)\"\)", _joined),
    (TypeError, r"'(.+?)' not supported between instances of '(.+?)' and '(.+?)'", _operands),
    (
        TypeError,
        "can't multiply sequence by non-int",
        _says(
            "A list or text times n is n copies of it: to calculate with the elements make a tensor, `torch.tensor(…)`."
        ),
    ),
    (TypeError, r"^'([\w.]+)' object is not callable", _not_callable),
    (
        TypeError,
        r"^'([\w.]*(?:function|method)\w*)' object is not subscriptable",
        _says("A function or method has no elements: it is called with round brackets."),
    ),
    (
        TypeError,
        r"^'(\w+)' object is not (subscriptable|iterable)",
        lambda it, kind, _: (
            f"A value of type `{kind}` has no elements: only a list, a tensor, a text and the like have."
        )
        + (" For a loop over numbers write `range(…)`." if kind == "int" else ""),
    ),
    (
        TypeError,
        r"^(?:list|tuple|string) indices must be integers or slices, not ([\w.]+)|list indices must be integers",
        lambda it, kind: (
            f"An element has a whole number as its place, and this is a value of type `{kind}`: `//` gives a whole"
            " number, `int(…)` too."
        ),
    ),
    (TypeError, r"^(\S+?)\(\) takes (.+?) but (.+?) (?:was|were) given", _too_many),
    (TypeError, r"^(\S+?)\(\) missing (.+)", _missing),
    (TypeError, r"^(\S+?)\(\) got an unexpected keyword argument '(\w+)'", _keyword),
    (
        TypeError,
        r"^(\S+?)\(\) got multiple values for argument '(\w+)'",
        lambda it, name, keyword: f"`{name}` gets `{keyword}` twice: by its place and by its name. Take one away.",
    ),
    (TypeError, r"^(\S+?)\(\)(?: received an invalid combination|: argument '(\w+)')", _invalid),
    (
        TypeError,
        r"^unhashable type: '(\w+)'",
        lambda it, kind: f"A `{kind}` can change, so it is no key of a dict and no element of a set: a tuple is.",
    ),
    (
        RecursionError,
        "",
        _says(
            "A function calls itself without an end: it needs a case that returns before it calls itself again, and"
            " each call must come nearer to it."
        ),
    ),
    (FileNotFoundError, "(?s).*", _says("There is no such file: see its name and folder.")),
    (EOFError, "", _says("`input()` waits for what somebody types, and nobody can type here: write the value itself.")),
    (SystemExit, "", _says("The program ends itself here, and nothing after it runs: a cell needs no such end.")),
    (KeyboardInterrupt, "", _interrupted),
]
