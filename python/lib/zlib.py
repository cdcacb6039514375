"""Deflate and its wrappers (zlib, gzip) written in Python."""

from _inflate import Copied, Inflater, adler32, as_bytes, crc32, error

MAX_WBITS = 15
DEFLATED = 8
DEF_MEM_LEVEL = 8
DEF_BUF_SIZE = 16384
Z_NO_COMPRESSION, Z_BEST_SPEED, Z_BEST_COMPRESSION, Z_DEFAULT_COMPRESSION = 0, 1, 9, -1
Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED = range(5)
Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH, Z_BLOCK, Z_TREES = range(7)
ZLIB_VERSION = ZLIB_RUNTIME_VERSION = "1.3.1"
__version__ = "1.0"


def decompress(data, /, wbits=MAX_WBITS, bufsize=DEF_BUF_SIZE):
    inflater = Inflater(wbits)
    result = inflater.run(as_bytes(data))
    if not inflater.eof:
        raise error("Error -5 while decompressing data: incomplete or truncated stream")
    return result


class Decompress(Copied):
    def __init__(self, wbits):
        self._inflater = Inflater(wbits)
        self.unused_data = self.unconsumed_tail = b""

    @property
    def eof(self):
        return self._inflater.eof

    def _run(self, data, limit):
        inflater = self._inflater
        if inflater.eof:
            self.unused_data += data
            self.unconsumed_tail = b""
            return b""
        result = inflater.run(data, limit)
        self.unconsumed_tail = b""
        if inflater.eof:
            self.unused_data += inflater.rest()
        elif len(inflater.out) > inflater.given:
            self.unconsumed_tail = inflater.rest()
        return result

    def decompress(self, data, /, max_length=0):
        if max_length < 0:
            raise ValueError("max_length must be non-negative")
        return self._run(as_bytes(data), max_length or None)

    def flush(self, length=DEF_BUF_SIZE, /):
        if length <= 0:
            raise ValueError("length must be greater than zero")
        return self._run(self.unconsumed_tail, None)

    def copy(self):
        other = object.__new__(Decompress)
        other.__dict__.update(self.__dict__, _inflater=self._inflater.twin())
        return other


def decompressobj(wbits=MAX_WBITS, zdict=b""):
    if zdict:
        raise NotImplementedError("zdict")
    return Decompress(wbits)


class _ZlibDecompressor:
    def __init__(self, wbits=MAX_WBITS, zdict=b""):
        if zdict:
            raise NotImplementedError("zdict")
        self._inflater = Inflater(wbits)
        self.eof = False
        self.needs_input = True
        self.unused_data = b""

    def decompress(self, data, max_length=-1):
        inflater = self._inflater
        if self.eof:
            raise EOFError("End of stream already reached")
        result = inflater.run(as_bytes(data), None if max_length < 0 else max_length)
        self.eof = inflater.eof
        if self.eof:
            self.unused_data = inflater.rest()
        self.needs_input = not self.eof and len(inflater.out) == inflater.given
        return result


def compressobj(level=Z_DEFAULT_COMPRESSION, method=DEFLATED, wbits=MAX_WBITS, memLevel=DEF_MEM_LEVEL,
                strategy=Z_DEFAULT_STRATEGY, zdict=None):
    from _deflate import Compress
    if zdict:
        raise NotImplementedError("zdict")
    if method != DEFLATED or not 1 <= memLevel <= 9 or not 0 <= strategy <= 4:
        raise ValueError("Invalid initialization option")
    return Compress(level, wbits, strategy)


def compress(data, /, level=Z_DEFAULT_COMPRESSION, wbits=MAX_WBITS):
    data = as_bytes(data)
    if not -1 <= level <= 9:
        raise error("Bad compression level")
    stream = compressobj(level, wbits=wbits)
    return stream.compress(data) + stream.flush()
