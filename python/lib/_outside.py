"""Names that are outside what Napkin has: what each of them is, and the nearest thing that is there."""

import sys

import _tracebacks
from _frozen_importlib import ModuleSpec

# The lines of the table in docs/scope.md: names, what they are, the nearest. In front of a colon stands the module that
# all names of the line are in.
from _scope import TABLE

_ROOTS = {"torch": "PyTorch", "numpy": "NumPy", "einops": "einops", "jaxtyping": "jaxtyping", "safetensors": "safetensors"}
_rows = {}


def rows():
    """Of each name what it is, and the nearest."""
    if not _rows:
        for line in TABLE.splitlines():
            names, what, nearest = line.split(" | ")
            module, _, listed = names.rpartition(": ")
            for name in listed.split():
                _rows[f"{module}.{name}" if module else name] = what, nearest
    return _rows


def sentence(name, shown=None):
    """What there is to say of a name in the table, or below one; None of others."""
    known = name
    while known and known not in rows():
        known = known.rpartition(".")[0]
    if not known:
        return None
    what, nearest = rows()[known]
    library = _ROOTS.get(name.partition(".")[0])
    of = f" of {library}" if library else ""
    return f"{shown or known} ({what}) is outside what Napkin has{of}; the nearest is {nearest}. See docs/scope.md."


def _other(name):
    return f"What of {_ROOTS[name.partition('.')[0]]} is there, and what is not, stands in docs/scope.md."


def lacking(owner, name, *known):
    """The error of an object that has no such attribute, which stands in the table by one of those names."""
    kind = type(owner).__name__
    told = next(filter(None, (sentence(it, f"torch.{kind}.{name}") for it in known)), None)
    return AttributeError(told or f"{kind!r} object has no attribute {name!r}. {_other('torch')}")


def refused(name):
    """What can be imported by that name, and says so when it is called."""

    def call(*args, **kwargs):
        raise NotImplementedError(sentence(name))

    call.__name__ = call.__qualname__ = name.rpartition(".")[2]
    return call


def guard(module):
    """From now on the module says of names that it lacks what they are."""

    def missing(name):
        full = f"{module}.{name}"
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise AttributeError(sentence(full) or f"module {module!r} has no attribute {name!r}. {_other(full)}")

    names = vars(sys.modules[module])
    names["__getattr__"] = missing
    # What is imported from a package is looked for by the finder below, and so its sentence is heard.
    names.setdefault("__path__", [])


class Unused(type(sys)):
    """Stands for a module that is not there, or for what is imported from it. To use it is an error; an import alone is none."""

    def __init__(self, name, told):
        super().__init__(name)
        self._told = told

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return Unused(f"{self.__name__}.{name}", self._told)

    def _refuse(self, *args, **kwargs):
        raise ModuleNotFoundError(self._told, name=self.__name__)

    __call__ = __enter__ = __getitem__ = __iter__ = __mro_entries__ = __setitem__ = _refuse

    def __instancecheck__(self, value):
        return False

    # In annotations.
    def __or__(self, other):
        return self

    __ror__ = __or__


class Loader:
    def __init__(self, told):
        self.told = told

    def create_module(self, spec):
        return Unused(spec.name, self.told)

    def exec_module(self, module):
        pass


def _is_awaited():
    """Whether the one who imports may be ready for the error: it is no plain statement, or it stands in a `try` or a `with`."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename == "<frozen importlib._bootstrap>":
        frame = frame.f_back
    source = frame and _tracebacks.sources.get(frame.f_code.co_filename)
    if not source:
        return True
    lines = source.splitlines()[: frame.f_lineno]
    statement = lines.pop()
    if not statement.split() or statement.split()[0] not in ("import", "from"):
        return True
    margin = len(statement) - len(statement.lstrip())
    for line in reversed(lines):
        code = line.lstrip()
        if code and not code.startswith("#") and len(line) - len(code) < margin:
            margin = len(line) - len(code)
            if code.startswith(("try", "with ")):
                return True
    return False


class Finder:
    """Finds nothing, and says why; all others have been asked before."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        told = sentence(name)
        if told is not None and not _is_awaited():
            return ModuleSpec(name, Loader(told), is_package=True)
        if told is None and "." in name and name.partition(".")[0] in _ROOTS:
            told = f"No module named {name!r}. {_other(name)}"
        if told is not None:
            raise ModuleNotFoundError(told)
        # The library itself has no other way without these.
        if _is_awaited() and name not in ("_bz2", "_lzma", "_tracemalloc"):
            return None
        import _absent

        return _absent.spec_of(name)


sys.meta_path.append(Finder)
