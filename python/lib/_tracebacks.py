"""What Python prints of an exception that nobody caught."""

sources = {}


def remember(path, source):
    """The source of a program or a module, for the lines of tracebacks."""
    sources[path] = source


def _of_sources(frames):
    """Without what is compiled into this program: in Python itself most of that has no frames, either."""
    if frames is None:
        return None
    frames.tb_next = _of_sources(frames.tb_next)
    return frames if frames.tb_frame.f_code.co_filename in sources else frames.tb_next


def describe(error):
    """The traceback and the exception, with those that it came from."""
    import linecache
    import traceback

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
    return "".join(traceback.format_exception(error))


def report(error):
    """What is told of an exception to whoever shows it: where it was raised in files of the program, outermost first."""
    import traceback

    text = describe(error)
    frames = [
        {"path": frame.filename, "line": frame.lineno, "function": frame.name}
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    if isinstance(error, SyntaxError) and error.filename is not None:
        frames.append({"path": error.filename, "line": error.lineno, "function": "<module>"})
    return {"kind": type(error).__name__, "message": str(error), "frames": frames, "text": text}
