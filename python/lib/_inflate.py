"""Check sums and the decompressing half of zlib."""

from itertools import accumulate

WINDOW = 32768
BLOCK = 65536
_CHUNK = 64  # input bytes looked at as one number
_SAFE = _CHUNK * 8 - 48  # a length and distance pair takes at most 48 bits
LENGTH_EXTRA = [0] * 8 + [n for n in range(1, 6) for _ in range(4)] + [0]
LENGTH_BASE = list(accumulate([3] + [1 << n for n in LENGTH_EXTRA[:27]])) + [258]
DIST_EXTRA = [0, 0] + [n for n in range(14) for _ in range(2)]
DIST_BASE = list(accumulate([1] + [1 << n for n in DIST_EXTRA[:29]]))
ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
FIXED_LENGTHS = [8] * 144 + [9] * 112 + [7] * 24 + [8] * 8
# What a decoded symbol is: _LITERAL, a number of extra bits, _END, or _BAD.
_LITERAL, _END, _BAD = -1, 16, 17
_LITERALS = ([(_LITERAL, value) for value in range(256)] + [(_END, 0)]
             + list(zip(LENGTH_EXTRA, LENGTH_BASE)) + [(_BAD, 0)] * 2)
_DISTANCES = list(zip(DIST_EXTRA, DIST_BASE)) + [(_BAD, 0)] * 2


class error(Exception):
    __module__ = "zlib"


class Copied:
    """Both kinds of stream can be copied at any moment."""

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()


def as_bytes(data):
    if isinstance(data, bytes):
        return data
    if isinstance(data, bytearray):
        return bytes(data)
    if hasattr(data, "tobytes"):
        return data.tobytes()
    raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")


def adler32(data, value=1, /):
    data = as_bytes(data)
    low, high = value & 0xFFFF, value >> 16 & 0xFFFF
    for at in range(0, len(data), BLOCK):
        block = data[at:at + BLOCK]
        high = (high + low * len(block) + sum(accumulate(block))) % 65521
        low = (low + sum(block)) % 65521
    return high << 16 | low


def _crc_table():
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (value & 1) * 0xEDB88320
        yield value


_crc = list(_crc_table())
_crc_bytes = [bytes(value >> shift & 255 for value in _crc) for shift in (0, 8, 16, 24)]
_RUN = 1024
_crc_skip = []


def _skipped(bits, value):
    """The sum after _RUN more zero bytes; what becomes of each bit is known, and sums are linear."""
    result = 0
    for bit in bits:
        if value & 1:
            result ^= bit
        value >>= 1
    return result


def _crc_runs(data, value, runs):
    """The sum over runs of _RUN bytes, done for all of them at once: a byte of each in one long number."""
    if not _crc_skip:
        bits = [(1 << bit) >> 8 ^ _crc[(1 << bit) & 255] for bit in range(32)]
        for _ in range(_RUN.bit_length() - 1):
            bits = [_skipped(bits, bit) for bit in bits]
        _crc_skip.extend(bits)
    from_bytes, end = int.from_bytes, runs * _RUN
    first, second, third, fourth = _crc_bytes
    low, next_low, next_high, high = value & 255, value >> 8 & 255, value >> 16 & 255, value >> 24
    for at in range(_RUN):
        places = (low ^ from_bytes(data[at:end:_RUN], "little")).to_bytes(runs, "little")
        low = from_bytes(places.translate(first), "little") ^ next_low
        next_low = from_bytes(places.translate(second), "little") ^ next_high
        next_high = from_bytes(places.translate(third), "little") ^ high
        high = from_bytes(places.translate(fourth), "little")
    value = 0
    parts = [part.to_bytes(runs, "little") for part in (low, next_low, next_high, high)]
    for one, two, three, four in zip(*parts):
        value = _skipped(_crc_skip, value) ^ (one | two << 8 | three << 16 | four << 24)
    return value


def crc32(data, value=0, /):
    data = as_bytes(data)
    value = value & 0xFFFFFFFF ^ 0xFFFFFFFF
    done = 0
    if len(data) >= 16 * _RUN:
        runs = len(data) // _RUN
        done = runs * _RUN
        value = _crc_runs(data, value, runs)
    table = _crc
    for byte in data[done:]:
        value = table[(value ^ byte) & 255] ^ value >> 8
    return value ^ 0xFFFFFFFF


def _decode_table(lengths, meanings, wrong, partial=False):
    """A list indexed by the next bits that holds (code length, kind, value)."""
    counts = [0] * 16
    for length in lengths:
        counts[length] += 1
    longest = max(lengths)
    left = 1
    for length in range(1, 16):
        left = left * 2 - counts[length]
        if left < 0:
            raise _Bad(wrong)
    if left and longest and not (partial and longest == 1):
        raise _Bad(wrong)
    by_length = [[] for _ in range(16)]
    for symbol, length in enumerate(lengths):
        if length:
            by_length[length].append(symbol)
    table = [(1, _BAD, 0)]
    code = 0  # bits reversed, so that it need not be shifted from length to length
    for length in range(1, max(longest, 1) + 1):
        table += table
        for symbol in by_length[length]:
            table[code] = (length, *meanings[symbol])
            bit = 1 << length - 1
            while code & bit:
                code ^= bit
                bit >>= 1
            code |= bit
    return table


