"""Text as it is laid out: the widths of letters, lines, and what stands between dollar signs as mathematics."""

import functools
import re

# How wide the letters from the blank to the tilde are, in thousandths of the size of the font.
_PLAIN = [int(width) for width in """
    318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636 636 337
    337 838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787 695 635 611 732
    684 989 685 611 685 390 337 390 838 500 500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635
    635 411 521 392 634 592 818 592 592 525 636 337 636 838
""".split()]
_BOLD = [int(width) for width in """
    348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 696 696 696 400
    400 838 838 838 580 1000 774 762 734 830 683 683 821 837 372 372 775 637 995 837 850 733 850 770 720 682 812
    774 1103 771 724 725 457 365 457 838 500 500 675 716 593 716 678 435 716 712 343 343 665 343 1042 712 687 716
    716 493 595 478 712 652 924 645 652 582 712 365 712 838
""".split()]
# The same of other signs; those that are not here are as wide as most letters.
_SIGNS = {
    sign: int(size) for size, signs in (entry.split(":") for entry in """
    220:′ 280:ıȷ 320:·’ 340:ι 400:⌈⌉⌊⌋⟨⟩ 420:ℓ 500:§°–‖†∣∥ 520:“”∂∫∮ 540:çεζ 560:Γνξ 580:κςυχ• 600:γλπτ
    640:µñüΞΣβημρσϱℏ∃∖ 660:αφψϕ∇ 680:ÅΔΛ∀∑ 700:ℑ 720:∝ 740:ℵ∧∨∩∪ 760:ΠΩ∏△ 780:ΘΦΨ 820:ℜ
    840:¬±×÷ω←↑→↓↔↦⇐⇒⇔−∓∗∞∼≃≅≈≠≡≤≥⊂⊃⊆⊇⊕⊗⊙✓ 880:∅∈∉∋⊤⊥ 900:∠ 940:□ 1000:—…⋉⋮⋯ 1040:≪≫
    """.split()) for sign in signs
}
ASCENT, DESCENT = 0.76, 0.236

_LETTERS = dict(
    pair.split(":")
    for pair in """
    alpha:α beta:β gamma:γ delta:δ epsilon:ϵ varepsilon:ε zeta:ζ eta:η theta:θ vartheta:ϑ iota:ι kappa:κ lambda:λ
    mu:μ nu:ν xi:ξ pi:π rho:ρ varrho:ϱ sigma:σ varsigma:ς tau:τ upsilon:υ phi:ϕ varphi:φ chi:χ psi:ψ omega:ω ell:ℓ
    partial:∂ hbar:ℏ imath:ı jmath:ȷ
    """.split()
)
_SYMBOLS = dict(
    pair.split(":", 1)
    for pair in """
    Gamma:Γ Delta:Δ Theta:Θ Lambda:Λ Xi:Ξ Pi:Π Sigma:Σ Upsilon:Υ Phi:Φ Psi:Ψ Omega:Ω times:× cdot:· div:÷ pm:± mp:∓
    leq:≤ le:≤ geq:≥ ge:≥ neq:≠ ne:≠ approx:≈ equiv:≡ sim:∼ simeq:≃ propto:∝ ll:≪ gg:≫ infty:∞ nabla:∇ sum:∑ prod:∏
    int:∫ oint:∮ in:∈ notin:∉ ni:∋ subset:⊂ subseteq:⊆ supset:⊃ supseteq:⊇ cup:∪ cap:∩ emptyset:∅ forall:∀ exists:∃ neg:¬
    wedge:∧ vee:∨ oplus:⊕ otimes:⊗ odot:⊙ circ:∘ bullet:• star:⋆ ast:∗ to:→ rightarrow:→ leftarrow:← uparrow:↑
    downarrow:↓ leftrightarrow:↔ Rightarrow:⇒ Leftarrow:⇐ Leftrightarrow:⇔ mapsto:↦ ldots:… dots:… cdots:⋯ vdots:⋮
    langle:⟨ rangle:⟩ lfloor:⌊ rfloor:⌋ lceil:⌈ rceil:⌉ mid:∣ parallel:∥ Vert:‖ perp:⊥ angle:∠ prime:′ dagger:† deg:°
    degree:° Re:ℜ Im:ℑ aleph:ℵ backslash:\\ colon:: lbrace:{ rbrace:} vert:| AA:Å S:§ top:⊤ bot:⊥ triangle:△ square:□
    checkmark:✓ top:⊤ cong:≅ setminus:∖ ltimes:⋉ lVert:‖ rVert:‖ lvert:| rvert:|
    """.split()
)
_SPACES = {",": 0.17, ":": 0.22, ";": 0.28, "!": -0.17, " ": 0.33, "quad": 1.0, "qquad": 2.0, "/": 0.1, "enspace": 0.5}
_NAMES = set("sin cos tan exp log ln max min arg argmax argmin lim sup inf det dim ker deg gcd Pr sinh cosh tanh cot sec "
             "csc arcsin arccos arctan limsup liminf hom lg".split())
_ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7",
            "check": "\u030c", "widehat": "\u0302", "widetilde": "\u0303", "acute": "\u0301", "grave": "\u0300"}
_FONTS = {"mathrm": "", "rm": "", "mathdefault": "", "text": "", "textrm": "", "mathsf": "", "operatorname": "",
          "mathbf": "b", "bf": "b", "boldsymbol": "bi", "textbf": "b", "mathit": "i", "it": "i", "textit": "i",
          "mathcal": "c", "cal": "c", "mathbb": "d", "mathfrak": "", "mathscr": "c", "mathtt": "m", "texttt": "m",
          "mathregular": "", "bfseries": "b"}
_DOUBLE = {"C": "ℂ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ", "E": "𝔼", "1": "𝟙"}
_SCRIPT = {"B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ", "D": "𝒟", "N": "𝒩", "O": "𝒪",
           "X": "𝒳", "Y": "𝒴", "A": "𝒜", "C": "𝒞", "G": "𝒢", "S": "𝒮", "T": "𝒯", "U": "𝒰", "V": "𝒱", "Z": "𝒵"}
_AROUND = set("=<>≤≥≠≈≡∼≃∝≪≫→←⇒⇔∈∉⊂⊆")
_BETWEEN = set("+−×±∓÷·∪∩∧∨⊕⊗")
_SHRINK = 0.7


@functools.lru_cache(4096)
def width(text, bold=False):
    """How wide a text is, in sizes of its font."""
    table, total = _BOLD if bold else _PLAIN, 0
    for letter in text:
        code = ord(letter)
        if 32 <= code < 127:
            total += table[code - 32]
        elif not (0x300 <= code < 0x370 or code == 0x20D7):
            total += 1000 if code > 0x2E80 else _SIGNS.get(letter, 620)
    return total / 1000


class _Box:
    """Runs of text and rules: runs are (x, y, text, size, font), rules are (x, y, width, height)."""

    def __init__(self):
        self.runs, self.rules = [], []
        self.width, self.ascent, self.descent = 0.0, 0.0, 0.0
        # Where a run ends that letters may be added to, and how high the last part is.
        self._end, self.tall = -1.0, 0.0

    def put(self, other, dy=0.0):
        """Adds another box after this one."""
        self.lay(other, self.width, dy)
        self.width += other.width
        self.tall = other.ascent + dy

    def lay(self, other, dx, dy):
        self.runs += [(x + dx, y + dy, *run) for x, y, *run in other.runs]
        self.rules += [(x + dx, y + dy, *size) for x, y, *size in other.rules]
        self.ascent = max(self.ascent, other.ascent + dy)
        self.descent = max(self.descent, other.descent - dy)

    def add(self, text, size, font):
        """Adds letters, to the last run where they are of its kind."""
        if self.runs and self.runs[-1][3:] == (size, font) and self.runs[-1][1] == 0 and self._end == self.width:
            x, y, before, *_ = self.runs[-1]
            self.runs[-1] = (x, y, before + text, size, font)
        else:
            self.runs.append((self.width, 0.0, text, size, font))
        self.width += width(text, "b" in font) * size
        self._end, self.tall = self.width, 0.74 * size
        self.ascent = max(self.ascent, 0.74 * size)
        self.descent = max(self.descent, (0.208 if set(text) & set("gjpqy()[]{}|,;Qμρφβγ") else 0.0) * size)


_TOKEN = re.compile(r"\\([a-zA-Z]+)\*?|\\(.)|(.)", re.S)


