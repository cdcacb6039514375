"""Imports of modules of Python's own library that are files of their own: a page fetches them when they are wanted."""

import sys

import _napkin
from _frozen_importlib import ModuleSpec
from _paths import PATHS

FILES = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in PATHS}


class Loader:
    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        exec(_napkin.fetched(FILES[module.__name__]), module.__dict__)


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        file = FILES.get(name)
        return file and ModuleSpec(name, Loader, is_package=file.endswith("/__init__.py"))


sys.meta_path.append(Finder)
