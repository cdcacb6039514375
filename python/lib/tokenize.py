"""The words of a source. What stands in the braces of an f-string is a part of the string."""

import io
import re
import token as _token
from collections import namedtuple
from token import *
from token import EXACT_TOKEN_TYPES

__all__ = [*_token.__all__, "TokenError", "TokenInfo", "detect_encoding", "generate_tokens", "open", "tokenize", "untokenize"]
_PREFIX = r"(?i:rb|br|fr|rf|tr|rt|[rbfut])?"
_NUMBER = (
    r"0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+"
    r"|(?:\d(?:_?\d)*\.(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*|\d(?:_?\d)*)(?:[eE][-+]?\d(?:_?\d)*)?[jJ]?"
)
_OPERATORS = "|".join(re.escape(operator) for operator in sorted(EXACT_TOKEN_TYPES, key=len, reverse=True))
_WORD = re.compile(
    rf"(?P<space>[ \f\t]+)|(?P<comment>#[^\r\n]*)|(?P<join>\\\r?\n)|(?P<end>\r?\n)"
    rf"|(?P<long>{_PREFIX}(?:\'\'\'|\"\"\"))|(?P<string>{_PREFIX}(?:'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"))"
    rf"|(?P<number>{_NUMBER})|(?P<name>\w+)|(?P<operator>{_OPERATORS})",
    re.DOTALL,
)


class TokenError(Exception):
    """A source ends within a string or a bracket."""


class TokenInfo(namedtuple("TokenInfo", "type string start end line")):
    @property
    def exact_type(self):
        return EXACT_TOKEN_TYPES.get(self.string, self.type) if self.type == OP else self.type


def detect_encoding(readline):
    """The encoding of a source, which is UTF-8 unless it says otherwise, and the lines that were read for it."""
    lines = []
    for _ in range(2):
        lines.append(readline())
        found = re.match(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", lines[-1])
        if found:
            return found[1].decode().lower(), lines
        if not lines[-1].strip().startswith(b"#"):
            break
    is_marked = lines[0].startswith(b"\xef\xbb\xbf")
    lines[0] = lines[0].removeprefix(b"\xef\xbb\xbf")
    return ("utf-8-sig" if is_marked else "utf-8"), lines


def open(filename):
    """A source file, to be read as text."""
    return io.open(filename, encoding="utf-8-sig")


def tokenize(readline):
    """The tokens of lines of bytes, its encoding first."""
    encoding, lines = detect_encoding(readline)
    yield TokenInfo(ENCODING, encoding.removesuffix("-sig"), (0, 0), (0, 0), "")
    given = iter(lines)

    def read():
        line = next(given, None)
        return (readline() if line is None else line).decode(encoding)

    yield from generate_tokens(read)


def _lines(readline):
    while True:
        try:
            line = readline()
        except StopIteration:
            return
        if not line:
            return
        yield line


def generate_tokens(readline):
    """The tokens of lines of text."""
    text = "".join(_lines(readline))
    if text and not text.endswith("\n"):
        text += "\n"
    lines, number, start = text.splitlines(keepends=True), 1, 0
    at, depth, indents, is_first = 0, 0, [0], True

    def made(kind, begin, end):
        nonlocal number, start
        first = number, begin - start
        string = text[begin:end]
        breaks = string.count("\n") if kind not in (NEWLINE, NL) else 0
        line = "".join(lines[number - 1 : number + breaks])
        if breaks:
            number, start = number + breaks, begin + string.rindex("\n") + 1
        return TokenInfo(kind, string, first, (number, end - start), line)

    while at < len(text):
        if is_first and not depth:
            width = re.compile(r"[ \t\f]*").match(text, at).end() - at
            if text[at + width] not in "#\r\n":
                is_first = False
                if width > indents[-1]:
                    indents.append(width)
                    yield made(INDENT, at, at + width)
                while width < indents[-1]:
                    indents.pop()
                    if width > indents[-1]:
                        raise IndentationError("unindent does not match any outer indentation level")
                    yield TokenInfo(DEDENT, "", (number, width), (number, width), lines[number - 1])
                at += width
                continue
        found = _WORD.match(text, at)
        kind, end = (found.lastgroup, found.end()) if found else ("operator", at + 1)
        if kind == "long":
            quotes = found.group()[-3:]
            close = re.compile(rf"(?:[^\\]|\\.)*?{quotes}", re.DOTALL).match(text, end)
            if close is None:
                raise TokenError("unterminated triple-quoted string literal", (number, at - start))
            kind, end = "string", close.end()
        if kind == "end":
            yield made(NL if depth or is_first else NEWLINE, at, end)
            number, start, is_first = number + 1, end, is_first or not depth
        elif kind == "join":
            number, start = number + 1, end
        elif kind != "space":
            word = made({"comment": COMMENT, "string": STRING, "number": NUMBER, "name": NAME}.get(kind, OP), at, end)
            if kind == "operator":
                depth += (word.string in "([{") - (word.string in ")]}")
                if not found:
                    word = word._replace(type=ERRORTOKEN)
            yield word
        at = end
    if depth:
        raise TokenError("unexpected EOF in multi-line statement", (number, 0))
    for _ in indents[1:]:
        yield TokenInfo(DEDENT, "", (number, 0), (number, 0), "")
    yield TokenInfo(ENDMARKER, "", (number, 0), (number, 0), "")


def untokenize(iterable):
    """A source of tokens; those that say where they are, are put there."""
    text, row, column, encoding = "", 1, 0, None
    for kind, string, *place in iterable:
        if kind == ENCODING:
            encoding = string
        elif place:
            (line, begin), (row_after, column_after) = place[:2]
            text += "\\\n" * (line - row) if line > row and text and not text.endswith("\n") else ""
            text += " " * (begin - (column if line == row else 0)) + string
            row, column = (row_after + 1, 0) if kind in (NEWLINE, NL) else (row_after, column_after)
        elif kind not in (INDENT, DEDENT, ENDMARKER):
            text += string if kind in (NEWLINE, NL) else string + " "
    return text if encoding is None else text.encode(encoding)
