"""Numbers as bytes."""

import _torch

# Size, and what int.to_bytes takes or the element that a tensor has.
_KINDS = {
    "b": (1, True), "B": (1, False), "h": (2, True), "H": (2, False), "i": (4, True), "I": (4, False),
    "l": (8, True), "L": (8, False), "q": (8, True), "Q": (8, False), "n": (8, True), "N": (8, False), "P": (8, False),
    "e": (2, "f16"), "f": (4, "f32"), "d": (8, "f64"), "?": (1, None), "c": (1, None), "s": (1, None), "x": (1, None),
}
_LARGEST = {"f16": 65520.0, "f32": 3.4028235677973366e38}


class error(Exception):
    """A format that is none, or values that do not fit it."""


def _items(format):
    """Kind, count, size and sign or element of each item, after the gap that aligns it; and the byte order."""
    format = format.decode() if isinstance(format, bytes) else format
    order, native = "little", True
    if format[:1] in "@=<>!" and format:
        order, native, format = "big" if format[0] in ">!" else "little", format[0] == "@", format[1:]
    items, place, digits = [], 0, ""
    for letter in format:
        if letter.isdigit():
            digits += letter
        elif not letter.isspace():
            if letter not in _KINDS or letter in "nNP" and not native:
                raise error("bad char in struct format")
            size, how = _KINDS[letter]
            if not native and letter in "lL":
                size = 4
            count = int(digits) if digits else 1
            gap = -place % size if native else 0
            items.append((letter, count, size, how, gap))
            place, digits = place + gap + count * size, ""
    if digits:
        raise error("repeat count given without format specifier")
    return items, order


def _packed(letter, size, how, order, value):
    if letter == "?":
        return bytes([bool(value)])
    if letter == "c":
        if not isinstance(value, bytes) or len(value) != 1:
            raise error("char format requires a bytes object of length 1")
        return value
    if isinstance(how, str):
        try:
            number = float(value)
        except TypeError:
            raise error("required argument is not a float") from None
        if abs(number) >= _LARGEST.get(how, float("inf")) and abs(number) != float("inf"):
            raise OverflowError("float too large to pack with " + letter + " format")
        data = _torch._to_bytes(_torch.tensor([number], dtype=_torch.float64), how)
        return data if order == "little" else data[::-1]
    if not hasattr(value, "__index__"):
        raise error("required argument is not an integer")
    try:
        return value.__index__().to_bytes(size, order, signed=how)
    except OverflowError:
        low, high = (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1) if how else (0, (1 << 8 * size) - 1)
        name = {"b": "byte", "B": "ubyte"}.get(letter, f"'{letter}'")
        raise error(f"{name} format requires {low} <= number <= {high}") from None


def _unpacked(letter, how, order, data):
    if letter == "?":
        return data != b"\0"
    if letter == "c":
        return data
    if isinstance(how, str):
        data = data if order == "little" else data[::-1]
        return _torch._from_bytes(data, how, _torch.float64).item()
    return int.from_bytes(data, order, signed=how)


def calcsize(format, /):
    return sum(gap + count * size for _, count, size, _, gap in _items(format)[0])


def pack(format, /, *values):
    items, order = _items(format)
    wanted = sum(1 if letter == "s" else 0 if letter == "x" else count for letter, count, *_ in items)
    if wanted != len(values):
        raise error(f"pack expected {wanted} items for packing (got {len(values)})")
    given, out = iter(values), b""
    for letter, count, size, how, gap in items:
        out += bytes(gap)
        if letter == "x":
            out += bytes(count)
        elif letter == "s":
            out += bytes(next(given))[:count].ljust(count, b"\0")
        else:
            out += b"".join(_packed(letter, size, how, order, next(given)) for _ in range(count))
    return out


def unpack(format, buffer, /):
    size = calcsize(format)
    if len(buffer) != size:
        raise error(f"unpack requires a buffer of {size} bytes")
    return unpack_from(format, buffer)


def unpack_from(format, /, buffer, offset=0):
    items, order = _items(format)
    size = calcsize(format)
    if offset < 0:
        offset += len(buffer)
    if len(buffer) - offset < size:
        told = f"unpack_from requires a buffer of at least {size + offset} bytes for unpacking {size} bytes at offset {offset}"
        raise error(f"{told} (actual buffer size is {len(buffer)})")
    data, values, offset = bytes(buffer[offset : offset + size]), [], 0
    for letter, count, size, how, gap in items:
        offset += gap
        if letter == "s":
            values.append(data[offset : offset + count])
        elif letter != "x":
            for number in range(count):
                start = offset + number * size
                values.append(_unpacked(letter, how, order, data[start : start + size]))
        offset += count * size
    return tuple(values)


def iter_unpack(format, buffer, /):
    size = calcsize(format)
    if not size or len(buffer) % size:
        raise error(f"iterative unpacking requires a buffer of a multiple of {size} bytes")
    return (unpack_from(format, buffer, at) for at in range(0, len(buffer), size))


def pack_into(format, buffer, offset, /, *values):
    data = pack(format, *values)
    if len(buffer) - offset < len(data):
        told = f"pack_into requires a buffer of at least {len(data) + offset} bytes for packing {len(data)} bytes"
        raise error(f"{told} at offset {offset} (actual buffer size is {len(buffer)})")
    buffer[offset : offset + len(data)] = data


class Struct:
    """A format, to be used many times."""

    def __init__(self, format):
        self.format = format.decode() if isinstance(format, bytes) else format
        self.size = calcsize(format)

    def pack(self, *values):
        return pack(self.format, *values)

    def pack_into(self, buffer, offset, *values):
        pack_into(self.format, buffer, offset, *values)

    def unpack(self, buffer):
        return unpack(self.format, buffer)

    def unpack_from(self, buffer, offset=0):
        return unpack_from(self.format, buffer, offset)

    def iter_unpack(self, buffer):
        return iter_unpack(self.format, buffer)