class _Bad(Exception):
    """Input which is no deflate stream."""


class _More(Exception):
    """Input ended before a part which can only be read whole."""


_fixed = []


class Inflater:
    """Turns input into self.out as far as it goes; position is self.bit in self.data."""

    def __init__(self, wbits):
        self.data, self.bit = b"", 0
        self.out, self.given = bytearray(), 0
        self.checked = 0
        self.size = 0
        self.eof = False
        self.tables = self.stored = None
        self.last = False
        self.wrong = None
        if 8 <= -wbits <= 15:
            self.kind, self.step = "raw", self.block
        elif wbits == 0 or 8 <= wbits <= 15:
            self.kind, self.step = "zlib", self.head
        elif wbits == 16 or 24 <= wbits <= 31:
            self.kind, self.step = "gzip", self.head
        elif wbits == 32 or 40 <= wbits <= 47:
            self.kind, self.step = "auto", self.head
        else:
            raise ValueError("Invalid initialization option")
        self.wbits = wbits & 15 or 15
        self.check = 1

    def twin(self):
        other = object.__new__(Inflater)
        other.__dict__.update(self.__dict__, out=self.out[:])
        other.step = getattr(other, self.step.__name__)
        return other

    def run(self, data, limit=None):
        """Feed data; answer the output, at most limit bytes of it."""
        if self.wrong:
            raise error(self.wrong)
        self.data += data
        self.goal = None if limit is None else self.given + limit
        try:
            # One byte more than wanted is looked for, to see an end that follows at once.
            while not self.eof and (limit is None or len(self.out) <= self.goal):
                self.step()
        except _More:
            pass
        except _Bad as bad:
            self.wrong = f"Error -3 while decompressing data: {bad}"
            raise error(self.wrong) from None
        self.data = self.data[self.bit >> 3:]
        self.bit &= 7
        end = len(self.out) if limit is None else min(len(self.out), self.goal)
        result = bytes(self.out[self.given:end])
        self.given = end
        if end > 2 * WINDOW:
            self.sum_up()
            drop = end - WINDOW
            del self.out[:drop]
            self.given -= drop
            self.checked -= drop
        return result

    def rest(self):
        """Take back the input of which nothing was used."""
        skip = self.bit > 0
        tail, self.data = self.data[skip:], self.data[:skip]
        return tail

    def sum_up(self):
        fresh = self.out[self.checked:]
        self.checked = len(self.out)
        self.size += len(fresh)
        if self.kind != "raw":
            self.check = (crc32 if self.kind == "gzip" else adler32)(fresh, self.check)

    def take(self, count):
        """The next bits as a number."""
        at = self.bit
        self.bit += count
        if self.bit > len(self.data) * 8:
            self.bit = at
            raise _More
        return int.from_bytes(self.data[at >> 3:(at + count + 7) >> 3], "little") >> (at & 7) & (1 << count) - 1

    def head(self):
        data = self.data
        if len(data) < 2:
            raise _More
        if self.kind == "gzip" or self.kind == "auto" and data[:2] == b"\x1f\x8b":
            return self.gzip_head(data)
        if self.kind == "auto":
            self.kind = "zlib"
        if int.from_bytes(data[:2], "big") % 31:
            raise _Bad("incorrect header check")
        if data[0] & 15 != 8:
            raise _Bad("unknown compression method")
        if (data[0] >> 4) + 8 > self.wbits:
            raise _Bad("invalid window size")
        if data[1] & 32:
            self.wrong = "Error 2 while decompressing data"
            raise error(self.wrong)
        self.bit = 16
        self.step = self.block

    def gzip_head(self, data):
        if data[:2] != b"\x1f\x8b":
            raise _Bad("incorrect header check")
        if len(data) < 4:
            raise _More
        if data[2] != 8:
            raise _Bad("unknown compression method")
        flags, at = data[3], 10
        if flags & 0xE0:
            raise _Bad("unknown header flags set")
        if len(data) < 10:
            raise _More
        if flags & 4:
            at += 2 + int.from_bytes(data[10:12], "little")
        for flag in (8, 16):
            if flags & flag:
                at = data.find(0, at) + 1
                if not at:
                    raise _More
        if flags & 2:
            at += 2
        if at > len(data):
            raise _More
        if flags & 2 and int.from_bytes(data[at - 2:at], "little") != crc32(data[:at - 2]) & 0xFFFF:
            raise _Bad("header crc mismatch")
        self.kind, self.check = "gzip", 0
        self.bit = at * 8
        self.step = self.block

    def block(self):
        if self.last:
            self.step = self.tail
            return
        start = self.bit
        try:
            last, kind = self.take(1), self.take(2)
            if kind == 0:
                self.bit = self.bit + 7 & ~7
                size, inverse = self.take(16), self.take(16)
                if size ^ inverse != 0xFFFF:
                    raise _Bad("invalid stored block lengths")
                self.stored, self.step = size, self.copy
            elif kind == 1:
                if not _fixed:
                    _fixed.append(_decode_table(FIXED_LENGTHS, _LITERALS, ""))
                    _fixed.append(_decode_table([5] * 32, _DISTANCES, ""))
                self.tables, self.step = _fixed, self.codes
            elif kind == 2:
                self.tables, self.step = self.read_tables(), self.codes
            else:
                raise _Bad("invalid block type")
        except _More:
            self.bit = start
            raise
        self.last = last

    def read_tables(self):
        take = self.take
        literals, distances, count = take(5) + 257, take(5) + 1, take(4) + 4
        if literals > 286 or distances > 30:
            raise _Bad("too many length or distance symbols")
        lengths = [0] * 19
        for symbol in ORDER[:count]:
            lengths[symbol] = take(3)
        table = _decode_table(lengths, [(0, symbol) for symbol in range(19)], "invalid code lengths set")
        mask = len(table) - 1
        lengths = []
        while len(lengths) < literals + distances:
            at = self.bit
            bits = int.from_bytes(self.data[at >> 3:(at >> 3) + 3], "little") >> (at & 7)
            used, _, symbol = table[bits & mask]
            take(used)
            if symbol < 16:
                lengths.append(symbol)
                continue
            if symbol == 16:
                value, again = lengths[-1:], 3 + take(2)
            else:
                value, again = [0], 3 + take(3) if symbol == 17 else 11 + take(7)
            lengths += value * again
            if not value or len(lengths) > literals + distances:
                raise _Bad("invalid bit length repeat")
        if not lengths[256]:
            raise _Bad("invalid code -- missing end-of-block")
        return (_decode_table(lengths[:literals], _LITERALS, "invalid literal/lengths set", True),
                _decode_table(lengths[literals:], _DISTANCES, "invalid distances set", True))

    def copy(self):
        at = self.bit >> 3
        piece = self.data[at:at + self.stored]
        self.out += piece
        self.bit += len(piece) * 8
        self.stored -= len(piece)
        if self.stored:
            raise _More
        self.step = self.block

    def codes(self):
        """Decode symbols until the block, the input, or the wanted output ends."""
        literals, distances = self.tables
        mask, dist_mask = len(literals) - 1, len(distances) - 1
        data, out, goal = self.data, self.out, self.goal
        append, from_bytes = out.append, int.from_bytes
        size, position, at, limit = len(data), 0, self.bit, -1
        safe = (position, at, len(out))
        while True:
            if at > limit:
                position += at >> 3
                at &= 7
                left = (size - position) * 8 - at
                if left < 0:
                    # The last symbol was read past the end: take it back.
                    position, at, length = safe
                    del out[length:]
                    self.bit = position * 8 + at
                    raise _More
                safe = (position, at, len(out))
                if goal is not None and safe[2] > goal:
                    break
                hold = from_bytes(data[position:position + _CHUNK], "little")
                # Near the end of the input every symbol comes by here.
                limit = min(_SAFE, left + at - 48)
            used, kind, value = literals[hold >> at & mask]
            at += used
            if kind < 0:
                append(value)
                continue
            if kind > 15:
                if position * 8 + at > size * 8:
                    limit = -1
                    continue
                if kind == _BAD:
                    raise _Bad("invalid literal/length code")
                self.step = self.block
                break
            if kind:
                value += hold >> at & (1 << kind) - 1
                at += kind
            used, kind, distance = distances[hold >> at & dist_mask]
            at += used
            if kind:
                if kind > 15:
                    if position * 8 + at > size * 8:
                        limit = -1
                        continue
                    raise _Bad("invalid distance code")
                distance += hold >> at & (1 << kind) - 1
                at += kind
            start = len(out) - distance
            if start < 0:
                if position * 8 + at > size * 8:
                    limit = -1
                    continue
                raise _Bad("invalid distance too far back")
            if distance >= value:
                out += out[start:start + value]
            else:
                out += (out[start:] * (value // distance + 1))[:value]
        self.bit = position * 8 + at

    def tail(self):
        self.bit = self.bit + 7 & ~7
        if self.kind != "raw":
            gzip = self.kind == "gzip"
            at = self.bit >> 3
            trailer = self.data[at:at + 8]
            self.sum_up()
            if len(trailer) < 4:
                raise _More
            if int.from_bytes(trailer[:4], "little" if gzip else "big") != self.check:
                raise _Bad("incorrect data check")
            if gzip and len(trailer) < 8:
                raise _More
            if gzip and int.from_bytes(trailer[4:], "little") != self.size & 0xFFFFFFFF:
                raise _Bad("incorrect length check")
            self.bit += 64 if gzip else 32
        self.eof = True
