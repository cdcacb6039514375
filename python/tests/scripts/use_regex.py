"""Matches patterns in texts of several scripts."""
import regex

TEXTS = ["", "Hello wörld, ab aab 123!", "Straße ΑΒΓ αβγς 東京2020 кот\u0301", "a b\tc\u3000d\r\ne\n\n",
    "aabbAB {a} a{x} []-x&y|z--",
         "e\u0301🇩🇪 ١٢٣ ½² ǅ _a‿b", "line one\nline two\n"]
PATTERNS = [
    r"\p{L}+", r"\p{Lu}", r"\p{^Lu}+", r"\P{L}+", r"\pN", r"\p{Greek}+", r"\p{Script=Han}+", r"\p{IsLatin}+", r"\p{Han}",
    r"\p{sc=Greek}", r"\p{Letter}", r"\p{Alphabetic}+", r"[[:alpha:]]+", r"[[:^alpha:]]+", r"[[:punct:]]", r"[[:digit:]]+",
    r"[[:upper:]][[:lower:]]*", r"\X", r"\h+", r"\R", r"\m\w", r"\w\M", r"(?V1)[\p{L}--[a-z]]+", r"(?V1)[a-z&&[aeiou]]+",
    r"(?V1)[\w--\d]+", r"(?V1)[a-m~~g-z]", r"(?V1)[[a-c][x-z]]+", r"(?V1)[^a-z&&\w]", r"(?V1)[\w||-]+", r"[a&&b]",
    r"(?i)\p{Lu}+", r"(?i)[\p{Lu}x]+", r"(?i)straße", r"(?i)[^\p{Lu}]+", r"(?>a+)b", r"a++b?", r"\w++", r"(\w)(?=(\s|$))",
    r"(?<!\w)\w", r"(?P<first>\w)(?P<rest>\w*)", r"(?<x>\w)\g<x>", r"(\w)\1", r"(a)|(b)|(c)", r"(a)?(b)", r"\b", r"\B", r"",
    r"x*", r"\s+", r"\S+", r"\d+", r"\D+", r"\W+", r"[^\W\d_]+", r"[\s\d]+", r"(?m)^\w+", r"(?s).+",
    r"(?x) \w + # word\n \s",
    r"(?a)\w+", r"(?a)\b\w", r"(?i:AB)c?", r"(?V1)a(?i)b|c", r"(?V1)(?i)a(?-i)b|C", r"a{2}", r"a{,2}", r"a{x}", r"{a}",
    r"[]a]",
    r"[\w-a]", r"\x61", r"\u00e9", r"\101", r"a(?#c)a", r"(a)(?(1)b|c)", r"\p{P}", r"\p{S}", r"\p{M}", r"\p{Zs}+",
    r"\p{N}{1,3}",
    r"[\p{L}\p{N}_]+", r"[^\s\p{L}\p{N}]+", r"\p{Cyrillic}+", r"\p{Uppercase_Letter}", r"\p{lowercase letter}", r"[\P{L}a]",
    r"(*FAIL)|a", r"\z", r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
]
for pattern in PATTERNS:
    print(ascii(pattern))
    ready = regex.compile(pattern)
    print("  ", ascii([regex.findall(pattern, text) for text in TEXTS]))
    rest = [(ready.split(text, maxsplit=2), ready.sub(r"<\g<0>>", text),
             [(m.span(), m.groups(), m.lastindex) for m in ready.finditer(text)]) for text in TEXTS]
    print("  ", sum(at * ord(char) for at, char in enumerate(ascii(rest), 1)))

for pattern in (r"(", r")", r"[", r"\y", r"*a", r"a**", r"(?P=b)", r"\p{nosuch}", r"\9", r"[b-a]", r"x{2,1}", r"(?z)"):
    try:
        print(regex.compile(pattern))
    except regex.error as problem:
        print(pattern, "error", problem.msg != "")

m = regex.search("(?P<x>a)(b)?", "za")
print(m, m.lastindex, m.lastgroup, m.re, m.regs, m.string, m.pos, m.endpos, m.groupdict(), m[0], m["x"], m.groups("k"))
print(m.expand(r"\1-\g<x>"), m.start("x"), m.end(), m.span(2), m.group(0, 1), regex.fullmatch("a+", "aab"),
    regex.match("a", "ba"))
print(regex.compile("a").flags, regex.compile("(?i)a").flags, regex.compile("a", regex.V1 | regex.X),
    regex.compile(b"a").flags)
print(regex.compile("(?i)a", regex.A), regex.compile("(?P<n>a)(b)").groupindex, regex.compile("(a)(b)").groups)
print(regex.findall(r"(\w)(\w)", "abcd", overlapped=True), regex.findall(r"\w+", "abc", overlapped=True))
print([m.span() for m in regex.finditer("a", "aaaa", pos=1, endpos=-1, timeout=5)],
    regex.sub("a", "b", "aaa", pos=1, endpos=2))
print(regex.subn("a", lambda m: m[0].upper(), "banana", count=2, concurrent=True), list(regex.splititer(r"(\s)", "a b c")))
for text in ("a b#c.d-e_é\n{}[]()\t'\"<>~&@%!", "x"):
    print(ascii([regex.escape(text), regex.escape(text, special_only=False), regex.escape(text, literal_spaces=True)]))
print(regex.findall(r"\L<words>", "ab abc abcd", words=["ab", "abc"]), regex.findall(rb"\w+", b"ab \xe9 c"))
print(regex.sub(r"(?P<a>\w)(\w)", r"\2\g<a>", "abcd"), regex.I | regex.M == regex.IGNORECASE | regex.MULTILINE,
    regex.V0.value)
try:
    regex.compile("a", nothing=3)
except ValueError as problem:
    print(problem)
try:
    regex.sub("a", r"\g<2>", "a")
except regex.error:
    print("error")
regex.purge()
