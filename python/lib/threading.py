"""Threads of Python's own API, run one after the other: `start` runs a thread to its end.

What would wait for another thread for ever says so in a RuntimeError.
"""

import sys
import time
from _thread import RLock, get_ident

TIMEOUT_MAX = 4294967.0
_main = None
_running = []
_count = 0


def _would_wait(what, timeout):
    """What a wait comes to that only another thread could end."""
    if timeout is None or timeout < 0:
        raise RuntimeError(f"{what} would wait for ever: threads run one after the other here")
    time.sleep(timeout)


class local:
    """Values of one thread: there is one."""


class Lock:
    def __init__(self):
        self._is_held = False

    def acquire(self, blocking=True, timeout=-1):
        if self._is_held:
            if not blocking:
                return False
            _would_wait("Lock.acquire", timeout)
            return False
        self._is_held = True
        return True

    __enter__ = acquire

    def release(self):
        if not self._is_held:
            raise RuntimeError("release unlocked lock")
        self._is_held = False

    def __exit__(self, *raised):
        self.release()

    def locked(self):
        return self._is_held


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None, context=None):
        global _count
        _count += 1
        self._target, self._args, self._kwargs, self._context = target, args, kwargs or {}, context
        self.name = name or f"Thread-{_count}" + (f" ({target.__name__})" if hasattr(target, "__name__") else "")
        self.daemon = bool(daemon)
        self.ident = self.native_id = None
        self._state = "initial"

    def start(self):
        if self._state != "initial":
            raise RuntimeError("threads can only be started once")
        self._state, self.ident = "started", id(self)
        self.native_id = self.ident
        _running.append(self)
        try:
            self._context.run(self.run) if self._context else self.run()
        except SystemExit:
            pass
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            excepthook(ExceptHookArgs((type(error), error, error.__traceback__, self)))
        finally:
            _running.pop()
            self._state = "stopped"

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def join(self, timeout=None):
        if self._state == "initial":
            raise RuntimeError("cannot join thread before it is started")
        if self._state == "started":
            raise RuntimeError("cannot join current thread")

    def is_alive(self):
        return self._state == "started"

    def getName(self):
        return self.name

    def setName(self, name):
        self.name = name

    def isDaemon(self):
        return self.daemon

    def setDaemon(self, daemon):
        self.daemon = daemon

    def __repr__(self):
        return f"<{type(self).__name__}({self.name}, {self._state}{' daemon' * self.daemon}{f' {self.ident}' if self.ident else ''})>"


class _MainThread(Thread):
    def __init__(self):
        super().__init__(name="MainThread")
        self._state, self.ident = "started", get_ident()
        self.native_id = self.ident


class Timer(Thread):
    """Runs a function after its time; `cancel` comes too late, since `start` has waited."""

    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__()
        self.interval, self.function, self.args, self.kwargs = interval, function, args or [], kwargs or {}
        self.finished = Event()

    def cancel(self):
        self.finished.set()

    def run(self):
        if not self.finished.is_set():
            time.sleep(self.interval)
            self.function(*self.args, **self.kwargs)
        self.finished.set()


class ExceptHookArgs(tuple):
    exc_type, exc_value, exc_traceback, thread = (property(lambda self, at=at: self[at]) for at in range(4))


def excepthook(args, /):
    import traceback

    print(f"Exception in thread {args.thread.name}:", file=sys.stderr)
    traceback.print_exception(*args[:3])


__excepthook__ = excepthook


class Condition:
    def __init__(self, lock=None):
        self._lock = lock or RLock()
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, *raised):
        return self._lock.__exit__(*raised)

    def wait(self, timeout=None):
        _would_wait("Condition.wait", timeout)
        return False

    def wait_for(self, predicate, timeout=None):
        result = predicate()
        if not result:
            _would_wait("Condition.wait_for", timeout)
            result = predicate()
        return result

    def notify(self, n=1):
        pass

    def notify_all(self):
        pass

    notifyAll = notify_all


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if self._value == 0:
            if not blocking:
                return False
            _would_wait("Semaphore.acquire", timeout)
            return False
        self._value -= 1
        return True

    __enter__ = acquire

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        self._value += n

    def __exit__(self, *raised):
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._initial_value = value

    def release(self, n=1):
        if self._value + n > self._initial_value:
            raise ValueError("Semaphore released too many times")
        super().release(n)


class Event:
    def __init__(self):
        self._is_set = False

    def is_set(self):
        return self._is_set

    isSet = is_set

    def set(self):
        self._is_set = True

    def clear(self):
        self._is_set = False

    def wait(self, timeout=None):
        if not self._is_set:
            _would_wait("Event.wait", timeout)
        return self._is_set


class BrokenBarrierError(RuntimeError):
    pass


class Barrier:
    def __init__(self, parties, action=None, timeout=None):
        if parties < 1:
            raise ValueError("parties must be >= 1")
        self.parties, self._action, self._timeout = parties, action, timeout
        self.n_waiting, self.broken = 0, False

    def wait(self, timeout=None):
        if self.broken:
            raise BrokenBarrierError
        if self.parties > 1:
            _would_wait("Barrier.wait", self._timeout if timeout is None else timeout)
            self.broken = True
            raise BrokenBarrierError
        if self._action:
            self._action()
        return 0

    def reset(self):
        self.broken = False

    def abort(self):
        self.broken = True


def main_thread():
    global _main
    _main = _main or _MainThread()
    return _main


def current_thread():
    return _running[-1] if _running else main_thread()


currentThread = current_thread


def enumerate():
    return [main_thread(), *_running]


def active_count():
    return 1 + len(_running)


activeCount = active_count


def get_native_id():
    return current_thread().native_id


def stack_size(size=0):
    return 0


def _register_atexit(function, *args, **kwargs):
    import atexit

    atexit.register(function, *args, **kwargs)
