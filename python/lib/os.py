"""What of an operating system a program sees here: files and folders."""

import _napkin
import _random
import abc
import errno
import stat as _stat
import sys
from _files import _named, fspath

name = "posix"
sep, altsep, extsep, pathsep, linesep = "/", None, ".", ":", "\n"
curdir, pardir, devnull, defpath = ".", "..", "/dev/null", "/bin:/usr/bin"
error = OSError
environ = {}
sys.modules["os.path"] = path = None


class PathLike(abc.ABC):
    """What has a path in a file system."""

    __slots__ = ()

    @abc.abstractmethod
    def __fspath__(self):
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass):
        return hasattr(subclass, "__fspath__") if cls is PathLike else NotImplemented


class stat_result:
    """What there is to know of a file: its kind and its size."""

    def __init__(self, size):
        self.st_mode = (_stat.S_IFDIR | 0o755) if size is None else (_stat.S_IFREG | 0o644)
        self.st_size = 4096 if size is None else size
        self.st_mtime = self.st_atime = self.st_ctime = 0.0


def stat(path, *, dir_fd=None, follow_symlinks=True):
    return stat_result(_named(_napkin.size, path, fspath(path)))


lstat = stat


def getcwd():
    return _napkin.working_folder()


def getpid():
    return 1


def getenv(key, default=None):
    return environ.get(key, default)


def urandom(size):
    return _random.Random().getrandbits(8 * size).to_bytes(size, "little") if size else b""


def cpu_count():
    return 1


def fsdecode(filename):
    return fspath(filename)


def fsencode(filename):
    return fspath(filename).encode()


def listdir(path="."):
    return _named(_napkin.list, path, fspath(path))


def remove(path, *, dir_fd=None):
    _named(_napkin.remove, path, fspath(path), False)


unlink = remove


def rmdir(path, *, dir_fd=None):
    _named(_napkin.remove, path, fspath(path), True)


def mkdir(path, mode=0o777, *, dir_fd=None):
    _named(_napkin.make_folder, path, fspath(path))


def makedirs(name, mode=0o777, exist_ok=False):
    head, _ = path.split(fspath(name).rstrip("/"))
    if head and not path.exists(head):
        makedirs(head, exist_ok=True)
    try:
        mkdir(name, mode)
    except FileExistsError:
        if not exist_ok or not path.isdir(name):
            raise


def rename(src, dst):
    """Moves a file."""
    with open(src, "rb") as old, open(dst, "wb") as new:
        while piece := old.read(1 << 20):
            new.write(piece)
    remove(src)


replace = rename


def walk(top, topdown=True, onerror=None, followlinks=False):
    names = listdir(top)
    folders = [name for name in names if path.isdir(path.join(top, name))]
    files = [name for name in names if name not in folders]
    if topdown:
        yield top, folders, files
    for folder in folders:
        yield from walk(path.join(top, folder), topdown, onerror, followlinks)
    if not topdown:
        yield top, folders, files


import posixpath as path

sys.modules["os.path"] = path
