"""`numpy.ndarray`."""

import math

import _torch
import torch
from numpy import _dtypes


def _forward(at, shape):
    """An index without steps back, and the dimensions of the result that are turned round: the elements are copied
    then."""
    items = at if isinstance(at, tuple) else (at,)
    if not any(isinstance(item, slice) and item.step is not None and item.step < 0 for item in items):
        return at, []
    items, turned, dim = list(items), [], 0
    if Ellipsis in items:
        place = items.index(Ellipsis)
        items[place : place + 1] = [slice(None)] * (len(shape) - len(items) + 1)
    for place, item in enumerate(items):
        if isinstance(item, slice) and item.step is not None and item.step < 0:
            places = range(shape[place])[item]
            items[place] = slice(places[-1], places[0] + 1, -item.step) if places else slice(0, 0)
            turned.append(dim)
        dim += isinstance(item, slice)
    return tuple(items), turned


class ndarray:
    """An array: a tensor on the processor, and the dtype that its file has."""

    __module__ = "numpy"

    def __init__(self, tensor, dtype):
        self._tensor = tensor
        self.dtype = dtype

    @property
    def shape(self):
        return tuple(self._tensor.shape)

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.size * self.itemsize

    @property
    def T(self):
        return ndarray(self._tensor.T, self.dtype)

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __getitem__(self, at):
        at, turned = _forward(_bare(at), self.shape)
        found = self._tensor[at]
        return self._given(found.flip(turned) if turned else found)

    def __setitem__(self, at, value):
        self._tensor[_bare(at)] = _bare(value)

    def __iter__(self):
        return (self[place] for place in range(len(self)))

    def _given(self, tensor):
        return tensor.item() if tensor.dim() == 0 else ndarray(tensor, self.dtype)

    def item(self):
        return self._tensor.item()

    def tolist(self):
        return self._tensor.tolist()

    def astype(self, dtype):
        kind = _dtypes.dtype(dtype)
        values = self._tensor._to(None, kind._torch, True)
        if kind.kind in "iu" and kind._torch.itemsize != kind.itemsize:
            # Numbers beyond the dtype lose their upper bits, as they do in a file.
            wrapped = _torch._from_bytes(_torch._to_bytes(values, kind._form), kind._form, kind._torch)
            values = wrapped.view(values.shape)
        return ndarray(values, kind)

    def copy(self):
        return ndarray(self._tensor.clone(), self.dtype)

    def reshape(self, *shape):
        shape = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        return ndarray(self._tensor.reshape(tuple(shape)), self.dtype)

    def transpose(self, *axes):
        axes = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return ndarray(self._tensor.permute(axes), self.dtype) if axes else self.T

    def flatten(self):
        return ndarray(self._tensor.clone().flatten(), self.dtype)

    def ravel(self):
        return ndarray(self._tensor.flatten(), self.dtype)

    def squeeze(self, axis=None):
        return ndarray(self._tensor.squeeze(axis), self.dtype)

    def fill(self, value):
        self._tensor.fill_(value)

    @property
    def flags(self):
        is_straight = self._tensor.is_contiguous()
        return {"C_CONTIGUOUS": is_straight, "F_CONTIGUOUS": self._tensor.T.is_contiguous()}

    @property
    def strides(self):
        return tuple(step * self.itemsize for step in self._tensor.stride())

    def tobytes(self):
        """The elements as a file has them."""
        return _torch._to_bytes(self._tensor, self.dtype._form)

    def tofile(self, fid):
        """Writes the elements to a path or an open file."""
        if hasattr(fid, "write"):
            fid.write(self.tobytes())
        else:
            with open(fid, "wb") as file:
                file.write(self.tobytes())

    def __str__(self):
        return _text(self, " ")

    def __repr__(self):
        name = "array" if type(self) is ndarray else type(self).__name__
        shown = _text(self, ", ").replace("\n", "\n" + " " * (len(name) + 1))
        shape = f", shape={self.shape}" if self.size > _MOST else ""
        plain = self.dtype.name in ("int64", "float64", "bool")
        return f"{name}({shown}{shape}{'' if plain else f', dtype={self.dtype}'})"


# Of an array with more elements the first and the last in each dimension are printed.
_MOST = 1000
_EDGE = 3


def _edges(array):
    """The numbers in lists; `...` is what is not printed."""
    if len(array.shape) == 1:
        parts = (array,) if len(array) <= 2 * _EDGE else (array[:_EDGE], ..., array[-_EDGE:])
        return [value for part in parts for value in ([part] if part is ... else part.tolist())]
    rows = list(range(len(array)))
    if len(rows) > 2 * _EDGE:
        rows[_EDGE:-_EDGE] = [...]
    return [row if row is ... else _edges(array[row]) for row in rows]


