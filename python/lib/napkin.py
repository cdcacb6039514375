"""What a lecture tells its reader beside the code: prose, cards and drawings.

Each call is drawn at the step that makes it. Where nobody traces, prose and cards are printed, and drawings do nothing.
"""

import functools
import itertools
import sys
import textwrap

import _napkin
import _tracebacks

__all__ = ["check", "exercise", "remember", "show", "slip", "text", "try_this"]


def text(markdown):
    """Prose: Markdown, with TeX between `$` or `$$`."""
    if not isinstance(markdown, str):
        raise TypeError(f"text() takes Markdown, not {type(markdown).__name__}")
    if not _napkin.render("markdown", markdown.strip()):
        print(markdown.strip(), end="\n\n")


def _card(head, text, choices=(), **more):
    """Draws a card. What a choice answers is shown to those who choose it."""
    if not isinstance(text, str):
        raise TypeError(f"a card takes Markdown, not {type(text).__name__}")
    is_drawn = _napkin.render("card", {"head": head, "text": text.strip(), "choices": list(choices), **more})
    if not is_drawn:
        print(f"{head}: {text.strip()}")
    return is_drawn


def try_this(markdown):
    """A card with one thing to change, and what to look for."""
    if not _card("Try this", markdown):
        print()


def remember(markdown):
    """A card with the line to remember."""
    if not _card("Remember", markdown):
        print()


def check(question, choices, answer):
    """A card with a question. `choices` has a sentence for each choice: why it is right, or why it is tempting and wrong."""
    if not isinstance(choices, dict) or len(choices) < 2:
        raise TypeError("check() takes a dict of two choices or more")
    if answer not in choices:
        raise ValueError(f"check() takes one of its choices for answer, not {answer!r}")
    rows = [{"text": text, "why": why, "is_right": text == answer} for text, why in choices.items()]
    if not _card("Check yourself", question, rows):
        for choice in choices:
            print(f"  - {choice}")
        print(f"  Answer: {answer}. {choices[answer]}\n")


def slip(claim, right, why):
    """A card that asks for the error in `claim`, and then gives `right` and `why`."""
    if not _card("Find the error", claim, [{"text": "What is wrong?", "why": f"**{right}** {why}"}]):
        print(f"  {right} {why}\n")


def _source(function):
    """The text of a function of the program, at the margin."""
    code = function.__code__
    first, *rest = _tracebacks.sources[code.co_filename].splitlines()[code.co_firstlineno - 1 :]
    margin = first[: len(first) - len(first.lstrip())]
    body = itertools.takewhile(lambda line: not line.strip() or line.startswith(margin + " "), rest)
    return textwrap.dedent("\n".join([first, *body])).strip()


class _Recorded:
    """An attempt as its check calls it: the last call is remembered in words, so that no tensor is kept for it."""

    def __init__(self, attempt):
        functools.update_wrapper(self, attempt)
        self._attempt = attempt
        # The call, what came, what was raised; and which error that was.
        self._case = self._raised = None

    def __getattr__(self, name):
        return getattr(object.__getattribute__(self, "_attempt"), name)

    def __call__(self, *args, **options):
        given = [*map(_brief, args), *(f"{name}={_brief(value)}" for name, value in options.items())]
        # Before the call, since that may change what it was given.
        self._case = {"call": _cut(f"{self._attempt.__name__}({', '.join(given)})", 200), "came": None, "raised": None}
        self._raised = None
        try:
            value = self._attempt(*args, **options)
        except BaseException as error:
            self._case["raised"], self._raised = _named(error), id(error)
            raise
        self._case["came"] = _brief(value)
        self._kind = "None" if value is None else _kind(value)
        return value

    def _fault(self, error):
        """What to say of an error that ended the check."""
        if getattr(error, "_unread", None) is not None:
            return f"`{self._attempt.__name__}` was not called: its code cannot be read."
        if self._case is None:
            return f"The check ends before it calls `{self._attempt.__name__}`: {_code(_named(error))}"
        call = f"`{self._case['call'].replace('`', chr(39))}`"
        if isinstance(error, KeyboardInterrupt):
            return f"{call} was stopped before it returned anything."
        if self._raised is not None:
            return f"{call} raises {_code(self._case['raised'])}"
        return f"{call} returns {self._kind}; the check cannot go on with that ({_code(_named(error))})"


def _cut(text, most):
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _named(error):
    """An error by its class and message."""
    return _cut(f"{type(error).__name__}: {error}".removesuffix(": "), 300)


def _code(text):
    """A text that is no Markdown."""
    return f"`{text.replace('`', chr(39))}`" if any(mark in text for mark in ["`", "*", "_", "<", "](", "$", "\\"]) else text


