"""SHA-256 and SHA-512: the same steps over words of 32 and of 64 bits."""


def _primes(count):
    found, number = [], 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found


def _root(number, power):
    """The whole part of a root."""
    low, high = 0, 1 << number.bit_length() // power + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**power <= number else (low, middle)
    return low


class _Kind:
    """Sizes, and constants: the first bits behind the point of roots of primes."""

    def __init__(self, bits, rounds, turns):
        self.bits, self.rounds, self.turns, self.mask = bits, rounds, turns, (1 << bits) - 1
        self.start = [_root(prime << 2 * bits, 2) & self.mask for prime in _primes(8)]
        self.keys = [_root(prime << 3 * bits, 3) & self.mask for prime in _primes(rounds)]

    def digest(self, data):
        mask, bits, word, block = self.mask, self.bits, self.bits // 8, self.bits * 2
        data = data + b"\x80" + bytes(-(len(data) + 1 + 2 * word) % block) + (8 * len(data)).to_bytes(2 * word, "big")

        def turned(x, one, other, last, shifts):
            third = x >> last if shifts else x >> last | x << bits - last
            return ((x >> one | x << bits - one) ^ (x >> other | x << bits - other) ^ third) & mask

        state = self.start
        for at in range(0, len(data), block):
            w = [int.from_bytes(data[at + i : at + i + word], "big") for i in range(0, block, word)]
            for i in range(16, self.rounds):
                low, high = turned(w[i - 15], *self.turns[0], True), turned(w[i - 2], *self.turns[1], True)
                w.append(w[i - 16] + low + w[i - 7] + high & mask)
            a, b, c, d, e, f, g, h = state
            for key, part in zip(self.keys, w):
                one = h + turned(e, *self.turns[3], False) + (e & f ^ ~e & g) + key + part
                other = turned(a, *self.turns[2], False) + (a & b ^ a & c ^ b & c)
                a, b, c, d, e, f, g, h = one + other & mask, a, b, c, d + one & mask, e, f, g
            state = [old + new & mask for old, new in zip(state, (a, b, c, d, e, f, g, h))]
        return b"".join(part.to_bytes(word, "big") for part in state)


class _Hash:
    """What was given so far."""

    def __init__(self, data=b"", *, usedforsecurity=True):
        self._data = bytes(data)

    def update(self, data):
        self._data += bytes(data)

    def digest(self):
        if isinstance(type(self)._kind, tuple):
            type(self)._kind = _Kind(*type(self)._kind)
        return self._kind.digest(self._data)

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        return type(self)(self._data)


class sha256(_Hash):
    name, digest_size, block_size = "sha256", 32, 64
    _kind = (32, 64, ((7, 18, 3), (17, 19, 10), (2, 13, 22), (6, 11, 25)))


class sha512(_Hash):
    name, digest_size, block_size = "sha512", 64, 128
    _kind = (64, 80, ((1, 8, 7), (19, 61, 6), (28, 34, 39), (14, 18, 41)))
