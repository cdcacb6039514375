"""The answer to a request, and headers that do not mind how their names are written."""

import datetime
import json as _json
import re

from .exceptions import HTTPError, JSONDecodeError


class CaseInsensitiveDict(dict):
    """A dict of headers: names keep their writing, but are found in any."""

    def __init__(self, data=None, **more):
        super().__init__()
        self._names = {}
        self.update(data or {}, **more)

    def __setitem__(self, name, value):
        old = self._names.get(name.lower())
        if old is not None and old != name:
            super().__delitem__(old)
        self._names[name.lower()] = name
        super().__setitem__(name, value)

    def __getitem__(self, name):
        return super().__getitem__(self._names.get(name.lower(), name))

    def __delitem__(self, name):
        super().__delitem__(self._names.pop(name.lower()))

    def __contains__(self, name):
        return isinstance(name, str) and name.lower() in self._names

    def get(self, name, default=None):
        return self[name] if name in self else default

    def update(self, data=(), **more):
        for name, value in list(dict(data).items()) + list(more.items()):
            self[name] = value

    def setdefault(self, name, default=None):
        if name not in self:
            self[name] = default
        return self[name]

    def pop(self, name, *default):
        if name not in self:
            return dict.pop(self, name, *default)
        value = self[name]
        del self[name]
        return value

    def copy(self):
        return CaseInsensitiveDict(self)


class PreparedRequest:
    """What was asked for."""

    def __init__(self, method, url, headers, body):
        self.method, self.url, self.headers, self.body = method, url, headers, body

    def __repr__(self):
        return "<PreparedRequest [%s]>" % self.method


class Response:
    """What came back. All of it is read before it is handed over."""

    def __init__(self):
        self._content = b""
        self.status_code = self.url = self.encoding = self.reason = self.request = self.raw = None
        self.headers, self.cookies, self.history = CaseInsensitiveDict(), {}, []
        self.elapsed = datetime.timedelta(0)

    def __repr__(self):
        return "<Response [%s]>" % self.status_code

    def __bool__(self):
        return self.ok

    def __iter__(self):
        return self.iter_content(128)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()

    def close(self):
        pass

    @property
    def ok(self):
        return self.status_code < 400

    @property
    def is_redirect(self):
        return "location" in self.headers and self.status_code in (301, 302, 303, 307, 308)

    @property
    def content(self):
        return self._content

    @property
    def apparent_encoding(self):
        """The encoding guessed from the bytes: UTF-8 where they are that."""
        try:
            self._content.decode("ascii")
            return "ascii"
        except UnicodeDecodeError:
            pass
        try:
            self._content.decode("utf-8")
            return "utf-8"
        except UnicodeDecodeError:
            return "latin-1"

    @property
    def text(self):
        try:
            return self._content.decode(self.encoding or self.apparent_encoding, "replace")
        except LookupError:
            return self._content.decode("utf-8", "replace")

    def json(self, **more):
        """The content read as JSON."""
        try:
            text = self._content.decode("utf-8").lstrip("\ufeff")
        except UnicodeDecodeError:
            text = self.text
        try:
            return _json.loads(text, **more)
        except _json.JSONDecodeError as problem:
            raise JSONDecodeError(problem.msg, problem.doc, problem.pos) from None

    def raise_for_status(self):
        if 400 <= self.status_code < 600:
            side = "Client" if self.status_code < 500 else "Server"
            raise HTTPError("%s %s Error: %s for url: %s" % (self.status_code, side, self.reason, self.url), response=self)

    def iter_content(self, chunk_size=1, decode_unicode=False):
        size = chunk_size or max(len(self._content), 1)
        whole = self.text if decode_unicode and self.encoding else self._content
        for at in range(0, len(whole), size):
            yield whole[at:at + size]

    def iter_lines(self, chunk_size=512, decode_unicode=False, delimiter=None):
        whole = self.text if decode_unicode and self.encoding else self._content
        yield from whole.split(delimiter) if delimiter else whole.splitlines()


def encoding_of(headers):
    """The encoding the headers name, or the one that a kind of content has by itself."""
    kind = headers.get("content-type", "")
    named = re.search(r"charset=[\"']?([^\s;\"']+)", kind, re.I)
    if named:
        return named.group(1)
    if "text" in kind:
        return "ISO-8859-1"
    return "utf-8" if "application/json" in kind else None