def _kind(value):
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _brief(value, depth=0):
    """A value as a program would write it, shortened."""
    if isinstance(value, float):
        text = f"{value:.6g}"
        return text if any(mark in text for mark in ".en") else f"{text}.0"
    if isinstance(value, int) and value.bit_length() > 100:
        return f"about {'-' if value < 0 else ''}2**{value.bit_length() - 1}"
    if isinstance(value, str):
        return repr(_cut(value[:100], 60))
    if _is_tensor(value) and hasattr(value, "numel"):
        dtype = str(value.dtype).removeprefix("torch.")
        if not 0 < value.numel() <= 8 or str(value.device) == "meta":
            return f"tensor of shape {tuple(value.shape)}, {dtype}"
        kind = "" if dtype in ("float32", "int64", "bool") else f", {dtype}"
        return f"tensor({_brief(value.tolist())}{kind})"
    if type(value) in (list, tuple, dict):
        if depth == 3:
            return "…"
        some = itertools.islice(value.items() if isinstance(value, dict) else value, 8)
        if isinstance(value, dict):
            items = [f"{_brief(name, 3)}: {_brief(item, depth + 1)}" for name, item in some]
        else:
            items = [_brief(item, depth + 1) for item in some]
        items += ["…"] if len(value) > 8 else []
        opening, closing = {list: "[]", tuple: "()", dict: "{}"}[type(value)]
        comma = "," if isinstance(value, tuple) and len(value) == 1 else ""
        return _cut(f"{opening}{', '.join(items)}{comma}{closing}", 120)
    if callable(value) and hasattr(value, "__name__"):
        return value.__name__
    if type(value).__repr__ is object.__repr__:
        return _kind(value)
    try:
        text = repr(value)
    except Exception:
        return _kind(value)
    return f"{type(value).__name__}(…)" if "\n" in text else _cut(text, 60)


def exercise(task, attempt, key):
    """A card with a small task: the reader completes the function `attempt`, which is of the cell's own file.

    `key` has `hints`, two at most; a `solution`, which is a function; and `check(attempt)`, which returns a sentence that
    says what is wrong, or None. The card says which call that was. If the attempt or the check raises an error, the card
    says so, and where nobody traces the program ends with it.
    """
    if not callable(attempt) or not callable(getattr(key, "check", None)):
        raise TypeError("exercise() takes a task, a function and what checks it")
    solution = _source(key.solution).replace("solution", attempt.__name__, 1)
    hints = [{"text": f"Hint {at + 1}", "why": hint} for at, hint in enumerate(key.hints)]
    recorded = _Recorded(attempt)

    def is_drawn(fault):
        check = {"text": "Check", "is_right": not fault, "why": fault or "It passes the check."}
        case = recorded._case
        if fault and case:
            check["case"] = case
        choices = [check, *hints, {"text": "Solution", "why": f"```\n{solution}\n```"}]
        if _card("Exercise", task, choices, function=attempt.__name__):
            return True
        print(f"  {check['why']}")
        if fault and case and case["raised"] is None:
            print(f"  {case['call']} returns {case['came']}")
        print()
        return False

    import _cells

    # The steps of a check are nobody's to see.
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        if _cells.stopped_exercise(attempt):
            fault = f"`{attempt.__name__}` was stopped before it returned anything."
        else:
            fault = key.check(recorded)
    except BaseException as error:
        goes_on = _cells.goes_on_after(error)
        sys.settrace(tracer)
        if not is_drawn(recorded._fault(error)) or not goes_on:
            raise
        # What marks the line in the reader's text.
        _cells.broken_exercise(attempt, error)
    else:
        sys.settrace(tracer)
        is_drawn(fault)


_FORMATS = {
    "torch.float64": "fp64",
    "torch.float32": "fp32",
    "torch.float16": "fp16",
    "torch.bfloat16": "bf16",
    "torch.float8_e4m3fn": "fp8_e4m3",
    "torch.float8_e5m2": "fp8_e5m2",
}
_NAMES = {*_FORMATS.values(), "tf32", "fp4"}


def _format(dtype):
    name = _FORMATS.get(str(dtype), dtype)
    if not isinstance(name, str) or name not in _NAMES:
        raise TypeError(f"{dtype!r} is no floating-point format: one of {', '.join(sorted(_NAMES))}, or a dtype of torch")
    return name


def _is_tensor(value):
    return hasattr(value, "dtype") and hasattr(value, "tolist")


def _tensor(value, call):
    if not _is_tensor(value):
        raise TypeError(f"show.{call}() takes a tensor, not {type(value).__name__}")
    return value


def _name(tensor, known, at):
    return next((name for name, value in known.items() if value is tensor), f"t{at + 1}")


def _number(value):
    return isinstance(value, (int, float))


def _whole(call, name, value, least, most):
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"show.{call}() takes a whole number for {name}, not {value!r}")
    if not least <= value <= most:
        raise ValueError(f"show.{call}() takes {name} from {least} to {most}, not {value}")
    return value


