"""Waiting for what other programs say: there is none, so a wait lasts as long as it was to last at most."""

import time

error = OSError
POLLIN, POLLPRI, POLLOUT, POLLERR, POLLHUP, POLLNVAL = 1, 2, 4, 8, 16, 32


def select(read, write, other, timeout=None, /):
    if timeout is None:
        raise OSError("select: nothing is to come, and the wait has no end")
    time.sleep(max(timeout, 0))
    return [], [], []


class poll:
    def register(self, *args):
        pass

    modify = unregister = register

    def poll(self, timeout=None):
        return select([], [], [], None if timeout is None else timeout / 1000)[0]
