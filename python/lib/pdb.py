"""The debugger by name. A page has its own: the lines of a program are stepped through there."""

import bdb
import cmd

_TOLD = "there is no debugger here: a page steps through a program line by line, and breakpoint() needs a terminal"


class Restart(Exception):
    """A debugger begins again."""


class Pdb(bdb.Bdb, cmd.Cmd):
    def __init__(self, *args, **kwargs):
        bdb.Bdb.__init__(self)

    def set_trace(self, *args, **kwargs):
        raise RuntimeError(_TOLD)

    interaction = set_trace


def set_trace(*args, **kwargs):
    raise RuntimeError(_TOLD)


run = runeval = runcall = pm = post_mortem = set_trace
