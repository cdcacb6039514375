"""Signals by name. Nobody sends any: a handler is kept, and heard when the program raises its signal itself."""

import time

_NUMBERS = (
    "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ "
    "VTALRM PROF WINCH IO PWR SYS"
)
globals().update({f"SIG{name}": number for number, name in enumerate(_NUMBERS.split(), 1)})
SIG_DFL, SIG_IGN, SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK, NSIG = 0, 1, 0, 1, 2, 65
ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF = 0, 1, 2
ItimerError = OSError
_handlers = {}


def default_int_handler(signalnum, frame, /):
    raise KeyboardInterrupt


def signal(signalnum, handler, /):
    if not 0 < int(signalnum) < NSIG:
        raise ValueError("signal number out of range")
    if not callable(handler) and handler not in (SIG_DFL, SIG_IGN):
        raise TypeError("signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object")
    before = getsignal(signalnum)
    _handlers[int(signalnum)] = handler
    return before


def getsignal(signalnum, /):
    return _handlers.get(int(signalnum), default_int_handler if signalnum == 2 else SIG_DFL)


def raise_signal(signalnum, /):
    handler = getsignal(signalnum)
    if callable(handler):
        handler(int(signalnum), None)
    elif handler == SIG_DFL:
        raise SystemExit(128 + int(signalnum))


def strsignal(signalnum, /):
    return {2: "Interrupt", 9: "Killed", 11: "Segmentation fault", 15: "Terminated"}.get(int(signalnum))


def valid_signals():
    return set(range(1, NSIG))


def set_wakeup_fd(fd, /, *, warn_on_full_buffer=True):
    return -1


def siginterrupt(signalnum, flag, /):
    pass


def alarm(seconds, /):
    if seconds:
        raise OSError("alarm: no signal comes from outside here")
    return 0


def setitimer(which, seconds, interval=0.0, /):
    if seconds:
        raise OSError("setitimer: no signal comes from outside here")
    return 0.0, 0.0


def pause():
    while True:
        time.sleep(1)
