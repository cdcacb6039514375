"""Encodes with ranks of its own making: pairs are merged as often as they come in a small text."""
import collections
import random
import tiktoken
from tiktoken.load import load_tiktoken_bpe

TEXT = ("The napkin has a sum on it, and the sum has a napkin under it. A learner's loss falls from 4.17 to 1.5 in 2024!\n"
        "Größe, naïve café: straße und Übung\t— 東京は日本の首都です。Привет, мир. 👍🏽 it's we'll THEY'RE   done\n\n") * 3
PATTERN = (r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
           r"|\s+(?!\S)|\s")


def learned(text, size):
    ranks = {bytes([b]): b for b in range(256)}
    parts = [[bytes([b]) for b in word.encode()] for word in text.replace(" ", "\0 ").split("\0")]
    while len(ranks) < size:
        pairs = collections.Counter(pair for word in parts for pair in zip(word, word[1:]))
        if not pairs:
            break
        (a, b), _ = max(pairs.items(), key=lambda item: (item[1], item[0]))
        ranks[a + b] = len(ranks)
        for word in parts:
            i = 0
            while i < len(word) - 1:
                if word[i] == a and word[i + 1] == b:
                    word[i:i + 2] = [a + b]
                i += 1
    return ranks


ranks = learned(TEXT, 500)
end = len(ranks)
special = {"<|endoftext|>": end, "<|fim|>": end + 1}
enc = tiktoken.Encoding("toy", pat_str=PATTERN, mergeable_ranks=ranks, special_tokens=special, explicit_n_vocab=end + 2)
print(enc, enc.name, enc.n_vocab, enc.eot_token, enc.max_token_value, sorted(enc.special_tokens_set),
    len(enc.token_byte_values()))
print(enc.token_byte_values()[:3], enc.token_byte_values()[-3:])
print(enc.encode(TEXT[:300]))
print(enc.encode_ordinary("a <|endoftext|> b"), enc.encode("a <|endoftext|> b<|fim|>", allowed_special="all"))
print(enc.encode("a <|endoftext|> b<|fim|>", allowed_special={"<|fim|>"}, disallowed_special=()))
for more in ({}, {"allowed_special": {"<|fim|>"}}, {"disallowed_special": {"napkin"}}):
    try:
        print(enc.encode("napkin <|endoftext|>", **more))
    except ValueError as problem:
        print("ValueError", "<|endoftext|>" in str(problem), "disallowed_special=()" in str(problem))
print(enc.encode_batch(["sum", "", "loss it's"]), enc.encode_ordinary_batch(["under"]), enc.decode_batch([[97], [98, 99]]))
print(enc.encode_single_token(enc.decode_single_token_bytes(300).decode()), enc.encode_single_token(b"\xff"),
    enc.encode_single_token("<|fim|>"))
for call in (lambda: enc.encode_single_token("no such"), lambda: enc.decode_single_token_bytes(9999),
    lambda: enc.decode([9999])):
    try:
        print(call())
    except KeyError:
        print("KeyError")
tokens = enc.encode(TEXT[100:220])
print(enc.decode(tokens) == TEXT[100:220], enc.decode_tokens_bytes(tokens[:8]), enc.decode_single_token_bytes(end))
print(enc.decode_with_offsets(enc.encode("Größe 東京 👍🏽 x")))
print(ascii(enc.decode([255, 97, 0xE6, 98])), enc.decode_bytes([255, 0xE6]), enc.encode("a\ud83d\udc4db\ud83d"),
    enc.is_special_token(end))
try:
    enc.decode([255], errors="strict")
except UnicodeDecodeError:
    print("UnicodeDecodeError")

rnd = random.Random(3)
pool = list("abcdehinst ATN'  \n\t0123.,!éß東京Пи👍") + ["\u0301", "\u200d", "\r\n", " the", "'s", "'LL", "napkin"]
total = 0
for length in [1, 2, 5, 20, 100] * 20 + [3000]:
    text = "".join(rnd.choice(pool) for _ in range(length))
    got = enc.encode(text)
    assert enc.decode(got) == text
    total = (total * 31 + sum(i * t for i, t in enumerate(got, 1))) % 1000003
print(total)
for text in ("a" * 1500, "nap" * 700, "東京" * 400, " " * 1000, "!?" * 1000, "the" * 133 + "x"):
    got = enc.encode(text)
    print(len(got), got[:5], got[-3:], sum(i * t for i, t in enumerate(got)) % 1000003)

print(tiktoken.list_encoding_names())
print([tiktoken.encoding_name_for_model(m) for m in ("gpt-4", "gpt-4o-mini", "gpt2", "text-davinci-003",
    "gpt-3.5-turbo-16k", "o3-mini")])
for call in (lambda: tiktoken.encoding_name_for_model("nonsense"), lambda: tiktoken.get_encoding("nonsense")):
    try:
        call()
    except (KeyError, ValueError) as problem:
        print(type(problem).__name__)
try:
    tiktoken.get_encoding("cl100k_base")
except OSError:
    print("OSError")
with open("toy.tiktoken", "wb") as file:
    file.write(b"IQ== 0\nIg== 1\n\nICB0aGU= 2\n")
print(load_tiktoken_bpe("toy.tiktoken"))
