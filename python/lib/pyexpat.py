"""An XML 1.0 parser that checks well-formedness, with the interface of expat."""

import codecs
import re
import sys

from _expat_content import XML_URI, Content, Fault, illegal
from _expat_prolog import Prolog

_MESSAGES = {
    1: ("NO_MEMORY", "out of memory"), 2: ("SYNTAX", "syntax error"), 3: ("NO_ELEMENTS", "no element found"),
    4: ("INVALID_TOKEN", "not well-formed (invalid token)"), 5: ("UNCLOSED_TOKEN", "unclosed token"),
    6: ("PARTIAL_CHAR", "partial character"), 7: ("TAG_MISMATCH", "mismatched tag"),
    8: ("DUPLICATE_ATTRIBUTE", "duplicate attribute"),
    9: ("JUNK_AFTER_DOC_ELEMENT", "junk after document element"),
    10: ("PARAM_ENTITY_REF", "illegal parameter entity reference"), 11: ("UNDEFINED_ENTITY", "undefined entity"),
    12: ("RECURSIVE_ENTITY_REF", "recursive entity reference"), 13: ("ASYNC_ENTITY", "asynchronous entity"),
    14: ("BAD_CHAR_REF", "reference to invalid character number"),
    15: ("BINARY_ENTITY_REF", "reference to binary entity"),
    16: ("ATTRIBUTE_EXTERNAL_ENTITY_REF", "reference to external entity in attribute"),
    17: ("MISPLACED_XML_PI", "XML or text declaration not at start of entity"),
    18: ("UNKNOWN_ENCODING", "unknown encoding"),
    19: ("INCORRECT_ENCODING", "encoding specified in XML declaration is incorrect"),
    20: ("UNCLOSED_CDATA_SECTION", "unclosed CDATA section"),
    21: ("EXTERNAL_ENTITY_HANDLING", "error in processing external entity reference"),
    22: ("NOT_STANDALONE", "document is not standalone"),
    23: ("UNEXPECTED_STATE", "unexpected parser state - please send a bug report"),
    24: ("ENTITY_DECLARED_IN_PE", "entity declared in parameter entity"),
    25: ("FEATURE_REQUIRES_XML_DTD", "requested feature requires XML_DTD support in Expat"),
    26: ("CANT_CHANGE_FEATURE_ONCE_PARSING", "cannot change setting once parsing has begun"),
    27: ("UNBOUND_PREFIX", "unbound prefix"), 28: ("UNDECLARING_PREFIX", "must not undeclare prefix"),
    29: ("INCOMPLETE_PE", "incomplete markup in parameter entity"), 30: ("XML_DECL", "XML declaration not well-formed"),
    31: ("TEXT_DECL", "text declaration not well-formed"), 32: ("PUBLICID", "illegal character(s) in public id"),
    33: ("SUSPENDED", "parser suspended"), 34: ("NOT_SUSPENDED", "parser not suspended"),
    35: ("ABORTED", "parsing aborted"), 36: ("FINISHED", "parsing finished"),
    37: ("SUSPEND_PE", "cannot suspend in external parameter entity"),
    38: ("RESERVED_PREFIX_XML",
         "reserved prefix (xml) must not be undeclared or bound to another namespace name"),
    39: ("RESERVED_PREFIX_XMLNS", "reserved prefix (xmlns) must not be declared or undeclared"),
    40: ("RESERVED_NAMESPACE_URI", "prefix must not be bound to one of the reserved namespace names"),
    41: ("INVALID_ARGUMENT", "invalid argument"),
    42: ("NO_BUFFER", "a successful prior call to function XML_GetBuffer was required"),
    43: ("AMPLIFICATION_LIMIT_BREACH",
         "limit on input amplification factor (from DTD and entities) breached"),
    44: ("NOT_STARTED", "parser not started"),
}
errors = type(sys)("pyexpat.errors", "Constants used to describe error conditions.")
for _code, (_name, _text) in _MESSAGES.items():
    setattr(errors, "XML_ERROR_" + _name, _text)
errors.codes = {text: code for code, (_, text) in _MESSAGES.items()}
errors.messages = {code: text for code, (_, text) in _MESSAGES.items()}
model = type(sys)("pyexpat.model", "Constants used to interpret content model information.")
for _code, _name in enumerate(("EMPTY", "ANY", "MIXED", "NAME", "CHOICE", "SEQ"), 1):
    setattr(model, "XML_CTYPE_" + _name, _code)
