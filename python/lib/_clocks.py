"""The clocks of `time`, by what the program around has: in a browser Python itself has none."""

import _napkin
import sys
import time


def _seconds(count):
    def seconds():
        return count() * 1e-9

    return seconds


# Seconds between two looks at whether to go on.
_SLICE = 0.02


def _sleep(seconds, /):
    if not isinstance(seconds, (int, float)):
        raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer or float")
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        _napkin.pause(min(left, _SLICE))


time.time_ns = _napkin.time_ns
for _name in ("monotonic", "perf_counter"):
    setattr(time, f"{_name}_ns", _napkin.clock_ns)
    setattr(time, _name, _seconds(_napkin.clock_ns))
time.sleep = _sleep
if not hasattr(time, "tzname"):
    # A browser tells times of day in words alone.
    time.tzname, time.timezone, time.altzone, time.daylight = ("UTC", "UTC"), 0, 0, 0
if sys.platform == "unknown":
    time.process_time, time.process_time_ns = time.perf_counter, time.perf_counter_ns
