"""Arrays in files: read whole, or element by element when they are asked for."""

import math

import _napkin
import _torch
from _files import _named, fspath
from numpy import _dtypes
from numpy._array import _bare, ndarray


class memmap(ndarray):
    """An array that stays in its file; `w+` makes one that takes no room until it is written."""

    def __init__(self, filename, dtype="uint8", mode="r+", offset=0, shape=None):
        if mode not in ("r", "c", "r+", "w+"):
            raise ValueError(
                f"mode must be one of ['r', 'c', 'r+', 'w+', 'readonly', 'copyonwrite', 'readwrite', 'write'] (got {mode!r})"
            )
        self.filename, self.mode, self.offset = filename, mode, offset
        self.dtype = _dtypes.dtype(dtype)
        self._path = fspath(filename)
        if mode == "w+":
            if shape is None:
                raise ValueError("shape must be given if mode == 'w+'")
            _named(_napkin.create, filename, self._path, False)
            _napkin.resize(self._path, 0)
        held = _named(_napkin.size, filename, self._path)
        if held is None:
            raise IsADirectoryError(21, "Is a directory", filename)
        if shape is None:
            if (held - offset) % self.itemsize:
                raise ValueError("Size of available data is not a multiple of the data-type size.")
            shape = ((held - offset) // self.itemsize,)
        self._shape = (shape,) if isinstance(shape, int) else tuple(shape)
        end = offset + self.nbytes
        if end == 0:
            raise ValueError("cannot mmap an empty file")
        if held < end:
            if mode not in ("w+", "r+"):
                raise ValueError("mmap length is greater than file size")
            _napkin.resize(self._path, end)

    @property
    def shape(self):
        return self._shape

    def _read(self, start, count):
        size = self.itemsize
        data = _napkin.read_file(self._path, self.offset + start * size, count * size)
        return _torch._from_bytes(data, self.dtype._form, self.dtype._torch)

    @property
    def _tensor(self):
        return self._read(0, self.size).view(self._shape)

    def _rows(self, at):
        """First row, number of rows and whether it is one alone, if `at` names rows that lie together."""
        if isinstance(at, int) and not isinstance(at, bool):
            if not -len(self) <= at < len(self):
                raise IndexError(f"index {at} is out of bounds for axis 0 with size {len(self)}")
            return at % len(self), 1, True
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self))
            if step == 1:
                return start, max(stop - start, 0), False
        return None

    def __getitem__(self, at):
        rows = self._rows(at)
        if rows is None:
            return self._given(self._tensor[_bare(at)])
        start, count, alone = rows
        row = math.prod(self._shape[1:])
        got = self._read(start * row, count * row).view((count, *self._shape[1:]))
        return self._given(got[0] if alone else got)

    def __setitem__(self, at, value):
        if self.mode in ("r", "c"):
            raise ValueError("assignment destination is read-only")
        start, count, _ = self._rows(at) or (0, len(self), False)
        row = math.prod(self._shape[1:])
        part = self._read(start * row, count * row).view((count, *self._shape[1:]))
        part[slice(None) if self._rows(at) else _bare(at)] = _bare(value)
        data = _torch._to_bytes(part, self.dtype._form)
        _napkin.write_file(self._path, self.offset + start * row * self.itemsize, data)

    def flush(self):
        """What was written is in the file already."""


def fromfile(file, dtype=float, count=-1, offset=0):
    """The numbers in a file."""
    kind = _dtypes.dtype(dtype)
    path = fspath(file)
    held = _named(_napkin.size, file, path)
    size = held - offset if count < 0 else count * kind.itemsize
    data = _napkin.read_file(path, offset, max(size, 0))
    return ndarray(_torch._from_bytes(data, kind._form, kind._torch), kind)
