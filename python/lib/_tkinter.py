"""Windows by name: there is no display to open one on."""

TK_VERSION = TCL_VERSION = "8.6"
READABLE, WRITABLE, EXCEPTION, DONT_WAIT, ALL_EVENTS = 2, 4, 8, 2, -3
WINDOW_EVENTS, FILE_EVENTS, TIMER_EVENTS, IDLE_EVENTS = 4, 8, 16, 32


class TclError(Exception):
    """What tkinter raises."""


class Tcl_Obj:
    """A value of Tcl."""


TkappType = TkttType = Tcl_Obj


def create(*args, **kwargs):
    raise TclError("no display: Napkin opens no windows; in a page, draw with matplotlib or napkin.chart")


def _flatten(items):
    return tuple(inner for item in items for inner in (_flatten(item) if isinstance(item, (list, tuple)) else (item,)))


def getbusywaitinterval():
    return 20
