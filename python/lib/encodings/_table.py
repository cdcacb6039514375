"""Encodings of one byte for each character, of which the first 128 are those of ASCII."""

import codecs


def entry(name, upper):
    """The codec whose characters from 128 on are those of a text; `\\ufffd` stands where there is none."""
    table = "".join(map(chr, range(128))) + upper
    numbers = {character: number for number, character in enumerate(table) if character != "\ufffd"}

    def encode(text, errors="strict"):
        out = bytearray()
        for at, character in enumerate(text):
            number = numbers.get(character)
            if number is not None:
                out.append(number)
                continue
            error = UnicodeEncodeError("charmap", text, at, at + 1, "character maps to <undefined>")
            put, _ = codecs.lookup_error(errors)(error)
            out += put if isinstance(put, bytes) else bytes(numbers[it] for it in put)
        return bytes(out), len(text)

    def decode(data, errors="strict"):
        data = bytes(data)
        text = "".join(table[number] for number in data)
        if "\ufffd" not in text:
            return text, len(data)
        out = []
        for at, character in enumerate(text):
            if character == "\ufffd":
                error = UnicodeDecodeError("charmap", data, at, at + 1, "character maps to <undefined>")
                character, _ = codecs.lookup_error(errors)(error)
            out.append(character)
        return "".join(out), len(data)

    class IncrementalEncoder(codecs.IncrementalEncoder):
        def encode(self, text, final=False):
            return encode(text, self.errors)[0]

    class IncrementalDecoder(codecs.IncrementalDecoder):
        def decode(self, data, final=False):
            return decode(data, self.errors)[0]

    return codecs.CodecInfo(
        encode, decode, incrementalencoder=IncrementalEncoder, incrementaldecoder=IncrementalDecoder, name=name
    )
