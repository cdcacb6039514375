"""The profiler that is written in Python, by the other one's name."""

from profile import Profile, run, runctx
