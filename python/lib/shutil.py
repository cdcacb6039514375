"""Files and folders as a whole."""

import os


class Error(OSError):
    """What cannot be copied or moved."""


class SameFileError(Error):
    """A file onto itself."""


def get_terminal_size(fallback=(80, 24)):
    return terminal_size(fallback)


class terminal_size(tuple):
    """Nobody says how large a terminal is here."""

    columns = property(lambda self: self[0])
    lines = property(lambda self: self[1])


def copyfile(src, dst):
    if os.path.abspath(src) == os.path.abspath(dst):
        raise SameFileError(f"{src!r} and {dst!r} are the same file")
    with open(src, "rb") as old, open(dst, "wb") as new:
        while piece := old.read(1 << 20):
            new.write(piece)
    return dst


def copy(src, dst):
    return copyfile(src, os.path.join(dst, os.path.basename(src)) if os.path.isdir(dst) else dst)


copy2 = copy


def rmtree(path, ignore_errors=False):
    try:
        for name in os.listdir(path):
            inner = os.path.join(path, name)
            rmtree(inner) if os.path.isdir(inner) else os.remove(inner)
        os.rmdir(path)
    except OSError:
        if not ignore_errors:
            raise
