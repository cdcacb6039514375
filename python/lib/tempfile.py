"""Files and folders of no name that last, in the folder of the program."""

import os
import random as _random
import shutil as _shutil

tempdir = None


def gettempdir():
    return "." if tempdir is None else tempdir


def _free(suffix, prefix, dir):
    """A path where nothing is."""
    while True:
        name = "".join(_random.SystemRandom().choices("abcdefghijklmnopqrstuvwxyz0123456789_", k=8))
        path = os.path.join(gettempdir() if dir is None else dir, f"{prefix or 'tmp'}{name}{suffix or ''}")
        if not os.path.exists(path):
            return path


def mkdtemp(suffix=None, prefix=None, dir=None):
    path = _free(suffix, prefix, dir)
    os.makedirs(path)
    return path


class TemporaryDirectory:
    """A folder that goes when the block ends."""

    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False):
        self.name = mkdtemp(suffix, prefix, dir)

    def __enter__(self):
        return self.name

    def __exit__(self, *_):
        self.cleanup()

    def cleanup(self):
        if os.path.exists(self.name):
            _shutil.rmtree(self.name)


class NamedTemporaryFile:
    """An open file that goes when it is closed, unless `delete` is false."""

    def __init__(self, mode="w+b", suffix=None, prefix=None, dir=None, delete=True, encoding=None):
        self.name = _free(suffix, prefix, dir)
        self._delete = delete
        self.file = open(self.name, mode, **({} if encoding is None else {"encoding": encoding}))

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __iter__(self):
        return iter(self.file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.file.close()
        if self._delete and os.path.exists(self.name):
            os.remove(self.name)


TemporaryFile = NamedTemporaryFile
