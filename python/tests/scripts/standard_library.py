"""Modules of Python's own library that programs import beside torch, and what they are used for."""

import base64
import calendar
import colorsys
import configparser
import contextvars
import decimal
import fractions
import getopt
import glob
import graphlib
import hashlib
import hmac
import html
import html.parser
import http
import ipaddress
import logging
import mimetypes
import optparse
import os
import pathlib
import queue
import secrets
import shlex
import statistics
import sys
import threading
import tomllib
import urllib.parse
import uuid
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import datetime

print(base64.b64encode(b"tensor \xff"), base64.b64decode("dGVuc29y"), base64.b32encode(b"ab"), base64.urlsafe_b64encode(b"\xff\xfe"))
print(base64.b64decode("QUJD\nRA=="), base64.b16encode(b"\x01\xab"))
try:
    base64.b64decode("QUJDR")
except ValueError as error:
    print(type(error).__name__, error)
print(calendar.monthrange(2024, 2), calendar.isleap(2100), calendar.month_name[3])
print([round(part, 3) for part in colorsys.rgb_to_hsv(0.2, 0.4, 0.6)])

config = configparser.ConfigParser()
config.read_string("[model]\nd_model = 64\ndropout = 0.1\n")
print(config["model"].getint("d_model"), config.getfloat("model", "dropout"), config.sections())

level = contextvars.ContextVar("level", default=0)
token = level.set(1)
context = contextvars.copy_context()
print(context.run(lambda: (level.set(2), level.get())[1]), level.get(), context[level], level in context)
level.reset(token)
print(level.get())
try:
    contextvars.ContextVar("empty").get()
except LookupError:
    print("no value")

print(decimal.Decimal("0.1") + decimal.Decimal("0.2"), decimal.Decimal(1) / 7, round(decimal.Decimal("2.675"), 2))
with decimal.localcontext() as local:
    local.prec = 5
    print(decimal.Decimal(2).sqrt())
print(fractions.Fraction(1, 3) + fractions.Fraction("0.25"), fractions.Fraction(0.5).limit_denominator(10))
print(getopt.getopt(["-a", "--steps", "3", "rest"], "a", ["steps="]))
print(list(graphlib.TopologicalSorter({"loss": {"logits"}, "logits": {"x", "w"}, "x": {"w"}}).static_order()))
print(hashlib.sha256(b"a").hexdigest()[:16], hashlib.md5(b"a").hexdigest(), hashlib.sha1(b"a" * 100).hexdigest(), hmac.new(b"key", b"text", "sha256").hexdigest()[:16])
print(html.escape('<a href="b">&'), html.unescape("&lt;p&gt; &eacute; &#955;"))


class Titles(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs):
        print("start", tag, attrs)

    def handle_data(self, data):
        print("data", data)


Titles().feed("<h1 id='a'>One &amp; two</h1>")
print(http.HTTPStatus.NOT_FOUND.phrase, ipaddress.ip_network("10.0.0.0/30").num_addresses)

logging.basicConfig(level=logging.INFO, format="%(levelname)s:%(name)s: %(message)s", stream=sys.stdout)
logger = logging.getLogger("train")
logger.info("step %d: loss %.3f", 3, 0.25)
logger.debug("not shown")
try:
    1 / 0
except ZeroDivisionError:
    logger.error("it failed: %s", sys.exc_info()[1])

print(mimetypes.guess_type("plot.png"), mimetypes.guess_type("a.json"))
parser = optparse.OptionParser()
parser.add_option("--lr", type="float", default=0.1)
options, rest = parser.parse_args(["--lr", "3e-4", "x"])
print(options.lr, rest)

folder = pathlib.Path("kept_by_standard_library")
folder.mkdir(exist_ok=True)
(folder / "a.txt").write_text("one\ntwo\n")
(folder / "b.bin").write_bytes(b"\x00\x01")
print(sorted(path.name for path in folder.iterdir()), sorted(str(path.name) for path in folder.glob("*.txt")))
path = folder / "a.txt"
print(path.exists(), path.is_file(), path.suffix, path.stem, path.parent.name, path.read_text().splitlines(), path.stat().st_size)
print(path.with_suffix(".md").name, pathlib.PurePosixPath("/a/b").parts, path.relative_to(folder), folder / "x" / "..")
print(sorted(glob.glob("kept_by_standard_library/*")), os.path.isdir(folder))
with path.open("a") as file:
    file.write("three\n")
with open(path) as file:
    print(len(file.readlines()))
for name in sorted(os.listdir(folder)):
    (folder / name).unlink()
folder.rmdir()
print(folder.exists())

waiting = queue.Queue()
for item in (3, 1):
    waiting.put(item)
print(waiting.get(), waiting.qsize(), waiting.empty())
first = queue.PriorityQueue()
first.put((2, "b"))
first.put((1, "a"))
print(first.get())
try:
    queue.Queue().get_nowait()
except queue.Empty as error:
    print(type(error).__name__)
print(len(secrets.token_hex(8)), secrets.compare_digest("a", "a"))
print(shlex.split("run --name 'a b' # no"), shlex.quote("a b"))
print(statistics.mean([1, 2, 3.5]), round(statistics.stdev([1, 2, 4]), 6), statistics.median([3, 1, 2]), statistics.mode("aab"))

done = []
lock = threading.Lock()


def work(number):
    with lock:
        done.append((number, threading.current_thread().name))


threads = [threading.Thread(target=work, args=(number,), name=f"worker-{number}") for number in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(done), threading.current_thread().name, any(thread.is_alive() for thread in threads))
event = threading.Event()
threading.Thread(target=event.set).start()
print(event.wait(5), lock.locked())
with ThreadPoolExecutor(max_workers=4) as pool:
    print(list(pool.map(lambda x: x * x, range(5))))
    futures = [pool.submit(pow, 2, power) for power in range(4)]
    print(sorted(future.result() for future in as_completed(futures)))
    failed = pool.submit(int, "x")
    print(type(failed.exception()).__name__)

print(tomllib.loads("[train]\nlr = 3e-4\nlayers = [1, 2]\n"))
print(urllib.parse.urlparse("https://example.org/a/b?x=1#c"), urllib.parse.quote("a b/ü"), urllib.parse.urlencode({"q": "a b"}))
print(urllib.parse.parse_qs("a=1&a=2&b="), urllib.parse.urljoin("https://example.org/a/", "b.txt"))
print(uuid.UUID(int=5), uuid.uuid4().version, uuid.uuid5(uuid.NAMESPACE_DNS, "example.org"))
print(datetime.strptime("2026-11-29 08:02", "%Y-%m-%d %H:%M"), datetime(2026, 1, 2).strftime("%d %b %Y"))
