"""What Python prints of an exception that nobody caught."""

import sys

sources = {}


def remember(path, source):
    """The source of a program or a module, for the lines of tracebacks."""
    sources[path] = source


def _of_sources(frames):
    """Without what is compiled into this program: in Python itself most of that has no frames, either."""
    # A loop: there are as many as a recursion without an end leaves.
    kept = []
    while frames is not None:
        if frames.tb_frame.f_code.co_filename in sources:
            kept.append(frames)
        frames = frames.tb_next
    for frame, following in zip(kept, [*kept[1:], None]):
        frame.tb_next = following
    return kept[0] if kept else None


def _width(line, offset=None):
    """How many columns of a terminal a line takes, or the beginning of it."""
    wide = (
        (0x1100, 0x115F),
        (0x2E80, 0xA4CF),
        (0xAC00, 0xD7A3),
        (0xF900, 0xFAFF),
        (0xFE30, 0xFE6F),
        (0xFF01, 0xFF60),
        (0x1F300, 0x1FAFF),
        (0x20000, 0x3FFFD),
    )
    return sum(1 + any(first <= ord(char) <= last for first, last in wide) for char in line[:offset])


def variables(frame):
    """What names stand for where a frame is, or was: outside of functions those of the module. RustPython panics where it
    is asked for more of a module that has a comprehension and has ended under a tracer."""
    code = getattr(frame, "f_code", None)
    return frame.f_globals if code and not code.co_flags & 1 else frame.f_locals


class _Named:
    """A frame with the names of its function: of one that has ended under a tracer RustPython may know no variables."""

    def __init__(self, frame):
        self.f_locals = {**dict.fromkeys(frame.f_code.co_varnames), **variables(frame)}
        self.f_globals, self.f_builtins = frame.f_globals, frame.f_builtins


class _Last:
    tb_next = None

    def __init__(self, step):
        while step.tb_next is not None:
            step = step.tb_next
        self.tb_frame = _Named(step.tb_frame)


def _near(error, step, name):
    """What a name was to be that is not known."""
    return _near.compute(error, step and _Last(step), name)


def _traceback():
    """Python's own module. It names modules that a page fetches, and may do without."""
    for name in ("codeop", "tokenize"):
        try:
            __import__(name)
        except ImportError:
            sys.modules[name] = type(sys)(name)
    import traceback

    return traceback


def describe(error):
    """The traceback and the exception, with those that it came from."""
    import linecache

    traceback = _traceback()

    # Python's own asks a module of all characters, which is not there.
    traceback._display_width = _width
    if traceback._compute_suggestion_error is not _near:
        _near.compute, traceback._compute_suggestion_error = traceback._compute_suggestion_error, _near
    for path, source in sources.items():
        linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    seen, left = set(), [error]
    while left:
        raised = left.pop()
        if raised is None or id(raised) in seen:
            continue
        seen.add(id(raised))
        raised.__traceback__ = _of_sources(raised.__traceback__)
        left += [raised.__cause__, raised.__context__]
    return _sentences(_in_cells("".join(traceback.format_exception(error))))


def _in_cells(text):
    """Lines of a notebook as its reader counts them: in each cell."""
    notebooks = {path: source.split("\n") for path, source in sources.items() if path.endswith(".ipynb")}
    if not notebooks:
        return text
    import re

    kept = []
    for block in re.split(r'(?m)^(?=  File ")', text):
        found = re.match(r'  File "(.*)", line (\d+)(?:, in (\S+))?\n', block)
        if found and found[1] in notebooks:
            path, line, function = found[1], int(found[2]), found[3]
            begins = enumerate(notebooks[path][:line], 1)
            heads = [at for at, head in begins if re.match(r"def cell_\d+\(\)|if __name__ ==", head)]
            if heads and notebooks[path][heads[-1] - 1].startswith("if"):
                heads = []
            if heads:
                cell = notebooks[path][heads[-1] - 1][9:-3]
                inner = f", in {function}" if function and not function.startswith("cell_") else ""
                block = f'  File "{path}", cell {cell}, line {line - heads[-1]}{inner}\n' + block[found.end() :]
            elif re.search(r"(?m)^\S", block) is None:
                continue
        kept.append(block)
    return "".join(kept)


def _sentences(text):
    """Python puts a full stop before what it suggests, also where there is one. A near name helps more than the list of all."""
    if ".. Did you mean: " not in text:
        return text
    import re

    listed = r"( What of \w+ is there, and what is not, stands in docs/scope\.md\.)?"
    return re.sub(rf"\.{listed}\. Did you mean: ", ". Did you mean: ", text)


def report(error, is_written=False):
    """What a page shows of an exception, as plain values: its words, what to do, and its places in the program's files.

    The outermost frame is first; of a syntax error its own place is last. Columns count characters from 0, and are None
    where they are not known. If it `is_written`, what could not be read is in no file yet.
    """
    import traceback

    text = describe(error)
    frames, innermost, step = [], None, error.__traceback__
    while step is not None:
        innermost = step.tb_frame
        frames.append(_place(step))
        step = step.tb_next
    is_syntax = isinstance(error, SyntaxError) and (is_written or error.filename in sources)
    if is_syntax:
        frames.append(_place_of_syntax(error))
    line = error.text if is_syntax else _line(frames[-1]["path"], frames[-1]["line"]) if frames else None
    # Names that the frame knows are suggested for one that it does not.
    told = traceback.TracebackException(type(error), error, error.__traceback__, lookup_lines=False)
    return {
        "kind": type(error).__name__,
        "message": told.msg if isinstance(error, SyntaxError) else _sentences(str(told)),
        "advice": _advice(error, innermost, line),
        "frames": frames,
        "text": text,
    }


def _advice(error, frame, line):
    # A page fetches it, and may have lost its site.
    try:
        from _advice import advice
    except ImportError:
        return None
    return advice(error, frame, line)


def _line(path, number):
    lines = sources[path].split("\n")
    return lines[number - 1] if type(number) is int and 0 < number <= len(lines) else ""


def _place(step):
    import itertools

    code = step.tb_frame.f_code
    # An instruction is two bytes.
    known = next(itertools.islice(code.co_positions(), step.tb_lasti // 2, None), (None,) * 4)
    line, end_line, column, end_column = known
    path, line = code.co_filename, line or step.tb_lineno
    return {
        "path": path,
        "line": line,
        "end_line": end_line or line,
        "column": _characters(path, line, column),
        "end_column": _characters(path, end_line or line, end_column),
        "function": code.co_name,
    }


def _characters(path, line, column):
    """Python counts the bytes before a column."""
    return None if column is None else len(_line(path, line).encode()[:column].decode(errors="ignore"))


def _place_of_syntax(error):
    column = None if error.offset is None else max(error.offset - 1, 0)
    end_line, end = error.end_lineno or error.lineno, error.end_offset
    # Python gives 0 or less where it knows no end.
    is_known = column is not None and type(end) is int and (end_line, end) > (error.lineno, error.offset)
    return {
        "path": error.filename,
        "line": error.lineno,
        "end_line": end_line if is_known else error.lineno,
        "column": column,
        "end_column": end - 1 if is_known else None if column is None else column + 1,
        "function": "<module>",
    }
