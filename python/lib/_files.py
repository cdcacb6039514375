"""`open`, over the files that the session was given."""

import _io
import _napkin
import builtins
import sys


class FileIO(_io._RawIOBase):
    """A file as bytes, without a buffer."""

    def __init__(self, file, mode="r", closefd=True, opener=None):
        kinds = set(mode) - {"b"}
        if len(kinds & set("rwax")) != 1 or kinds - set("rwax+"):
            raise ValueError("Must have exactly one of create/read/write/append mode and at most one plus")
        self.name = file
        self._path = fspath(file)
        self._at = 0
        self._reads = "r" in kinds or "+" in kinds
        self._writes = "r" not in kinds or "+" in kinds
        self._appends = "a" in kinds
        self.mode = "rb+" if kinds == set("r+") else mode.replace("b", "") + "b"
        if "r" in kinds:
            if _size(self._path, file) is None:
                raise IsADirectoryError(21, "Is a directory", file)
        else:
            _named(_napkin.create, file, self._path, "x" in kinds)
            if "w" in kinds:
                _napkin.resize(self._path, 0)
        if self._appends:
            self._at = _napkin.size(self._path)

    def _check(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def readable(self):
        self._check()
        return self._reads

    def writable(self):
        self._check()
        return self._writes

    def seekable(self):
        self._check()
        return True

    def isatty(self):
        return False

    def readinto(self, buffer):
        self._check()
        if not self._reads:
            raise _io.UnsupportedOperation("File not open for reading")
        view = memoryview(buffer).cast("B")
        got = _napkin.read_file(self._path, self._at, len(view))
        view[: len(got)] = got
        self._at += len(got)
        return len(got)

    def read(self, size=-1):
        if size is None or size < 0:
            return self.readall()
        self._check()
        got = _napkin.read_file(self._path, self._at, size)
        self._at += len(got)
        return got

    def readall(self):
        self._check()
        if not self._reads:
            raise _io.UnsupportedOperation("File not open for reading")
        return self.read(max(_napkin.size(self._path) - self._at, 0))

    def write(self, data):
        self._check()
        if not self._writes:
            raise _io.UnsupportedOperation("File not open for writing")
        if self._appends:
            self._at = _napkin.size(self._path)
        count = _napkin.write_file(self._path, self._at, data)
        self._at += count
        return count

    def seek(self, offset, whence=0):
        self._check()
        start = (0, self._at, _napkin.size(self._path))[whence]
        if start + offset < 0:
            raise OSError(22, "Invalid argument")
        self._at = start + offset
        return self._at

    def tell(self):
        self._check()
        return self._at

    def truncate(self, size=None):
        self._check()
        size = self._at if size is None else size
        _napkin.resize(self._path, size)
        return size


def fspath(path):
    """The text of a path that is text, bytes or has `__fspath__`."""
    if isinstance(path, (str, bytes)):
        return path if isinstance(path, str) else path.decode()
    try:
        return type(path).__fspath__(path)
    except AttributeError:
        raise TypeError(
            f"expected str, bytes or os.PathLike object, not {type(path).__name__}"
        ) from None


def _named(call, shown, *args):
    """The path in an error is the one that was given."""
    try:
        return call(*args)
    except OSError as error:
        error.filename = shown
        raise


def _size(path, shown):
    return _named(_napkin.size, shown, path)


def open(
    file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None
):
    """Opens a file as text, or with `b` as bytes."""
    if not isinstance(mode, str):
        raise TypeError(f"open() argument 'mode' must be str, not {type(mode).__name__}")
    kinds = set(mode)
    if kinds - set("rwaxbt+") or len(mode) > len(kinds):
        raise ValueError(f"invalid mode: {mode!r}")
    if kinds >= {"t", "b"}:
        raise ValueError("can't have text and binary mode at once")
    if len(kinds & set("rwax")) != 1:
        raise ValueError("must have exactly one of create/read/write/append mode")
    binary = "b" in kinds
    if binary and encoding is not None:
        raise ValueError("binary mode doesn't take an encoding argument")
    raw = FileIO(file, mode.replace("t", "").replace("b", ""))
    if binary and buffering == 0:
        return raw
    if "+" in kinds:
        buffer = _io.BufferedRandom(raw)
    elif "r" in kinds:
        buffer = _io.BufferedReader(raw)
    else:
        buffer = _io.BufferedWriter(raw)
    if binary:
        return buffer
    text = _io.TextIOWrapper(buffer, encoding or "utf-8", errors, newline, buffering == 1)
    text.mode = mode
    return text


_io.FileIO = FileIO
_io.open = builtins.open = open
