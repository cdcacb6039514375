"""Prints what bars write, with a clock that is set by hand."""
import io
import tqdm.std
from tqdm import tqdm as bar, trange
from tqdm.auto import tqdm as auto
from tqdm.contrib import tenumerate, tmap, tzip

now = [1000.0]
tqdm.std.time = lambda: now[0]
bar.monitor_interval = 0


class Terminal(io.StringIO):
    encoding = "utf-8"


def shown(make, step=0.05, **more):
    for file in (io.StringIO(), Terminal()):
        try:
            for _ in make(file=file, **more):
                now[0] += step
        except Exception as problem:
            print(type(problem).__name__)
        print(ascii(file.getvalue()))


shown(lambda **k: trange(7, **k))
shown(lambda **k: bar(range(50), **k), step=0.013, desc="train", unit="batch")
shown(lambda **k: bar(iter("abcdef"), **k), step=0.3, desc="no total")
shown(lambda **k: bar(range(5), **k), step=0.3, ncols=60, leave=False)
shown(lambda **k: bar([1, 2, 3], **k), step=2.5, ncols=0)
shown(lambda **k: bar(range(3), **k), step=4000,
    bar_format="{desc}{percentage:3.0f}%|{bar:20}| {n_fmt}/{total_fmt} {elapsed}<{remaining}")
shown(lambda **k: bar(range(3), **k), step=1, bar_format="{l_bar}{bar:-5}{r_bar}", ncols=50)
shown(lambda **k: bar(range(4), **k), step=1, mininterval=2.5, postfix={"loss": 0.123456, "a": "x"})
shown(lambda **k: bar(range(4), **k), step=1, miniters=2, ascii=" .oO", initial=3, total=10)
shown(lambda **k: bar(range(4), **k), step=1, total=2)
shown(lambda **k: bar(range(4), **k), step=1, disable=True)
shown(lambda **k: bar(range(4), **k), step=1, disable=None)
shown(lambda **k: bar(range(1000), **k), step=0.0007, smoothing=0)
shown(lambda **k: tenumerate("abc", 1, **k), step=1)
shown(lambda **k: tzip("abc", "def", **k), step=1)
shown(lambda **k: tmap(len, ["a", "bc"], **k), step=1)
shown(lambda **k: reversed(auto("abc", **k)), step=1)
shown(lambda **k: bar(range(9), **k), step=1, delay=3)
shown(lambda **k: bar(range(3), **k), step=1, nonsense=3)

file = Terminal()
with bar(total=2.5e6, unit="B", unit_scale=True, unit_divisor=1024, file=file, desc="file") as b:
    for k in range(10):
        now[0] += 0.11
        b.update(250000)
    b.set_postfix(loss=1 / 3, step=12, big=1e10, small=1.5e-7, name=" s ", none=None)
    b.set_postfix({"z": 1, "a": 2.0})
    b.set_postfix_str("free text")
    b.set_description("renamed")
    b.set_description_str("bare ")
    b.set_description()
    b.set_description("quiet", refresh=False)
    b.n = 17
    b.refresh()
    print(b.n, b.total, len(bar(range(3), file=io.StringIO(), disable=True)), sorted(b.format_dict)[:4], ascii(str(b)))
    b.reset(total=100)
    now[0] += 1
    b.update(30)
    b.update(-10)
    bar.write("said meanwhile", file=file)
    b.clear()
    b.unpause()
print(ascii(file.getvalue()))

file = Terminal()
for i in trange(2, desc="outer", file=file):
    for j in trange(3, desc="inner", file=file, leave=False):
        now[0] += 0.2
for i in trange(2, desc="outer", file=file):
    for j in trange(2, desc="inner", file=file):
        now[0] += 0.2
a, b = bar(total=3, position=1, file=file), bar(total=4, position=0, file=file)
for k in range(3):
    now[0] += 1
    a.update()
    b.update(1)
b.close()
a.close()
print(ascii(file.getvalue()))
file = Terminal()
try:
    for x in bar([3, 2, 1], file=file):
        now[0] += 1
        if x == 2:
            break
    else:
        print("never")
finally:
    print(ascii(file.getvalue()), 2 in bar([1, 2], disable=True), bool(bar([], disable=True)))

for value in (0, 1, 999, 999.4, 1000, 12345, 99.951, 9.996, 1e9, 1e27, -5):
    print(bar.format_sizeof(value), bar.format_num(value), bar.format_sizeof(value, "B", 1024))
for value in (0, 59.9, 60, 3599, 3600, 86400, 1e6):
    print(bar.format_interval(value))
for n, total, elapsed, more in ((0, 10, 0, {}), (3, 10, 2, {"ncols": 40}), (5, None, 4, {"prefix": "x"}),
                                (5, 10, 100, {"unit_scale": True}), (5, 10, 1, {"unit_scale": 1000, "rate": 3.5}),
                                (1, 3, 1, {"prefix": "a: ", "ncols": 10}), (10, 10, 9.99, {"postfix": "p", "ascii": True}),
                                (0, 0, 1, {}),
                                (2, 7, 1, {"bar_format": "{n}/{total} {rate:.1f} {rate_fmt} {bar} {postfix}"})):
    print(ascii(bar.format_meter(n, total, elapsed, **more)))
