"""What one thread needs of `threading`: locks that are always free, and no second thread."""


class RLock:
    """A lock that nobody else can hold."""

    def acquire(self, blocking=True, timeout=-1):
        return True

    def release(self):
        pass

    def locked(self):
        return False

    def __enter__(self):
        return True

    def __exit__(self, *_):
        pass


Lock = Semaphore = BoundedSemaphore = RLock


class local:
    """What each thread has for itself."""


class Thread:
    """A thread, which cannot start: there is one already, and no more than one."""

    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self.name, self.daemon, self.ident = name or "Thread-1", bool(daemon), None

    def start(self):
        raise RuntimeError("can't start new thread")

    def is_alive(self):
        return self is _main

    def join(self, timeout=None):
        raise RuntimeError("cannot join thread before it is started")


_main = Thread(name="MainThread")
_main.ident = 1


def current_thread():
    return _main


main_thread = current_thread


def get_ident():
    return _main.ident


def active_count():
    return 1


def enumerate():
    return [_main]
