"""Arrays of numbers of one machine type; the items lie in a list, and are checked as they come in."""

import struct
import sys

typecodes = "bBuwhHiIlLqQfd"
_SIZES = dict(zip(typecodes, (1, 1, 4, 4, 2, 2, 4, 4, 8, 8, 8, 8, 4, 8)))
_LIMITS = {code: (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1) if code.islower() else (0, (1 << 8 * size) - 1)
           for code, size in _SIZES.items() if code not in "uwfd"}
_LONG = (-(1 << 63), (1 << 63) - 1)
# For each code the ranges a number passes through on its way in, with the words for what is outside.
_STEPS = {
    "b": (("signed short integer", -32768, 32767), ("signed char", *_LIMITS["b"])),
    "B": (("unsigned byte integer", *_LIMITS["B"]),),
    "h": (("signed short integer", *_LIMITS["h"]),),
    "H": (("signed integer", *_LIMITS["i"]), ("unsigned short", *_LIMITS["H"])),
    "i": (("signed integer", *_LIMITS["i"]),),
}


def _name(value):
    return type(value).__name__


def _index(value):
    """The value as an int, from anything that stands for one."""
    if isinstance(value, int):
        return int(value)
    index = getattr(type(value), "__index__", None)
    if index is None:
        raise TypeError(f"'{_name(value)}' object cannot be interpreted as an integer")
    return index(value)


def _outside(code, value):
    """Raise what CPython says of a number that does not fit."""
    if code in "Qq":
        raise OverflowError("can't convert negative int to unsigned" if code == "Q" and value < 0
                            else "int too big to convert")
    if code in "IL":
        if value < 0:
            raise OverflowError("can't convert negative value to unsigned int")
        if value >> 64:
            raise OverflowError("Python int too large to convert to C unsigned long")
        raise OverflowError("unsigned int is greater than maximum")
    if not _LONG[0] <= value <= _LONG[1]:
        raise OverflowError("Python int too large to convert to C long")
    for words, least, most in _STEPS[code]:
        if value < least:
            raise OverflowError(f"{words} is less than minimum")
        if value > most:
            raise OverflowError(f"{words} is greater than maximum")


def _converter(code):
    """The function that makes an item of what a caller gives."""
    if code in "uw":
        def convert(value):
            if not isinstance(value, str) or len(value) != 1:
                raise TypeError("array item must be unicode character")
            return value
    elif code in "fd":
        def convert(value):
            if not isinstance(value, float):
                if isinstance(value, str) or not any(hasattr(type(value), name) for name in ("__float__", "__index__")):
                    raise TypeError(f"must be real number, not {_name(value)}")
                value = float(value)
            if code == "f":
                try:
                    return struct.unpack("f", struct.pack("f", value))[0]
                except OverflowError:
                    return float("inf") if value > 0 else float("-inf")
            return float(value)
    else:
        least, most = _LIMITS[code]

        def convert(value):
            if type(value) is not int:
                value = _index(value)
            if not least <= value <= most:
                _outside(code, value)
            return value
    return convert


_CONVERTERS = {code: _converter(code) for code in typecodes}


