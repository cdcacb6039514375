"""Cells that are not run again where that would change nothing, and what becomes of the rest where one fails."""

import functools
import sys

import _napkin
import _tracebacks
from _file_imports import Loader

# By the code of a cell, a section or main, its file and its name.
_places = {}
# By what stands in the place of a cell, the same.
_wrapped = {}
# By what Python calls a file, what the program does.
_paths = {}
# By the code of a cell of a notebook, the names that it assigns to.
stored = {}


class Waits(BaseException):
    """A cell needs what another one has not given."""

    def __init__(self, cell):
        self.cell = cell


class Told(BaseException):
    """A cell is not run, and its fault is told."""

    def __init__(self, cell):
        self.cell = cell


class Missing:
    """What a cell would have given that has failed: whoever uses it waits."""

    def __init__(self, cell):
        self._cell = cell

    def _wait(self, *_args, **_kwargs):
        raise Waits(self._cell)

    def __getattr__(self, _name):
        self._wait()


for _name in (
    "abs add and bool call contains delitem divmod enter eq float floordiv format ge getitem gt hash index int invert iter "
    "le len lshift lt matmul mod mul ne neg next or pos pow radd rand rfloordiv rmatmul rmod rmul ror round rpow rshift rsub "
    "rtruediv setitem str sub truediv xor"
).split():
    setattr(Missing, f"__{_name}__", Missing._wait)


def report_of_written(error):
    """All that is told of what cannot be read, as JSON."""
    import json

    return json.dumps(_tracebacks.report(error, is_written=True))


def _blamed(error, caller, callee):
    """The cell in which an exception was raised, the innermost one; and whether it could not even be called."""
    place, last = _places.get(caller.f_code), error.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
        place = _places.get(last.tb_frame.f_code, place)
    is_uncallable = isinstance(error, TypeError) and callee is not None and last.tb_frame.f_code is _recalled_code
    return (callee if is_uncallable else place), is_uncallable


def broken(loaded, called):
    """A statement of a section or of main has raised: tells why, and gives what stands for what it would have assigned.

    `loaded` are the names that it reads, `called` is the one of the function that it does nothing but call.
    """
    error, caller = sys.exc_info()[1], sys._getframe(1)
    # What ends for another run has not taken too long.
    if isinstance(error, KeyboardInterrupt) and not _napkin.goes_on():
        raise error
    if isinstance(error, Told):
        return Missing(error.cell)
    wrapper = caller.f_globals.get(called)
    callee = _wrapped.get(wrapper)
    if isinstance(error, Waits):
        waits_for = error.cell
    else:
        given = (caller.f_locals.get(name) for name in loaded.split())
        waits_for = next((value._cell for value in given if type(value) is Missing), None)
    cell, is_uncallable = _blamed(error, caller, callee)
    if callee is not None:
        for name in stored.get(wrapper.__wrapped__.__code__, ()):
            caller.f_globals.setdefault(name, Missing(waits_for or cell))
    unread = getattr(error, "_unread", None)
    if unread is not None and waits_for is None:
        # The cell itself has been told before anything ran.
        if unread == cell:
            return Missing(cell)
        waits_for = unread
    if waits_for is not None:
        _fault({"cell": _named(callee or cell), "waits_for": _named(waits_for)})
        return Missing(waits_for)
    told = _tracebacks.report(error)
    if is_uncallable:
        code = wrapper.__wrapped__.__code__
        told["frames"].append({"path": code.co_filename, "function": code.co_name, "line": code.co_firstlineno})
    _tell(cell, told)
    return Missing(cell)


def _tell(cell, told):
    for frame in told["frames"]:
        frame["path"] = _paths.get(frame["path"], frame["path"])
    _fault({"cell": _named(cell), **told})


def _named(cell):
    return cell and {"path": cell[0], "function": cell[1]}


def _fault(told):
    import json

    _napkin.fault(json.dumps(told))


