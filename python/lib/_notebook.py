"""What a notebook has around its cells: what shows values, and what IPython adds to Python."""

import builtins
import contextlib
import io
import re
import sys
import time

import _cells
import _napkin

# Packages that are imported by another name.
_IMPORTED = {
    "beautifulsoup4": "bs4",
    "opencv-python": "cv2",
    "pillow": "PIL",
    "python-dateutil": "dateutil",
    "pyyaml": "yaml",
    "scikit-image": "skimage",
    "scikit-learn": "sklearn",
}
# How values show themselves, the best first, and what draws that.
_FORMS = (
    ("_repr_svg_", "image"),
    ("_repr_png_", "image"),
    ("_repr_jpeg_", "image"),
    ("_repr_html_", "html"),
    ("_repr_markdown_", "markdown"),
    ("_repr_latex_", "markdown"),
)


def cell(name):
    """The function of a cell: its names are those of the whole notebook."""
    frame = sys._getframe(1)
    code, stored = _napkin.cell(frame.f_code.co_filename, name)
    if isinstance(code, BaseException):
        space = {"error": code}
        exec(f"def {name}():\n    raise error", space)
        function = space[name]
    else:
        function = type(cell)(code, frame.f_globals, name)
    _cells.stored[function.__code__] = stored
    return function


def show(value):
    """What the last line of a cell comes to."""
    if value is not None:
        builtins._ = value
        display(value)


def end():
    """A cell has run: figures that are open are shown."""
    matplotlib = sys.modules.get("matplotlib")
    if matplotlib is not None:
        matplotlib._show_open()


def display(*values, **_more):
    """Shows values as they show themselves."""
    for value in values:
        if not any(_drawn(value, method, kind) for method, kind in _FORMS):
            print(repr(value))


def _drawn(value, method, kind):
    """Whether a value has been drawn in one of the forms."""
    form = None if isinstance(value, type) else getattr(value, method, None)
    data = form() if callable(form) else None
    if isinstance(data, tuple):
        data = data[0]
    if data is None:
        return False
    if kind == "image":
        data = address(data, method.strip("_").removeprefix("repr_"))
    return _napkin.render(kind, data)


def address(picture, kind):
    """A picture as an address of its own: bytes, base64, or the text of an SVG."""
    if kind == "svg":
        escapes = {letter: f"%{ord(letter):02X}" for letter in "%#\"'&?"}
        return "data:image/svg+xml;utf8," + " ".join(picture.split()).translate(str.maketrans(escapes))
    if isinstance(picture, bytes):
        from binascii import b2a_base64

        picture = b2a_base64(picture).decode()
    return f"data:image/{kind};base64,{''.join(picture.split())}"


def _say(text):
    if text:
        print(text, file=sys.stderr)


