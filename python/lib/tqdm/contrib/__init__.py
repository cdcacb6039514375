"""The loops of the standard library with a bar around them."""

from ..std import tqdm

__all__ = ["tenumerate", "tzip", "tmap"]


def tenumerate(iterable, start=0, total=None, tqdm_class=tqdm, **more):
    return enumerate(tqdm_class(iterable, total=total, **more), start)


def tzip(iter1, *others, **more):
    """zip with a bar over the first."""
    bar = more.pop("tqdm_class", tqdm)
    yield from zip(bar(iter1, **more), *others)


def tmap(function, *sequences, **more):
    for items in tzip(*sequences, **more):
        yield function(*items)
