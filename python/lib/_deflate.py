"""The compressing half of zlib: matches by hash chains, Huffman codes, bits."""

from _inflate import (BLOCK, DIST_BASE, DIST_EXTRA, FIXED_LENGTHS, LENGTH_BASE, LENGTH_EXTRA, ORDER, WINDOW, Copied,
                      adler32, as_bytes, crc32, error)

Z_NO_FLUSH, Z_PARTIAL_FLUSH, _, Z_FULL_FLUSH, Z_FINISH, Z_BLOCK, Z_TREES = range(7)
Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED = 2, 3, 4
_LONGEST = 258
# Per level: candidates tried, match length that ends the search, whether the next byte is tried too.
_EFFORT = {1: (1, 16, False), 2: (2, 16, False), 3: (3, 32, False), 4: (3, 32, True), 5: (4, 32, True),
           6: (6, 64, True), 7: (12, 128, True), 8: (32, 258, True), 9: (64, 258, True)}


def _length_symbols():
    symbols = [0] * (_LONGEST + 1)
    for index, (base, extra) in enumerate(zip(LENGTH_BASE, LENGTH_EXTRA)):
        for length in range(base, min(base + (1 << extra), _LONGEST + 1)):
            symbols[length] = index
    return symbols


_LENGTH_SYMBOL = _length_symbols()


def _distance_symbol(distance):
    if distance < 5:
        return distance - 1
    top = (distance - 1).bit_length() - 1
    return top * 2 + (distance - 1 >> top - 1 & 1)


def _extra(value, base, count):
    """Extra bits as text, in the order in which they are sent."""
    return format(value - base, f"0{count}b")[::-1] if count else ""


def _tree(counts, longest):
    """Code lengths for how often each symbol comes, none longer than `longest`."""
    used = [symbol for symbol, count in enumerate(counts) if count]
    lengths = [0] * len(counts)
    if len(used) < 2:
        # One symbol alone gets a bit, and a neighbour makes the code complete.
        for symbol in (used or [0]) + [0 if used and used[0] else 1]:
            lengths[symbol] = 1
        return lengths
    weights = [counts[symbol] for symbol in used]
    while True:
        order = sorted(range(len(used)), key=weights.__getitem__)
        leaves = [(weights[index], index) for index in order]
        joined, parents = [], {}
        leaf = inner = 0
        for number in range(len(used), 2 * len(used) - 1):
            weight = 0
            for _ in range(2):
                if inner == len(joined) or leaf < len(leaves) and leaves[leaf][0] <= joined[inner][0]:
                    part = leaves[leaf]
                    leaf += 1
                else:
                    part = joined[inner]
                    inner += 1
                weight += part[0]
                parents[part[1]] = number
            joined.append((weight, number))
        depths = {number: 0}
        for child in range(number - 1, -1, -1):
            depths[child] = depths[parents[child]] + 1
        if max(depths.values()) <= longest:
            break
        weights = [weight + 3 >> 2 for weight in weights]  # flatter weights give a flatter tree
    for index, symbol in enumerate(used):
        lengths[symbol] = depths[index]
    return lengths


def _code_texts(lengths):
    """The canonical code of each symbol as text of 0 and 1."""
    texts, code, before = [""] * len(lengths), 0, 0
    for length, symbol in sorted((length, symbol) for symbol, length in enumerate(lengths) if length):
        code <<= length - before
        before = length
        texts[symbol] = format(code, f"0{length}b")
        code += 1
    return texts


def _run_lengths(lengths):
    """Code lengths as (symbol, extra bits) with runs made short."""
    at = 0
    while at < len(lengths):
        value, end = lengths[at], at
        while end < len(lengths) and lengths[end] == value:
            end += 1
        run = end - at
        at = end
        if value:
            yield value, ""
            run -= 1
        while run > 2:
            if value:
                part, symbol, base, bits = min(run, 6), 16, 3, 2
            elif run < 11:
                part, symbol, base, bits = run, 17, 3, 3
            else:
                part, symbol, base, bits = min(run, 138), 18, 11, 7
            yield symbol, _extra(part, base, bits)
            run -= part
        for _ in range(run):
            yield value, ""


class _Texts(dict):
    """What to write for a token: a byte, 256 for the end, or length << 16 | distance."""

    def __init__(self, literals, distances):
        super().__init__(enumerate(literals[:257]))
        self.literals, self.distances = literals, distances

    def __missing__(self, token):
        length, distance = token >> 16, token & 0xFFFF
        near, far = _LENGTH_SYMBOL[length], _distance_symbol(distance)
        text = (self.literals[257 + near] + _extra(length, LENGTH_BASE[near], LENGTH_EXTRA[near])
                + self.distances[far] + _extra(distance, DIST_BASE[far], DIST_EXTRA[far]))
        self[token] = text
        return text