for _code, _name in enumerate(("NONE", "OPT", "REP", "PLUS")):
    setattr(model, "XML_CQUANT_" + _name, _code)
sys.modules["pyexpat.errors"], sys.modules["pyexpat.model"] = errors, model

EXPAT_VERSION = "expat_2.6.3"
version_info = (2, 6, 3)
native_encoding = "UTF-8"
features = [("sizeof(XML_Char)", 1), ("sizeof(XML_LChar)", 1), ("XML_DTD", 0), ("XML_CONTEXT_BYTES", 1024), ("XML_NS", 0)]
XML_PARAM_ENTITY_PARSING_NEVER = 0
XML_PARAM_ENTITY_PARSING_UNLESS_STANDALONE = 1
XML_PARAM_ENTITY_PARSING_ALWAYS = 2
_lines = re.compile("\n|[^\n]+")


class ExpatError(Exception):
    __module__ = "xml.parsers.expat"


error = ExpatError


def ErrorString(code, /):
    return errors.messages.get(code)


class xmlparser(Prolog, Content):
    """One parser; its handlers are attributes."""

    StartElementHandler = EndElementHandler = CharacterDataHandler = ProcessingInstructionHandler = None
    CommentHandler = StartCdataSectionHandler = EndCdataSectionHandler = None
    DefaultHandler = DefaultHandlerExpand = None
    StartNamespaceDeclHandler = EndNamespaceDeclHandler = None
    XmlDeclHandler = StartDoctypeDeclHandler = EndDoctypeDeclHandler = None
    EntityDeclHandler = NotationDeclHandler = UnparsedEntityDeclHandler = ElementDeclHandler = AttlistDeclHandler = None
    ExternalEntityRefHandler = SkippedEntityHandler = NotStandaloneHandler = None
    ordered_attributes = specified_attributes = namespace_prefixes = False
    buffer_size = 8192

    def __init__(self, encoding, separator, intern):
        self.intern = {} if intern is None else intern
        self._encoding, self._separator = encoding, separator
        self._raw, self._decoder, self._held = b"", None, ""
        self._text, self._at, self._event = "", 0, 0
        self._line, self._column, self._marked = 1, 0, 0
        self._fed = self._before = self._grown = 0
        self._stage = self._prolog
        self._bad = self._final = self._done = False
        self._base, self._params = None, 0
        self._entities, self._parameters, self._attlists = {}, {}, {}
        self._loose, self._keep, self._standalone, self._seen_doctype = False, True, False, False
        self._stack, self._inside, self._opened = [], 0, False
        self._known = set()
        self._prefixes, self._expanded = {"xml": XML_URI}, {}
        self._buffering, self._buffer = False, []
        self._error = 0

    # What a caller can ask and set.

    @property
    def buffer_text(self):
        return self._buffering

    @buffer_text.setter
    def buffer_text(self, value):
        self._flush()
        self._buffering = bool(value)

    @property
    def buffer_used(self):
        return sum(map(len, self._buffer))

    def _place(self, at=None):
        """Line and column of a place in the buffer; the count goes on from the last one."""
        at = min(self._event if at is None else at, len(self._text))
        line, column, mark, text = self._line, self._column, self._marked, self._text
        breaks = text.count("\n", mark, at)
        column = at - text.rfind("\n", mark, at) - 1 if breaks else column + at - mark
        return line + breaks, column

    CurrentLineNumber = ErrorLineNumber = property(lambda self: self._place()[0])
    CurrentColumnNumber = ErrorColumnNumber = property(lambda self: self._place()[1])
    CurrentByteIndex = ErrorByteIndex = property(
        lambda self: self._before + len(self._text[:self._event].encode("utf-8", "replace")))
    ErrorCode = property(lambda self: self._error)

    def SetBase(self, base, /):
        self._base = base

    def GetBase(self):
        return self._base

    def GetInputContext(self):
        return self._text[self._event:].encode() or None

    def UseForeignDTD(self, flag=True, /):
        self._loose = bool(flag)

    def SetParamEntityParsing(self, flag, /):
        self._params = flag
        return 1

    def GetReparseDeferralEnabled(self):
        return False

    def SetReparseDeferralEnabled(self, enabled, /):
        """Tokens are always tried at once here, which is allowed."""

    def ExternalEntityParserCreate(self, context, encoding=None, /):
        child = xmlparser(encoding, self._separator, self.intern)
        state = self.__dict__
        for name in ("_base", "_params", "_entities", "_parameters", "_attlists", "_loose", "_prefixes", "_buffering"):
            child.__dict__[name] = state[name]
        child.__dict__.update((name, value) for name, value in state.items() if not name.startswith("_"))
        child._stage = child._external_subset if context is None else child._external_content
        return child

    def ParseFile(self, file, /):
        if not hasattr(file, "read"):
            raise TypeError("argument must have 'read' attribute")
        while True:
            data = file.read(2048)
            if not isinstance(data, (bytes, bytearray)):
                raise TypeError(f"read() did not return a bytes object (type={type(data).__name__})")
            if not data:
                return self.Parse(b"", True)
            self.Parse(data, False)

    def Parse(self, data, isfinal=False, /):
        if self._error or self._done:
            self._fail(Fault(self._error or 36))
        try:
            self._feed(data, bool(isfinal))
            while self._stage():
                pass
        except Fault as fault:
            self._fail(fault)
        except BaseException:
            self._done = True  # a handler failed in the midst of things
            raise
        self._flush()
        if isfinal:
            self._done = True
        return 1

    def _fail(self, fault):
        if fault.at is not None and not self._inside:
            self._event = fault.at
        self._error = fault.code
        line, column = self._place()
        problem = ExpatError(f"{errors.messages[fault.code]}: line {line}, column {column}")
        problem.code, problem.lineno, problem.offset = fault.code, line, column
        raise problem from None

    # From bytes to text with plain line ends.

    def _feed(self, data, final):
        if isinstance(data, str):
            data = data.encode()
            self._encoding = "utf-8"
        elif not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")
        self._final = final
        self._fed += len(data)
        if self._bad:
            return
        if self._decoder is None:
            data = self._raw = self._raw + bytes(data)
            if not final and (len(data) < 4 or data.startswith(b"<?xml") and b"?>" not in data):
                return
            self._choose_decoder()
            data, self._raw = self._raw, b""
        try:
            text = self._decoder.decode(bytes(data), final)
        except UnicodeDecodeError as problem:
            text = problem.object[:problem.start].decode(problem.encoding)
            self._bad = True
        text = self._held + text
        self._held = ""
        if not final and text.endswith("\r"):
            text, self._held = text[:-1], "\r"
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        wrong = illegal.search(text)
        if wrong:
            # Nothing behind such a character counts, whatever token it stands in.
            text, self._bad = text[:wrong.start()], True
        self._line, self._column = self._place(self._at)
        self._before += len(self._text[:self._at].encode("utf-8", "replace"))
        self._text = self._text[self._at:] + text
        self._at = self._event = self._marked = 0

    def _choose_decoder(self):
        data = self._raw
        name = self._encoding
        declared = re.match(rb"<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._\-]+)[\"']", data)
        if name is None:
            if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
                name = "utf-16"
            elif data[:2] in (b"<\0", b"\0<"):
                name = "utf-16-le" if data[0] else "utf-16-be"
            else:
                name = declared.group(1).decode() if declared else "utf-8"
                if name.lower() in ("utf-16", "utf-16le", "utf-16be"):
                    raise Fault(19, 30)
        if data.startswith(b"\xef\xbb\xbf"):
            self._raw = data[3:]
        self._decoder = codecs.getincrementaldecoder(name)()

    # Events.

    def _flush(self):
        if self._buffer:
            text = "".join(self._buffer)
            self._buffer.clear()
            if self.CharacterDataHandler is not None:
                self.CharacterDataHandler(text)

    def _default(self, text):
        handler = self.DefaultHandlerExpand or self.DefaultHandler
        if handler is not None:
            self._flush()
            handler(text)

    def _tell(self, name, raw, *arguments):
        """Call a handler, or the default one with the markup itself."""
        handler = getattr(self, name)
        if handler is None:
            if raw:
                self._default(raw)
            return None
        self._flush()
        return handler(*arguments)

    def _characters(self, text, raw=None):
        if self.CharacterDataHandler is None:
            self._default(raw or text)
        elif self._buffering:
            self._buffer.append(text)
        elif raw or "\n" not in text:
            self.CharacterDataHandler(text)
        else:
            for line in _lines.findall(text):
                self.CharacterDataHandler(line)


def ParserCreate(encoding=None, namespace_separator=None, intern=None):
    if namespace_separator is not None and len(namespace_separator) > 1:
        raise ValueError("namespace_separator must be at most one character, omitted, or None")
    return xmlparser(encoding, namespace_separator, intern)


XMLParserType = xmlparser
