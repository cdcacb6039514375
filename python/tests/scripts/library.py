import math, random, time, timeit, json, typing, collections, functools, itertools, contextlib, enum, abc, copy
import re, string, operator, types, sys, io, warnings, textwrap, heapq, bisect, dataclasses, inspect, traceback
from dataclasses import dataclass, field

print(math.sqrt(2), math.pi, math.log(10), math.log(8, 2), math.log2(1 << 2000), math.floor(-2.5), math.ceil(2.1))
print(math.gcd(12, 18), math.lcm(4, 6), math.comb(40, 20), math.perm(5, 2), math.factorial(25), math.isqrt(10**40))
print(math.prod([1, 2, 3.5]), math.isclose(0.1 + 0.2, 0.3), math.inf, math.nan, math.hypot(3, 4), math.fsum([0.1] * 10))
print(math.erf(0.5), math.gamma(5), math.tanh(1), math.frexp(10.0), math.modf(2.5), math.exp(1), math.trunc(-3.7))
for call in (lambda: math.log(0), lambda: math.factorial(-1), lambda: math.exp(1000)):
    try:
        call()
    except (ValueError, OverflowError) as error:
        print(type(error).__name__)
for seed in (0, 42, 123456789012345678901234567890, -5):
    random.seed(seed)
    deck = list(range(10))
    random.shuffle(deck)
    print(random.random(), random.randint(1, 100), random.randrange(0, 100, 7), random.choice("abc"), deck)
    print(random.sample(range(1000), 5), random.uniform(1, 2), random.gauss(0, 1), random.choices([1, 2, 3], k=6))
    print(random.getrandbits(100), random.normalvariate(), random.betavariate(1, 2), random.expovariate(3))
state = random.getstate()
first = random.random()
random.setstate(state)
print(first == random.random(), random.Random(7).random())
print(time.perf_counter() <= time.perf_counter(), isinstance(time.perf_counter_ns(), int), time.time() > 1e9)
print(timeit.timeit("1 + 1", number=10) >= 0)
data = {"a": [1, 2.5, None, True], "b": {"c": "é\n"}}
print(json.dumps(data), json.loads(json.dumps(data)) == data, json.dumps(data, indent=2, sort_keys=True))
try:
    json.loads("{1}")
except json.JSONDecodeError as error:
    print(error)


@dataclass
class Config:
    width: int = 4
    names: list = field(default_factory=list)

    @property
    def double(self):
        return 2 * self.width


print(Config(8), Config() == Config(), Config(3).double, dataclasses.asdict(Config(1, ["a"])))
print(collections.Counter("banana").most_common(2), collections.deque([1, 2], maxlen=2), collections.defaultdict(int, a=1))
print(functools.reduce(operator.add, [1, 2, 3]), list(itertools.accumulate([1, 2, 3])), functools.partial(max, 3)(2))


@functools.lru_cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@contextlib.contextmanager
def around(name):
    print("in", name)
    yield name
    print("out", name)


with around("x") as name, contextlib.suppress(KeyError):
    print(fib(50), name)
    {}["a"]
print(re.findall(r"(\w+)=(\d+)", "a=1, b=22"), re.sub(r"\s+", " ", "a   b"), string.ascii_lowercase[:5])
print(copy.deepcopy({"a": [1]}), heapq.nsmallest(2, [3, 1, 2]), bisect.bisect([1, 2, 4], 3), textwrap.dedent("  a\n  b"))


def typed(a: int, b: "str" = "x", *, c: float = 1.5) -> list[int]:
    """Text."""


print(inspect.signature(typed), typing.get_type_hints(typed)["a"], inspect.getdoc(typed), typing.Callable[[int], str])
stream = io.StringIO()
print("hidden", file=stream)
with contextlib.redirect_stdout(io.StringIO()) as caught:
    print("caught")
print(repr(stream.getvalue()), repr(caught.getvalue()), io.BytesIO(b"abc").read(2), sys.version_info >= (3, 11))
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    warnings.warn("careful")
print(seen[0].message, types.SimpleNamespace(a=1))
import pickle


@dataclass
class Merge:
    pair: tuple
    count: int = 1


kept = {"vocab": {0: b"a"}, "merges": [Merge((b"a", b"b"))], "set": {1, 2}, "none": None}
print(pickle.loads(pickle.dumps(kept)) == kept, pickle.loads(pickle.dumps(kept, protocol=2))["merges"])
try:
    pickle.dumps(lambda: 1)
except Exception as error:
    print(type(error).__name__)
