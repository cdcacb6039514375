"""Reading and writing of comma separated values, the part below the csv module."""

import re

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE, QUOTE_STRINGS, QUOTE_NOTNULL = range(6)

_dialects = {}
_limit = 128 * 1024
_OPTIONS = {"delimiter": ",", "doublequote": True, "escapechar": None, "lineterminator": "\r\n", "quotechar": '"',
            "quoting": QUOTE_MINIMAL, "skipinitialspace": False, "strict": False}
# States of the reader between two characters.
(_RECORD, _FIELD, _ESCAPED, _IN_FIELD, _QUOTED, _ESCAPED_QUOTED, _AFTER_QUOTE, _LINE_END,
 _AFTER_ESCAPED_END) = range(9)
_LINE_BREAK = "new-line character seen in unquoted field - do you need to open the file with newline=''?"


class Error(Exception):
    __module__ = "_csv"


def _kind(value):
    return type(value).__name__


def _one_character(name, value, or_none=""):
    if value is None and or_none:
        return None
    if not isinstance(value, str):
        raise TypeError(f'"{name}" must be string{or_none}, not {_kind(value)}')
    if len(value) != 1:
        raise TypeError(f'"{name}" must be a 1-character string')
    return value


class Dialect:
    """The options of one kind of file; they do not change once made."""

    __slots__ = tuple(_OPTIONS)

    def __new__(cls, dialect=None, **options):
        if isinstance(dialect, str):
            dialect = get_dialect(dialect)
        if type(dialect) is Dialect and not options:
            return dialect
        for name in options:
            if name not in _OPTIONS:
                raise TypeError(f"this function got an unexpected keyword argument '{name}'")
        values = {name: getattr(dialect, name, default) for name, default in _OPTIONS.items()}
        values.update(options)
        for name in ("doublequote", "skipinitialspace", "strict"):
            values[name] = bool(values[name])
        delimiter = _one_character("delimiter", values["delimiter"])
        escape = _one_character("escapechar", values["escapechar"], " or None")
        ending, quoting = values["lineterminator"], values["quoting"]
        quote = _one_character("quotechar", values["quotechar"], " or None")
        if ending is not None and not isinstance(ending, str):
            raise TypeError('"lineterminator" must be a string')
        if type(quoting) is not int:
            raise TypeError('"quoting" must be an integer')
        if not QUOTE_MINIMAL <= quoting <= QUOTE_NOTNULL:
            raise TypeError('bad "quoting" value')
        if quote is None and "quoting" not in options and not hasattr(dialect, "quoting"):
            values["quoting"] = quoting = QUOTE_NONE
        if quoting != QUOTE_NONE and quote is None:
            raise TypeError("quotechar must be set if quoting enabled")
        if ending is None:
            raise TypeError("lineterminator must be set")
        marks = (("delimiter", delimiter), ("escapechar", escape), ("quotechar", quote))
        for name, mark in marks:
            if mark and (mark in "\r\n" or mark == " " and values["skipinitialspace"] and name != "delimiter"):
                raise ValueError(f"bad {name} value")
        for one, other in ((0, 1), (0, 2), (1, 2)):
            if marks[one][1] is not None and marks[one][1] == marks[other][1]:
                raise ValueError(f"bad {marks[one][0]} or {marks[other][0]} value")
        for name, mark in marks:
            if mark and mark in ending:
                raise ValueError(f"bad {name} or lineterminator value")
        self = object.__new__(cls)
        for name, value in values.items():
            object.__setattr__(self, name, value)
        return self

    def __setattr__(self, name, value=None):
        if name not in _OPTIONS:
            raise AttributeError(
                f"'_csv.Dialect' object has no attribute '{name}' and no __dict__ for setting new attributes")
        raise AttributeError(f"attribute '{name}' of '_csv.Dialect' objects is not writable")

    __delattr__ = __setattr__

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle '{_kind(self)}' instances")


class _Frozen:
    """An object whose attributes only the module itself sets."""

    __slots__ = ()

    def __setattr__(self, name, value):
        if name in type(self).__slots__:
            raise AttributeError("readonly attribute")
        raise AttributeError(f"'{type(self).__module__}.{_kind(self)}' object has no attribute '{name}'")


