"""Sockets by name: there is no network below them, and to use one is an OSError."""

import sys

error = OSError
herror = type("herror", (OSError,), {})
gaierror = type("gaierror", (OSError,), {})
timeout = TimeoutError
has_ipv6 = False
_NUMBERS = {
    "AF_UNSPEC": 0, "AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "SOCK_STREAM": 1, "SOCK_DGRAM": 2, "SOCK_RAW": 3,
    "SOCK_NONBLOCK": 2048, "SOCK_CLOEXEC": 524288, "SOL_SOCKET": 1, "SO_REUSEADDR": 2, "SO_TYPE": 3, "SO_ERROR": 4,
    "SO_BROADCAST": 6, "SO_SNDBUF": 7, "SO_RCVBUF": 8, "SO_KEEPALIVE": 9, "SO_LINGER": 13, "SO_REUSEPORT": 15,
    "SOMAXCONN": 4096, "IPPROTO_IP": 0, "IPPROTO_TCP": 6, "IPPROTO_UDP": 17, "IPPROTO_IPV6": 41, "TCP_NODELAY": 1,
    "IPV6_V6ONLY": 26, "SHUT_RD": 0, "SHUT_WR": 1, "SHUT_RDWR": 2, "MSG_OOB": 1, "MSG_PEEK": 2, "MSG_DONTWAIT": 64,
    "AI_PASSIVE": 1, "AI_CANONNAME": 2, "AI_NUMERICHOST": 4, "AI_NUMERICSERV": 1024, "AI_ADDRCONFIG": 32, "EAI_NONAME": -2,
    "NI_NUMERICHOST": 1, "NI_NUMERICSERV": 2, "INADDR_ANY": 0, "INADDR_LOOPBACK": 0x7F000001,
}  # fmt: skip
globals().update(_NUMBERS)
_TOLD = "no network: a page reaches other machines through its browser alone"
if sys.platform != "unknown":
    _TOLD = "no network: Napkin opens no sockets"


def _refuse(*args, **kwargs):
    raise OSError(_TOLD)


class socket:
    __slots__ = ("family", "type", "proto", "_timeout")

    def __init__(self, family=-1, type=-1, proto=-1, fileno=None):
        self.family, self.type, self.proto = family, type, proto
        self._timeout = None

    def settimeout(self, seconds):
        self._timeout = seconds

    def gettimeout(self):
        return self._timeout

    def setblocking(self, is_blocking):
        self._timeout = None if is_blocking else 0.0

    def setsockopt(self, *args):
        pass

    def fileno(self):
        return -1

    def close(self):
        pass

    detach = fileno
    accept = bind = connect = connect_ex = listen = recv = recv_into = recvfrom = send = sendall = sendto = _refuse
    getpeername = getsockname = getsockopt = shutdown = _accept = _refuse


SocketType = socket
_default = None


def gethostname():
    return "localhost"


def getdefaulttimeout():
    return _default


def setdefaulttimeout(seconds):
    global _default
    _default = seconds


def getaddrinfo(host, port, *args, **kwargs):
    raise gaierror(_TOLD)


def htons(number):
    return (number & 0xFF) << 8 | number >> 8


def htonl(number):
    return int.from_bytes(number.to_bytes(4, "little"), "big")


ntohs, ntohl = htons, htonl


def inet_aton(text):
    import ipaddress

    return ipaddress.IPv4Address(text).packed


def inet_ntoa(packed):
    return ".".join(map(str, packed))


socketpair = dup = close = gethostbyname = gethostbyaddr = getnameinfo = getservbyname = _refuse
