"""Bytes as text: hexadecimal, base64, and check sums."""

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {letter: value for value, letter in enumerate(_ALPHABET)}
_pairs = []


class Error(ValueError):
    pass


class Incomplete(Exception):
    pass


def _bytes(data):
    if isinstance(data, str):
        if not data.isascii():
            raise ValueError("string argument should contain only ASCII characters")
        return data.encode()
    return bytes(memoryview(data))


def hexlify(data, *separator):
    return memoryview(data).hex(*separator).encode()


def unhexlify(hexstr):
    text = _bytes(hexstr).decode("latin-1")
    if len(text) % 2:
        raise Error("Odd-length string")
    if not all(letter in "0123456789abcdefABCDEF" for letter in text):
        raise Error("Non-hexadecimal digit found")
    return bytes.fromhex(text)


b2a_hex, a2b_hex = hexlify, unhexlify


def b2a_base64(data, *, newline=True):
    data = bytes(memoryview(data))
    if not _pairs:
        _pairs.extend(bytes((first, second)) for first in _ALPHABET for second in _ALPHABET)
    missing = -len(data) % 3
    data += bytes(missing)
    groups, pairs = zip(data[::3], data[1::3], data[2::3]), _pairs
    out = b"".join([pairs[a << 4 | b >> 4] + pairs[(b & 15) << 8 | c] for a, b, c in groups])
    return out[: len(out) - missing] + b"=" * missing + b"\n" * newline


def a2b_base64(data, /, *, strict_mode=False):
    data = _bytes(data)
    out = bytearray()
    word = count = pads = 0
    for at, letter in enumerate(data):
        value = _VALUES.get(letter)
        if letter == 61:
            pads += 1
            if strict_mode and count == 0:
                raise Error("Excess data after padding" if out else "Leading padding not allowed")
            if count >= 2 and count + pads >= 4:
                if strict_mode and at + 1 < len(data):
                    raise Error("Excess data after padding")
                break
        elif value is None:
            if strict_mode:
                raise Error("Only base64 data is allowed")
        else:
            if strict_mode and pads:
                raise Error("Discontinuous padding not allowed")
            pads = 0
            word, count = word << 6 | value, count + 1
            if count == 4:
                out += word.to_bytes(3, "big")
                word = count = 0
    if count == 1:
        letters = len(out) // 3 * 4 + 1
        raise Error(
            f"Invalid base64-encoded string: number of data characters ({letters}) cannot be 1 more than a multiple of 4"
        )
    if count:
        if count + pads < 4:
            raise Error("Incorrect padding")
        out += (word << 6 * (4 - count)).to_bytes(3, "big")[: count - 1]
    return bytes(out)


def crc32(data, value=0, /):
    import zlib

    return zlib.crc32(data, value)


def crc_hqx(data, value, /):
    for byte in bytes(memoryview(data)):
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ (0x1021 if value & 0x8000 else 0)) & 0xFFFF
    return value
