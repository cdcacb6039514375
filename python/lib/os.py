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
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND = 0, 1, 2, 64, 128, 512, 1024
environ = _napkin.variables()
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


# What few programs use is in a module of its own.
_MORE = (
    "F_OK R_OK W_OK X_OK EX_OK P_WAIT P_NOWAIT WNOHANG terminal_size uname_result times_result _get_exports_list access readlink "
    "chmod utime chdir symlink link getlogin getppid getuid geteuid getgid getegid umask uname times get_terminal_size "
    "sched_getaffinity system popen kill isatty putenv unsetenv removedirs renames abort _exit"
).split()


def __getattr__(name):
    if name not in _MORE:
        raise AttributeError(f"module 'os' has no attribute {name!r}")
    import _os_more

    return getattr(_os_more, name)


class DirEntry:
    """A name in a folder."""

    def __init__(self, folder, name):
        self.name, self.path = name, path.join(folder, name)

    def __fspath__(self):
        return self.path

    def is_dir(self, *, follow_symlinks=True):
        return path.isdir(self.path)

    def is_file(self, *, follow_symlinks=True):
        return path.isfile(self.path)

    def is_symlink(self):
        return False

    is_junction = is_symlink

    def stat(self, *, follow_symlinks=True):
        return stat(self.path)


class scandir:
    def __init__(self, path="."):
        self._entries = iter([DirEntry(fspath(path), name) for name in listdir(path)])

    def __iter__(self):
        return self._entries

    def __next__(self):
        return next(self._entries)

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass

    close = __exit__


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
