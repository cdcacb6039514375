"""Encrypted sockets by name: there are no sockets to encrypt."""

import enum

OPENSSL_VERSION, HAS_SNI, HAS_ALPN = "none", False, False
CERT_NONE, CERT_OPTIONAL, CERT_REQUIRED = 0, 1, 2
PROTOCOL_TLS, PROTOCOL_TLS_CLIENT, PROTOCOL_TLS_SERVER = 2, 16, 17
OP_ALL = OP_NO_SSLv2 = OP_NO_SSLv3 = OP_NO_COMPRESSION = OP_NO_TICKET = 0


class SSLError(OSError):
    """What goes wrong below an encrypted socket."""


SSLZeroReturnError = SSLWantReadError = SSLWantWriteError = SSLSyscallError = SSLEOFError = SSLError
CertificateError = SSLCertVerificationError = type("SSLCertVerificationError", (SSLError, ValueError), {})


class TLSVersion(enum.IntEnum):
    MINIMUM_SUPPORTED = -2
    TLSv1_2 = 771
    TLSv1_3 = 772
    MAXIMUM_SUPPORTED = -1


class Purpose(enum.Enum):
    SERVER_AUTH = 1
    CLIENT_AUTH = 2


class SSLContext:
    def __init__(self, protocol=None):
        self.protocol = protocol
        self.verify_mode, self.check_hostname, self.post_handshake_auth = CERT_NONE, False, False

    def load_cert_chain(self, *args, **kwargs):
        pass

    load_default_certs = load_verify_locations = set_ciphers = set_alpn_protocols = load_cert_chain

    def wrap_socket(self, *args, **kwargs):
        raise SSLError("no network: there is no socket to encrypt")

    wrap_bio = wrap_socket


class SSLSocket:
    def __init__(self, *args, **kwargs):
        raise SSLError("no network: there is no socket to encrypt")


SSLObject = MemoryBIO = SSLSocket


def create_default_context(purpose=Purpose.SERVER_AUTH, *, cafile=None, capath=None, cadata=None):
    return SSLContext(PROTOCOL_TLS_CLIENT)


_create_default_https_context = create_default_context
_create_unverified_context = _create_stdlib_context = create_default_context
