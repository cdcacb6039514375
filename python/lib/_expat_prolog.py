"""What an XML parser does before and after the root element: declarations, the DTD."""

import re

from _expat_content import NAME, PREDEFINED, Entity, Fault, char_reference, name_pattern, reference, space

_word = re.compile(f"(?:{NAME}|[-.0-9])*")
_literal = "(?:\"[^\"]*\"|'[^']*')"
_xml_decl = re.compile(
    "<\\?xml(?:[ \t\n]+version[ \t\n]*=[ \t\n]*([\"'])([a-zA-Z0-9_.\\-]*)\\1)?"
    "(?:[ \t\n]+encoding[ \t\n]*=[ \t\n]*([\"'])([A-Za-z][A-Za-z0-9._\\-]*)\\3)?"
    "(?:[ \t\n]+standalone[ \t\n]*=[ \t\n]*([\"'])(yes|no)\\5)?[ \t\n]*\\?>")
_external = f"(?:SYSTEM[ \t\n]+({_literal})|PUBLIC[ \t\n]+({_literal})[ \t\n]+({_literal}))"
_doctype = re.compile(f"<!DOCTYPE[ \t\n]+({NAME})(?:[ \t\n]+{_external})?[ \t\n]*([\\[>])")
_entity = re.compile(f"<!ENTITY[ \t\n]+(%[ \t\n]+)?({NAME})[ \t\n]+(?:({_literal})|{_external}"
                     f"(?:[ \t\n]+NDATA[ \t\n]+({NAME}))?)[ \t\n]*>")
_notation = re.compile(f"<!NOTATION[ \t\n]+({NAME})[ \t\n]+(?:{_external}|PUBLIC[ \t\n]+({_literal}))[ \t\n]*>")
_element = re.compile(f"<!ELEMENT[ \t\n]+({NAME})[ \t\n]+(EMPTY|ANY|\\([^<>\"']*?)[ \t\n]*>")
_attlist = re.compile(f"<!ATTLIST[ \t\n]+({NAME})((?:[^>\"']|{_literal})*)>")
_type = "(?:CDATA|ID(?:REFS?)?|ENTIT(?:Y|IES)|NMTOKENS?|NOTATION[ \t\n]+\\([^()&]*\\))|\\([^()&]*\\)"
_attdef = re.compile(f"[ \t\n]+({NAME})[ \t\n]+({_type})[ \t\n]+"
                     f"(?:(#REQUIRED|#IMPLIED)|(#FIXED[ \t\n]+)?({_literal}))")
_dtd_part = re.compile(f"[ \t\n]+|%({NAME});|<!--.*?-->|<\\?.*?\\?>|<![A-Z]+(?:[^<>\"']|{_literal})*>|\\]", re.S)
_token = re.compile(f"[ \t\n]+|{_literal}|<![A-Z]+|[()|,]|[^ \t\n\"'()|,>\\[]+|.", re.S)
_content_part = re.compile(f"[ \t\n]*({NAME}|#PCDATA|[()|,])([?*+]?)")
_DECLARATIONS = ((_entity, "_declare_entity"), (_attlist, "_declare_attributes"), (_element, "_declare_element"),
                 (_notation, "_declare_notation"))
_EMPTY, _ANY, _MIXED, _ONE, _CHOICE, _SEQ = range(1, 7)


def _inner(literal):
    return literal and literal[1:-1]


