"""Sets of characters as sorted lists of (first, last) code points, and the names Unicode has for them."""

import functools

import _napkin

LAST = 0x10FFFF

CATEGORIES = {
    "C": "other", "Cc": "control cntrl", "Cf": "format", "Cn": "unassigned", "Co": "privateuse", "Cs": "surrogate",
    "L": "letter l&", "LC": "casedletter", "Ll": "lowercaseletter", "Lm": "modifierletter", "Lo": "otherletter",
    "Lt": "titlecaseletter", "Lu": "uppercaseletter", "M": "mark combiningmark", "Mc": "spacingmark",
    "Me": "enclosingmark", "Mn": "nonspacingmark", "N": "number", "Nd": "decimalnumber", "Nl": "letternumber",
    "No": "othernumber", "P": "punctuation punct", "Pc": "connectorpunctuation", "Pd": "dashpunctuation",
    "Pe": "closepunctuation", "Pf": "finalpunctuation", "Pi": "initialpunctuation", "Po": "otherpunctuation",
    "Ps": "openpunctuation", "S": "symbol", "Sc": "currencysymbol", "Sk": "modifiersymbol", "Sm": "mathsymbol",
    "So": "othersymbol", "Z": "separator", "Zl": "lineseparator", "Zp": "paragraphseparator", "Zs": "spaceseparator",
}

BINARY = """Alphabetic Any ASCII ASCII_Hex_Digit Assigned Bidi_Control Bidi_Mirrored Case_Ignorable Cased
    Changes_When_Casefolded Changes_When_Casemapped Changes_When_Lowercased Changes_When_Titlecased
    Changes_When_Uppercased Dash Default_Ignorable_Code_Point Deprecated Diacritic Emoji Emoji_Component
    Emoji_Modifier Emoji_Modifier_Base Emoji_Presentation Extended_Pictographic Extender Grapheme_Base
    Grapheme_Extend Hex_Digit ID_Continue ID_Start Ideographic Join_Control Logical_Order_Exception Lowercase Math
    Noncharacter_Code_Point Pattern_Syntax Pattern_White_Space Quotation_Mark Radical Regional_Indicator
    Sentence_Terminal Soft_Dotted Terminal_Punctuation Unified_Ideograph Uppercase Variation_Selector White_Space
    XID_Continue XID_Start"""

SPACE = [(9, 13), (32, 32), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
         (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)]
BLANK = [(9, 9), (32, 32), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x202F, 0x202F), (0x205F, 0x205F),
         (0x3000, 0x3000)]
DIGIT = [(48, 57)]
ASCII_WORD = [(48, 57), (65, 90), (95, 95), (97, 122)]
HEX = [(48, 57), (65, 70), (97, 102)]

# Case is ignored in a property by taking in all of its case pairs.
CASED = {"Lu": "LC", "Ll": "LC", "Lt": "LC", "Uppercase": "Cased", "Lowercase": "Cased"}


def _plain(name):
    return name.lower().replace("_", "").replace(" ", "").replace("-", "")


_KNOWN = {_plain(name): name for name in BINARY.split()}
_KNOWN.update({"alpha": "Alphabetic", "lower": "Lowercase", "upper": "Uppercase", "space": "White_Space",
               "whitespace": "White_Space", "wspace": "White_Space"})
_CATEGORY = {_plain(word): short for short, words in CATEGORIES.items() for word in [short] + words.split()}


def merged(pairs):
    """The same set in order, with neighbours joined."""
    out = []
    for first, last in sorted(pairs):
        if out and first <= out[-1][1] + 1:
            if last > out[-1][1]:
                out[-1] = (out[-1][0], last)
        else:
            out.append((first, last))
    return out


def without(pairs):
    """Every character that is not in the set."""
    out, start = [], 0
    for first, last in pairs:
        if first > start:
            out.append((start, first - 1))
        start = last + 1
    if start <= LAST:
        out.append((start, LAST))
    return out


def either(a, b):
    return merged(a + b)


def both(a, b):
    return without(either(without(a), without(b)))