class Compress(Copied):
    def __init__(self, level, wbits, strategy):
        if level == -1:
            level = 6
        if 9 <= -wbits <= 15:
            self._wrap, head = "raw", b""
        elif 9 <= wbits <= 15 or wbits == 8:
            self._wrap = "zlib"
            head = (max(wbits, 9) - 8 << 4 | 8) << 8 | (0 if level < 2 else 1 if level < 6 else 2 if level == 6 else 3) << 6
            head = (head + 31 - head % 31).to_bytes(2, "big")
        elif 25 <= wbits <= 31:
            self._wrap, head = "gzip", b"\x1f\x8b\x08" + bytes((0, 0, 0, 0, 0, 2 if level == 9 else 4 * (level < 2), 3))
        else:
            raise ValueError("Invalid initialization option")
        if not 0 <= level <= 9:
            raise ValueError("Invalid initialization option")
        self._level, self._strategy = level, strategy
        self._reach = 1 << max(wbits & 15 if wbits > 0 else -wbits, 9)
        self._out = bytearray(head)
        self._bits = ""  # bits sent that do not fill a byte yet
        self._window, self._waiting = b"", bytearray()
        self._heads, self._chain, self._place = {}, [0] * WINDOW, 0
        self._check, self._size = (0 if self._wrap == "gzip" else 1), 0
        self._finished = False

    def compress(self, data, /):
        data = as_bytes(data)
        if self._finished:
            raise error("Error -2 while compressing data: inconsistent stream state")
        if self._wrap != "raw":
            self._check = (crc32 if self._wrap == "gzip" else adler32)(data, self._check)
        self._size += len(data)
        self._waiting += data
        while len(self._waiting) > BLOCK:
            self._emit(False)
        return self._taken()

    def flush(self, mode=Z_FINISH, /):
        if mode == Z_NO_FLUSH:
            return b""
        if not 0 < mode <= Z_TREES or self._finished:
            raise error("Error -2 while flushing: inconsistent stream state")
        while len(self._waiting) > BLOCK:
            self._emit(False)
        if mode == Z_FINISH:
            self._emit(True)
            self._align()
            if self._wrap == "zlib":
                self._out += self._check.to_bytes(4, "big")
            elif self._wrap == "gzip":
                self._out += self._check.to_bytes(4, "little") + (self._size & 0xFFFFFFFF).to_bytes(4, "little")
            self._finished = True
            return self._taken()
        if self._waiting:
            self._emit(False)
        if mode == Z_PARTIAL_FLUSH:
            self._put("0100000000")  # an empty block of fixed codes
        elif mode not in (Z_BLOCK, Z_TREES):
            self._put_stored(b"", False)
        if mode == Z_FULL_FLUSH:
            self._window = b""
            self._heads = {}
        return self._taken()

    def copy(self):
        if self._finished:
            raise ValueError("Inconsistent stream state")
        other = object.__new__(Compress)
        other.__dict__.update(self.__dict__, _out=self._out[:], _waiting=self._waiting[:],
                              _heads=dict(self._heads), _chain=self._chain[:])
        return other

    def _taken(self):
        result = bytes(self._out)
        self._out.clear()
        return result

    def _put(self, text):
        text = self._bits + text
        whole = len(text) & ~7
        for at in range(0, whole, 4096):
            part = text[at:min(at + 4096, whole)]
            self._out += int(part[::-1], 2).to_bytes(len(part) >> 3, "little")
        self._bits = text[whole:]

    def _align(self):
        self._put("0" * (-len(self._bits) % 8))

    def _put_stored(self, data, last):
        pieces = [data[at:at + 65535] for at in range(0, len(data), 65535)] or [b""]
        for number, piece in enumerate(pieces, 1):
            self._put("100" if last and number == len(pieces) else "000")
            self._align()
            self._out += len(piece).to_bytes(2, "little") + (len(piece) ^ 0xFFFF).to_bytes(2, "little") + piece

    def _emit(self, last):
        """Write the next block of what waits, in the cheapest of the three ways."""
        block = bytes(self._waiting[:BLOCK])
        del self._waiting[:BLOCK]
        if self._level == 0:
            self._put_stored(block, last)
            return
        tokens, singles = self._tokens(block)
        counts, far_counts = [singles.count(byte) for byte in range(256)] + [1] + [0] * 29, [0] * 30
        for token in tokens:
            if token > 256:
                counts[257 + _LENGTH_SYMBOL[token >> 16]] += 1
                far_counts[_distance_symbol(token & 0xFFFF)] += 1
        extra = (sum(count * bits for count, bits in zip(counts[257:], LENGTH_EXTRA))
                 + sum(count * bits for count, bits in zip(far_counts, DIST_EXTRA)))
        lengths, far_lengths = _tree(counts, 15), _tree(far_counts, 15)
        head = self._head(lengths, far_lengths)

        def cost(near, far):
            return 3 + extra + sum(map(int.__mul__, counts, near)) + sum(map(int.__mul__, far_counts, far))

        fixed = cost(FIXED_LENGTHS, [5] * 30)
        dynamic = cost(lengths, far_lengths) + len(head)
        if len(block) * 8 + 40 < min(fixed, dynamic) and self._strategy != Z_FIXED:
            self._put_stored(block, last)
            return
        start = "1" if last else "0"
        if fixed <= dynamic or self._strategy == Z_FIXED:
            start += "10"
            lengths, far_lengths = FIXED_LENGTHS, [5] * 30
        else:
            start += "01" + head
        tokens.append(256)
        texts = _Texts(_code_texts(lengths), _code_texts(far_lengths))
        self._put(start + "".join(map(texts.__getitem__, tokens)))

    def _head(self, lengths, far_lengths):
        """The description of a block's codes."""
        used = max(symbol for symbol, length in enumerate(lengths) if length) + 1
        far_used = max(symbol for symbol, length in enumerate(far_lengths) if length) + 1
        runs = list(_run_lengths(lengths[:used] + far_lengths[:far_used]))
        counts = [0] * 19
        for symbol, _ in runs:
            counts[symbol] += 1
        code_lengths = _tree(counts, 7)
        codes = _code_texts(code_lengths)
        sent = max(place for place, symbol in enumerate(ORDER) if code_lengths[symbol]) + 1
        sent = max(sent, 4)
        return (_extra(used, 257, 5) + _extra(far_used, 1, 5) + _extra(sent, 4, 4)
                + "".join(_extra(code_lengths[symbol], 0, 3) for symbol in ORDER[:sent])
                + "".join(codes[symbol] + more for symbol, more in runs))

    def _tokens(self, block):
        """Split a block into literals and matches; answer them and the literals alone."""
        data = self._window + block
        at = len(self._window)
        base = self._place - at  # places count from the start of the stream
        self._place += len(block)
        heads, chain = self._heads, self._chain
        if len(heads) > 4 * WINDOW:
            heads = self._heads = {key: place for key, place in heads.items() if place >= base}
        reach = 1 if self._strategy == Z_RLE else min(self._reach, WINDOW) - 262
        tries, enough, lazy = _EFFORT[self._level]
        if self._strategy == Z_HUFFMAN_ONLY:
            tries = 0
        end, stop = len(data), len(data) - 3
        tokens, singles = [], bytearray()
        start, held, held_from = at, 0, 0  # start: of the literals not yet in tokens
        find, low_mask = heads.get, WINDOW - 1
        while at <= stop:
            key = data[at:at + 3]
            place = find(key)
            here = base + at
            heads[key] = here
            length = 0
            if place is not None:
                chain[here & low_mask] = place
                oldest, left = max(here - reach, base), tries
                length, distance = held or 2, 0
                while place >= oldest and left:
                    other = place - base
                    # A longer match has to agree where the best one so far ended.
                    if at + length < end and data[other + length] == data[at + length]:
                        got, most = 0, min(_LONGEST, end - at)
                        while got < most and data[other + got:other + got + 16] == data[at + got:at + got + 16]:
                            got += 16
                        while got < most and data[other + got] == data[at + got]:
                            got += 1
                        got = min(got, most)
                        if got > length:
                            length, distance = got, here - place
                            if got >= enough:
                                break
                    left -= 1
                    older = chain[place & low_mask]
                    if older >= place:
                        break
                    place = older
                if not distance or length == 3 and distance > 4096:
                    length = 0
            else:
                chain[here & low_mask] = -1
            if held and length <= held:
                # The match found one byte ago stays the best.
                at -= 1
                length, distance, fresh = held, held_from, at + 2
            elif length and lazy and length < enough:
                held, held_from = length, distance
                at += 1
                continue
            elif length:
                fresh = at + 1
            else:
                at += 1
                continue
            held = 0
            tokens += data[start:at]
            singles += data[start:at]
            tokens.append(length << 16 | distance)
            start = at + length
            # Of a long match a part of the places is enough to be found again.
            for at in range(fresh, min(start, stop + 1), 1 if length < enough else 4):
                key = data[at:at + 3]
                chain[base + at & low_mask] = find(key, -1)
                heads[key] = base + at
            at = start
        if held:
            tokens += data[start:at - 1]
            singles += data[start:at - 1]
            tokens.append(held << 16 | held_from)
            start = at - 1 + held
        tokens += data[start:]
        singles += data[start:]
        self._window = data[-WINDOW:]
        return tokens, singles