def goes_on_after(error):
    """Whether a cell goes on whose exercise has raised that."""
    return isinstance(error, Exception) or (isinstance(error, KeyboardInterrupt) and _napkin.goes_on())


def stopped_exercise(attempt):
    """Whether what a reader was to complete was stopped as it stands: then that is told again."""
    code = attempt.__code__
    told = _napkin.stopped(_paths.get(code.co_filename, code.co_filename), code.co_name)
    if told is not None:
        _napkin.fault(told)
    return told is not None


def broken_exercise(attempt, error):
    """What a reader was to complete has raised: its cell goes on."""
    code = attempt.__code__
    told = _tracebacks.report(error)
    places = [(frame["path"], frame["function"]) for frame in told["frames"]]
    own = (code.co_filename, code.co_name)
    if own in places:
        # What the check does by itself is nobody's to see.
        told["frames"] = told["frames"][places.index(own) :]
    elif isinstance(error, TypeError) and str(error).startswith(f"{attempt.__name__}("):
        # It takes other arguments than it is called with: its first line says so.
        told["frames"] = [{"path": own[0], "function": own[1], "line": code.co_firstlineno}]
    else:
        return
    if getattr(error, "_unread", None) is None:
        _tell((_paths.get(code.co_filename, code.co_filename), code.co_name), told)


def ended(error):
    """The program has ended with an exception that nothing has caught."""
    _tell(None, _tracebacks.report(error))


def unread(number):
    """Raises why what stands in place of a function cannot be read."""
    error, cell = _napkin.unread(number)
    error._unread = cell
    raise error


# The cell that a reader looks at, until it has run or another one is called.
_ahead = None


def _run_ahead():
    global _ahead
    cell, _ahead = _ahead, None
    if cell is not None:
        _napkin.begin_ahead()
        try:
            cell()
        except KeyboardInterrupt as error:
            if not _napkin.goes_on():
                raise
            _tell(_wrapped[cell], _tracebacks.report(error))
        except (Exception, SystemExit, Told) as error:
            # It raises again when the program comes to it.
            if not isinstance(error, Told) and getattr(error, "_unread", None) is None:
                _tell(_wrapped[cell], _tracebacks.report(error))
        finally:
            _napkin.end_ahead()


def _recalled(function, path):
    name = function.__name__

    @functools.wraps(function)
    def cell(*args, **kwargs):
        _run_ahead()
        for value in (*args, *kwargs.values()):
            if type(value) is Missing:
                raise Waits(value._cell)
        told = _napkin.stopped(path, name)
        if told is not None:
            _napkin.fault(told)
            raise Told((path, name))
        arguments = (args, tuple(kwargs.items()))
        known = _napkin.recall(path, name, arguments)
        if known is not None:
            return known[0]
        try:
            value = function(*args, **kwargs)
        except BaseException:
            _napkin.abandon()
            raise
        _napkin.remember(value)
        return value

    global _recalled_code
    _recalled_code = cell.__code__
    return cell


def take_over(main, name, paths, cells, ahead):
    """Puts functions in the place of cells, whatever module calls them.

    `paths` are pairs of what Python calls a file and where it lies in the program; `cells` pairs of such a path and a name,
    of which `ahead` may be one: it runs before the first that is called.
    """
    global _ahead
    paths = dict(paths)
    _paths.update(paths)
    spaces = {paths.get(name): main}
    for module in list(sys.modules.values()):
        loader = getattr(module, "__loader__", None)
        if isinstance(loader, Loader) and loader.path in paths:
            spaces[paths[loader.path]] = vars(module)
    _places[main["main"].__code__] = (paths.get(name), "main")
    functions = {}
    for path, name in cells:
        function = spaces.get(path, {}).get(name)
        if function is not None:
            functions[function] = _recalled(function, path)
            _places[function.__code__] = _wrapped[functions[function]] = (path, name)
            if (path, name) == ahead:
                _ahead = functions[function]
    for space in spaces.values():
        for name, value in list(space.items()):
            if isinstance(value, type(take_over)) and value in functions:
                space[name] = functions[value]
