"""Python's own library, as far as small programs use it."""

import argparse
from helper_module import attempt
import datetime
import difflib
import fnmatch
import hashlib
import random
import struct
import time

print(datetime.datetime(2026, 3, 1, 12, 30) - datetime.timedelta(days=1), datetime.date(2024, 2, 29).isoformat())
print(datetime.datetime(2025, 4, 1).strftime("%Y-%m-%d"))
print(fnmatch.filter(["a.py", "b.txt"], "*.py"))
print(struct.pack("<f", 1.5).hex(), struct.pack(">fHb", 0.1, 65535, -1).hex(), struct.unpack("<e", b"\x00\x3c"), struct.unpack("!I", struct.pack("!f", 1e-8)))
print(struct.calcsize("bi"), struct.calcsize("<bi"), struct.unpack_from("<2h", b"\0\1\2\3\4\5", 2), struct.pack("3sx?", b"abcd", 1))
attempt(lambda: struct.pack("b", 128), lambda: struct.unpack("i", b"1"), lambda: struct.pack("z", 1))
parser = argparse.ArgumentParser(prog="train")
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--steps", type=int)
print(parser.parse_args(["--steps", "3"]))
print(difflib.get_close_matches("mean", ["median", "mode", "man"]))
random.seed("napkin")
print(random.random(), random.choice("abc"), random.sample(range(10), 3))
before = time.monotonic()
time.sleep(0.03)
print(time.monotonic() - before >= 0.03)
print(hashlib.sha256(b"napkin").hexdigest(), hashlib.sha512(b"n" * 200).hexdigest())
