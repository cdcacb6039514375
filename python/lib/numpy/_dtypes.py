"""NumPy's dtypes: what a file holds of each, and the dtype of the tensor that keeps it in memory."""

import torch


class dtype:
    """A dtype by its name, its class or a type of Python's."""

    def __new__(cls, of=None):
        if of is None or of is float:
            of = "float64"
        elif of is int:
            of = "int64"
        elif of is bool:
            of = "bool"
        if isinstance(of, dtype):
            return of
        name = of if isinstance(of, str) else getattr(of, "__name__", "").rstrip("_")
        if name not in _known:
            raise TypeError(f"Cannot interpret {of!r} as a data type")
        return _known[name]

    @property
    def type(self):
        return globals()[self.name if self.name != "bool" else "bool_"]

    def __eq__(self, other):
        try:
            return self is dtype(other)
        except TypeError:
            return NotImplemented

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"dtype('{self.name}')"


class generic:
    """The class of every dtype's numbers; called, it makes one of Python's."""

    def __new__(cls, value=0):
        kind = dtype(cls)
        return {"f": float, "b": bool}.get(kind.kind, int)(value)


_known = {}


def _define(name, size, kept, form):
    self = object.__new__(dtype)
    self.name, self.itemsize, self._torch, self._form = name, size, kept, form
    self.kind = name[0]
    _known[name] = self
    title = "bool_" if name == "bool" else name
    globals()[title] = type(name, (generic,), {"__module__": "numpy"})


for _bits, _kept in ((8, torch.int8), (16, torch.int16), (32, torch.int32), (64, torch.int64)):
    _define(f"int{_bits}", _bits // 8, _kept, f"i{_bits}")
for _bits, _kept in ((8, torch.uint8), (16, torch.int32), (32, torch.int64)):
    _define(f"uint{_bits}", _bits // 8, _kept, f"u{_bits}")
for _bits, _kept in ((16, torch.float16), (32, torch.float32), (64, torch.float64)):
    _define(f"float{_bits}", _bits // 8, _kept, f"f{_bits}")
_define("bool", 1, torch.bool, "u8")


def of_tensor(tensor):
    """The dtype of an array that shares a tensor's elements."""
    name = str(tensor.dtype).removeprefix("torch.")
    if name not in _known:
        raise TypeError(f"Got unsupported ScalarType {tensor.type().removeprefix('torch.').removesuffix('Tensor')}")
    return _known[name]
