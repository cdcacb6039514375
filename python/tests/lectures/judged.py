"""Attempts at the exercises of the lectures, with what their checks must say of them: attempts_*.py."""

from napkin import exercise

RIGHT = "It passes the check."


def judged(key, sentence=RIGHT):
    """Has the function checked. `sentence` is a part of what is said; it takes the place of a task."""
    return lambda attempt: exercise(sentence, attempt, key)
