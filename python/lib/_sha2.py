"""SHA-256 and SHA-512."""

import _napkin


class sha256:
    """The digest of what was given so far."""

    name, digest_size, block_size = "sha256", 32, 64

    def __init__(self, data=b"", *, usedforsecurity=True):
        self._data = bytes(data)

    def update(self, data):
        self._data += bytes(data)

    def digest(self):
        return bytes(_napkin.digest(8 * self.digest_size, self._data))

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        return type(self)(self._data)


class sha512(sha256):
    name, digest_size, block_size = "sha512", 64, 128
