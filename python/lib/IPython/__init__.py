"""What notebooks take from IPython: what shows values."""

from _notebook import get_ipython

from . import display

__all__ = ["display", "get_ipython"]
