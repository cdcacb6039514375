"""Processes by name. There is one: pools run what they are given in it, and a process of its own cannot be started."""

import os
from concurrent.futures import ThreadPoolExecutor
from queue import Queue
from threading import Barrier, BoundedSemaphore, Condition, Event, Lock, RLock, Semaphore

JoinableQueue = SimpleQueue = Queue


class ProcessError(Exception):
    """What goes wrong with a process."""


class TimeoutError(ProcessError):
    """What has not come in time."""


AuthenticationError = BufferTooShort = type("BufferTooShort", (ProcessError,), {})


class Process:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs={}, *, daemon=None):
        self.name, self.daemon, self.exitcode, self.pid = name or "Process-1", daemon, None, None

    def start(self):
        raise OSError("a second process cannot be started here: call the function itself")

    def is_alive(self):
        return False

    def join(self, timeout=None):
        raise AssertionError("can only join a started process")

    terminate = kill = close = is_alive


class _This(Process):
    def __init__(self):
        super().__init__(name="MainProcess")
        self.pid = self.ident = os.getpid()

    def is_alive(self):
        return True


_this = _This()


def current_process():
    return _this


def parent_process():
    return None


def active_children():
    return []


def cpu_count():
    return os.cpu_count()


class _Result:
    def __init__(self, future):
        self.get, self._future = future.result, future

    def wait(self, timeout=None):
        pass

    def ready(self):
        return True

    def successful(self):
        return self._future.exception() is None


class Pool:
    """Each call is made at once, by the process that there is."""

    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None):
        if processes is not None and processes < 1:
            raise ValueError("Number of processes must be at least 1")
        self._executor = ThreadPoolExecutor(processes)
        if initializer is not None:
            initializer(*initargs)

    def apply(self, func, args=(), kwds={}):
        return func(*args, **kwds)

    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        future = self._executor.submit(func, *args, **kwds)
        error = future.exception()
        if error is None and callback is not None:
            callback(future.result())
        elif error is not None and error_callback is not None:
            error_callback(error)
        return _Result(future)

    def map(self, func, iterable, chunksize=None):
        return [func(item) for item in iterable]

    def imap(self, func, iterable, chunksize=1):
        return map(func, iterable)

    imap_unordered = imap

    def starmap(self, func, iterable, chunksize=None):
        return [func(*items) for items in iterable]

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return self.apply_async(self.map, (func, list(iterable)), {}, callback, error_callback)

    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        return self.apply_async(self.starmap, (func, list(iterable)), {}, callback, error_callback)

    def close(self):
        """All that it was given is done."""

    terminate = join = close

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass


class Value:
    def __init__(self, typecode_or_type, *args, lock=True):
        self.value, self._lock = args[0] if args else 0, RLock()

    def get_lock(self):
        return self._lock


def Array(typecode_or_type, size_or_initializer, *, lock=True):
    return [0] * size_or_initializer if isinstance(size_or_initializer, int) else list(size_or_initializer)


class Manager:
    """Its objects are this process's own."""

    dict, list, Queue, Lock, Event, Value = dict, list, Queue, Lock, Event, Value

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass

    shutdown = close = __exit__


def Pipe(duplex=True):
    raise OSError("there is no second process to talk to")


def get_start_method(allow_none=False):
    return "spawn"


def set_start_method(method, force=False):
    if method not in ("spawn", "fork", "forkserver"):
        raise ValueError(f"cannot find context for {method!r}")


def get_context(method=None):
    import multiprocessing

    return multiprocessing


def get_all_start_methods():
    return ["spawn"]


def freeze_support():
    """For programs that are made into one file of their own."""


def set_executable(path):
    """No process is started by it."""


def get_logger():
    import logging

    return logging.getLogger("multiprocessing")