class Prolog:
    """The half of the parser that reads all but the root element."""

    # Before and after the root element.

    def _short(self, at, code=5):
        """A token that starts at `at` lacks its end: wait, or fail."""
        if self._bad:
            raise Fault(4, len(self._text))
        if self._final:
            raise Fault(code, at)
        self._at = at
        return False

    def _prolog(self):
        text = self._text
        self._event = 0
        if text.startswith("<?xml") and text[5:6] in (" ", "\t", "\n"):
            end = text.find("?>")
            if end < 0:
                return self._short(0)
            match = _xml_decl.match(text)
            if not match or match.group(2) is None:
                raise Fault(30, self._xml_decl_fault(text, end))
            version, encoding, alone = match.group(2, 4, 6)
            self._standalone = alone == "yes"
            self._tell("XmlDeclHandler", match.group(), version, encoding, -1 if alone is None else int(alone == "yes"))
            self._at = match.end()
        elif len(text) < 6 and "<?xml ".startswith(text) and not self._final and not self._bad:
            return False
        self._stage = self._before_root
        return True

    @staticmethod
    def _xml_decl_fault(text, end):
        """Where the declaration stops to be one: at the first name that does not fit."""
        at = 5
        for name in ("version", "encoding", "standalone"):
            pattern = f"[ \t\n]+{name}(?:[ \t\n]*(?:=[ \t\n]*(?:[\"'][A-Za-z0-9._\\-]*([\"'])?)?)?)?"
            match = re.compile(pattern).match(text, at, end)
            if match:
                at = match.end()
            if not match and name == "version" or match and not match.group(1):
                break
        return space.match(text, at).end()

    def _before_root(self):
        return self._around(2)

    def _epilog(self):
        return self._around(9)

    def _around(self, code):
        text, at = self._text, self._at
        while True:
            gap = space.match(text, at).end()
            self._event = at
            if gap > at:
                self._default(text[at:gap])
            self._at = self._event = at = gap
            if at == len(text):
                if self._bad:
                    raise Fault(4, at)
                if self._final and code == 2:
                    raise Fault(3, at)
                return False
            rest = text[at:at + 9]
            if rest.startswith(("<!--", "<?")):
                end = self._misc(text, at)
            elif rest == "<!DOCTYPE" and code == 2 and not self._seen_doctype:
                end = self._read_doctype(text, at)
            elif rest in ("<", "<!", "<!-") or len(rest) < 9 and "<!DOCTYPE".startswith(rest):
                return self._short(at)
            elif name_pattern.match(text, at + 1) and rest[0] == "<":
                if code == 9:
                    raise Fault(9, at)
                self._stage = self._inside_root
                return True
            elif rest[0] == "<":
                odd = re.compile("<!-|<!?[A-Za-z]*").match(text, at).end()
                if odd == len(text):
                    return self._short(at)
                raise Fault(4, odd) if text[odd] not in " \t\n" or text[odd - 1] in "<!-" else Fault(code, at)
            else:
                odd = _word.match(text, at).end()
                if odd < len(text) and text[odd] not in " \t\n>),|[%?*+" and (odd > at or rest[0] not in "](\"'"):
                    raise Fault(4, odd)
                raise Fault(code, at)
            if end is None:
                return self._short(at)
            at = end

    def _misc(self, text, at):
        """A comment or a processing instruction; answers its end, None if that is not there yet."""
        if text.startswith("<!--", at):
            dashes = text.find("--", at + 4)
            if dashes < 0 or dashes + 2 >= len(text):
                return None
            if text[dashes + 2] != ">":
                raise Fault(4, dashes + 2)
            self._tell("CommentHandler", text[at:dashes + 3], text[at + 4:dashes])
            return dashes + 3
        match = name_pattern.match(text, at + 2)
        if not match:
            if at + 2 < len(text):
                raise Fault(4, at + 2)
            return None
        target, end = match.group(), match.end()
        if end == len(text):
            return None
        close = text.find("?>", end)
        gap = space.match(text, end).end()
        if gap == end and close != end:
            if text[end] == "?" and end + 1 == len(text):
                return None
            raise Fault(4, end + (text[end] == "?"))
        if close < 0:
            return None
        if target.lower() == "xml":
            raise Fault(17, at) if target == "xml" else Fault(4, end)
        self._tell("ProcessingInstructionHandler", text[at:close + 2], target, text[gap:close])
        return close + 2

    # The document type declaration.

    def _read_doctype(self, text, at):
        """Handle the whole declaration; answers its end, None if that is not there yet."""
        head = _doctype.match(text, at)
        if not head:
            if not re.compile(f"<!DOCTYPE(?:[^>\\[\"']|{_literal})*[>\\[]").match(text, at):
                if self._final and not self._bad:
                    raise Fault(3, len(text))
                return None
            fine = re.compile(f"<!DOCTYPE(?:[ \t\n]+(?:{NAME}(?:[ \t\n]+(?:{_external})?)?)?)?[ \t\n]*").match(text, at)
            raise Fault(2, fine.end())
        name, system, public, other, bracket = head.groups()
        system, public = _inner(system or other), self._public(public)
        parts, end = [], head.end()
        if bracket == "[":
            parts, end = self._dtd_parts(text, end)
            if parts is None:
                self._short(end)  # what is missing is missing there
                return None
            close = space.match(text, end).end()
            if close == len(text):
                return None
            if text[close] != ">":
                raise Fault(2, close)
            tail, end = text[end - 1:close], close + 1
        else:
            tail = ""
        self._seen_doctype = True
        self._loose = self._loose or system is not None
        if system:
            self._ask_standalone()
        if self.StartDoctypeDeclHandler is None:
            self._tokens(head.group()[:None if bracket == "[" else -1])
        self._tell("StartDoctypeDeclHandler", "", name, system, public, int(bracket == "["))
        self._declare(parts)
        if self._loose and self._params and self.ExternalEntityRefHandler is not None and not self._standalone:
            if not self._tell("ExternalEntityRefHandler", "", None, self._base, system, public):
                raise Fault(21)
        if self.StartDoctypeDeclHandler is None:
            self._tokens(tail)
        self._tell("EndDoctypeDeclHandler", "" if self.StartDoctypeDeclHandler and not tail else ">")
        return end

    def _ask_standalone(self):
        """Declarations elsewhere may change the document: the caller can refuse that."""
        if not self._standalone and self.NotStandaloneHandler is not None and not self._tell("NotStandaloneHandler", ""):
            raise Fault(22)

    @staticmethod
    def _public(literal):
        text = literal and " ".join(literal[1:-1].split())
        if text and re.search("[^- \\na-zA-Z0-9'()+,./:=?;!*#@$_%]", text):
            raise Fault(32)
        return text

    def _external_subset(self):
        """The stage of a parser for the external part of a document type."""
        if self._final:
            parts, _ = self._dtd_parts(self._text + "]", 0)
            self._declare(parts or ())
        return False

    def _external_content(self):
        """The stage of a parser for an external entity: content without a root."""
        if self._at == 0 and self._text.startswith("<?xml"):
            match = _xml_decl.match(self._text)
            self._at = match.end() if match else 0
        self._opened = True
        if not self._stack:
            self._stack.append(None)  # what is open outside
        self._at = self._content(self._text, self._at, self._final and not self._bad, 1)
        if self._bad or self._final and len(self._stack) > 1:
            raise Fault(4 if self._bad else 13, len(self._text))
        return False

    @staticmethod
    def _dtd_parts(text, at):
        """The pieces up to the closing bracket as (place, match), and where that ends."""
        parts = []
        while at < len(text):
            match = _dtd_part.match(text, at)
            if not match:
                if text[at] in "<%":
                    return None, at
                raise Fault(2 if name_pattern.match(text, at) or text[at] in "[(\"'" else 4, at)
            at = match.end()
            if match.group() == "]":
                return parts, at
            parts.append((match.start(), match))
        return None, at

    def _tokens(self, text):
        if self.DefaultHandlerExpand or self.DefaultHandler:
            for token in _token.findall(text):
                self._default(token)

    def _declare(self, parts):
        for place, match in parts:
            if not self._inside:
                self._event = place
            part = match.group()
            if match.group(1):
                self._parameter_reference(match.group(1), part)
            elif part.startswith(("<!--", "<?")):
                self._misc(part, 0)
            elif part[0] != "<":
                self._default(part)
            else:
                for pattern, action in _DECLARATIONS:
                    declaration = pattern.fullmatch(part)
                    if declaration:
                        getattr(self, action)(declaration)
                        break
                else:
                    raise Fault(2)

    def _parameter_reference(self, name, raw):
        self._loose = True
        self._ask_standalone()
        entity = self._parameters.get(name)
        if entity and entity.value is not None and self._params:
            if entity.open:
                raise Fault(12)
            self._grow(len(entity.value))
            entity.open = True
            self._inside += 1
            inner, _ = self._dtd_parts(entity.value + "]", 0)
            self._declare(inner)
            self._inside -= 1
            entity.open = False
            return
        self._keep = self._standalone
        if entity is None and self._params:
            self._tell("SkippedEntityHandler", raw, name, True)
        else:
            self._default(raw)

    def _declare_entity(self, match):
        percent, name, literal, system, public, other, notation = match.groups()
        value = literal and self._entity_value(literal[1:-1])
        system, public = _inner(system or other), self._public(public)
        known = self._parameters if percent else self._entities
        if not self._keep or name in known or not percent and name in PREDEFINED:
            self._tokens(match.group())
            return
        known[name] = Entity(value, system, public, notation)
        if notation and self.UnparsedEntityDeclHandler is not None:
            self._tell("UnparsedEntityDeclHandler", "", name, self._base, system, public, notation)
        elif self.EntityDeclHandler is None:
            self._tokens(match.group())
        else:
            self._tell("EntityDeclHandler", "", name, int(bool(percent)), value, self._base, system, public, notation)

    @staticmethod
    def _entity_value(text):
        """An entity's text as declared: character references are replaced at once, others stay."""
        if re.search(f"%{NAME};", text):
            raise Fault(10)
        if "%" in text or re.search(f"&(?!#[0-9]+;|#x[0-9a-fA-F]+;|{NAME};)", text):
            raise Fault(4)
        return reference.sub(lambda match: match.group() if match.group(3) else char_reference(match), text)

    def _declare_notation(self, match):
        name, system, public, other, alone = match.groups()
        self._tell("NotationDeclHandler", match.group(), name, self._base, _inner(system or other),
                   self._public(public or alone))

    def _declare_element(self, match):
        name, content = match.groups()
        if content in ("EMPTY", "ANY"):
            tree = (_EMPTY if content == "EMPTY" else _ANY, 0, None, ())
        else:
            parts = [piece.groups() for piece in _content_part.finditer(content)]
            if "".join(token + mark for token, mark in parts) != "".join(content.split()):
                raise Fault(2)
            tree = self._model(iter(parts[1:]))
        self._tell("ElementDeclHandler", match.group(), name, tree)

    def _model(self, parts):
        """One parenthesis of a content model as (type, quantifier, name, children)."""
        children, kind = [], _SEQ
        for token, mark in parts:
            quantifier = "?*+".find(mark) + 1 if mark else 0
            if token == "(":
                children.append(self._model(parts))
            elif token == "#PCDATA":
                kind = _MIXED
            elif token == "|":
                kind = kind if kind == _MIXED else _CHOICE
            elif token == ")":
                if kind == _MIXED and children and mark != "*":
                    raise Fault(2)
                return kind, quantifier, None, tuple(children)
            elif token != ",":
                children.append((_ONE, quantifier, token, ()))
        raise Fault(2)

    def _declare_attributes(self, match):
        element, rest = match.groups()
        at = 0
        known = self._attlists.setdefault(element, {}) if self._keep else {}
        while not space.fullmatch(rest, at):
            piece = _attdef.match(rest, at)
            if not piece:
                raise Fault(2)
            at = piece.end()
            name, kind, word, fixed, literal = piece.groups()
            kind = "".join(kind.split())
            value = literal and self._value(literal[1:-1])
            if value and kind != "CDATA":
                value = re.sub(" +", " ", value).strip(" ")
            if name not in known:
                known[name] = kind, value
            if self.AttlistDeclHandler is not None and self._keep:
                self._tell("AttlistDeclHandler", "", element, name, kind, value, int(bool(fixed) or word == "#REQUIRED"))
        if self.AttlistDeclHandler is None:
            self._tokens(match.group())
