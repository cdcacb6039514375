"""Writes a pattern of `regex` as a pattern of `re`: what `re` has passes through, properties become ranges."""

import re

from . import _sets
from ._classes import A, B, E, F, I, L, M, P, R, S, U, V0, V1, W, X, Classes, error

_LETTERS = {"a": A, "b": B, "e": E, "f": F, "i": I, "L": L, "m": M, "p": P, "r": R, "s": S, "u": U, "V0": V0, "V1": V1,
            "w": W, "x": X}
_FLAGS = re.compile(r"((?:V[01]|[abefiLmprsuwx])*)(?:-([imsx]+))?([:)])")
_REPEAT = re.compile(r"(?:[*+?]|\{(?!\})\d*(?:,\d*)?\})[?+]?")
_ERRORS = r"\s*(?:(?:\d+\s*<=?\s*)?[eids](?:\s*<=?\s*\d+)?|\d*[ids](?:\+\d*[ids])*\s*<=?\s*\d+)\s*"
_FUZZY = re.compile(r"\{" + _ERRORS + "(?:," + _ERRORS + r")*(?::[^{}]*)?\}")
_MISSING = {
    "K": r"\K (keep out what was matched before)", "G": r"\G (where the search began)",
}


class _Restart(Exception):
    """A flag for the whole pattern stood inside it."""


def translate(pattern, flags, lists, narrow):
    """The text for `re`, its flags, the flags of `regex`, and whether `narrow` (text of ASCII alone) changed anything."""
    binary = isinstance(pattern, bytes)
    source = pattern.decode("latin-1") if binary else pattern
    while True:
        reader = _Reader(source, flags, lists, narrow, binary)
        try:
            text = reader.whole()
            break
        except _Restart as again:
            flags = again.args[0]
        except error as problem:
            raise error(problem.msg, pattern, problem.pos) from None
    flags = reader.base
    if flags & V1:
        flags |= F
    if not flags & (A | L | U):
        flags |= A if binary else U
    keep = flags & (I | M | S) | (flags & L and re.L.value)
    if flags & A and not binary:
        keep |= re.A.value
    return text.encode("latin-1") if binary else text, keep, flags, reader.narrowed