class array:
    __slots__ = ("_code", "_items", "_convert", "__weakref__")
    __hash__ = None

    def __new__(cls, *arguments, **options):
        if options and cls is array:
            raise TypeError("array.array() takes no keyword arguments")
        if not 1 <= len(arguments) <= 2:
            raise TypeError(f"array() takes at {'least 1 argument' if not arguments else 'most 2 arguments'} "
                            f"({len(arguments)} given)")
        code, initial = arguments[0], arguments[1] if len(arguments) > 1 else ()
        if not isinstance(code, str) or len(code) != 1:
            raise TypeError(f"array() argument 1 must be a unicode character, not {_name(code)}")
        if isinstance(initial, str) and code not in "uw":
            raise TypeError(f"cannot use a str to initialize an array with typecode '{code}'")
        if isinstance(initial, array) and initial._code in "uw" and code not in "uw":
            raise TypeError("cannot use a unicode array to initialize an array "
                            f"with typecode '{code}'")
        if code not in typecodes:
            raise ValueError("bad typecode (must be b, B, u, h, H, i, I, l, L, q, Q, f or d)")
        self = object.__new__(cls)
        self._code, self._convert, self._items = code, _CONVERTERS[code], []
        if isinstance(initial, (bytes, bytearray)):
            self.frombytes(initial)
        else:
            self._items = self._taken(initial)
        return self

    typecode = property(lambda self: self._code)
    itemsize = property(lambda self: _SIZES[self._code])

    def __setattr__(self, name, value):
        if type(self) is array and name not in array.__slots__:
            if name in ("itemsize", "typecode"):
                raise AttributeError(f"attribute '{name}' of 'array.array' objects is not writable")
            raise AttributeError(
                f"'array.array' object has no attribute '{name}' and no __dict__ for setting new attributes")
        object.__setattr__(self, name, value)

    def _taken(self, values):
        if isinstance(values, array) and values._code == self._code:
            return values._items[:]
        return list(map(self._convert, values))

    def _like(self, items):
        other = object.__new__(array)
        other._code, other._convert, other._items = self._code, self._convert, items
        return other

    # Items in and out.

    def append(self, value, /):
        self._items.append(self._convert(value))

    def extend(self, values, /):
        if isinstance(values, array):
            if values._code != self._code:
                raise TypeError("can only extend with array of same kind")
            self._items += values._items
            return
        convert, append = self._convert, self._items.append
        for value in values:
            append(convert(value))

    def insert(self, index, value, /):
        self._items.insert(_index(index), self._convert(value))

    def pop(self, index=-1, /):
        if not self._items:
            raise IndexError("pop from empty array")
        try:
            return self._items.pop(_index(index))
        except IndexError:
            raise IndexError("pop index out of range") from None

    def remove(self, value, /):
        try:
            self._items.remove(value)
        except ValueError:
            raise ValueError("array.remove(x): x not in array") from None

    def index(self, value, start=0, stop=sys.maxsize, /):
        try:
            return self._items.index(value, start, stop)
        except ValueError:
            raise ValueError("array.index(x): x not in array") from None

    def count(self, value, /):
        return self._items.count(value)

    def reverse(self):
        self._items.reverse()

    def clear(self):
        self._items.clear()

    def tolist(self):
        return self._items[:]

    def fromlist(self, values, /):
        if not isinstance(values, list):
            raise TypeError("arg must be list")
        self._items += self._taken(values)

    def tobytes(self):
        if self._code in "uw":
            return "".join(self._items).encode("utf-32-" + sys.byteorder[0] + "e", "surrogatepass")
        return struct.pack(self._format(len(self._items)), *self._items)

    def _format(self, count):
        # Sizes are the standard ones, so that they do not depend on the machine.
        return f"={count}{self._code.translate({ord('l'): 'q', ord('L'): 'Q'})}"

    def frombytes(self, data, /):
        if isinstance(data, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        data = data.tobytes() if isinstance(data, array) else bytes(memoryview(data))
        count, rest = divmod(len(data), _SIZES[self._code])
        if rest:
            raise ValueError("bytes length not a multiple of item size")
        if self._code in "uw":
            self._items += data.decode("utf-32-" + sys.byteorder[0] + "e", "surrogatepass")
        else:
            self._items += struct.unpack(self._format(count), data)

    def tofile(self, file, /):
        file.write(self.tobytes())

    def fromfile(self, file, count, /):
        wanted = count * _SIZES[self._code]
        data = file.read(wanted)
        if not isinstance(data, bytes):
            raise TypeError("read() didn't return bytes")
        self.frombytes(data)
        if len(data) != wanted:
            raise EOFError("read() didn't return enough bytes")

    def tounicode(self):
        if self._code not in "uw":
            raise ValueError("tounicode() may only be called on unicode type arrays ('u' or 'w')")
        return "".join(self._items)

    def fromunicode(self, text, /):
        if not isinstance(text, str):
            raise TypeError(f"fromunicode() argument must be str, not {_name(text)}")
        if self._code not in "uw":
            raise ValueError("fromunicode() may only be called on unicode type arrays ('u' or 'w')")
        self._items += text

    def byteswap(self):
        size = _SIZES[self._code]
        data = bytearray(self.tobytes())
        swapped = bytearray(len(data))
        for at in range(size):
            swapped[at::size] = data[size - 1 - at::size]
        self._items = []
        self.frombytes(bytes(swapped))

    def buffer_info(self):
        return id(self._items), len(self._items)

    # As a sequence.

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, value):
        return value in self._items

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._like(self._items[index])
        try:
            return self._items[self._place(index)]
        except IndexError:
            raise IndexError("array index out of range") from None

    @staticmethod
    def _place(index):
        if not hasattr(type(index), "__index__"):
            raise TypeError("array indices must be integers")
        return index

    def __setitem__(self, index, value):
        if not isinstance(index, slice):
            place = self._place(index)
            if not -len(self._items) <= _index(place) < len(self._items):
                raise IndexError("array assignment index out of range")
            self._items[place] = self._convert(value)
            return
        if not isinstance(value, array):
            raise TypeError(f'can only assign array (not "{_name(value)}") to array slice')
        if value._code != self._code:
            raise TypeError("bad argument type for built-in operation")
        if not value._items:
            del self._items[index]  # for steps too, unlike a list
            return
        places = range(*index.indices(len(self._items)))
        if index.step not in (None, 1) and places.step != 1 and len(places) != len(value._items):
            raise ValueError(f"attempt to assign array of size {len(value._items)} "
                             f"to extended slice of size {len(places)}")
        self._items[index] = value._items

    def __delitem__(self, index):
        if not isinstance(index, slice):
            index = self._place(index)
            if not -len(self._items) <= _index(index) < len(self._items):
                raise IndexError("array assignment index out of range")
        del self._items[index]

    def _same(self, other, doing):
        if not isinstance(other, array):
            raise TypeError(f'can only {doing} (not "{_name(other)}")'
                            if doing.startswith("extend") else f'can only append array (not "{_name(other)}") to array')
        if other._code != self._code:
            raise TypeError("can only extend with array of same kind" if doing.startswith("extend")
                            else "bad argument type for built-in operation")
        return other._items

    def __add__(self, other):
        return self._like(self._items + self._same(other, "append"))

    def __iadd__(self, other):
        self._items += self._same(other, "extend array with array")
        return self

    def __mul__(self, count):
        if not hasattr(type(count), "__index__"):
            raise TypeError(f"can't multiply sequence by non-int of type '{_name(count)}'")
        return self._like(self._items * count)

    __rmul__ = __mul__

    def __imul__(self, count):
        self._items *= _index(count)
        return self

    def __eq__(self, other):
        return self._items == other._items if isinstance(other, array) else NotImplemented

    def __lt__(self, other):
        return self._items < other._items if isinstance(other, array) else NotImplemented

    def __le__(self, other):
        return self._items <= other._items if isinstance(other, array) else NotImplemented

    def __gt__(self, other):
        return self._items > other._items if isinstance(other, array) else NotImplemented

    def __ge__(self, other):
        return self._items >= other._items if isinstance(other, array) else NotImplemented

    def __repr__(self):
        if not self._items:
            return f"{_name(self)}('{self._code}')"
        content = repr("".join(self._items) if self._code in "uw" else self._items)
        return f"{_name(self)}('{self._code}', {content})"

    def __copy__(self):
        return self._like(self._items[:])

    def __deepcopy__(self, memo):
        return self._like(self._items[:])

    def __reduce_ex__(self, protocol):
        return type(self), (self._code, self._items[:]), getattr(self, "__dict__", None) or None

    def __reduce__(self):
        return self.__reduce_ex__(2)

    def __class_getitem__(cls, item):
        return type(list[int])(cls, item)


ArrayType = array
