"""Regular expressions with properties of Unicode, over `re`.

A pattern is translated for `re`. What `re` cannot do, such as fuzzy matching, recursion, look-behind of varying length
or more than one capture of a group, is refused with an `error` that says so.
"""

import enum
import re

from . import _classes
from ._classes import error
from ._translate import translate

__version__ = "2.5.0"

__all__ = ["cache_all", "compile", "DEFAULT_VERSION", "escape", "findall", "finditer", "fullmatch", "match", "purge",
           "search", "split", "splititer", "sub", "subn", "template", "Pattern", "Match", "Regex", "error", "RegexFlag",
           "A", "ASCII", "B", "BESTMATCH", "D", "DEBUG", "E", "ENHANCEMATCH", "F", "FULLCASE", "I", "IGNORECASE", "L",
           "LOCALE", "M", "MULTILINE", "P", "POSIX", "R", "REVERSE", "S", "DOTALL", "T", "TEMPLATE", "U", "UNICODE",
           "V0", "VERSION0", "V1", "VERSION1", "W", "WORD", "X", "VERBOSE"]


class RegexFlag(enum.IntFlag):
    """The flags a pattern can have."""

    A = ASCII = _classes.A
    B = BESTMATCH = _classes.B
    D = DEBUG = _classes.D
    E = ENHANCEMATCH = _classes.E
    F = FULLCASE = _classes.F
    I = IGNORECASE = _classes.I  # noqa: E741 (the name of the flag)
    L = LOCALE = _classes.L
    M = MULTILINE = _classes.M
    P = POSIX = _classes.P
    R = REVERSE = _classes.R
    S = DOTALL = _classes.S
    T = TEMPLATE = _classes.T
    U = UNICODE = _classes.U
    V0 = VERSION0 = _classes.V0
    V1 = VERSION1 = _classes.V1
    W = WORD = _classes.W
    X = VERBOSE = _classes.X


globals().update(RegexFlag.__members__)
DEFAULT_VERSION = RegexFlag.V0
_CACHED = 500
_cache = {}


def _limits(string, pos, endpos):
    """Where to begin and to end, counted from the front."""
    length = len(string)
    pos = 0 if pos is None else pos + length if pos < 0 else pos
    endpos = length if endpos is None else endpos + length if endpos < 0 else endpos
    pos = min(max(pos, 0), length)
    return pos, min(max(endpos, pos), length)


class Match:
    """One place where a pattern matched."""

    __slots__ = ("_found", "re", "group", "groups", "groupdict", "start", "end", "span", "string", "pos", "endpos")

    def __init__(self, found, pattern, limits):
        self._found, self.re = found, pattern
        self.group, self.groups, self.groupdict = found.group, found.groups, found.groupdict
        self.start, self.end, self.span = found.start, found.end, found.span
        self.string, (self.pos, self.endpos) = found.string, limits

    @property
    def lastindex(self):
        return self._found.lastindex

    @property
    def lastgroup(self):
        return self._found.lastgroup

    @property
    def regs(self):
        return self._found.regs

    def expand(self, template):
        try:
            return self._found.expand(template)
        except re.error as problem:
            raise error(str(problem)) from None

    def __getitem__(self, key):
        return self._found[key]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def captures(self, *groups):
        raise NotImplementedError("all captures of a group are not there: re keeps the last one, see group()")

    spans = starts = ends = capturesdict = captures

    def __repr__(self):
        return "<regex.Match object; span=%r, match=%r>" % (self.span(), self.group())