class _Reader(Classes):
    def __init__(self, source, flags, lists, narrow, binary):
        if not flags & (V0 | V1):
            flags |= V0
        super().__init__(source, flags, narrow, binary)
        self.lists = lists
        self.refuse_flags(flags)

    def refuse_flags(self, flags):
        if flags & R:
            self.missing("searching backwards (REVERSE)")
        if flags & P:
            self.missing("leftmost longest matching (POSIX)")
        if flags & W:
            self.missing("default word breaks (WORD)")
        if flags & F and not flags & V1:
            self.missing("full case folding (FULLCASE)")

    def whole(self):
        text = self.alternatives(True)
        if self.at < len(self.source):
            self.fail("unbalanced parenthesis")
        return text

    def alternatives(self, top=False):
        """Everything up to the end of the group. In V1 a flag holds from where it stands, in later branches too."""
        outer, out, opened = self.flags, [], ""
        while self.at < len(self.source) and self.next() != ")":
            if self.take("|"):
                out.append((")" if opened else "") + "|" + opened)
                continue
            here = self.flags
            piece = self.atom(top and not out)
            if self.flags != here:
                changed = self.flag_text(outer, self.flags)
                out.append((")" if opened else "") + changed)
                opened = changed
            if piece:
                out.append(piece)
        self.flags = outer
        return "".join(out) + (")" if opened else "")

    @staticmethod
    def flag_text(before, after):
        on = "".join(name for name, flag in (("i", I), ("m", M), ("s", S)) if after & flag and not before & flag)
        off = "".join(name for name, flag in (("i", I), ("m", M), ("s", S)) if before & flag and not after & flag)
        return "(?" + on + ("-" + off if off else "") + ":"

    def atom(self, first):
        """One piece of the pattern, a repeat counted as a piece of its own."""
        char = self.next()
        if self.flags & X:
            if char.isspace():
                self.at += 1
                return ""
            if char == "#":
                stop = self.source.find("\n", self.at)
                self.at = len(self.source) if stop < 0 else stop + 1
                return ""
        if char == "\\":
            return self.escape()
        if char == "[":
            return self.bracket()
        if char == "(":
            return self.group(first)
        repeat = _REPEAT.match(self.source, self.at)
        if repeat:
            self.at = repeat.end()
            return repeat.group()
        if char == "{":
            fuzzy = _FUZZY.match(self.source, self.at)
            if fuzzy:
                self.missing("fuzzy matching (%s)" % fuzzy.group())
        self.at += 1
        return char if char in ".^$" else re.escape(char)

    def group(self, first):
        start = self.at
        self.at += 1
        if self.take("*"):
            verb = self.upto(")", "verb")
            if verb in ("FAIL", "F"):
                return "(?!)"
            self.missing("the verb (*%s)" % verb)
        if not self.take("?"):
            return "(" + self.inside(start)
        for opening in (":", "=", "!", ">", "<=", "<!"):
            if self.take(opening):
                return "(?" + opening + self.inside(start)
        if self.take("#"):
            self.upto(")", "comment")
            return ""
        if self.take("P=") or self.take("P>") or self.take("&"):
            if self.source[self.at - 1] == "=":
                return "(?P=" + self.upto(")", "group name") + ")"
            self.missing("a call of a group (recursion)")
        if self.take("P<") or self.take("<"):
            return "(?P<" + self.upto(">", "group name") + ">" + self.inside(start)
        if self.take("|"):
            self.missing("resetting group numbers in branches (?|...)")
        if self.take("("):
            if self.next() == "?":
                self.missing("a look-around as a condition")
            return "(?(" + self.upto(")", "group name") + ")" + self.inside(start)
        if self.next() == "R" or self.next().isdigit():
            self.missing("recursion, a pattern that calls itself,")
        return self.inline_flags(start, first)

    def inside(self, start):
        text = self.alternatives()
        if not self.take(")"):
            self.fail("missing ), unterminated subpattern", start)
        return text + ")"

    def inline_flags(self, start, first):
        found = _FLAGS.match(self.source, self.at)
        if not found:
            self.fail("unknown extension ?" + self.next())
        on = off = 0
        for name in re.findall("V.|.", found.group(1)):
            on |= _LETTERS[name]
        for name in found.group(2) or "":
            off |= _LETTERS[name]
        self.refuse_flags(on)
        self.at = found.end()
        if on & (V0 | V1) & ~self.base:
            raise _Restart(self.base & ~(V0 | V1) | on)
        on &= ~(V0 | V1)
        if found.group(3) == ":":
            before = self.flags
            self.flags = before & ~off & ~(A | U if on & (A | U) else 0) | on
            opening = self.flag_text(before, self.flags)
            text = opening + self.inside(start)
            self.flags = before
            return text
        if on & ~self.base and (first or not self.base & V1):
            raise _Restart(self.base | on)
        if not self.base & V1 and off & self.base:
            self.fail("a flag of the whole pattern cannot be turned off", start)
        self.flags = self.flags & ~off | on
        return ""

    def escape(self):
        self.at += 1
        char = self.next()
        if not char:
            self.fail("bad escape (end of pattern)")
        self.at += 1
        if char in "bBmM":
            w = self.wrapped(self.word())
            start, end = "(?<!%s)(?=%s)" % (w, w), "(?<=%s)(?!%s)" % (w, w)
            if char == "m":
                return start
            if char == "M":
                return end
            inside = "(?:(?<!%s)(?!%s)|(?<=%s)(?=%s))" % (w, w, w, w)
            return "(?:%s|%s)" % (start, end) if char == "b" else inside
        if char in "AZ":
            return "\\" + char
        if char == "z":
            return "\\Z"
        if char in "dD" and not self.ascii():
            return "\\" + char
        if char in "wWsSdDh":
            return self.wrapped(self.shorthand(char))
        if char in "pP":
            pairs = self.prop(char == "P")
            return char if pairs is None else self.wrapped(pairs)
        if char == "X":
            return self.cluster()
        if char == "R":
            return "(?>\r\n|[\n\x0b\f\r%s])" % ("" if self.binary else "\x85\u2028\u2029")
        if char == "g" and self.take("<"):
            name = self.upto(">", "group name")
            return "(?:\\%s)" % name if name.isdigit() else "(?P=%s)" % name
        if char == "L" and self.take("<"):
            return self.named_list(self.upto(">", "list name"))
        if char in _MISSING:
            self.missing(_MISSING[char])
        code = self.octal(char) if char.isdigit() and char.isascii() else self.code(char)
        if code is not None:
            return re.escape(chr(code))
        if char in "0123456789":
            if self.next() and self.next() in "0123456789":
                char += self.next()
                self.at += 1
            return "(?:\\%s)" % char
        if char.isascii() and char.isalpha():
            self.fail("bad escape \\" + char)
        return re.escape(char)

    def named_list(self, name):
        if name not in self.lists:
            self.fail("undefined named list " + name)
        words = sorted(self.lists[name], key=len, reverse=True)
        return "(?:" + "|".join(re.escape(w.decode("latin-1") if self.binary else w) for w in words) + ")"

    def cluster(self):
        """One character as a reader counts them, nearly: marks, joined emoji, flags and Korean syllables hold together."""
        if self.binary or self.narrow:
            self.narrowed = True
            return "(?>\r\n|(?s:.))"
        tail = _sets.text(_sets.merged(_sets.host("Grapheme_Extend") + _sets.host("Mc") + [(0x1F3FB, 0x1F3FF)]
                                       + [(0x200D, 0x200D)]))
        picture = _sets.text(_sets.host("Extended_Pictographic"))
        controls = _sets.text(_sets.merged(_sets.host("Cc") + _sets.host("Zl") + _sets.host("Zp")))
        hangul = ("[\u1100-\u115f\ua960-\ua97c]*(?:[\uac00-\ud7a3][\u1160-\u11a7\ud7b0-\ud7c6]*|"
                  "[\u1160-\u11a7\ud7b0-\ud7c6]+)[\u11a8-\u11ff\ud7cb-\ud7fb]*|[\u1100-\u115f\ua960-\ua97c]+")
        return "(?>\r\n|%s|(?:[\U0001f1e6-\U0001f1ff]{2}|%s(?:%s*\u200d%s)*|%s|(?s:.))%s*)" % (
            controls, picture, tail.replace("\u200d", ""), picture, hangul, tail)

