"""Asks a server that is not there: urllib answers by itself here, or, under the real package, an adapter does."""
import io
import json
import sys
import types
import requests

ANSWERS = {
    "/json": (200, "OK", {"Content-Type": "application/json"}, json.dumps({"a": [1, "ü"]}).encode()),
    "/text": (200, "OK", {"Content-Type": "text/plain; charset=utf-8"}, "line ä\nline 2\n".encode()),
    "/latin": (200, "OK", {"content-type": "text/html"}, b"\xe4"),
    "/gone": (404, "Not Found", {"Content-Type": "text/plain"}, b"no"),
    "/broken": (503, "Service Unavailable", {}, b""),
    "/bad": (200, "OK", {"Content-Type": "application/json"}, b"{nope"),
}


def answer(method, url, headers, body):
    """What the server would say; /echo says what was asked."""
    path = "/" + url.split("?")[0].split("/", 3)[3]
    if path == "/echo":
        shown = {name.lower(): value for name, value in headers.items()}
        wanted = {name: shown.get(name) for name in ("x-me", "content-type", "authorization", "x-all", "cookie")}
        text = body.decode() if isinstance(body, bytes) else body
        return 200, "OK", {"Content-Type": "application/json"}, json.dumps([method, url, wanted, text]).encode()
    if path not in ANSWERS:
        raise OSError("no such host")
    return ANSWERS[path]


if hasattr(requests, "adapters"):
    def send(self, request, **more):
        try:
            status, reason, headers, body = answer(request.method, request.url, request.headers, request.body)
        except OSError as problem:
            raise requests.exceptions.ConnectionError(str(problem))
        response = requests.Response()
        response.status_code, response.reason, response.url, response.request = status, reason, request.url, request
        response.headers.update(headers)
        response.raw = io.BytesIO(body)
        response.encoding = requests.utils.get_encoding_from_headers(response.headers)
        return response
    requests.adapters.HTTPAdapter.send = send
else:
    class HTTPError(OSError):
        pass

    class Request:
        def __init__(self, url, data, headers, method):
            self.url, self.data, self.headers, self.method = url, data, headers, method

    def urlopen(asked, timeout=None):
        status, reason, headers, body = answer(asked.method, asked.url, asked.headers, asked.data)
        got = HTTPError(reason) if status >= 400 else types.SimpleNamespace()
        got.code = got.status = status
        got.reason, got.headers, got.read, got.geturl = reason, headers, lambda: body, lambda: asked.url
        if status >= 400:
            raise got
        return got
    import urllib
    urllib.request, urllib.error = types.ModuleType("urllib.request"), types.ModuleType("urllib.error")
    urllib.request.Request, urllib.request.urlopen, urllib.error.HTTPError = Request, urlopen, HTTPError
    sys.modules["urllib.request"], sys.modules["urllib.error"] = urllib.request, urllib.error

at = "http://napkin.test"
for path in ("/json", "/text", "/latin", "/gone", "/broken", "/bad"):
    r = requests.get(at + path, timeout=3, stream=True)
    print(r, r.status_code, r.ok, bool(r), r.reason, r.url, r.encoding, r.headers.get("CONTENT-type"))
    print(r.content, ascii(r.text), [len(part) for part in r.iter_content(4)], list(r.iter_lines()))
    try:
        r.raise_for_status()
        print(ascii(r.json()))
    except requests.exceptions.JSONDecodeError as problem:
        print("JSONDecodeError", isinstance(problem, ValueError), isinstance(problem, requests.RequestException))
    except requests.HTTPError as problem:
        print("HTTPError", problem, problem.response.status_code)
print(requests.get(at + "/echo", params={"q": "a b&ü", "n": [1, 2], "none": None}, headers={"X-Me": "1"}).json())
print(requests.get(at + "/echo?x=1", params="y=2").json())
print(requests.post(at + "/echo", json={"k": 1}).json(), requests.post(at + "/echo", data={"k": "v w", "l": [1, 2]}).json())
print(requests.put(at + "/echo", data=b"raw").json(), requests.delete(at + "/echo").json(),
    requests.patch(at + "/echo").json())
print(requests.head(at + "/text").status_code, requests.request("get", at + "/echo", auth=("me", "secret")).json())
with requests.Session() as s:
    s.headers.update({"X-All": "yes"})
    s.params = {"key": "k"}
    print(s.get(at + "/echo", params={"z": 1}, cookies={"c": "d"}).json(),
        s.post(at + "/echo", headers={"X-All": None}).json())
for url in (at + "/nowhere", "nothing", "ftp://x/y", "http://"):
    try:
        requests.get(url)
    except requests.exceptions.RequestException as problem:
        print(type(problem).__name__, isinstance(problem, OSError), isinstance(problem, ValueError))
h = requests.get(at + "/json").headers
print("content-TYPE" in h, h["content-type"], len(h), requests.codes.not_found, requests.get(at + "/json").request.method)
