"""Reads the files that hold the ranks."""

import base64
import hashlib
import json
import os

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_SIX_BITS = bytes([max(_ALPHABET.find(bytes([byte])), 0) % 64 for byte in range(256)])

def _places(address):
    """Where a file may lie: beside the program, or in the folder kept for it, there also under the name of its hash."""
    name = address.rsplit("/", 1)[-1]
    yield name
    environ = getattr(os, "environ", {})
    folder = environ.get("TIKTOKEN_CACHE_DIR") or environ.get("DATA_GYM_CACHE_DIR")
    if folder:
        yield os.path.join(folder, name)
        yield os.path.join(folder, hashlib.sha1(address.encode()).hexdigest())


def read_file_cached(blobpath, expected_hash=None):
    """The bytes of a file, given as a path or as the address where it is published."""
    if "://" not in blobpath:
        with open(blobpath, "rb") as file:
            return file.read()
    for place in _places(blobpath):
        try:
            with open(place, "rb") as file:
                data = file.read()
        except OSError:
            continue
        if expected_hash and hashlib.sha256(data).hexdigest() != expected_hash:
            raise ValueError("%s is not the file published at %s: its SHA-256 differs" % (place, blobpath))
        return data
    name = blobpath.rsplit("/", 1)[-1]
    raise FileNotFoundError(
        "%s is not here, and nothing is downloaded. It is published at %s. Drop %s beside the program, or put it "
        "into the folder that TIKTOKEN_CACHE_DIR names." % (name, blobpath, name))


def _decoded(words):
    """Words in base 64 as bytes, all at once: in an interpreter in Python a call for each costs seconds."""
    joined = b"".join(words)
    if joined.translate(None, _ALPHABET) or any(len(word) % 4 for word in words):
        raise ValueError("not base 64")
    values = joined.translate(_SIX_BITS)
    size = len(values) // 4
    if size:
        a, b, c, d = (values[start::4] for start in range(4))
        out = bytearray(3 * size)
        for start, (left, right, shift) in enumerate(((a, b, 2), (b, c, 4), (c, d, 6))):
            high = left.translate(bytes([value << shift & 255 for value in range(256)]))
            low = right.translate(bytes([value >> 6 - shift for value in range(256)]))
            both = int.from_bytes(high, "little") | int.from_bytes(low, "little")
            out[start::3] = both.to_bytes(size, "little")
        joined_bytes = bytes(out)
    at, found = 0, []
    for word in words:
        size = len(word) // 4 * 3
        found.append(joined_bytes[at:at + size - (2 if word.endswith(b"==") else word.endswith(b"="))])
        at += size
    return found


def load_tiktoken_bpe(tiktoken_bpe_file, expected_hash=None):
    """The ranks of a .tiktoken file: on each line the bytes in base 64 and the rank."""
    fields = read_file_cached(tiktoken_bpe_file, expected_hash).split()
    try:
        if len(fields) % 2:
            raise ValueError("a rank is missing")
        return dict(zip(_decoded(fields[::2]), map(int, fields[1::2])))
    except ValueError as problem:
        raise ValueError("%s is not a list of bytes in base 64 and ranks: %s" % (tiktoken_bpe_file, problem)) from None


def dump_tiktoken_bpe(bpe_ranks, tiktoken_bpe_file):
    """Writes ranks as a .tiktoken file."""
    with open(tiktoken_bpe_file, "wb") as file:
        for token, rank in sorted(bpe_ranks.items(), key=lambda item: item[1]):
            file.write(base64.b64encode(token) + b" %d\n" % rank)


def data_gym_to_mergeable_bpe_ranks(vocab_bpe_file, encoder_json_file, vocab_bpe_hash=None, encoder_json_hash=None,
                                    clobber_one_byte_tokens=False):
    """The ranks of the two files of GPT-2, in which every byte is written as a character that can be seen."""
    seen = [byte for byte in range(256) if 33 <= byte <= 126 or 161 <= byte <= 172 or 174 <= byte <= 255]
    hidden = [byte for byte in range(256) if byte not in seen]
    byte_of = {chr(byte): byte for byte in seen}
    byte_of.update((chr(256 + at), byte) for at, byte in enumerate(hidden))

    def data(word):
        return bytes([byte_of[char] for char in word])

    ranks = {bytes([byte]): rank for rank, byte in enumerate(seen + hidden)}
    merges = read_file_cached(vocab_bpe_file, vocab_bpe_hash).decode("utf-8").split("\n")[1:-1]
    for rank, line in enumerate(merges, len(ranks)):
        first, second = line.split()
        ranks[data(first) + data(second)] = rank
    table = json.loads(read_file_cached(encoder_json_file, encoder_json_hash).decode("utf-8"))
    table = {word: rank for word, rank in table.items() if word not in ("<|endoftext|>", "<|startoftext|>")}
    known = {data(word): rank for word, rank in table.items()}
    if clobber_one_byte_tokens:
        ranks.update((token, rank) for token, rank in known.items() if len(token) == 1)
    assert ranks == known, "the merges and the table of tokens do not say the same"
    return ranks
