"""Digests of bytes."""

import math

from _sha2 import sha256, sha512


def _blocks(data, order):
    """The data in blocks of 64 bytes, with its length at the end, as MD5 and SHA-1 want it."""
    data += b"\x80" + bytes(-(len(data) + 9) % 64) + (8 * len(data)).to_bytes(8, order)
    for at in range(0, len(data), 64):
        yield [int.from_bytes(data[at + 4 * word : at + 4 * word + 4], order) for word in range(16)]


def _turned(word, bits):
    return (word << bits | word >> 32 - bits) & 0xFFFFFFFF


class md5(sha256):
    """RFC 1321."""

    name, digest_size, block_size = "md5", 16, 64

    def digest(self):
        state = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476]
        for words in _blocks(self._data, "little"):
            a, b, c, d = state
            for step in range(64):
                quarter = step // 16
                if quarter == 0:
                    mixed, at = b & c | ~b & d, step
                elif quarter == 1:
                    mixed, at = d & b | ~d & c, 5 * step + 1
                elif quarter == 2:
                    mixed, at = b ^ c ^ d, 3 * step + 5
                else:
                    mixed, at = c ^ (b | ~d), 7 * step
                turns = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))[quarter][step % 4]
                sum = a + mixed + int(abs(math.sin(step + 1)) * 2**32) + words[at % 16] & 0xFFFFFFFF
                a, b, c, d = d, b + _turned(sum, turns) & 0xFFFFFFFF, b, c
            state = [old + new & 0xFFFFFFFF for old, new in zip(state, (a, b, c, d))]
        return b"".join(word.to_bytes(4, "little") for word in state)


class sha1(sha256):
    """FIPS 180-4, section 6.1."""

    name, digest_size, block_size = "sha1", 20, 64

    def digest(self):
        state = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0]
        for words in _blocks(self._data, "big"):
            for at in range(16, 80):
                words.append(_turned(words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16], 1))
            a, b, c, d, e = state
            for step, word in enumerate(words):
                mixed, constant = (
                    (b & c | ~b & d, 0x5A827999),
                    (b ^ c ^ d, 0x6ED9EBA1),
                    (b & c | b & d | c & d, 0x8F1BBCDC),
                    (b ^ c ^ d, 0xCA62C1D6),
                )[step // 20]
                a, b, c, d, e = _turned(a, 5) + mixed + e + constant + word & 0xFFFFFFFF, a, _turned(b, 30), c, d
            state = [old + new & 0xFFFFFFFF for old, new in zip(state, (a, b, c, d, e))]
        return b"".join(word.to_bytes(4, "big") for word in state)


_known = {kind.name: kind for kind in (md5, sha1, sha256, sha512)}
algorithms_available = algorithms_guaranteed = set(_known)


def new(name, data=b"", *, usedforsecurity=True):
    if name not in _known:
        raise ValueError(f"unsupported hash type {name}")
    return _known[name](data)


def file_digest(fileobj, digest, /):
    """The digest of what is left in a file that was opened for bytes."""
    made = new(digest) if isinstance(digest, str) else digest()
    while piece := fileobj.read(1 << 18):
        made.update(piece)
    return made
