"""What an XML parser does with the content of elements."""

import re

# Entities may blow the text up to this size freely, and above it to this many times the input.
_FREE_SIZE, _FACTOR = 1 << 20, 100

_START = (":A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef"
          "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff")
NAME = f"[{_START}][{_START}\\-.0-9\xb7\u0300-\u036f\u203f\u2040]*"
_LOOSE = "[^ \t\n<>/=\"'&!?]+"  # what can be a name is checked once for each name seen
name_pattern = re.compile(NAME)
_tag = re.compile(f"<({_LOOSE})((?:[ \t\n]+{_LOOSE}[ \t\n]*=[ \t\n]*(?:\"[^<\"]*\"|'[^<']*'))*)[ \t\n]*(/?)>")
_attribute = re.compile(f"({_LOOSE})[ \t\n]*=[ \t\n]*(?:\"([^\"]*)\"|'([^']*)')")
_end_tag = re.compile(f"</({_LOOSE})[ \t\n]*>")
reference = re.compile(f"&(?:#([0-9]+)|#x([0-9a-fA-F]+)|({NAME}));")
_letters = re.compile("[^<&]+")
space = re.compile("[ \t\n]*")
PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
XML_URI, _XMLNS_URI = "http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"
_URI_MARKS = "%-._~:/?#[]@!$&'()*+,;="
illegal = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


class Fault(Exception):
    """An error code, and where in the buffer it belongs (None: at the current event)."""

    def __init__(self, code, at=None):
        self.code, self.at = code, at


class Entity:
    def __init__(self, value, system=None, public=None, notation=None):
        self.value, self.system, self.public, self.notation = value, system, public, notation
        self.open = False


def _offence(text, at):
    """Where the tag that starts at `at` goes wrong; None if it only lacks its end."""
    closing = text.startswith("</", at)
    at += 1 + closing
    after_name = True  # in the tag's name, else in an attribute's
    while True:
        match = name_pattern.match(text, at)
        if not match:
            return at if at < len(text) else None
        at = match.end()
        gap = space.match(text, at).end()
        while True:
            if gap >= len(text):
                return None
            if after_name:
                if text[gap] == "/" and not closing:
                    return gap + 1 if gap + 1 < len(text) else None
                if closing or gap == at:
                    return gap
                at = gap
                break
            if text[gap] != "=":
                return gap
            gap = space.match(text, gap + 1).end()
            if gap >= len(text):
                return None
            quote = text[gap]
            if quote not in "\"'":
                return gap
            end = text.find(quote, gap + 1)
            bad = text.find("<", gap + 1, end if end >= 0 else len(text))
            if bad >= 0:
                return bad
            if end < 0:
                return None
            at = end + 1
            gap = space.match(text, at).end()
            after_name = True
        after_name = False


def char_reference(match, where=None):
    decimal, hexadecimal = match.group(1), match.group(2)
    number = int(decimal) if decimal else int(hexadecimal, 16)
    if number > 0x10FFFF or illegal.match(chr(number)):
        raise Fault(14, where)
    return chr(number)


