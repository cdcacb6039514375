"""Byte-pair encoding from nothing: pairs counted and merged, a special token, a split by a pattern, a file of merges."""

import json
import os
import re
from collections import Counter, defaultdict


def pairs_of(ids, counts=None):
    counts = {} if counts is None else counts
    for pair in zip(ids, ids[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def merge(ids, pair, new):
    out, i = [], 0
    while i < len(ids):
        if i < len(ids) - 1 and (ids[i], ids[i + 1]) == pair:
            out.append(new)
            i += 2
        else:
            out.append(ids[i])
            i += 1
    return out


class Tokenizer:
    pattern = re.compile(r"'(?:[sdmt]|ll|ve|re)| ?[^\W\d_]+| ?\d{1,3}| ?[^\s\w]+|\s+(?!\S)|\s+")

    def __init__(self):
        self.merges, self.special = {}, {}
        self.vocab = {i: bytes([i]) for i in range(256)}

    def train(self, text, vocab_size, verbose=False):
        words = Counter(tuple(word.encode("utf-8")) for word in self.pattern.findall(text))
        words = {word: count for word, count in words.items()}
        for new in range(256, vocab_size):
            counts = defaultdict(int)
            for word, count in words.items():
                for pair in zip(word, word[1:]):
                    counts[pair] += count
            if not counts:
                break
            best = max(counts, key=lambda pair: (counts[pair], pair))
            words = {tuple(merge(word, best, new)): count for word, count in words.items()}
            self.merges[best] = new
            self.vocab[new] = self.vocab[best[0]] + self.vocab[best[1]]
            if verbose:
                print(f"merge {new - 255}: {best} -> {new} ({self.vocab[new]}) had {counts[best]} occurrences")

    def add_special(self, *tokens):
        for token in tokens:
            self.special[token] = len(self.vocab) + len(self.special)

    def _chunk(self, data):
        ids = list(data)
        while len(ids) >= 2:
            pair = min(pairs_of(ids), key=lambda p: self.merges.get(p, float("inf")))
            if pair not in self.merges:
                break
            ids = merge(ids, pair, self.merges[pair])
        return ids

    def encode(self, text):
        if not self.special:
            return [i for word in self.pattern.findall(text) for i in self._chunk(word.encode("utf-8"))]
        parts = re.split("(" + "|".join(map(re.escape, self.special)) + ")", text)
        ids = []
        for part in parts:
            if part in self.special:
                ids.append(self.special[part])
            else:
                ids.extend(i for word in self.pattern.findall(part) for i in self._chunk(word.encode("utf-8")))
        return ids

    def decode(self, ids):
        back = {number: token for token, number in self.special.items()}
        data = b"".join(back[i].encode() if i in back else self.vocab[i] for i in ids)
        return data.decode("utf-8", errors="replace")


text = "low lower lowest newer newest wider widest; the lowest newest widest of 2024's words! " * 3 + "naïve café ☕ 你好"
tokenizer = Tokenizer()
tokenizer.train(text, 256 + 14, verbose=True)
tokenizer.add_special("<|endoftext|>")
for line in ("lowest newer", "wid 1234 est's", "naïve ☕<|endoftext|>你好 low", ""):
    ids = tokenizer.encode(line)
    print(ids, len(line.encode()), tokenizer.decode(ids) == line)
print(repr(tokenizer.decode([226, 152])), tokenizer.special, sorted(tokenizer.merges.items())[:3])
with open("merges.tmp", "w", encoding="utf-8") as file:
    json.dump({"version": 1, "merges": [[*pair, new] for pair, new in tokenizer.merges.items()]}, file)
with open("merges.tmp", encoding="utf-8") as file:
    kept = json.load(file)
again = Tokenizer()
for a, b, new in kept["merges"]:
    again.merges[a, b] = new
    again.vocab[new] = again.vocab[a] + again.vocab[b]
print(again.merges == tokenizer.merges, again.encode("the lowest") == tokenizer.encode("the lowest"))
os.remove("merges.tmp")
ids = tokenizer.encode(text)
print(f"{len(text.encode())} bytes, {len(ids)} tokens, {len(text.encode()) / len(ids):.2f} bytes a token")
