"""An encoding: text to tokens and back."""

import re

import regex

from ._bpe import merge

# Words come again and again; their tokens are kept up to this many.
_KEPT = 50000


class Encoding:
    """A pattern that cuts text into pieces, ranks that say which bytes are merged, and tokens of special meaning."""

    def __init__(self, name, *, pat_str, mergeable_ranks, special_tokens, explicit_n_vocab=None):
        self.name = name
        self._pat_str, self._mergeable_ranks, self._special_tokens = pat_str, mergeable_ranks, special_tokens
        self.max_token_value = max(max(mergeable_ranks.values()), max(special_tokens.values(), default=0))
        if explicit_n_vocab:
            assert len(mergeable_ranks) + len(special_tokens) == explicit_n_vocab, "tokens are missing or too many"
            assert self.max_token_value == explicit_n_vocab - 1, "the last token is not explicit_n_vocab - 1"
        self.special_tokens_set = set(special_tokens)
        self._bytes = {rank: token for token, rank in mergeable_ranks.items()}
        self._special_bytes = {rank: token.encode() for token, rank in special_tokens.items()}
        self._special_values = set(special_tokens.values())
        self._pattern = regex.compile(pat_str)
        self._known = {}

    def __repr__(self):
        return "<Encoding %r>" % self.name

    def encode_ordinary(self, text):
        """The tokens of a text in which nothing is special."""
        return self._ordinary(_clean(text))

    def _ordinary(self, text):
        known, ranks, out = self._known, self._mergeable_ranks, []
        if self._pattern.groups:
            pieces = (found.group() for found in self._pattern.finditer(text))
        else:
            pieces = self._pattern.findall(text)
        for piece in pieces:
            tokens = known.get(piece)
            if tokens is None:
                data = piece.encode("utf-8")
                rank = ranks.get(data)
                tokens = merge(data, ranks) if rank is None and data else () if rank is None else (rank,)
                if len(known) >= _KEPT:
                    known.clear()
                known[piece] = tokens
            out.extend(tokens)
        return out

    def encode(self, text, *, allowed_special=(), disallowed_special="all"):
        """The tokens of a text. Special tokens written in it are refused unless they are allowed or not disallowed."""
        allowed = self.special_tokens_set if allowed_special == "all" else set(allowed_special)
        refused = self.special_tokens_set - allowed if disallowed_special == "all" else set(disallowed_special)
        if refused:
            found = _any_of(refused).search(text)
            if found:
                token = found.group()
                raise ValueError(
                    "the text holds the special token %r. To make it one token, pass allowed_special={%r, ...}; to encode "
                    "it like other text, pass disallowed_special=(enc.special_tokens_set - {%r}), or disallowed_special=() "
                    "for all of them." % (token, token, token))
        text = _clean(text)
        allowed &= self.special_tokens_set
        if not allowed:
            return self._ordinary(text)
        out, at = [], 0
        for found in _any_of(allowed).finditer(text):
            out += self._ordinary(text[at:found.start()])
            out.append(self._special_tokens[found.group()])
            at = found.end()
        return out + self._ordinary(text[at:])

    def encode_ordinary_batch(self, text, *, num_threads=8):
        return [self.encode_ordinary(one) for one in text]

    def encode_batch(self, text, *, num_threads=8, allowed_special=(), disallowed_special="all"):
        return [self.encode(one, allowed_special=allowed_special, disallowed_special=disallowed_special) for one in text]

    def encode_single_token(self, text_or_bytes):
        """The token of exactly this text; a KeyError where it is none."""
        data = text_or_bytes.encode("utf-8") if isinstance(text_or_bytes, str) else bytes(text_or_bytes)
        rank = self._mergeable_ranks.get(data)
        if rank is None:
            rank = self._special_tokens.get(data.decode("utf-8", "replace"))
        if rank is None:
            raise KeyError(data)
        return rank

    def decode_single_token_bytes(self, token):
        data = self._bytes.get(token)
        if data is None:
            data = self._special_bytes.get(token)
        if data is None:
            raise KeyError(token)
        return data

    def decode_tokens_bytes(self, tokens):
        return [self.decode_single_token_bytes(token) for token in tokens]

    def decode_bytes(self, tokens):
        return b"".join(self.decode_tokens_bytes(tokens))

    def decode(self, tokens, errors="replace"):
        """The text of tokens; bytes that are no text are replaced, unless `errors` says otherwise."""
        return self.decode_bytes(tokens).decode("utf-8", errors)

    def decode_with_offsets(self, tokens):
        """The text, and the character at which each token begins; a token inside of a character begins with it."""
        parts, offsets, length = self.decode_tokens_bytes(tokens), [], 0
        for part in parts:
            offsets.append(max(0, length - (0x80 <= part[0] < 0xC0)))
            length += sum(not 0x80 <= byte < 0xC0 for byte in part)
        return b"".join(parts).decode("utf-8", "strict"), offsets

    def decode_batch(self, batch, *, errors="replace", num_threads=8):
        return [self.decode(tokens, errors) for tokens in batch]

    def decode_bytes_batch(self, batch, *, num_threads=8):
        return [self.decode_bytes(tokens) for tokens in batch]

    def token_byte_values(self):
        """The bytes of every token that is not special, in order."""
        return sorted(self._mergeable_ranks)

    def is_special_token(self, token):
        return token in self._special_values

    @property
    def eot_token(self):
        return self._special_tokens["<|endoftext|>"]

    @property
    def n_vocab(self):
        return self.max_token_value + 1


def _clean(text):
    """The text with halves of characters put together, or replaced where the other half is missing."""
    if text.isascii():
        return text
    text = re.sub("[\ud800-\udbff][\udc00-\udfff]", _whole, text)
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def _whole(found):
    high, low = map(ord, found.group())
    return chr(0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00)


def _any_of(tokens):
    return re.compile("|".join(re.escape(token) for token in sorted(tokens, key=len, reverse=True)))
