"""The same bar as everywhere: a line of text."""

from .std import tqdm, trange

tqdm_notebook, tnrange = tqdm, trange
__all__ = ["tqdm", "trange"]
