"""The loop of `asyncio` where no operating system tells of events: what waits, waits for its time."""

import time

from . import base_events, events

__all__ = ("EventLoop", "SelectorEventLoop")


class _NoEvents:
    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("nothing that this loop waits for can come: no event is left")
        if timeout > 0:
            time.sleep(timeout)
        return []


class EventLoop(base_events.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector = _NoEvents()

    def _process_events(self, event_list):
        """There are none."""

    def _write_to_self(self):
        """Nobody else has to be woken."""

    def run_in_executor(self, executor, func, *args):
        """Runs it at once: there is one thread."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    async def shutdown_default_executor(self, timeout=None):
        """There is no executor."""


SelectorEventLoop = EventLoop


class _DefaultEventLoopPolicy(events._BaseDefaultEventLoopPolicy):
    _loop_factory = EventLoop
