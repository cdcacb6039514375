"""Reads the sets of characters in a pattern: classes in brackets, shorthands such as \\w, and properties."""

import re

from . import _sets

A, B, D, E, F, I, L, M, P, R, S, T, U, V0, V1, W, X = (
    0x80, 0x1000, 0x200, 0x8000, 0x4000, 0x2, 0x4, 0x8, 0x10000, 0x400, 0x10, 0x1, 0x20, 0x2000, 0x100, 0x800, 0x40)

_CONTROL = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_HEX = {"x": 2, "u": 4, "U": 8}
_OPERATIONS = (("||", _sets.either), ("~~", _sets.one_of_two), ("&&", _sets.both), ("--", _sets.minus))


class error(Exception):
    """A pattern that cannot be read, or that needs what is not there."""

    def __init__(self, message, pattern=None, pos=None):
        super().__init__(message if pos is None else "%s at position %d" % (message, pos))
        self.msg, self.pattern, self.pos = message, pattern, pos
        self.lineno = self.colno = None
        if pos is not None and pattern is not None:
            before = pattern[:pos]
            newline = "\n" if isinstance(pattern, str) else b"\n"
            self.lineno = before.count(newline) + 1
            self.colno = pos - before.rfind(newline)


class Classes:
    """A place in a pattern, and what can be read there that stands for a set of characters."""

    def __init__(self, source, flags, narrow, binary):
        self.source, self.at, self.base, self.flags = source, 0, flags, flags
        self.narrow, self.binary, self.narrowed = narrow, binary, False

    def fail(self, message, at=None):
        raise error(message, self.source, self.at if at is None else at)

    def missing(self, what):
        self.fail(what + " is not there: this regex translates patterns for re")

    def next(self, count=1):
        return self.source[self.at:self.at + count]

    def take(self, text):
        if self.source.startswith(text, self.at):
            self.at += len(text)
            return True
        return False

    def upto(self, end, what):
        stop = self.source.find(end, self.at)
        if stop < 0:
            self.fail("missing %s, unterminated %s" % (end, what))
        found, self.at = self.source[self.at:stop], stop + len(end)
        return found

    def ascii(self):
        return self.binary or bool(self.flags & A)

    def limited(self, pairs):
        """The set as far as it can matter: bytes and the flag A know ASCII, and so does a text of ASCII."""
        if self.ascii():
            return _sets.cut(pairs, 127)
        if self.narrow:
            self.narrowed = True
            return _sets.cut(pairs, 127)
        return pairs

    def word(self):
        if self.ascii():
            return _sets.ASCII_WORD
        if self.narrow:
            self.narrowed = True
            return _sets.ASCII_WORD
        return _sets.word()

    def wrapped(self, pairs, negated=False):
        """A set that holds both cases already is spared the slow folding of `re`."""
        text = _sets.text(pairs, negated)
        return "(?-i:" + text + ")" if self.flags & I else text

    def shorthand(self, char):
        """The set of \\w, \\s, \\h and \\d, and of the same in capitals, or None."""
        kind = char.lower()
        if kind == "w":
            pairs = self.word()
        elif kind == "s":
            pairs = self.limited(_sets.SPACE)
        elif char == "h":
            pairs = self.limited(_sets.BLANK)
        elif kind == "d":
            pairs = _sets.DIGIT if self.ascii() or self.narrow else _sets.host("Nd")
            self.narrowed = self.narrowed or not self.ascii()
        else:
            return None
        return self.inverted(pairs) if char.isupper() else pairs

    def inverted(self, pairs):
        return _sets.cut(_sets.without(pairs), 255 if self.binary else _sets.LAST)

    def prop(self, negated):
        """The set of \\p{...} after its letter, or None where no name follows and the letter stands for itself."""
        start = self.at
        if self.take("{"):
            stop = self.source.find("}", self.at)
            if stop < 0:
                self.at = start
                return None
            name, self.at = self.source[self.at:stop], stop + 1
        elif self.next().isalpha():
            name = self.next()
            self.at += 1
        else:
            return None
        if name.startswith("^"):
            name, negated = name[1:], not negated
        pairs = _sets.named(name, bool(self.flags & I))
        if pairs is None:
            self.fail("unknown property %s (scripts, categories and binary properties are there, blocks are not)" % name)
        pairs = self.limited(pairs)
        return self.inverted(pairs) if negated else pairs

    def code(self, char):
        """The code point of an escape such as \\n, \\x41 or \\012 after its letter, or None."""
        if char in _CONTROL:
            return _CONTROL[char]
        if char in _HEX and not (self.binary and char != "x"):
            digits = self.next(_HEX[char])
            if not re.fullmatch("[0-9A-Fa-f]{%d}" % _HEX[char], digits):
                self.fail("incomplete escape \\" + char + digits)
            self.at += len(digits)
            return int(digits, 16)
        if char == "N" and self.next() == "{":
            self.missing(r"the name of a character, \N{...},")
        return None

    def octal(self, char):
        found = re.match("0[0-7]{0,2}|[0-3][0-7][0-7]", self.source[self.at - 1:self.at + 2])
        if found:
            self.at += found.end() - 1
            return int(found.group(), 8)
        return None

    def bracket(self):
        """A set in brackets outside of another."""
        start = self.at
        self.at += 1
        plain, pairs, negated = self.members(start)
        if plain:
            return _sets.text(_sets.merged(pairs), negated)
        if self.flags & I:
            pairs = _sets.with_cases(pairs)
        return self.wrapped(pairs, negated)

    def members(self, start):
        """What stands up to the bracket that closes: whether it is only characters, the set, and whether ^ began it."""
        negated = self.take("^")
        pairs, plain, waiting, first = [], True, [], True
        while True:
            char = self.next()
            if not char:
                self.fail("unterminated character set", start)
            if char == "]" and not first:
                self.at += 1
                break
            first = False
            joined = next((rank for rank, (sign, _) in enumerate(_OPERATIONS) if self.source.startswith(sign, self.at)), -1)
            if self.base & V1 and joined >= 0 and self.source[self.at + 2:self.at + 3] != "]":
                self.at += 2
                waiting.append((_sets.merged(pairs), joined))
                pairs, plain = [], False
                continue
            begin = self.at
            low = self.member()
            if not isinstance(low, int):
                pairs, plain = pairs + low, False
                continue
            high = low
            if self.next() == "-" and self.next(2)[1:] not in ("]", "") and not (
                    self.base & V1 and self.next(2) == "--"):
                back, self.at = self.at, self.at + 1
                high = self.member()
                if not isinstance(high, int):
                    high, self.at = low, back
                elif high < low:
                    self.fail("bad character range", begin)
            pairs.append((low, high))
        waiting.append((_sets.merged(pairs), -1))
        return plain, self.operated(waiting), negated

    def operated(self, parts):
        """Puts the parts of a set together, the operation that binds most first."""
        if len(parts) > 1 and self.flags & I:
            parts = [(_sets.with_cases(pairs), joined) for pairs, joined in parts]
        for rank in (3, 2, 1, 0):
            at = 0
            while at < len(parts) - 1:
                if parts[at][1] == rank:
                    pairs = _OPERATIONS[rank][1](parts[at][0], parts[at + 1][0])
                    parts[at:at + 2] = [(pairs, parts[at + 1][1])]
                else:
                    at += 1
        return parts[0][0]

    def member(self):
        """One member of a set: a code point, or a list of ranges."""
        char = self.next()
        posix = re.match(r"\[:(\^?)([A-Za-z_]+):\]", self.source[self.at:self.at + 24])
        if posix:
            return self.posix(posix)
        start = self.at
        self.at += 1
        if char == "[" and self.base & V1:
            _, pairs, negated = self.members(start)
            return self.inverted(pairs) if negated else pairs
        if char != "\\":
            return ord(char)
        char = self.next()
        if not char:
            self.fail("unterminated character set", start)
        self.at += 1
        if char in "wWsSdDh":
            return self.shorthand(char)
        if char in "pP":
            pairs = self.prop(char == "P")
            return ord(char) if pairs is None else pairs
        octal = re.match("[0-7]{1,3}", self.source[self.at - 1:self.at + 2])
        if octal:
            self.at += octal.end() - 1
            return int(octal.group(), 8)
        code = self.code(char)
        if code is not None:
            return code
        if char.isascii() and char.isalpha():
            self.fail("bad escape \\" + char)
        return ord(char)

    def posix(self, found):
        self.at += found.end()
        pairs = _sets.posix(found.group(2).lower())
        if pairs is None:
            pairs = _sets.named(found.group(2), bool(self.flags & I))
        if pairs is None:
            self.fail("unknown class " + found.group())
        pairs = self.limited(pairs)
        return self.inverted(pairs) if found.group(1) else pairs