def _text(array, separator):
    if not array.shape:
        return _shortest(array.item(), array._tensor.dtype)
    dims = len(array.shape)
    lists = _edges(array) if array.size > _MOST else array.tolist()
    values = lists
    for _ in range(dims - 1):
        values = [value for row in values if row is not ... for value in row]
    values = [value for value in values if value is not ...]
    is_float = array.dtype.kind == "f"
    texts = _floats(values, array._tensor.dtype) if is_float else [str(value) for value in values]
    width = max(map(len, texts), default=0)
    shown = iter(text.rjust(width) for text in texts)

    def nested(part, depth):
        if part is ...:
            return "..."
        if depth > dims:
            return next(shown)
        parts = [nested(inner, depth + 1) for inner in part]
        between = separator if depth == dims else separator.rstrip() + "\n" * (dims - depth) + " " * depth
        return f"[{between.join(parts)}]"

    return nested(lists, 1)


def _floats(values, dtype):
    """Numbers as NumPy prints them together: with exponents where one is large or small, or they are far apart."""
    sizes = [abs(value) for value in values if value and math.isfinite(value)]
    least = torch.tensor(1e-4, dtype=dtype).item()
    is_far = bool(sizes) and (max(sizes) >= 1e8 or min(sizes) < least or max(sizes) / min(sizes) > 1000)
    parts = []
    for value in values:
        number, _, exponent = _shortest(value, dtype, is_far).partition("e")
        whole, point, fraction = number.partition(".")
        if len(fraction) > 8:
            number, _, exponent = (f"{value:.8e}" if is_far else f"{value:.8f}").partition("e")
            whole, point, fraction = number.partition(".")
        parts.append((whole, fraction.rstrip("0"), exponent))
    after = max((len(fraction) for _, fraction, _ in parts), default=0)
    digits = max((len(exponent) for _, _, exponent in parts), default=0) - 1
    texts = []
    for value, (whole, fraction, exponent) in zip(values, parts):
        if not math.isfinite(value):
            texts.append(whole)
        elif is_far:
            texts.append(f"{whole}.{fraction:0<{after}}e{exponent[0]}{exponent[1:]:0>{digits}}")
        else:
            texts.append(f"{whole}.{fraction: <{after}}")
    return texts


def _shortest(value, dtype, is_scientific=False):
    """As few digits as tell a number from its neighbours in its dtype."""
    if not isinstance(value, float) or not math.isfinite(value):
        return str(value)

    def kept(number):
        return number if dtype == torch.float64 else torch.tensor(number, dtype=dtype).item()

    texts = (f"{value:.{digits}e}" for digits in range(17))
    text = next(text for text in texts if kept(float(text)) == value)
    return text if is_scientific else str(float(text))


def _bare(value):
    """What an array or a tuple with arrays is to torch."""
    if isinstance(value, tuple):
        return tuple(map(_bare, value))
    return value._tensor if isinstance(value, ndarray) else value


def _operator(name):
    function = getattr(torch.Tensor, name)

    def operator(self, other):
        result = function(self._tensor, _bare(other))
        if result is NotImplemented:
            return result
        whole = self.dtype.kind in "iu" and isinstance(other, float) or name == "__truediv__" and self.dtype.kind != "f"
        if whole:
            result = function(self._tensor._to(None, torch.float64), _bare(other))
        same = result.dtype == self._tensor.dtype
        return ndarray(result, self.dtype if same else _dtypes.of_tensor(result))

    return operator


def _in_place(name):
    operation = getattr(ndarray, f"__{name}__")

    def changed(self, other):
        self._tensor.copy_(operation(self, other)._tensor)
        return self

    return changed


def _unary(name):
    function = getattr(torch.Tensor, name)
    return lambda self: ndarray(function(self._tensor), self.dtype)


_OPERATORS = "add radd sub rsub mul rmul truediv rtruediv floordiv mod pow rpow lt le gt ge eq ne matmul and or xor"
for _name in _OPERATORS.split():
    setattr(ndarray, f"__{_name}__", _operator(f"__{_name}__"))
for _name in "add sub mul truediv floordiv pow".split():
    setattr(ndarray, f"__i{_name}__", _in_place(_name))
for _name in "neg pos abs invert".split():
    setattr(ndarray, f"__{_name}__", _unary(f"__{_name}__"))
ndarray.__hash__ = None


def _one(self, kind):
    if self.size != 1:
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    return kind(self.item())


def _truth(self):
    if self.size != 1:
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            if self.size
            else "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty."
        )
    return bool(self.item())


ndarray.__bool__ = _truth
ndarray.__float__ = lambda self: _one(self, float)
ndarray.__int__ = lambda self: _one(self, int)


def array(object, dtype=None):
    """An array of nested lists, of another array or of a tensor."""
    if isinstance(object, (ndarray, torch.Tensor)):
        made = object.copy() if isinstance(object, ndarray) else ndarray(object.detach().clone(), _dtypes.of_tensor(object))
        return made if dtype is None else made.astype(dtype)
    plain = torch.tensor(object)
    if dtype is None:
        dtype = "float64" if plain.dtype == torch.float32 else _dtypes.of_tensor(plain)
    kind = _dtypes.dtype(dtype)
    return ndarray(torch.tensor(object, dtype=kind._torch), kind)


def asarray(object, dtype=None):
    if isinstance(object, ndarray) and (dtype is None or object.dtype == dtype):
        return object
    return array(object, dtype)
