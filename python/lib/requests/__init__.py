"""Asks for what is at an address: `requests.get(url).json()`."""

from . import exceptions
from .exceptions import (ConnectionError, ConnectTimeout, HTTPError, JSONDecodeError, ReadTimeout, RequestException,
                         Timeout, URLRequired)
from .models import PreparedRequest, Response
from .sessions import Session

__version__ = "2.32.5"


class codes:
    """Names for the statuses met most."""

    ok, created, accepted, no_content = 200, 201, 202, 204
    bad_request, unauthorized, forbidden, not_found, too_many_requests = 400, 401, 403, 404, 429
    internal_server_error, bad_gateway, service_unavailable = 500, 502, 503


def session():
    return Session()


def request(method, url, **more):
    with Session() as one:
        return one.request(method, url, **more)


def get(url, params=None, **more):
    return request("GET", url, params=params, **more)


def options(url, **more):
    return request("OPTIONS", url, **more)


def head(url, **more):
    return request("HEAD", url, **more)


def post(url, data=None, json=None, **more):
    return request("POST", url, data=data, json=json, **more)


def put(url, data=None, **more):
    return request("PUT", url, data=data, **more)


def patch(url, data=None, **more):
    return request("PATCH", url, data=data, **more)


def delete(url, **more):
    return request("DELETE", url, **more)
