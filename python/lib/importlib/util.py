"""Modules from specs, and specs of modules."""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec


def find_spec(name, package=None):
    """How a module would be imported; None if nothing finds it."""
    if name.startswith("."):
        name = resolve_name(name, package)
    if name in sys.modules:
        spec = getattr(sys.modules[name], "__spec__", None)
        if spec is None:
            raise ValueError(f"{name}.__spec__ is None")
        return spec
    parent = name.rpartition(".")[0]
    path = import_module(parent).__path__ if parent else None
    for finder in sys.meta_path:
        try:
            spec = finder.find_spec(name, path)
        except ModuleNotFoundError:
            return None
        if spec is not None:
            return spec
    return None


def resolve_name(name, package):
    if not name.startswith("."):
        return name
    if not package:
        raise ImportError(f"no package specified for {name!r} (required for relative module names)")
    level = len(name) - len(name.lstrip("."))
    parts = package.rsplit(".", level - 1)
    if len(parts) < level:
        raise ImportError("attempted relative import beyond top-level package")
    return f"{parts[0]}.{name[level:]}" if name[level:] else parts[0]


def module_from_spec(spec):
    module = spec.loader.create_module(spec) or type(sys)(spec.name)
    module.__spec__, module.__loader__, module.__package__ = spec, spec.loader, spec.parent
    if spec.submodule_search_locations is not None:
        module.__path__ = spec.submodule_search_locations
    if spec.origin is not None:
        module.__file__ = spec.origin
    return module


def spec_from_loader(name, loader, *, origin=None, is_package=None):
    return ModuleSpec(name, loader, origin=origin, is_package=is_package)


def spec_from_file_location(name, location=None, *, loader=None, submodule_search_locations=None):
    import os
    from _file_imports import Loader

    path = os.fspath(location)
    spec = ModuleSpec(name, loader or Loader(path), origin=path, is_package=path.endswith("/__init__.py"))
    if submodule_search_locations is not None:
        spec.submodule_search_locations = submodule_search_locations
    return spec


def cache_from_source(path, debug_override=None, *, optimization=None):
    raise NotImplementedError("no bytecode is kept in files here")


MAGIC_NUMBER = b""
