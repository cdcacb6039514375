"""What the modules over _csv, zlib, pyexpat, cmath and array do, printed."""
import array
import cmath
import copy
import csv
import gzip
import io
import pickle
import plistlib
import zipfile
import zlib
from xml.dom import minidom
from xml.etree import ElementTree
from xml.parsers import expat
from xml.sax import handler, parseString


def attempt(function, *arguments, **options):
    try:
        print(repr(function(*arguments, **options)))
    except Exception as problem:
        print(type(problem).__name__, problem)


print("-- csv")
text = 'name,size,note\r\n"Ann ""A""",1,"two\nlines"\r\nBob,,plain\r\n\r\nx,"y,z",w\r\n'
rows = csv.reader(io.StringIO(text, newline=""))
for row in rows:
    print(rows.line_num, row)
for row in csv.DictReader(io.StringIO(text, newline="")):
    print(dict(row))
out = io.StringIO(newline="")
writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, delimiter=";")
writer.writerow(["a", 1, 2.5, None, 'q"q', "semi;colon"])
csv.DictWriter(out, ["k", "v"], lineterminator="\n").writerows([{"k": 1, "v": "x,y"}, {"k": "", "v": None}])
print(repr(out.getvalue()))
print(list(csv.reader(["1;'a;b';x"], delimiter=";", quotechar="'", quoting=csv.QUOTE_MINIMAL)))
attempt(lambda: list(csv.reader(['1,"2",3.5'], quoting=csv.QUOTE_NONNUMERIC)))
attempt(lambda: list(csv.reader(["a\\,b, c"], escapechar="\\", skipinitialspace=True)))
attempt(lambda: list(csv.reader(['"a"b'], strict=True)))
attempt(lambda: list(csv.reader(["a\rb"])))
attempt(csv.reader, [], delimiter="ab")
attempt(csv.writer(io.StringIO(), quoting=csv.QUOTE_NONE).writerow, ["a,b"])
attempt(csv.get_dialect, "nothing")
print(csv.Sniffer().sniff("a;b;c\n1;2;3\n").delimiter, sorted(csv.list_dialects()), csv.field_size_limit())

print("-- zlib, gzip, zipfile")
data = b"".join(b"line %d of some text, some text again\n" % (number * number) for number in range(300))
for level in (0, 1, 6, 9):
    packed = zlib.compress(data, level)
    print(level, packed[:2].hex(), zlib.decompress(packed) == data, len(packed) < len(data))
print(zlib.crc32(data), zlib.adler32(data), zlib.crc32(b"more", zlib.crc32(b"some")))
made = bytes.fromhex("789ccb48cdc9c957c840903a0ae5f945392900702e08f1")
attempt(zlib.decompress, made)
attempt(zlib.decompress, made[:-2])
attempt(zlib.decompress, made[:-1] + b"\0")
attempt(zlib.decompress, b"no zlib data")
stream, taken, rest = zlib.decompressobj(), [], zlib.compress(data) + b"after"
while not stream.eof:
    taken.append(stream.decompress(rest, 1000))
    rest = stream.unconsumed_tail
print([len(part) for part in taken], b"".join(taken) == data, stream.unused_data)
pressed = zlib.compressobj(9, zlib.DEFLATED, -15)
parts = [pressed.compress(data[:5000]), pressed.flush(zlib.Z_SYNC_FLUSH), pressed.compress(data[5000:]), pressed.flush()]
print(parts[1][-4:], zlib.decompress(b"".join(parts), -15) == data)
file = io.BytesIO()
with gzip.GzipFile("some.txt", "wb", fileobj=file, mtime=0) as packed:
    packed.write(data)
with gzip.open(io.BytesIO(file.getvalue()), "rt") as lines:
    print(file.getvalue()[:10].hex(), sum(1 for line in lines), gzip.decompress(gzip.compress(data, mtime=1)) == data)
attempt(gzip.decompress, file.getvalue()[:-4])
attempt(gzip.decompress, b"text")
file = io.BytesIO()
with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr(zipfile.ZipInfo("a/one.txt", (2020, 1, 2, 3, 4, 6)), data, zipfile.ZIP_DEFLATED)
    archive.writestr(zipfile.ZipInfo("two.txt"), "\u00e9t\u00e9")
with zipfile.ZipFile(file) as archive:
    print(archive.namelist(), archive.testzip(), archive.read("a/one.txt") == data)
    print(archive.read("two.txt").decode())
    with archive.open("a/one.txt") as lines:
        print(lines.readline(), len(lines.read(500)), archive.getinfo("a/one.txt").date_time)

