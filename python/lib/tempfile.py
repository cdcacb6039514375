"""Files and folders with names of their own, which go when they are closed or left."""

import io
import os
import random
import shutil

tempdir = None
template = "tmp"
TMP_MAX = 10000
_random = random.Random()


def gettempdir():
    """The folder for such files; it is made if it is not there."""
    global tempdir
    if tempdir is None:
        tempdir = next((os.environ[name] for name in ("TMPDIR", "TEMP", "TMP") if os.environ.get(name)), "/tmp")
    os.makedirs(tempdir, exist_ok=True)
    return tempdir


def gettempdirb():
    return gettempdir().encode()


def gettempprefix():
    return template


def _made(make, suffix, prefix, folder):
    """What `make` makes of the first name that is free."""
    for _ in range(TMP_MAX):
        word = "".join(_random.choices("abcdefghijklmnopqrstuvwxyz0123456789_", k=8))
        path = os.path.join(gettempdir() if folder is None else folder, f"{prefix or template}{word}{suffix or ''}")
        try:
            return path, make(path)
        except FileExistsError:
            continue
    raise FileExistsError("No usable temporary file name found")


def mkdtemp(suffix=None, prefix=None, dir=None):
    return _made(os.mkdir, suffix, prefix, dir)[0]


def mktemp(suffix="", prefix=template, dir=None):
    return _made(lambda path: None, suffix, prefix, dir)[0]


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    raise OSError("mkstemp: files have no numbers here; NamedTemporaryFile gives one that is open")


class TemporaryDirectory:
    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False, *, delete=True):
        self.name, self._goes = mkdtemp(suffix, prefix, dir), delete

    def cleanup(self):
        shutil.rmtree(self.name, ignore_errors=True)

    def __enter__(self):
        return self.name

    def __exit__(self, *raised):
        if self._goes:
            self.cleanup()

    def __repr__(self):
        return f"<TemporaryDirectory {self.name!r}>"


class _TemporaryFileWrapper:
    """An open file that is deleted when it is closed."""

    def __init__(self, file, name, delete=True, delete_on_close=True):
        self.file, self.name, self._goes, self._goes_on_close = file, name, delete, delete_on_close

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __iter__(self):
        return iter(self.file)

    def close(self):
        self.file.close()
        if self._goes and self._goes_on_close:
            self._remove()

    def _remove(self):
        self._goes = False
        try:
            os.remove(self.name)
        except FileNotFoundError:
            pass

    def __enter__(self):
        self.file.__enter__()
        return self

    def __exit__(self, *raised):
        self.close()
        if self._goes:
            self._remove()


def NamedTemporaryFile(
    mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None, delete=True, *, errors=None,
    delete_on_close=True,
):  # fmt: skip
    def make(path):
        with open(path, "x"):
            pass
        return open(path, mode, buffering, encoding, errors, newline)

    path, file = _made(make, suffix, prefix, dir)
    return _TemporaryFileWrapper(file, path, delete, delete_on_close)


TemporaryFile = NamedTemporaryFile


def SpooledTemporaryFile(max_size=0, mode="w+b", buffering=-1, encoding=None, newline=None, **_kwargs):
    return io.BytesIO() if "b" in mode else io.StringIO(newline=newline)