class Pattern:
    """A pattern made ready. A text of ASCII is matched by a form that knows only ASCII, which is quick to make."""

    def __init__(self, pattern, flags, lists):
        self.pattern, self.named_lists = pattern, lists
        self._asked = flags
        text, keep, self.flags, narrowed = translate(pattern, flags, lists, True)
        self._narrow = self._built(text, keep)
        self._wide = None if narrowed else self._narrow
        self.groups = self._narrow.groups
        self.groupindex = dict(self._narrow.groupindex)

    def _built(self, text, keep):
        try:
            return re.compile(text, keep)
        except re.error as problem:
            message = problem.msg
            if "look-behind" in message:
                message = "look-behind of varying length is not there: re needs one length"
            raise error(message, self.pattern) from None

    def _for(self, string):
        if self._wide is self._narrow or isinstance(string, str) and string.isascii():
            return self._narrow
        if self._wide is None:
            text, keep, _, _ = translate(self.pattern, self._asked, self.named_lists, False)
            self._wide = self._built(text, keep)
        return self._wide

    def _one(self, how, string, pos, endpos, partial):
        if partial:
            raise NotImplementedError("partial matches are not there: re cannot say that more text might match")
        limits = _limits(string, pos, endpos)
        found = getattr(self._for(string), how)(string, *limits)
        return found and Match(found, self, limits)

    def match(self, string, pos=None, endpos=None, partial=False, concurrent=None, timeout=None):
        return self._one("match", string, pos, endpos, partial)

    def fullmatch(self, string, pos=None, endpos=None, partial=False, concurrent=None, timeout=None):
        return self._one("fullmatch", string, pos, endpos, partial)

    def search(self, string, pos=None, endpos=None, partial=False, concurrent=None, timeout=None):
        return self._one("search", string, pos, endpos, partial)

    def _found(self, string, pos, endpos, overlapped=False):
        """The matches of `re`, in turn; overlapped ones each begin after the beginning of the one before."""
        compiled = self._for(string)
        pos, endpos = _limits(string, pos, endpos)
        if not overlapped:
            yield from compiled.finditer(string, pos, endpos)
            return
        while pos <= endpos:
            found = compiled.search(string, pos, endpos)
            if not found:
                return
            yield found
            pos = found.start() + 1

    def finditer(self, string, pos=None, endpos=None, overlapped=False, concurrent=None, partial=False, timeout=None):
        if partial:
            raise NotImplementedError("partial matches are not there: re cannot say that more text might match")
        limits = _limits(string, pos, endpos)
        return (Match(found, self, limits) for found in self._found(string, *limits, overlapped))

    def findall(self, string, pos=None, endpos=None, overlapped=False, concurrent=None, timeout=None):
        if not overlapped:
            return self._for(string).findall(string, *_limits(string, pos, endpos))
        empty = string[:0]
        out = []
        for found in self._found(string, pos, endpos, True):
            groups = found.groups(empty)
            out.append(found.group() if not groups else groups[0] if len(groups) == 1 else groups)
        return out

    def split(self, string, maxsplit=0, concurrent=None, timeout=None):
        return self._for(string).split(string, maxsplit)

    def splititer(self, string, maxsplit=0, concurrent=None, timeout=None):
        return iter(self.split(string, maxsplit))

    def subn(self, repl, string, count=0, pos=None, endpos=None, concurrent=None, timeout=None):
        limits = pos, endpos = _limits(string, pos, endpos)
        call = (lambda found: repl(Match(found, self, limits))) if callable(repl) else repl
        try:
            if pos == 0 and endpos == len(string):
                return self._for(string).subn(call, string, count)
            out, at, made = [], 0, 0
            for found in self._found(string, pos, endpos):
                out += [string[at:found.start()], call(found) if callable(repl) else found.expand(repl)]
                at, made = found.end(), made + 1
                if made == count:
                    break
        except re.error as problem:
            raise error(str(problem)) from None
        out.append(string[at:])
        return string[:0].join(out), made

    def sub(self, repl, string, count=0, pos=None, endpos=None, concurrent=None, timeout=None):
        return self.subn(repl, string, count, pos, endpos)[0]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        names = [flag for flag in ("A", "B", "D", "E", "F", "I", "L", "M", "P", "R", "S", "W", "X", "V0", "V1")
                 if self.flags & RegexFlag[flag]]
        return "regex.Regex(%r, flags=%s)" % (self.pattern, " | ".join("regex." + name for name in names))