class Content:
    """The half of the parser that reads elements, text and references."""

    # The root element and all within.

    def _inside_root(self):
        self._at = self._content(self._text, self._at, self._final and not self._bad, 0)
        if self._opened and not self._stack:
            self._stage = self._epilog
            return True
        if self._bad or self._final:
            raise Fault(4 if self._bad else 3, len(self._text))
        return False

    def _content(self, text, at, whole, base):
        """Handle content from `at` on; answer where what is not complete starts."""
        end, stack, outer = len(text), self._stack, not self._inside
        while at < end and (stack or not self._opened):
            if outer:
                self._event = at
            first = text[at]
            if first == "<":
                match = _tag.match(text, at)
                if match:
                    at = self._start_tag(match, at)
                    continue
                match = _end_tag.match(text, at)
                if match:
                    self._end_tag(match, at, base)
                    at = match.end()
                    continue
                after = text[at + 1:at + 9]
                if after.startswith(("!--", "?")):
                    stop = self._misc(text, at)
                elif after == "![CDATA[":
                    stop = text.find("]]>", at)
                    if stop >= 0:
                        self._cdata(text[at + 9:stop])
                        stop += 3
                    elif whole:
                        raise Fault(20, end)
                    else:
                        stop = None
                elif "![CDATA[".startswith(after) or after == "!-":
                    stop = None
                elif after[0] == "!":
                    wrong = 3 if after[1] == "-" else 1
                    while after.startswith("![CDATA["[:wrong]):
                        wrong += 1
                    raise Fault(4, at + wrong)
                else:
                    stop = self._odd_tag(text, at)
            elif first == "&":
                match = reference.match(text, at)
                if match:
                    self._refer(match)
                    stop = match.end()
                else:
                    stop = self._odd_reference(text, at)
            else:
                stop = _letters.match(text, at).end()
                bad = text.find("]]>", at, stop)
                if bad >= 0:
                    raise Fault(4, bad + 2)
                if stop == end and not whole and text[stop - 1] == "]":
                    stop -= 2 if text.endswith("]]", at) else 1
                    if stop == at:
                        return at
                    end = stop
                self._characters(text[at:stop])
            if stop is None:
                if whole:
                    raise Fault(5, at)
                return at
            at = stop
        return at

    def _odd_tag(self, text, at):
        bad = _offence(text, at)
        if bad is not None:
            raise Fault(4, bad)

    def _odd_reference(self, text, at):
        """Fail where the reference at `at` goes wrong, unless it only ends too early."""
        match = re.compile(f"&(?:#(?:x[0-9a-fA-F]*|[0-9]*)|{NAME})?").match(text, at)
        if match.end() < len(text):
            raise Fault(4, match.end())

    def _cdata(self, text):
        self._tell("StartCdataSectionHandler", "<![CDATA[")
        if text:
            self._characters(text)
        self._tell("EndCdataSectionHandler", "]]>")

    def _check_name(self, name, at):
        match = name_pattern.match(name)
        end = match.end() if match else 0
        if self._separator is not None and end:
            # One colon at most, and a name on both sides of it.
            prefix, colon, local = name[:end].partition(":")
            if colon:
                local = name_pattern.match(local.partition(":")[0])
                end = len(prefix) and len(prefix) + 1 + (local.end() if local else 0)
                if not local:
                    raise Fault(4, at + end)
        if end < len(name):
            raise Fault(4, at + end)
        self._known.add(name)

    def _start_tag(self, match, at):
        name, inside, empty = match.groups()
        if name not in self._known:
            self._check_name(name, at + 1)
        attributes = []
        if inside:
            seen = set()
            for piece in _attribute.finditer(match.string, *match.span(2)):
                key, value, other = piece.groups()
                if value is None:
                    value = other
                if key not in self._known:
                    self._check_name(key, piece.start())
                if key in seen:
                    raise Fault(8, piece.start())
                seen.add(key)
                if "&" in value or "\n" in value or "\t" in value:
                    value = self._value(value, piece.start(2 if other is None else 3))
                attributes.append((key, value))
        if name in self._attlists:
            attributes = self._with_defaults(name, attributes)
        scope = None
        if self._separator is not None:
            before = self._prefixes
            name, attributes = self._resolve(name, attributes)
            if before is not self._prefixes:
                scope = before
        self._opened = True
        start, finish = self.StartElementHandler, self.EndElementHandler
        if start is not None:
            self._flush()
            if self.ordered_attributes:
                start(name, [part for pair in attributes for part in pair])
            else:
                start(name, dict(attributes))
        elif not (empty and finish is not None):
            self._default(match.group())
        if empty:
            if finish is not None:
                self._flush()
                if start is not None and not self._inside:
                    self._event = match.end()
                finish(name)
            if scope is not None:
                self._leave(scope)
        else:
            self._stack.append((match.group(1), name, scope))
        return match.end()

    def _end_tag(self, match, at, base):
        if len(self._stack) <= base:
            raise Fault(13, at) if base else Fault(4, at)
        raw, name, scope = self._stack[-1]
        if match.group(1) != raw:
            found = match.group(1)
            if found not in self._known:
                self._check_name(found, at + 2)
            raise Fault(7, at + 2)
        self._stack.pop()
        self._tell("EndElementHandler", match.group(), name)
        if scope is not None:
            self._leave(scope)

    # Namespaces.

    def _leave(self, scope):
        """Forget the prefixes of the element that ended."""
        if self.EndNamespaceDeclHandler is not None:
            for prefix in reversed(self._prefixes[None]):
                self._tell("EndNamespaceDeclHandler", "", prefix)
        self._prefixes, self._expanded = scope, {}

    def _resolve(self, name, attributes):
        declared = [(key[6:], value) for key, value in attributes if key[:5] == "xmlns" and key[5:6] in ("", ":")]
        if declared:
            self._prefixes = dict(self._prefixes)
            self._expanded = {}
            self._prefixes[None] = [prefix or None for prefix, _ in declared]
            for prefix, uri in declared:
                if prefix == "xmlns":
                    raise Fault(39)
                if prefix and not uri and prefix != "xml":
                    raise Fault(28)
                if (prefix == "xml") != (uri == XML_URI):
                    raise Fault(38 if prefix == "xml" else 40)
                if uri == _XMLNS_URI:
                    raise Fault(40)
                if self._separator and self._separator in uri and self._separator not in _URI_MARKS:
                    raise Fault(2)  # the expanded names would be ambiguous
                self._prefixes[prefix] = uri
                self._tell("StartNamespaceDeclHandler", "", prefix or None, uri or None)
            attributes = [pair for pair in attributes if pair[0][:5] != "xmlns" or pair[0][5:6] not in ("", ":")]
        expanded = self._expanded
        if attributes:
            attributes = [(expanded.get((key,)) or self._expand(key, True), value) if ":" in key else (key, value)
                          for key, value in attributes]
            if len(dict(attributes)) < len(attributes):
                raise Fault(8)
        return expanded.get(name) or self._expand(name, False), attributes

    def _expand(self, name, attribute):
        """The name with its namespace before it."""
        prefix, colon, local = name.rpartition(":")
        uri = self._prefixes.get(prefix)
        if colon and (uri is None or ":" in prefix):
            raise Fault(27 if ":" not in prefix else 4)
        result = name
        if uri:
            result = uri + self._separator + local
            if self.namespace_prefixes and prefix and self._separator:
                result += self._separator + prefix
        self._expanded[(name,) if attribute else name] = result
        return result

    # Entities.

    def _grow(self, size):
        self._grown += size
        if self._grown > _FREE_SIZE and self._grown > _FACTOR * self._fed:
            raise Fault(43)

    def _refer(self, match):
        name = match.group(3)
        if name is None or name in PREDEFINED:
            self._characters(PREDEFINED[name] if name else char_reference(match), match.group())
            return
        entity = self._entities.get(name)
        if entity is None:
            if not self._loose or self._standalone:
                raise Fault(11)
            self._tell("SkippedEntityHandler", match.group(), name, False)
        elif entity.open:
            raise Fault(12)
        elif entity.notation:
            raise Fault(15)
        elif entity.value is None:
            if self.ExternalEntityRefHandler is None:
                self._default(match.group())
            elif not self._tell("ExternalEntityRefHandler", "", name, self._base, entity.system, entity.public):
                raise Fault(21)
        elif self.DefaultHandler is not None and self.DefaultHandlerExpand is None:
            self._tell("SkippedEntityHandler", match.group(), name, False)
        else:
            self._grow(len(entity.value) + len(name) + 2)
            depth = len(self._stack)
            entity.open = True
            self._inside += 1
            self._content(entity.value, 0, True, depth)
            self._inside -= 1
            entity.open = False
            if len(self._stack) != depth:
                raise Fault(13)

    def _value(self, raw, at=None):
        """An attribute's value with references replaced and white space plain."""
        raw = raw.replace("\n", " ").replace("\t", " ")
        pieces, done = [], 0
        while True:
            ampersand = raw.find("&", done)
            if ampersand < 0:
                return "".join(pieces) + raw[done:]
            pieces.append(raw[done:ampersand])
            where = None if at is None else at + ampersand
            match = reference.match(raw, ampersand)
            if not match:
                partial = re.compile(f"&(?:#(?:x[0-9a-fA-F]*|[0-9]*)|{NAME})?").match(raw, ampersand)
                raise Fault(4, where and where + partial.end() - ampersand)
            done = match.end()
            pieces.append(self._value_of(match, where))

    def _value_of(self, match, where):
        name = match.group(3)
        if name is None:
            return char_reference(match, where)
        if name in PREDEFINED:
            return PREDEFINED[name]
        entity = self._entities.get(name)
        if entity is None:
            if self._loose and not self._standalone:
                return ""
            raise Fault(11)
        if entity.open:
            raise Fault(12)
        if entity.value is None:
            raise Fault(15 if entity.notation else 16, where)
        self._grow(len(entity.value) + len(name) + 2)
        if "<" in entity.value:
            raise Fault(4)
        entity.open = True
        value = self._value(entity.value)
        entity.open = False
        return value

    def _with_defaults(self, name, attributes):
        """Attributes as the DTD has them: defaults added, white space of tokens collapsed."""
        declared = self._attlists[name]
        attributes = [(key, value if declared.get(key, ("CDATA",))[0] == "CDATA" else re.sub(" +", " ", value).strip(" "))
                      for key, value in attributes]
        if not self.specified_attributes:
            given = {key for key, _ in attributes}
            attributes += [(key, default) for key, (_, default) in declared.items()
                           if default is not None and key not in given]
        return attributes