def minus(a, b):
    return both(a, without(b))


def one_of_two(a, b):
    return minus(either(a, b), both(a, b))


def cut(pairs, last):
    """The part of the set up to the code point `last`."""
    return [(first, min(end, last)) for first, end in pairs if first <= last]


def with_cases(pairs):
    """The set and the other case of its characters; very large sets are alphabets that hold both already."""
    if sum(last - first + 1 for first, last in pairs) > 3000:
        return pairs
    more = list(pairs)
    for first, last in pairs:
        for code in range(first, last + 1):
            char = chr(code)
            for other in (char.lower(), char.upper()):
                if len(other) == 1 and other != char:
                    more.append((ord(other), ord(other)))
    return merged(more)


@functools.lru_cache(maxsize=None)
def host(name):
    """The ranges of a property by its full name, or None where it is not known; asked for once."""
    pairs = _napkin.unicode_ranges(name)
    return None if pairs is None else merged([(first, last) for first, last in pairs])


def _script(name):
    words = name.replace("-", "_").replace(" ", "_").strip("_").split("_")
    return "_".join(word[:1].upper() + word[1:].lower() for word in words)


@functools.lru_cache(maxsize=None)
def word():
    """What \\w means in Unicode."""
    return merged(host("Alphabetic") + host("M") + host("Nd") + host("Pc") + host("Join_Control"))


def posix(name):
    """The ranges of a class of POSIX, such as alpha, or None."""
    if name == "alnum":
        return either(host("Alphabetic"), DIGIT)
    if name in ("alpha", "lower", "upper"):
        return host(_KNOWN[name])
    if name == "blank":
        return BLANK
    if name == "cntrl":
        return host("Cc")
    if name == "digit":
        return DIGIT
    if name == "graph":
        return without(merged(SPACE + host("Cc") + host("Cn") + host("Cs")))
    if name == "print":
        return either(posix("graph"), host("Zs"))
    if name == "punct":
        return either(host("P"), host("S"))
    if name == "space":
        return SPACE
    if name == "word":
        return word()
    return HEX if name == "xdigit" else None


def named(name, any_case=False):
    """The ranges of what stands in \\p{...}, or None where the name says nothing."""
    key, _, value = name.replace(":", "=").partition("=")
    if value:
        kind, plain = _plain(key), _plain(value)
        if kind in ("gc", "category", "generalcategory") and plain in _CATEGORY:
            return _cased(_CATEGORY[plain], any_case)
        if kind in ("sc", "script"):
            return host("Script=" + _script(value))
        if kind in ("scx", "scriptextensions"):
            return host("Script_Extensions=" + _script(value))
        if kind in _KNOWN and plain in ("yes", "y", "true", "t", "no", "n", "false", "f"):
            pairs = _cased(_KNOWN[kind], any_case)
            return pairs if plain[0] in "yt" or pairs is None else without(pairs)
        return None
    for short in (name, name[2:] if _plain(name).startswith("is") else ""):
        plain = _plain(short)
        if not plain:
            continue
        if plain in _CATEGORY:
            return _cased(_CATEGORY[plain], any_case)
        if plain in _KNOWN:
            return _cased(_KNOWN[plain], any_case)
        if plain.startswith("posix") or plain in ("alnum", "blank", "digit", "graph", "print", "word", "xdigit"):
            return posix(plain.replace("posix", ""))
        pairs = host("Script=" + _script(short))
        if pairs is not None:
            return pairs
    return None


def _cased(name, any_case):
    return host(CASED.get(name, name) if any_case else name)


def _char(code):
    char = chr(code)
    return "\\" + char if char in "\\]^-[&~|" else char


def text(pairs, negated=False):
    """The set as a class of `re`."""
    if not pairs:
        return "[\\s\\S]" if negated else "(?!)"
    parts = [_char(a) if a == b else _char(a) + ("-" if b > a + 1 else "") + _char(b) for a, b in pairs]
    return "[" + ("^" if negated else "") + "".join(parts) + "]"
