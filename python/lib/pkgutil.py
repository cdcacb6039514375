"""What is in packages."""

import os
import sys
from collections import namedtuple
from importlib import import_module

ModuleInfo = namedtuple("ModuleInfo", "module_finder name ispkg")


def iter_modules(path=None, prefix=""):
    """The modules in folders, those of `sys.path` if none is given."""
    seen = set()
    for folder in sys.path if path is None else path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            inner = os.path.join(folder, name)
            is_package = os.path.isfile(os.path.join(inner, "__init__.py"))
            stem = name if is_package else name.removesuffix(".py")
            if stem.isidentifier() and stem not in seen and stem != "__init__" and (is_package or stem != name):
                seen.add(stem)
                yield ModuleInfo(None, prefix + stem, is_package)


def walk_packages(path=None, prefix="", onerror=None):
    for info in iter_modules(path, prefix):
        yield info
        if info.ispkg:
            try:
                package = import_module(info.name)
            except Exception:
                if onerror is None:
                    raise
                onerror(info.name)
            else:
                yield from walk_packages(package.__path__, f"{info.name}.", onerror)


def get_data(package, resource):
    folder = os.path.dirname(import_module(package).__file__)
    with open(os.path.join(folder, resource), "rb") as file:
        return file.read()


def extend_path(path, name):
    inner = [os.path.join(folder, *name.split(".")) for folder in sys.path]
    return path + [folder for folder in inner if folder not in path and os.path.isdir(folder)]


def resolve_name(name):
    module, _, inner = name.partition(":")
    found = import_module(module)
    for part in inner.split(".") if inner else ():
        found = getattr(found, part)
    return found
