"""What can go wrong with a request."""

import json


class RequestException(IOError):
    """The family of all of them; keeps the request and the response where there were any."""

    def __init__(self, *args, **more):
        self.response, self.request = more.pop("response", None), more.pop("request", None)
        if self.response is not None and self.request is None:
            self.request = getattr(self.response, "request", None)
        super().__init__(*args, **more)


class InvalidJSONError(RequestException):
    pass


class JSONDecodeError(InvalidJSONError, json.JSONDecodeError):
    def __init__(self, msg, doc, pos):
        json.JSONDecodeError.__init__(self, msg, doc, pos)
        self.response = self.request = None


class HTTPError(RequestException):
    pass


class ConnectionError(RequestException):
    pass


class Timeout(RequestException):
    pass


class ConnectTimeout(ConnectionError, Timeout):
    pass


class ReadTimeout(Timeout):
    pass


class URLRequired(RequestException):
    pass


class MissingSchema(RequestException, ValueError):
    pass


class InvalidSchema(RequestException, ValueError):
    pass


class InvalidURL(RequestException, ValueError):
    pass


class StreamConsumedError(RequestException, TypeError):
    pass