print("-- xml")
document = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE shop [<!ENTITY owner "Ann &amp; Bob"><!ATTLIST item kind CDATA "plain">]>
<shop xmlns="urn:shop" xmlns:x="urn:x" x:open='yes'>
 <item id="1">&owner; &lt;tag&gt; &#233;&#x20AC;</item><!-- note --><?go now?>
 <item id="2" kind="new"><![CDATA[<raw> & so]]></item><x:empty/>
</shop>"""
root = ElementTree.fromstring(document)
for element in root.iter():
    print(element.tag, element.attrib, repr(element.text), repr(element.tail))
print(ElementTree.tostring(root, encoding="unicode"))
print([item.get("id") for item in root.findall("{urn:shop}item[@kind='new']")])
pull = ElementTree.XMLPullParser(["start", "end"])
for piece in ("<a><b", " k='v'>te", "xt</b", "></a>"):
    pull.feed(piece)
    print([(event, element.tag, element.text) for event, element in pull.read_events()])
for broken in ("<a><b></a>", "<a", "<a>&nope;</a>", "<a/><b/>", "", "<a x='1' x='2'/>", "<a>\n <b x=1/></a>", "x<a/>",
               "<a>\x01</a>", "<a><!-- -- --></a>", "<x:a/>", "<a>]]></a>", "<a b='<'/>",
               "<?xml version='1'", "<a>&#0;</a>"):
    attempt(ElementTree.fromstring, broken)
try:
    ElementTree.fromstring("<a>\n</b>")
except ElementTree.ParseError as problem:
    print(problem.code, problem.position, expat.ErrorString(problem.code), expat.errors.messages[7])
laughs = "".join(f"<!ENTITY e{n} '{f'&e{n - 1};' * 20}'>" for n in range(1, 9))
attempt(ElementTree.fromstring, f"<!DOCTYPE a [<!ENTITY e0 'ha'>{laughs}]><a>&e8;</a>")
attempt(ElementTree.fromstring, "<!DOCTYPE a [<!ENTITY e '&f;'><!ENTITY f '&e;'>]><a>&e;</a>")
tree = minidom.parseString(document)
print(tree.doctype.name, tree.documentElement.namespaceURI, tree.documentElement.toxml())
print([node.nodeName for node in tree.documentElement.childNodes])
print(minidom.parseString("<a><b>1</b><c d='&quot;'/></a>").toprettyxml(indent=" "))


class Counter(handler.ContentHandler):
    def startElement(self, name, attributes):
        print("start", name, dict(attributes), self._locator.getLineNumber(), self._locator.getColumnNumber())

    def characters(self, content):
        print("text", repr(content))


parseString("<a>\n<b c='d'>e&amp;f</b></a>", Counter())
print(ElementTree.fromstring("<a>\u00e9</a>".encode("utf-16")).text, ElementTree.fromstring(
    "<?xml version='1.0' encoding='iso-8859-1'?><a>\u00e9</a>".encode("latin-1")).text)
value = {"list": [1, 2.5, True, "a<b", b"bytes"], "empty": {}}
for form in (plistlib.FMT_XML, plistlib.FMT_BINARY):
    print(plistlib.loads(plistlib.dumps(value, fmt=form)) == value)

print("-- cmath, array")
for name in ("sqrt", "exp", "log", "sinh", "tan", "acos", "atanh", "phase", "polar"):
    for z in (-1, 2 - 1j, complex("inf"), complex(float("nan"), 1)):
        attempt(lambda: str(getattr(cmath, name)(z)) if name in ("sqrt", "phase") else cmath.isfinite(getattr(cmath, name)(z)
                if name != "polar" else cmath.rect(*cmath.polar(z))))
print(cmath.isclose(cmath.exp(1j * cmath.pi), -1), cmath.isnan(cmath.nanj), cmath.log(8, 2).real == 3, cmath.infj)
numbers = array.array("h", [1, -2, 300])
numbers.extend(range(3))
numbers[1:3] = array.array("h", [7])
numbers.byteswap()
print(numbers, numbers.tobytes(), numbers.itemsize, numbers[::2] + numbers[:1] * 2, numbers.index(256))
print(pickle.loads(pickle.dumps(numbers)) == numbers, copy.copy(numbers) < numbers, array.array("f", [0.1]), array.typecodes)
for code, wrong in (("b", [128]), ("B", [-1]), ("I", [2 ** 32]), ("d", ["x"]), ("u", ["ab"]), ("x", []), ("i", b"123")):
    attempt(array.array, code, wrong)
