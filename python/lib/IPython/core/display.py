"""The same as `IPython.display`."""

from ..display import *
