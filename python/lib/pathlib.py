"""Paths as objects."""

import os


class PurePath(os.PathLike):
    """A path, which is its text."""

    def __init__(self, *parts):
        text = os.path.join(*map(os.fspath, parts)) if parts else ""
        root = "/" if text.startswith("/") else ""
        self._text = root + "/".join(part for part in text.split("/") if part not in ("", ".")) or "."

    def __fspath__(self):
        return self._text

    __str__ = __fspath__

    def __repr__(self):
        return f"{'PosixPath' if isinstance(self, Path) else 'PurePosixPath'}({self._text!r})"

    def __eq__(self, other):
        return self._text == other._text if isinstance(other, PurePath) else NotImplemented

    def __lt__(self, other):
        return self._text < other._text if isinstance(other, PurePath) else NotImplemented

    def __hash__(self):
        return hash(self._text)

    def __truediv__(self, other):
        return type(self)(self, other)

    def __rtruediv__(self, other):
        return type(self)(other, self)

    def joinpath(self, *parts):
        return type(self)(self, *parts)

    @property
    def parts(self):
        root = ("/",) if self._text.startswith("/") else ()
        return root + tuple(part for part in self._text.split("/") if part not in ("", "."))

    @property
    def name(self):
        return "" if self._text == "." else os.path.basename(self._text)

    @property
    def suffix(self):
        return os.path.splitext(self.name)[1]

    @property
    def stem(self):
        return os.path.splitext(self.name)[0]

    @property
    def parent(self):
        return type(self)(os.path.dirname(self._text))

    def with_suffix(self, suffix):
        return self.parent / (self.stem + suffix)

    def with_name(self, name):
        return self.parent / name

    def is_absolute(self):
        return self._text.startswith("/")


class Path(PurePath):
    """A path of a file or a folder that may be there."""

    @classmethod
    def cwd(cls):
        return cls(os.getcwd())

    def exists(self):
        return os.path.exists(self._text)

    def is_file(self):
        return os.path.isfile(self._text)

    def is_dir(self):
        return os.path.isdir(self._text)

    def stat(self):
        return os.stat(self._text)

    def absolute(self):
        return type(self)(os.path.abspath(self._text))

    resolve = absolute

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        return open(self._text, mode, buffering, encoding, errors, newline)

    def read_text(self, encoding=None):
        with self.open(encoding=encoding) as file:
            return file.read()

    def read_bytes(self):
        with self.open("rb") as file:
            return file.read()

    def write_text(self, data, encoding=None):
        with self.open("w", encoding=encoding) as file:
            return file.write(data)

    def write_bytes(self, data):
        with self.open("wb") as file:
            return file.write(data)

    def mkdir(self, mode=0o777, parents=False, exist_ok=False):
        if parents:
            os.makedirs(self._text, mode, exist_ok)
        elif not (exist_ok and self.is_dir()):
            os.mkdir(self._text, mode)

    def unlink(self, missing_ok=False):
        if not (missing_ok and not self.exists()):
            os.remove(self._text)

    def rmdir(self):
        os.rmdir(self._text)

    def iterdir(self):
        return (self / name for name in os.listdir(self._text))


PurePosixPath, PosixPath = PurePath, Path