class _Parser:
    """Reads what stands between dollar signs."""

    def __init__(self, text, size):
        self.tokens = [(name or other, bool(name or other), letter) for name, other, letter in _TOKEN.findall(text)]
        self.place, self.size = 0, size
        # The sign of a sum that limits may follow: its box, where it starts and how wide it is.
        self.big = None

    def row(self, size, font, end=None):
        """Everything up to a closing brace or another end."""
        box = _Box()
        while self.place < len(self.tokens):
            name, is_command, letter = self.tokens[self.place]
            if letter == end and not is_command:
                self.place += 1
                break
            if letter in ("^", "_") and not is_command:
                self._scripts(box, size, font)
                continue
            self.place += 1
            if is_command and name in _FONTS and name in ("rm", "bf", "it", "cal"):
                font = _FONTS[name]
            elif is_command:
                self._command(box, name, size, font)
            elif letter == "{":
                box.put(self.row(size, font, "}"))
            elif letter == "'":
                box.add("′", size, "")
            elif letter not in " ~\n":
                self._letter(box, letter, size, font)
        return box

    def _letter(self, box, letter, size, font):
        if font == "d":
            letter, font = _DOUBLE.get(letter, letter), ""
        elif font == "c":
            letter, font = _SCRIPT.get(letter, letter), ""
        letter = {"-": "−", "*": "∗"}.get(letter, letter)
        if font == "n":
            font = "i" if letter.isalpha() and not "Α" <= letter <= "Ω" else ""
        space = (0.27 if letter in _AROUND else 0.2) if letter in _AROUND or letter in _BETWEEN and box.runs else 0
        if size < self.size * 0.8:
            space = 0
        box.width += space * size
        box.add(letter, size, font)
        box.width += (0.2 if letter in ",;" else space) * size

    def _scripts(self, box, size, font):
        """What is above and below the letter before, one over the other."""
        found = {}
        while self.place < len(self.tokens) and self.tokens[self.place][2] in ("^", "_") and not self.tokens[self.place][1]:
            kind = self.tokens[self.place][2]
            self.place += 1
            found[kind] = self.one(size * _SHRINK, font)
        if self.big is not None and self.big[0] is box:
            self._limits(box, found, size)
            return
        start, widest = box.width + 0.03 * size, 0.0
        for kind, script in found.items():
            up = max(0.38 * size, box.tall - 0.36 * size) if kind == "^" else -0.17 * size
            box.lay(script, start, up)
            widest = max(widest, script.width)
        box.width = start + widest + 0.03 * size
        box._end = -1.0

    def _limits(self, box, found, size):
        """What is above and below the sign of a sum."""
        _, start, wide = self.big
        sign = box.runs[-1][3]
        widest = max([wide] + [script.width for script in found.values()])
        if widest > wide:
            box.runs[-1] = (start + (widest - wide) / 2, *box.runs[-1][1:])
        for kind, script in found.items():
            up = 0.8 * sign + script.descent if kind == "^" else -0.23 * sign - script.ascent
            box.lay(script, start + (widest - script.width) / 2, up)
        box.width, self.big, box._end = start + widest + 0.1 * size, None, -1.0

    def one(self, size, font):
        """The next letter, command or group."""
        while self.place < len(self.tokens) and self.tokens[self.place][2] == " ":
            self.place += 1
        box = _Box()
        if self.place >= len(self.tokens):
            return box
        name, is_command, letter = self.tokens[self.place]
        self.place += 1
        if letter == "{" and not is_command:
            return self.row(size, font, "}")
        if is_command:
            self._command(box, name, size, font)
        else:
            self._letter(box, letter, size, font)
        return box

    def _raw(self):
        """A group as it is written."""
        text, depth = "", 0
        while self.place < len(self.tokens):
            name, is_command, letter = self.tokens[self.place]
            self.place += 1
            depth += (letter == "{") - (letter == "}")
            if depth == 0:
                break
            if letter != "{":
                text += name if is_command else letter
        return text

    def _command(self, box, name, size, font):
        if name in ("frac", "dfrac", "tfrac", "binom"):
            self._fraction(box, size, font, name == "binom")
        elif name == "sqrt":
            self._root(box, size, font)
        elif name in ("text", "textrm", "textbf", "textit", "operatorname", "mathrm", "mathdefault") and "text" in name:
            box.add(self._raw(), size, _FONTS[name])
        elif name in _FONTS:
            box.put(self.one(size, _FONTS[name]))
            box._end = -1.0
        elif name in _ACCENTS:
            inner = self.one(size, font)
            inner.runs = [(x, y, text + _ACCENTS[name], *run) for x, y, text, *run in inner.runs[:1]] + inner.runs[1:]
            box.put(inner)
            box._end = -1.0
        elif name in ("overline", "underline"):
            inner = self.one(size, font)
            y = inner.ascent + 0.08 * size if name == "overline" else -inner.descent - 0.1 * size
            inner.rules.append((0.0, y, inner.width, 0.06 * size))
            inner.ascent += 0.15 * size
            box.put(inner)
        elif name in _SPACES:
            box.width += _SPACES[name] * size
        elif name in ("left", "right", "big", "Big", "bigg", "Bigg", "displaystyle", "limits", "mathstrut", "nolimits"):
            if name in ("left", "right") and self.tokens[self.place : self.place + 1] == [("", False, ".")]:
                self.place += 1
        elif name in _NAMES:
            start, box._end = box.width, -1.0
            box.add(name, size, "")
            if name in ("lim", "max", "min", "sup", "inf", "argmax", "argmin"):
                self.big = (box, start, box.width - start)
            if self.place < len(self.tokens) and self.tokens[self.place][2] not in ("(", "_", "^", "[", "{"):
                box.width += 0.15 * size
        elif name in _LETTERS:
            box.add(_LETTERS[name], size, "i" if font == "n" else font)
        elif name in ("sum", "prod", "int", "oint"):
            start, box._end = box.width, -1.0
            box.add(_SYMBOLS[name], size * 1.3, "")
            box._end = -1.0
            if "int" not in name:
                self.big = (box, start, box.width - start)
        else:
            self._letter(box, _SYMBOLS.get(name, name if len(name) == 1 else f"\\{name}"), size, "")

    def _fraction(self, box, size, font, is_binomial):
        above, below = self.one(size * _SHRINK, font), self.one(size * _SHRINK, font)
        wide = max(above.width, below.width) + 0.1 * size
        made, middle = _Box(), 0.3 * size
        made.lay(above, (wide - above.width) / 2, middle + 0.16 * size + above.descent)
        made.lay(below, (wide - below.width) / 2, middle - 0.13 * size - below.ascent)
        made.width = wide
        if is_binomial:
            box.add("(", size, "")
        else:
            made.rules.append((0.0, middle, wide, 0.06 * size))
        box.width += 0.08 * size
        box.put(made)
        box.width += 0.08 * size
        box._end = -1.0
        if is_binomial:
            box.add(")", size, "")

    def _root(self, box, size, font):
        if self.place < len(self.tokens) and self.tokens[self.place][2] == "[":
            self.place += 1
            degree = self.row(size * 0.5, font, "]")
            box.put(degree, 0.4 * size)
        inner = self.one(size, font)
        box._end = -1.0
        box.add("√", size, "")
        inner.rules.append((0.0, max(inner.ascent, 0.72 * size) + 0.08 * size, inner.width + 0.05 * size, 0.06 * size))
        inner.ascent = max(inner.ascent, 0.72 * size) + 0.14 * size
        box.put(inner)
        box.width += 0.06 * size
        box._end = -1.0


