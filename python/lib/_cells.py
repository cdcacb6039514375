"""Cells that are not run again where that would change nothing."""

import functools
import sys

import _napkin
from _file_imports import Loader


# The cell that a reader looks at, until it has run or another one is called.
_ahead = None


def _run_ahead():
    global _ahead
    cell, _ahead = _ahead, None
    if cell is not None:
        _napkin.begin_ahead()
        try:
            cell()
        except (Exception, SystemExit):
            # It raises again when the program comes to it.
            pass
        finally:
            _napkin.end_ahead()


def _recalled(function, path):
    name = function.__name__

    @functools.wraps(function)
    def cell(*args, **kwargs):
        _run_ahead()
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

    return cell


def take_over(main, name, paths, cells, ahead):
    """Puts functions in the place of cells, whatever module calls them.

    `paths` are pairs of what Python calls a file and where it lies in the program; `cells` pairs of such a path and a name,
    of which `ahead` may be one: it runs before the first that is called.
    """
    global _ahead
    paths = dict(paths)
    spaces = {paths.get(name): main}
    for module in list(sys.modules.values()):
        loader = getattr(module, "__loader__", None)
        if isinstance(loader, Loader) and loader.path in paths:
            spaces[paths[loader.path]] = vars(module)
    functions = {}
    for path, name in cells:
        function = spaces.get(path, {}).get(name)
        if function is not None:
            functions[function] = _recalled(function, path)
            if (path, name) == ahead:
                _ahead = functions[function]
    for space in spaces.values():
        for name, value in list(space.items()):
            if isinstance(value, type(take_over)) and value in functions:
                space[name] = functions[value]