def _told(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def _evaluated(statement, space):
    """Runs a line; what it comes to, if it is an expression."""
    try:
        code = compile(statement, "<magic>", "eval")
    except SyntaxError:
        exec(compile(statement, "<magic>", "exec"), space)
        return None
    return eval(code, space)


class Shell:
    """What `get_ipython()` gives."""

    def run_line_magic(self, name, line, *_more):
        space = sys._getframe(1).f_globals
        magic = getattr(self, f"_line_{name}", None)
        if magic is None:
            return _say(f"`%{name}` was not run: it is a magic that is not here.")
        return magic(line, space)

    def run_cell_magic(self, name, line, text=None):
        """With a text, what a magic makes of that; without, what the rest of the cell runs in."""
        space = sys._getframe(1).f_globals
        if text is None:
            return getattr(self, f"_around_{name}", contextlib.nullcontext)(line, space)
        text = text.removeprefix("\n").removesuffix("\n")
        magic = getattr(self, f"_cell_{name}", None)
        if magic is None:
            return _say(f"`%%{name}` was not run: it is a magic that is not here.")
        return magic(line, text)

    def system(self, command):
        """Runs a command of the machine, or says why not; what is to be installed is here or it is not."""
        if not self._installs(command):
            print("\n".join(self.getoutput(command)))

    def getoutput(self, command):
        """The lines that a command prints."""
        if not _napkin.has_processes():
            _say(f"`{command}` was not run: a page has no shell.")
            return []
        try:
            code, told, errors = _napkin.process(["sh", "-c", command], b"", None, None)
        except OSError as error:
            _say(f"`{command}` was not run: {error}")
            return []
        _say(errors.decode(errors="replace").removesuffix("\n"))
        if code:
            _say(f"`{command}` ended with {code}.")
        return told.decode(errors="replace").splitlines()

    def _installs(self, command):
        words = re.sub(r"^(sudo\s+)?(python\d?\s+-m\s+)?", "", command.strip()).split()
        if len(words) < 2 or words[0] not in ("pip", "pip3", "conda", "mamba", "uv") or "install" not in words:
            return False
        wanted = [word.strip("\"'") for word in words[words.index("install") + 1 :]]
        missing = [word for word in wanted if not word.startswith("-") and not _is_here(word)]
        if missing:
            _say(f"Not here, and nothing can be installed: {', '.join(missing)}.")
        return True

    def _line_time(self, line, space):
        start = time.perf_counter()
        value = _evaluated(line, space)
        print(f"Wall time: {_told(time.perf_counter() - start)}")
        return value

    def _line_timeit(self, line, space):
        import timeit

        count, line = re.match(r"((?:-\w\s*\d*\s+)*)(.*)", line).groups()
        count = re.search(r"-n\s*(\d+)", count)
        timer = timeit.Timer(line, globals=space)
        if count:
            count = int(count[1])
            seconds = timer.timeit(count)
        else:
            count, seconds = timer.autorange()
        print(f"{_told(seconds / count)} per loop ({count} loops)")

    def _line_run(self, line, space):
        path = line.split()[0]
        with open(path) as file:
            exec(compile(file.read(), path, "exec"), space)

    def _line_pwd(self, _line, _space):
        import os

        return os.getcwd()

    @contextlib.contextmanager
    def _around_time(self, _line, _space):
        start = time.perf_counter()
        yield
        print(f"Wall time: {_told(time.perf_counter() - start)}")

    @contextlib.contextmanager
    def _around_timeit(self, _line, _space):
        start = time.perf_counter()
        yield
        print(f"{_told(time.perf_counter() - start)} per loop (1 loop)")

    @contextlib.contextmanager
    def _around_capture(self, line, space):
        name = next((word for word in line.split() if not word.startswith("-")), None)
        output, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            yield
        if name is not None:
            space[name] = Captured(output.getvalue(), errors.getvalue())

    def _cell_html(self, _line, text):
        _napkin.render("html", text) or print(text)

    def _cell_markdown(self, _line, text):
        _napkin.render("markdown", text) or print(text)

    _cell_latex = _cell_markdown

    def _cell_svg(self, _line, text):
        _napkin.render("image", address(text, "svg")) or print(text)

    def _cell_writefile(self, line, text):
        path = line.split()[-1]
        with open(path, "a" if line.startswith("-a ") else "w") as file:
            file.write(text + "\n")
        print(f"Written: {path}")

    _cell_file = _cell_writefile

    def _cell_bash(self, _line, text):
        print("\n".join(self.getoutput(text)))

    _cell_sh = _cell_bash


_shell = Shell()


class Captured:
    """What a cell has written while it was captured."""

    def __init__(self, stdout, stderr):
        self.stdout, self.stderr = stdout, stderr

    def __str__(self):
        return self.stdout

    def show(self):
        print(self.stdout, end="")


def _is_here(package):
    """Whether a package that a program wants to install can be imported."""
    name = re.split(r"[\[<>=!~;@ ]", package)[0].lower()
    if not re.fullmatch(r"[\w.-]+", name) or package.startswith("git+") or "/" in package:
        return False
    name = _IMPORTED.get(name, name.replace("-", "_"))
    return name in sys.modules or any(finder.find_spec(name, None) for finder in sys.meta_path)


def get_ipython():
    return _shell


def help(thing):
    """What a thing says of itself."""
    print(getattr(thing, "__name__", None) or repr(thing))
    print(getattr(thing, "__doc__", None) or "It says nothing of itself; its source or its documentation may.")


builtins.display = display
builtins.get_ipython = get_ipython
builtins.help = help
setattr(builtins, "<cell>", cell)
setattr(builtins, "<show>", show)
setattr(builtins, "<end>", end)
