"""How deep calls may go: a deeper limit would meet the end of the stack first."""

import sys

# A browser has a smaller stack: where 500 calls met its end, each with Rust between, 400 did not.
_MOST = 400 if sys.platform == "unknown" else 1000
_set = sys.setrecursionlimit


def setrecursionlimit(limit):
    if isinstance(limit, int) and limit > _MOST:
        raise ValueError(f"calls can be at most {_MOST} deep here, and the recursion limit asked for is {limit}")
    _set(limit)


_set(_MOST)
sys.setrecursionlimit = setrecursionlimit


def renew():
    _set(_MOST)
