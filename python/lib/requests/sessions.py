"""Sends requests by urllib, and opens files for addresses that begin with file:."""

import base64
import datetime
import json as _json
import time
from urllib.parse import quote, unquote, urlencode, urlsplit, urlunsplit

from .exceptions import ConnectionError, InvalidSchema, InvalidURL, MissingSchema, Timeout
from .models import CaseInsensitiveDict, PreparedRequest, Response, encoding_of


def _pairs(data):
    """Names and values, a list of values counted as many, those that are None left out."""
    for name, value in data.items() if hasattr(data, "items") else data:
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                yield name, one


def _address(url, params):
    parts = urlsplit(url.strip())
    if not parts.scheme:
        raise MissingSchema("Invalid URL %r: no scheme such as https:// in front of it" % url)
    if parts.scheme == "file":
        return url
    if parts.scheme not in ("http", "https"):
        raise InvalidSchema("nothing here opens addresses that begin with %s:" % parts.scheme)
    if not parts.netloc:
        raise InvalidURL("Invalid URL %r: no host" % url)
    query = params if isinstance(params, str) else urlencode(list(_pairs(params or {})))
    query = "&".join(part for part in (parts.query, query) if part)
    safe = "!#$%&'()*+,/:;=?@[]~"
    return urlunsplit((parts.scheme, parts.netloc, quote(parts.path or "/", safe), quote(query, safe), parts.fragment))


def _body(data, json, headers):
    if json is not None and not data:
        headers.setdefault("Content-Type", "application/json")
        return _json.dumps(json).encode("utf-8")
    if not data:
        return None
    if isinstance(data, (bytes, bytearray)):
        return bytes(data)
    if isinstance(data, str):
        return data.encode("utf-8")
    if hasattr(data, "read"):
        body = data.read()
        return body.encode("utf-8") if isinstance(body, str) else body
    headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
    return urlencode(list(_pairs(data))).encode("ascii")


def _from_file(response, url):
    parts = urlsplit(url)
    try:
        with open(unquote(parts.netloc + parts.path), "rb") as file:
            response._content = file.read()
    except OSError as problem:
        raise ConnectionError(str(problem), request=response.request) from None
    response.status_code, response.reason, response.url = 200, "OK", url
    response.headers["Content-Length"] = str(len(response._content))


def _from_network(response, request, timeout):
    try:
        import urllib.error
        import urllib.request
    except ImportError as problem:
        raise ConnectionError("nothing here reaches the network (%s); file: addresses work" % problem,
                              request=request) from None
    asked = urllib.request.Request(request.url, request.body, dict(request.headers), method=request.method)
    wait = timeout[-1] if isinstance(timeout, tuple) else timeout
    try:
        answer = urllib.request.urlopen(asked, **({} if wait is None else {"timeout": wait}))
    except urllib.error.HTTPError as refused:
        # An error of the server is an answer too: it has a status and often a body.
        answer = refused
    except OSError as problem:
        reason = getattr(problem, "reason", problem)
        late = isinstance(reason, TimeoutError) or "timed out" in str(reason)
        raise (Timeout if late else ConnectionError)(str(problem), request=request) from None
    try:
        response._content = answer.read()
    except OSError as problem:
        raise ConnectionError(str(problem), request=request) from None
    status = getattr(answer, "status", None)
    response.status_code = answer.code if status is None else status
    response.reason = getattr(answer, "reason", "") or ""
    response.url = answer.geturl() or request.url
    response.headers = CaseInsensitiveDict((answer.headers or {}).items())


class Session:
    """Requests that share headers, parameters and who asks."""

    def __init__(self):
        self.headers = CaseInsensitiveDict({"User-Agent": "python-requests/2.32.5", "Accept-Encoding": "identity",
                                            "Accept": "*/*", "Connection": "keep-alive"})
        self.params, self.auth, self.cookies, self.verify, self.stream = {}, None, {}, True, False

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.close()

    def close(self):
        pass

    def request(self, method, url, params=None, data=None, headers=None, cookies=None, files=None, auth=None,
                timeout=None, allow_redirects=True, proxies=None, hooks=None, stream=None, verify=None, cert=None,
                json=None):
        """Asks, and waits for all of the answer. Redirects are followed by urllib; stream, verify and cert are accepted."""
        if files:
            raise NotImplementedError("files= is not there: send the bytes as data=")
        sent = self.headers.copy()
        for name, value in (headers or {}).items():
            if value is None:
                sent.pop(name, None)
            else:
                sent[name] = value
        auth = auth or self.auth
        if auth:
            sent["Authorization"] = "Basic " + base64.b64encode(("%s:%s" % tuple(auth)).encode("utf-8")).decode("ascii")
        jar = {**self.cookies, **(cookies or {})}
        if jar:
            sent["Cookie"] = "; ".join("%s=%s" % pair for pair in jar.items())
        if not isinstance(params, (str, bytes)):
            params = list(_pairs(self.params)) + list(_pairs(params or {}))
        body = _body(data, json, sent)
        response = Response()
        response.request = request = PreparedRequest(method.upper(), _address(url, params), sent, body)
        begun = time.perf_counter()
        if request.url.startswith("file:"):
            _from_file(response, request.url)
        else:
            _from_network(response, request, timeout)
        response.elapsed = datetime.timedelta(seconds=time.perf_counter() - begun)
        response.encoding = encoding_of(response.headers)
        return response

    def get(self, url, **more):
        return self.request("GET", url, **more)

    def options(self, url, **more):
        return self.request("OPTIONS", url, **more)

    def head(self, url, **more):
        return self.request("HEAD", url, **more)

    def post(self, url, data=None, json=None, **more):
        return self.request("POST", url, data=data, json=json, **more)

    def put(self, url, data=None, **more):
        return self.request("PUT", url, data=data, **more)

    def patch(self, url, data=None, **more):
        return self.request("PATCH", url, data=data, **more)

    def delete(self, url, **more):
        return self.request("DELETE", url, **more)
