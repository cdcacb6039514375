"""The clocks of `time`, by what the program around has: in a browser Python itself has none."""

import _napkin
import sys
import time


def _seconds(count):
    def seconds():
        return count() * 1e-9

    return seconds


def _sleep(seconds):
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    end = time.perf_counter() + seconds
    # Where nothing else can be waited for; a program that is to stop does so here as well.
    while time.perf_counter() < end:
        pass


time.time_ns = _napkin.time_ns
for _name in ("monotonic", "perf_counter"):
    setattr(time, f"{_name}_ns", _napkin.clock_ns)
    setattr(time, _name, _seconds(_napkin.clock_ns))
if sys.platform == "unknown":
    time.sleep = _sleep
    time.process_time, time.process_time_ns = time.perf_counter, time.perf_counter_ns
