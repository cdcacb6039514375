"""Imports by name."""

import sys
from importlib import machinery

from _frozen_importlib import __import__


def import_module(name, package=None):
    """The module of that name; one that begins with dots is looked for in `package`."""
    level = len(name) - len(name.lstrip("."))
    if level:
        if not package:
            raise TypeError(
                f"the 'package' argument is required to perform a relative import for {name!r}"
            )
        parents = package.rsplit(".", level - 1)
        name = f"{parents[0]}.{name[level:]}"
    __import__(name)
    return sys.modules[name]


def reload(module):
    """Runs the module's source again, in the same module."""
    module.__spec__.loader.exec_module(module)
    return module


def invalidate_caches():
    """Nothing is kept that could be stale."""
