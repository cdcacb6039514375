"""Imports of files: those beside the program, and whatever else `sys.path` leads to."""

import _napkin
import _tracebacks
import sys
from _frozen_importlib import ModuleSpec


# A page has no packages but its own.
_installed = None
if _napkin.has_processes():
    import _installed


class Loader:
    def __init__(self, path):
        self.path = path

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        source = self.get_source(module.__name__)
        _tracebacks.remember(self.path, source)
        module.__file__ = self.path
        exec(_napkin.compiled(source, self.path), module.__dict__)

    def get_source(self, name):
        changed = _napkin.module(self.path)
        return _napkin.read_file(self.path, 0, _napkin.size(self.path)).decode() if changed is None else changed


class Namespace:
    """A folder without `__init__.py`, whose modules are found in it."""

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        pass


# Helpers that lectures of courses have beside them, and what has them here.
_HELPERS = {
    "execute_util": "edtrace.execute_util",
    "lecture_util": "edtrace.lecture_util",
    "arxiv_util": "edtrace.execute_util",
    "reference": "edtrace.reference",
}


class Helper:
    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        exec(f"from {_HELPERS[module.__name__]} import *", module.__dict__)


def _helper(name, spec):
    """What is imported for a helper: a file of that name, unless it collects what nobody here would draw."""
    if spec is not None and spec.loader is not Namespace and "def pop_renderings" not in spec.loader.get_source(name):
        return spec
    return ModuleSpec(name, Helper, origin=_HELPERS[name])


class Finder:
    """Looks in the folders of `sys.path`; in a package, in its folder."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        spec = cls._find(name, path)
        return _helper(name, spec) if name in _HELPERS else spec

    @classmethod
    def _find(cls, name, path):
        last, folders = name.rpartition(".")[2], []
        for folder in sys.path if path is None else path:
            if not isinstance(folder, str):
                continue
            stem = f"{folder}/{last}" if folder else last
            for file, is_package in ((f"{stem}/__init__.py", True), (f"{stem}.py", False)):
                try:
                    if _napkin.size(file) is None:
                        continue
                except OSError:
                    continue
                spec = ModuleSpec(name, Loader(file), origin=file, is_package=is_package)
                if is_package:
                    spec.submodule_search_locations = [stem]
                return spec
            try:
                if _napkin.size(stem) is None:
                    folders.append(stem)
            except OSError:
                pass
        if not folders:
            return _installed and _installed.refuse(last, sys.path if path is None else path)
        spec = ModuleSpec(name, Namespace, is_package=True)
        spec.submodule_search_locations = folders
        return spec


def begin(path, folder, arguments):
    """A program begins that lies in a folder."""
    sys.argv[:] = [path, *arguments]
    sys.path[:] = [folder, *(_installed.folders() if _installed else ())]


sys.meta_path.append(Finder)
