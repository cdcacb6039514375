"""Fonts, of which there is one: what shows a picture has it."""

from matplotlib.text import FontProperties  # noqa: F401
