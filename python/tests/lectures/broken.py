"""Attempts that end their check, and what is said of them."""

import sys

import _cells
import torch
from judged import judged

broken = []
_cells.broken_exercise = lambda attempt, error: broken.append((attempt, type(error).__name__))


class Half:
    hints = []

    def solution(x, named):
        return x[: len(x) // 2]

    def check(half):
        assert half.__name__ == "half" and half.__doc__ == "A half." and half.of == "x" and half.__code__.co_argcount == 2
        for x in [torch.arange(2), torch.arange(20)]:
            y = half(x, named=[1.5, ["a", {"b": (2,)}], None])
            if y.sum() != x[: len(x) // 2].sum():
                return "It is wrong."


class Early(Half):
    def check(half):
        return half.nowhere


def attempted(function, sentence, key=Half):
    def half(x, named):
        """A half."""
        return function(x)

    half.of = "x"
    judged(key, sentence)(half)
    return half


def refuses(x):
    raise ValueError("no more\nthan *two*" if len(x) > 2 else "")


def refuses_more(x):
    if len(x) == 2:
        return x[:1]
    raise ValueError("no more\nthan *two*")


CALL = "`half(tensor([0, 1]), named=[1.5, ['a', {'b': …}], None])`"
LONGER = "`half(tensor of shape (20,), int64, named=[1.5, ['a', {'b': …}], None])`"
NO_SUM = "the check cannot go on with that (AttributeError: '{}' object has no attribute 'sum')"
raising = [
    attempted(refuses, f"{CALL} raises ValueError"),
    attempted(refuses_more, f"{LONGER} raises `ValueError: no more than *two*`"),
    attempted(lambda x: None, f"{CALL} returns None; {NO_SUM.format('NoneType')}"),
    attempted(lambda x: (x, x), f"{CALL} returns a tuple; {NO_SUM.format('tuple')}"),
    attempted(lambda x: Half(), f"{CALL} returns a Half; {NO_SUM.format('Half')}"),
    attempted(refuses, "The check ends before it calls `half`: AttributeError: ", Early),
]
attempted(lambda x: x[:1].double() + 0.25, "It is wrong.")
names = [name for _, name in broken]
assert [attempt for attempt, _ in broken] == raising and names == ["ValueError"] * 2 + ["AttributeError"] * 4, broken
try:
    attempted(lambda x: sys.exit(3), f"{CALL} raises SystemExit: 3")
except SystemExit:
    broken = None
assert broken is None