class Reader(_Frozen):
    __slots__ = ("dialect", "line_num", "_lines", "_row", "_field", "_state", "_plain", "_simple", "_fields")

    def __new__(cls, *arguments, **options):
        raise TypeError("cannot create '_csv.reader' instances")

    def __iter__(self):
        return self

    def __next__(self):
        put = object.__setattr__
        dialect = self.dialect
        lines = self._lines
        line = next(lines)
        self._count(line)
        # Most lines need no look at each character.
        body = line.rstrip("\r\n")
        if self._simple and "\n" not in body and "\r" not in body and len(body) <= _limit:
            if not body:
                return []
            quote = dialect.quotechar
            if quote is None or quote not in body:
                return body.split(dialect.delimiter)
            row = self._quoted_row(body)
            if row is not None:
                return row
        put(self, "_row", [])
        put(self, "_field", [])
        put(self, "_plain", True)
        put(self, "_state", _RECORD)
        while True:
            self._take(line)
            if self._state == _RECORD:
                return self._row
            try:
                line = next(lines)
            except StopIteration:
                if self._field or self._state == _QUOTED:
                    if dialect.strict:
                        raise Error("unexpected end of data") from None
                    self._save()
                    return self._row
                raise
            self._count(line)

    def _count(self, line):
        if not isinstance(line, str):
            raise Error(f"iterator should return strings, not {_kind(line)} (the file should be opened in text mode)")
        object.__setattr__(self, "line_num", self.line_num + 1)

    def _quoted_row(self, body):
        """The fields of a line where each quoted field is quoted as a whole; else None."""
        row, at, end = [], 0, len(body)
        quote, match = self.dialect.quotechar, self._fields.match
        while True:
            field = match(body, at)
            if not field:
                return None
            quoted, plain = field.groups()
            row.append(plain if quoted is None else quoted.replace(quote + quote, quote))
            at = field.end()
            if at >= end:
                return row
            at += 1

    def _save(self):
        text = "".join(self._field)
        quoting = self.dialect.quoting
        if self._plain and quoting in (QUOTE_NONNUMERIC, QUOTE_STRINGS, QUOTE_NOTNULL):
            if not text and quoting != QUOTE_NONNUMERIC:
                text = None
            elif quoting != QUOTE_NOTNULL and text:
                text = float(text)
        self._row.append(text)
        self._field.clear()
        object.__setattr__(self, "_plain", True)

    def _take(self, line):
        """Run the characters of a line, and its end, through the states."""
        dialect, save, field, state = self.dialect, self._save, self._field, self._state
        delimiter, escape, quote = dialect.delimiter, dialect.escapechar, dialect.quotechar
        if dialect.quoting == QUOTE_NONE:
            quote = None
        limit = _limit
        for character in (*line, ""):  # the empty one stands for the end
            ends = character in ("\n", "\r", "")
            after_end = _LINE_END if character else _RECORD
            if state == _RECORD:
                if not character:
                    break
                state = _LINE_END if ends else _FIELD
                if ends:
                    continue
            if state == _AFTER_ESCAPED_END:
                if not character:
                    break
            if state == _FIELD:
                if ends:
                    save()
                    state = after_end
                    continue
                if character == quote:
                    object.__setattr__(self, "_plain", False)
                    state = _QUOTED
                    continue
                if character == escape:
                    state = _ESCAPED
                    continue
                if character == " " and dialect.skipinitialspace:
                    continue
                if character == delimiter:
                    save()
                    continue
                state = _IN_FIELD
            elif state == _ESCAPED:
                state = _AFTER_ESCAPED_END if character in ("\n", "\r") else _IN_FIELD
                character = character or "\n"
            elif state in (_IN_FIELD, _AFTER_ESCAPED_END):
                if ends:
                    save()
                    state = after_end
                    continue
                if character == escape:
                    state = _ESCAPED
                    continue
                if character == delimiter:
                    save()
                    state = _FIELD
                    continue
            elif state == _QUOTED:
                if not character:
                    break
                if character == escape:
                    state = _ESCAPED_QUOTED
                    continue
                if character == quote:
                    state = _AFTER_QUOTE if dialect.doublequote else _IN_FIELD
                    continue
            elif state == _ESCAPED_QUOTED:
                state = _QUOTED
                character = character or "\n"
            elif state == _AFTER_QUOTE:
                if character == quote:
                    state = _QUOTED
                elif character == delimiter:
                    save()
                    state = _FIELD
                    continue
                elif ends:
                    save()
                    state = after_end
                    continue
                elif dialect.strict:
                    raise Error(f"'{delimiter}' expected after '{quote}'")
                else:
                    state = _IN_FIELD
            else:
                if not character:
                    state = _RECORD
                elif not ends:
                    raise Error(_LINE_BREAK)
                continue
            if len(field) >= limit:
                raise Error(f"field larger than field limit ({limit})")
            field.append(character)
        object.__setattr__(self, "_state", state)


