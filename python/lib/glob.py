"""Paths that a pattern matches."""

import os
from fnmatch import filter as _filter

_MAGIC = frozenset("*?[")


def has_magic(s):
    return not _MAGIC.isdisjoint(s)


def _inside(folder, pattern, recursive):
    """What in a folder fits the parts of a pattern."""
    first, _, rest = pattern.partition("/")
    try:
        names = [name for name in os.listdir(folder or ".") if first.startswith(".") or not name.startswith(".")]
    except OSError:
        return
    if recursive and first == "**":
        yield from _inside(folder, rest or "*", False) if rest else [os.path.join(folder, name) for name in names]
        for name in names:
            inner = os.path.join(folder, name)
            if os.path.isdir(inner):
                yield from _inside(inner, pattern, True)
        return
    for name in _filter(names, first) if has_magic(first) else [first]:
        path = os.path.join(folder, name)
        if rest:
            yield from _inside(path, rest, recursive)
        elif os.path.exists(path):
            yield path


def iglob(pathname, *, root_dir=None, recursive=False):
    start = "/" if pathname.startswith("/") else root_dir or ""
    for path in _inside(start, pathname.lstrip("/"), recursive):
        yield os.path.relpath(path, root_dir) if root_dir else path


def glob(pathname, *, root_dir=None, recursive=False):
    return list(iglob(pathname, root_dir=root_dir, recursive=recursive))
