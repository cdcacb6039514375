"""Choices of how a notebook shows figures, which are SVG here."""


def set_matplotlib_formats(*formats, **kwargs):
    """Every figure is drawn as crisp as any of them."""