class Writer(_Frozen):
    __slots__ = ("dialect", "_write", "_special")

    def __new__(cls, *arguments, **options):
        raise TypeError("cannot create '_csv.writer' instances")

    def writerow(self, row, /):
        try:
            row = iter(row)
        except TypeError:
            raise Error(f"iterable expected, not {_kind(row)}") from None
        quoting, search = self.dialect.quoting, self._special.search
        out = []
        value = None
        for value in row:
            if isinstance(value, str):
                text = value
            else:
                text = "" if value is None else str(value)
            if quoting == QUOTE_MINIMAL and text and not search(text):
                out.append(text)
            else:
                out.append(self._field(value, text))
        if len(out) == 1 and not out[0]:
            if quoting == QUOTE_NONE or value is None and quoting in (QUOTE_STRINGS, QUOTE_NOTNULL):
                raise Error("single empty field record must be quoted")
            out[0] = self.dialect.quotechar * 2
        return self._write(self.dialect.delimiter.join(out) + self.dialect.lineterminator)

    def writerows(self, rows, /):
        for row in rows:
            self.writerow(row)

    def _field(self, value, text):
        """A field's text as written: quoted or escaped where that is needed."""
        dialect = self.dialect
        quoting, quote, escape = dialect.quoting, dialect.quotechar, dialect.escapechar
        quoted = (quoting == QUOTE_ALL or quoting == QUOTE_NONNUMERIC and not isinstance(value, (int, float, complex))
                  and not hasattr(value, "__float__") and not hasattr(value, "__index__")
                  or quoting == QUOTE_STRINGS and isinstance(value, str) or quoting == QUOTE_NOTNULL and value is not None)
        if not text and dialect.delimiter == " " and dialect.skipinitialspace:
            if quoting == QUOTE_NONE or value is None and quoting in (QUOTE_STRINGS, QUOTE_NOTNULL):
                raise Error("empty field must be quoted if delimiter is a space and skipinitialspace is true")
            quoted = True
        if self._special.search(text):
            pieces = []
            for character in text:
                if self._special.match(character):
                    if quoting == QUOTE_NONE or character == escape or character == quote and not dialect.doublequote:
                        if escape is None:
                            raise Error("need to escape, but no escapechar set")
                        pieces.append(escape)
                    else:
                        quoted = True
                        if character == quote:
                            pieces.append(quote)
                pieces.append(character)
            text = "".join(pieces)
        return f"{quote}{text}{quote}" if quoted else text


def reader(*arguments, **options):
    """Rows of fields from an iterable of lines: reader(lines, dialect="excel", **options)."""
    lines, dialect = _arguments(arguments, options)
    self = object.__new__(Reader)
    put = object.__setattr__
    put(self, "_lines", iter(lines))
    put(self, "dialect", dialect)
    put(self, "line_num", 0)
    simple = (dialect.escapechar is None and not dialect.skipinitialspace and dialect.doublequote
              and dialect.quoting in (QUOTE_MINIMAL, QUOTE_ALL))
    put(self, "_simple", simple)
    if simple:
        quote, delimiter = re.escape(dialect.quotechar), re.escape(dialect.delimiter)
        put(self, "_fields", re.compile(
            f"(?:{quote}([^{quote}]*(?:{quote}{quote}[^{quote}]*)*){quote}|([^{quote}{delimiter}][^{delimiter}]*|))"
            f"(?={delimiter}|\\Z)"))
    return self


def writer(*arguments, **options):
    """A writer of rows to a file: writer(file, dialect="excel", **options)."""
    file, dialect = _arguments(arguments, options)
    write = getattr(file, "write", None)
    if not callable(write):
        raise TypeError('argument 1 must have a "write" method')
    self = object.__new__(Writer)
    special = "".join({dialect.delimiter, dialect.escapechar or "", dialect.quotechar or "", "\r", "\n",
                       *dialect.lineterminator})
    for name, value in (("dialect", dialect), ("_write", write), ("_special", re.compile(f"[{re.escape(special)}]"))):
        object.__setattr__(self, name, value)
    return self


def _arguments(arguments, options):
    if not arguments:
        raise TypeError(" expected at least 1 argument, got 0")
    if len(arguments) > 2:
        raise TypeError(f" expected at most 2 arguments, got {len(arguments)}")
    dialect = options.pop("dialect", None) if len(arguments) == 1 else arguments[1]
    return arguments[0], Dialect(dialect, **options)


Reader.__name__ = Reader.__qualname__ = "reader"
Writer.__name__ = Writer.__qualname__ = "writer"


def register_dialect(*arguments, **options):
    if arguments and not isinstance(arguments[0], str):
        raise TypeError("dialect name must be a string")
    name, dialect = _arguments(arguments, options)
    _dialects[name] = dialect


def unregister_dialect(name):
    if _dialects.pop(name, None) is None:
        raise Error("unknown dialect")


def get_dialect(name):
    try:
        return _dialects[name]
    except KeyError:
        raise Error("unknown dialect") from None


def list_dialects():
    return list(_dialects)


def field_size_limit(*limit):
    """The longest field a reader takes; with an argument, set it."""
    global _limit
    before = _limit
    if limit:
        if type(limit[0]) is not int:
            raise TypeError("limit must be an integer")
        _limit = limit[0]
    return before