def compile(pattern, flags=0, ignore_unused=False, cache_pattern=None, **lists):
    """Makes a pattern ready. Further arguments are lists of words for \\L<name>."""
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("a pattern that is ready takes no more flags")
        return pattern
    if not isinstance(pattern, (str, bytes)):
        raise TypeError("the pattern must be a string, bytes or a pattern, not " + type(pattern).__name__)
    for name in lists:
        place = "\\L<%s>" % name
        if (place if isinstance(pattern, str) else place.encode()) not in pattern and not ignore_unused:
            raise ValueError("unused keyword argument %r" % name)
    key = (type(pattern), pattern, int(flags), tuple(sorted((name, tuple(words)) for name, words in lists.items())))
    ready = _cache.get(key)
    if ready is None:
        ready = Pattern(pattern, int(flags), lists)
        if cache_pattern is not False:
            if len(_cache) >= _CACHED:
                _cache.clear()
            _cache[key] = ready
    return ready


def template(pattern, flags=0):
    return compile(pattern, flags | _classes.T)


def purge():
    """Forgets the patterns made ready before."""
    _cache.clear()


def cache_all(value=True):
    """Whether patterns are remembered; they always are."""
    return True


def match(pattern, string, flags=0, pos=None, endpos=None, partial=False, concurrent=None, timeout=None,
          ignore_unused=False, **lists):
    return compile(pattern, flags, ignore_unused, **lists).match(string, pos, endpos, partial)


def fullmatch(pattern, string, flags=0, pos=None, endpos=None, partial=False, concurrent=None, timeout=None,
              ignore_unused=False, **lists):
    return compile(pattern, flags, ignore_unused, **lists).fullmatch(string, pos, endpos, partial)


def search(pattern, string, flags=0, pos=None, endpos=None, partial=False, concurrent=None, timeout=None,
           ignore_unused=False, **lists):
    return compile(pattern, flags, ignore_unused, **lists).search(string, pos, endpos, partial)


def findall(pattern, string, flags=0, pos=None, endpos=None, overlapped=False, concurrent=None, timeout=None,
            ignore_unused=False, **lists):
    return compile(pattern, flags, ignore_unused, **lists).findall(string, pos, endpos, overlapped)


def finditer(pattern, string, flags=0, pos=None, endpos=None, overlapped=False, partial=False, concurrent=None,
             timeout=None, ignore_unused=False, **lists):
    return compile(pattern, flags, ignore_unused, **lists).finditer(string, pos, endpos, overlapped, None, partial)


def split(pattern, string, maxsplit=0, flags=0, concurrent=None, timeout=None, ignore_unused=False, **lists):
    return compile(pattern, flags, ignore_unused, **lists).split(string, maxsplit)


def splititer(pattern, string, maxsplit=0, flags=0, concurrent=None, timeout=None, ignore_unused=False, **lists):
    return compile(pattern, flags, ignore_unused, **lists).splititer(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0, pos=None, endpos=None, concurrent=None, timeout=None,
        ignore_unused=False, **lists):
    return compile(pattern, flags, ignore_unused, **lists).sub(repl, string, count, pos, endpos)


def subn(pattern, repl, string, count=0, flags=0, pos=None, endpos=None, concurrent=None, timeout=None,
         ignore_unused=False, **lists):
    return compile(pattern, flags, ignore_unused, **lists).subn(repl, string, count, pos, endpos)


def escape(pattern, special_only=True, literal_spaces=False):
    """The pattern that matches this text and nothing else."""
    binary = isinstance(pattern, bytes)
    out = []
    for char in pattern.decode("latin-1") if binary else pattern:
        if char == " " and literal_spaces or char == "\0" and special_only:
            out.append(char)
        elif char.isspace() or char in "()[]{}?*+|^$\\.-#&~" or not special_only and not (char.isascii() and char.isalnum()):
            out.append("\\" + char)
        else:
            out.append(char)
    text = "".join(out)
    return text.encode("latin-1") if binary else text


Regex = compile
