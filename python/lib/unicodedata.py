"""What Unicode says of characters. Names are not kept here, and neither is what only texts from right to left need."""

import sys
from bisect import bisect_right
from functools import cache

import _napkin

unidata_version = "16.0.0"
ucd_3_2_0 = sys.modules[__name__]
_CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co".split()
# Of each class of marks a mark: those of a lower class come first in a normal form, and so tell the class of another one.
_MARKS = (
    "1:334 6:16ff0 7:93c 8:3099 9:94d 10:5b0 11:5b1 12:5b2 13:5b3 14:5b4 15:5b5 16:5b6 17:5b7 18:5b8 "
    "19:5b9 20:5bb 21:5bc 22:5bd 23:5bf 24:5c1 25:5c2 26:fb1e 27:64b 28:64c 29:64d 30:618 31:619 32:61a "
    "33:651 34:652 35:670 36:711 84:c55 91:c56 103:e38 107:e48 118:eb8 122:ec8 129:f71 130:f72 132:f74 "
    "202:321 214:1dce 216:31b 218:1dfa 220:316 222:59a 224:302e 226:1d16d 228:5ae 230:300 232:315 "
    "233:35c 234:35d 240:345"
).split()
_MARKS = {int(number): chr(int(code, 16)) for number, code in (mark.split(":") for mark in _MARKS)}


@cache
def _ranges(name):
    found = _napkin.unicode_ranges(name)
    return [first for first, _ in found], [last for _, last in found]


def _is_in(code, name):
    firsts, lasts = _ranges(name)
    at = bisect_right(firsts, code) - 1
    return at >= 0 and code <= lasts[at]


def _code(character):
    if not isinstance(character, str):
        raise TypeError(f"argument must be a unicode character, not {type(character).__name__}")
    if len(character) != 1:
        raise TypeError("argument must be a unicode character, not a string of another length")
    return ord(character)


@cache
def category(character, /):
    code = _code(character)
    if 0xD800 <= code <= 0xDFFF:
        return "Cs"
    return next((name for name in _CATEGORIES if _is_in(code, name)), "Cn")


def normalize(form, text, /):
    if form not in ("NFC", "NFD", "NFKC", "NFKD"):
        raise ValueError("invalid normalization form")
    return text if text.isascii() else _napkin.normalized(form, text)


def is_normalized(form, text, /):
    return normalize(form, text) == text


@cache
def combining(character, /):
    _code(character)
    if category(character)[0] != "M":
        return 0
    character = normalize("NFD", character)[0]

    def is_moved(first, second):
        return first != second and normalize("NFD", first + second) == second + first

    if not is_moved(character, _MARKS[1]) and not is_moved(_MARKS[240], character):
        return 0
    return next(number for number, mark in _MARKS.items() if not is_moved(character, mark))


def decimal(character, default=..., /):
    if category(character) == "Nd":
        return int(character)
    return _or(default, "not a decimal")


def digit(character, default=..., /):
    if not character.isdigit():
        return _or(default, "not a digit")
    return int(normalize("NFKC", character).strip("().,") or 0)


def numeric(character, default=..., /):
    if character.isdigit():
        return float(digit(character))
    parts = normalize("NFKC", character).split("\u2044")
    if character.isnumeric() and len(parts) == 2 and all(map(str.isdecimal, parts)):
        return int(parts[0]) / int(parts[1])
    return _or(default, "not a numeric character")


def _or(default, told):
    if default is ...:
        raise ValueError(told)
    return default


def east_asian_width(character, /):
    code = _code(character)
    if normalize("NFKC", character) != character and 0xFF00 < code < 0xFFE7:
        return "F" if code < 0xFF61 or code > 0xFFDF else "H"
    is_wide = any(_is_in(code, f"Script={name}") for name in ("Han", "Hangul", "Hiragana", "Katakana", "Bopomofo"))
    return "W" if is_wide or _is_in(code, "Emoji_Presentation") else "Na" if 0x20 <= code < 0x7F else "N"


def name(character, default=..., /):
    _code(character)
    return _or(default, "no names of characters are kept here")


def lookup(name, /):
    raise KeyError(f"undefined character name {name!r}: no names of characters are kept here")


def decomposition(character, /):
    apart = normalize("NFD", character)
    return "" if apart == character else " ".join(f"{ord(part):04X}" for part in apart)


def mirrored(character, /):
    return int(_is_in(_code(character), "Bidi_Mirrored"))


def bidirectional(character, /):
    raise NotImplementedError("directions of writing are not kept here")
