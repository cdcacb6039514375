"""Values that show themselves as HTML, Markdown, TeX or a picture."""

from _notebook import display

__all__ = ["HTML", "Image", "Latex", "Markdown", "Math", "SVG", "clear_output", "display", "set_matplotlib_formats"]


class _Shown:
    """A text, given or in a file."""

    def __init__(self, data=None, url=None, filename=None):
        if data is None and filename is not None:
            with open(filename) as file:
                data = file.read()
        self.data, self.url = data, url

    def __repr__(self):
        return f"<IPython.core.display.{type(self).__name__} object>"


class HTML(_Shown):
    def _repr_html_(self):
        return self.data


class Markdown(_Shown):
    def _repr_markdown_(self):
        return self.data


class Latex(_Shown):
    def _repr_latex_(self):
        return self.data


class Math(_Shown):
    def _repr_latex_(self):
        return f"$$ {self.data.strip('$')} $$"


class SVG(_Shown):
    def _repr_svg_(self):
        return self.data


class Image:
    """A picture: its bytes, a file or an address."""

    def __init__(self, data=None, url=None, filename=None, format=None, width=None, height=None, **_more):
        if isinstance(data, str):
            data, filename, url = None, *((None, data) if data.startswith("http") else (data, None))
        if data is None and filename is not None:
            with open(filename, "rb") as file:
                data = file.read()
        name = (filename or url or "").rpartition(".")[2].lower()
        self.data, self.url = data, url
        self.format = (format or {"jpg": "jpeg"}.get(name, name) or "png").lower()
        self._repr_png_ = (lambda: data) if data is not None and self.format == "png" else None
        self._repr_jpeg_ = (lambda: data) if data is not None and self.format == "jpeg" else None

    def _repr_markdown_(self):
        return None if self.url is None else f"![]({self.url})"


def set_matplotlib_formats(*_formats, **_more):
    """What is drawn here is drawn as lines."""


def clear_output(wait=False):
    """What a cell has shown stays: whoever steps through it sees each."""
