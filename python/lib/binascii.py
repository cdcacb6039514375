"""Bytes as text: hexadecimal, base64, and check sums."""

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {letter: value for value, letter in enumerate(_ALPHABET)}
_crcs = []


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
    missing = -len(data) % 3
    padded = data + bytes(missing)
    out = bytearray()
    for at in range(0, len(padded), 3):
        word = padded[at] << 16 | padded[at + 1] << 8 | padded[at + 2]
        out += bytes((_ALPHABET[word >> 18], _ALPHABET[word >> 12 & 63], _ALPHABET[word >> 6 & 63], _ALPHABET[word & 63]))
    if missing:
        out[-missing:] = b"=" * missing
    return bytes(out) + b"\n" * newline


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
    if not _crcs:
        for crc in range(256):
            for _ in range(8):
                crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
            _crcs.append(crc)
    value = ~value & 0xFFFFFFFF
    for byte in bytes(memoryview(data)):
        value = _crcs[(value ^ byte) & 255] ^ value >> 8
    return ~value & 0xFFFFFFFF


def crc_hqx(data, value, /):
    for byte in bytes(memoryview(data)):
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ (0x1021 if value & 0x8000 else 0)) & 0xFFFF
    return value