_MATHS = re.compile(r"((?<!\\)\$(?:[^$\\]|\\.)*\$)", re.S)


def has_maths(text):
    return "$" in text and _MATHS.search(text) is not None


@functools.lru_cache(512)
def line(text, size, bold=False):
    """A line of text as a box."""
    box, font = _Box(), "b" if bold else ""
    for part in _MATHS.split(text):
        box._end = -1.0
        if part[:1] == "$" and len(part) > 1 and _MATHS.fullmatch(part):
            box.put(_Parser(part[1:-1], size).row(size, "n"))
        elif part:
            box.add(part.replace("\\$", "$"), size, font)
    box.ascent, box.descent = max(box.ascent, ASCENT * size), max(box.descent, DESCENT * size)
    return box


def spoken(text):
    """A text without the marks of mathematics."""
    if not has_maths(text):
        return text
    return "".join(run[2] for run in line(text, 10.0).runs)


class Block:
    """Lines of text: `lines` are (baseline, box), measured from the lower left corner."""

    def __init__(self, text, size, bold=False, spacing=1.2, parse_math=True):
        texts = text.split("\n")
        self.is_plain = not (parse_math and "$" in text and any(map(has_maths, texts)))
        self.texts, self.lines, self.width, y = texts, [], 0.0, 0.0
        for place, part in enumerate(texts):
            if self.is_plain:
                box = None
                wide, ascent, descent = width(part, bold) * size, ASCENT * size, DESCENT * size
            else:
                box = line(part, size, bold)
                wide, ascent, descent = box.width, box.ascent, box.descent
            if place == 0:
                self.first_ascent = ascent
                self.height = ascent
            else:
                y -= ascent * spacing
                self.height += ascent * spacing
            self.lines.append((y, box, wide))
            y -= descent
            self.height += descent
            self.width = max(self.width, wide)
        self.descent = descent
        self.lines = [(baseline + self.height - self.first_ascent, box, wide) for baseline, box, wide in self.lines]
