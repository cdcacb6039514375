"""What of `os` few programs use."""

import collections
import errno
import os
import sys

F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1
EX_OK = 0
P_WAIT, P_NOWAIT, WNOHANG = 0, 1, 1
terminal_size = collections.namedtuple("terminal_size", "columns lines")
uname_result = collections.namedtuple("uname_result", "sysname nodename release version machine")
times_result = collections.namedtuple("times_result", "user system children_user children_system elapsed")


def _get_exports_list(module):
    return getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]


def access(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True):
    return os.path.exists(path)


def readlink(path, *, dir_fd=None):
    os.stat(path)
    raise OSError(errno.EINVAL, "Invalid argument", path)


def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    os.stat(path)


def utime(path, times=None, *, ns=None, dir_fd=None, follow_symlinks=True):
    os.stat(path)


def chdir(path):
    raise OSError("the working folder is that of the program: name files by their paths")


def symlink(src, dst, target_is_directory=False, *, dir_fd=None):
    raise OSError("there are no links between files here")


link = symlink


def getlogin():
    raise OSError(errno.ENOTTY, "no user has logged in here")


def getppid():
    return 0


def getuid():
    return os.getpid()


geteuid = getgid = getegid = getuid


def umask(mask):
    return 0o022


def uname():
    return uname_result(sys.platform, "localhost", "", "", "")


def times():
    import time

    return times_result(time.process_time(), 0.0, 0.0, 0.0, time.monotonic())


def get_terminal_size(fd=1):
    raise OSError(errno.ENOTTY, "Inappropriate ioctl for device")


def sched_getaffinity(pid):
    return {0}


def system(command):
    import subprocess

    return subprocess.call(command, shell=True)


def popen(cmd, mode="r", buffering=-1):
    import io
    import subprocess

    return io.StringIO(subprocess.run(cmd, shell=True, stdout=subprocess.PIPE, text=True).stdout)


def kill(pid, sig):
    raise OSError(errno.ESRCH, "No such process")


def isatty(fd):
    return False


def putenv(name, value):
    os.environ[name] = value


def unsetenv(name):
    os.environ.pop(name, None)


def removedirs(name):
    os.rmdir(name)
    head = os.path.dirname(name)
    while head and not os.listdir(head):
        os.rmdir(head)
        head = os.path.dirname(head)


def renames(old, new):
    os.makedirs(os.path.dirname(new) or ".", exist_ok=True)
    os.replace(old, new)


def abort():
    raise SystemExit(134)


_exit = sys.exit
