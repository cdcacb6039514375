"""Numbers of C by name; libraries of C cannot be called."""

_TOLD = "no library of C can be loaded here"


def _number(name, size, convert):
    def __init__(self, value=0):
        self.value = convert(value)

    def __repr__(self):
        return f"{name}({self.value!r})"

    return type(name, (_Simple,), {"__init__": __init__, "__repr__": __repr__, "_size": size})


class _Simple:
    def __mul__(cls, length):
        raise OSError(_TOLD)


def _whole(bits, signed):
    def convert(value):
        value &= (1 << bits) - 1
        return value - (1 << bits) if signed and value >> (bits - 1) else value

    return convert


for _name, _bits in (("byte", 8), ("short", 16), ("int", 32), ("long", 64), ("longlong", 64), ("int8", 8), ("int16", 16),
                     ("int32", 32), ("int64", 64), ("ssize_t", 64)):  # fmt: skip
    globals()[f"c_{_name}"] = _number(f"c_{_name}", _bits // 8, _whole(_bits, True))
for _name, _bits in (("ubyte", 8), ("ushort", 16), ("uint", 32), ("ulong", 64), ("ulonglong", 64), ("uint8", 8), ("uint16", 16),
                     ("uint32", 32), ("uint64", 64), ("size_t", 64)):  # fmt: skip
    globals()[f"c_{_name}"] = _number(f"c_{_name}", _bits // 8, _whole(_bits, False))
c_float, c_double = _number("c_float", 4, float), _number("c_double", 8, float)
c_bool, c_char = _number("c_bool", 1, bool), _number("c_char", 1, bytes)
c_char_p = c_wchar_p = c_void_p = _number("c_void_p", 8, lambda value: value or None)


def sizeof(obj_or_type, /):
    return obj_or_type._size


class Structure:
    """What a library of C would be given."""

    def __init__(self, *args, **kwargs):
        raise OSError(_TOLD)


Union = Array = Structure


def _refuse(*args, **kwargs):
    raise OSError(_TOLD)


CDLL = PyDLL = byref = pointer = POINTER = addressof = cast = create_string_buffer = memmove = memset = string_at = _refuse
CFUNCTYPE = PYFUNCTYPE = _refuse


class _Libraries:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise OSError(_TOLD)

    LoadLibrary = staticmethod(_refuse)


cdll = pydll = pythonapi = _Libraries()
