"""Files of tensors by name, for other programs as for this one."""

import _torch as _C

__all__ = ["SafetensorError", "safe_open"]


class SafetensorError(Exception):
    """A file that is none, or is not whole."""


def _read(name, data):
    """Tensors by name in the order of the file, and its texts or `None`."""
    try:
        names, tensors, texts = _C._from_safetensors(name, data)
    except (RuntimeError, ValueError, OSError) as error:
        raise SafetensorError(f"Error while deserializing header: {error}") from None
    return dict(zip(names, tensors)), dict(zip(texts[::2], texts[1::2])) or None


class safe_open:
    """Opens a file to read single tensors of it: `with safe_open("w.safetensors", framework="pt") as f`."""

    def __init__(self, filename, framework, device="cpu"):
        if framework not in ("pt", "torch", "pytorch"):
            raise SafetensorError(f"framework {framework!r} is not here: tensors are those of torch ('pt')")
        with open(filename, "rb") as file:
            self._tensors, self._metadata = _read(str(filename), file.read())
        self._device = device

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._tensors = {}

    def keys(self):
        return sorted(self._tensors)

    def metadata(self):
        return self._metadata

    def get_tensor(self, name):
        if name not in self._tensors:
            raise SafetensorError(f"File does not contain tensor {name}")
        return self._tensors[name].to(self._device)