def _series(name, values, x):
    values = values.tolist() if _is_tensor(values) else list(values)
    if all(isinstance(value, (tuple, list)) and len(value) == 2 for value in values):
        return [list(pair) for pair in values]
    if not all(map(_number, values)):
        raise TypeError(f"{name} is neither numbers nor pairs of numbers")
    if x is not None and len(x) != len(values):
        raise ValueError(f"{name} has {len(values)} values over {len(x)} of x")
    return [[at, value] for at, value in zip(range(len(values)) if x is None else x, values)]


class _Show:
    """Drawings."""

    def bits(self, value, dtype):
        """Sign, exponent and fraction of a number."""
        if not _number(value):
            raise TypeError(f"show.bits() takes a number, not {type(value).__name__}")
        _napkin.render("bits", {"value": value, "format": _format(dtype)})

    def number_line(self, *dtypes):
        """Range and spacing of formats."""
        if not dtypes:
            raise TypeError("show.number_line() takes one format or more")
        _napkin.render("number_line", {"formats": [_format(dtype) for dtype in dtypes]})

    def strides(self, *tensors):
        """Each tensor over its storage."""
        if not tensors:
            raise TypeError("show.strides() takes one tensor or more")
        known = sys._getframe(1).f_locals
        names = [_name(_tensor(tensor, "strides"), known, at) for at, tensor in enumerate(tensors)]
        _napkin.render("strides", {"tensors": list(tensors), "names": names})

    def heat(self, tensor):
        """A tensor of at most two dimensions in colours."""
        if len(_tensor(tensor, "heat").shape) > 2:
            raise ValueError(f"show.heat() takes at most two dimensions, not {len(tensor.shape)}")
        _napkin.render("heat", {"tensor": tensor})

    def histogram(self, tensor, title=""):
        """How the elements of a tensor are distributed."""
        counted = _napkin.histogram(_tensor(tensor, "histogram"))
        _napkin.render("histogram", {"title": title, **counted})

    def table(self, rows, columns):
        """Rows of numbers, texts and lists."""
        rows, columns = [list(row) for row in rows], list(columns)
        for row in rows:
            if len(row) != len(columns):
                raise ValueError(f"a row has {len(row)} values for {len(columns)} columns")
        _napkin.render("table", {"columns": columns, "rows": rows})

    def plot(self, series, x=None, title="", xlabel="", ylabel="", log=""):
        """Lines by name: numbers over `x`, or pairs."""
        if log not in ("", "x", "y", "xy"):
            raise ValueError(f"log is x, y or xy, not {log!r}")
        x = x.tolist() if _is_tensor(x) else x if x is None else list(x)
        lines = {name: _series(name, values, x) for name, values in series.items()}
        labels = {"title": title, "xlabel": xlabel, "ylabel": ylabel, "log": log}
        _napkin.render("lines", {"series": lines, **labels})

    def calculator(self, which, **options):
        """A calculator of `napkin calc`."""
        _napkin.render("calculator", {"which": which, "options": options})

    def count(self, which, **options):
        """A training step counted beside the formulas."""
        if which not in ("linear", "transformer"):
            raise ValueError(f"show.count() takes linear or transformer, not {which!r}")
        _napkin.render("count", {"which": which, "options": options})

    def machine(self):
        """This machine, measured."""
        _napkin.render("machine", {})

    def training(self, dim=16, layers=2, batch=4, lr=0.01, optimizer="adagrad", seed=1, steps=2000):
        """A deep linear model that learns the weights 0, 1, …, dim − 1 while the reader watches."""
        if not _number(lr) or not 0 < lr <= 100:
            raise ValueError(f"show.training() takes lr above 0, up to 100, not {lr!r}")
        if optimizer not in ("adagrad", "sgd"):
            raise ValueError(f"show.training() takes adagrad or sgd, not {optimizer!r}")
        sizes = {
            "dim": _whole("training", "dim", dim, 1, 4096),
            "layers": _whole("training", "layers", layers, 0, 64),
            "batch": _whole("training", "batch", batch, 1, 65536),
            "seed": _whole("training", "seed", seed, 1, 10**6),
            "steps": _whole("training", "steps", steps, 1, 10**9),
        }
        _napkin.render("training", {**sizes, "lr": lr, "optimizer": optimizer})

    def product(self, m=512, k=512, n=512, dtype="float32"):
        """A product of two matrices to be timed on the reader's machine."""
        name = str(dtype).removeprefix("torch.")
        if name not in ("float32", "float16", "bfloat16"):
            raise ValueError(f"show.product() takes float32, float16 or bfloat16, not {dtype!r}")
        sizes = {"m": m, "k": k, "n": n}
        sizes = {size: _whole("product", size, value, 1, 65536) for size, value in sizes.items()}
        _napkin.render("product", {**sizes, "dtype": name})

    def memory(self):
        """What is held now, by what it is held for."""
        _napkin.render("memory", _napkin.held())


show = _Show()
