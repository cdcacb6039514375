"""Modules of Python's own library that need what is not here. They can be imported; what is used of them says why it fails."""

import sys

import _fetched
from _frozen_importlib import ModuleSpec

_WHERE = "a page" if sys.platform == "unknown" else "Napkin"
# What each needs.
_NEEDS = {
    "a terminal": "curses _curses termios readline pty",
    "calls of the operating system": "fcntl grp pwd resource syslog",
    "memory of the operating system": "mmap _tracemalloc faulthandler",
    "its compression": "_bz2 _lzma",
}
_MODULES = {name: what for what, names in _NEEDS.items() for name in names.split()}


# What is imported of one by a star.
_STARS = {
    "_lzma": "CHECK_CRC32 CHECK_CRC64 CHECK_ID_MAX CHECK_NONE CHECK_SHA256 CHECK_UNKNOWN FILTER_ARM FILTER_ARMTHUMB FILTER_DELTA "
    "FILTER_IA64 FILTER_LZMA1 FILTER_LZMA2 FILTER_POWERPC FILTER_SPARC FILTER_X86 FORMAT_ALONE FORMAT_AUTO FORMAT_RAW "
    "FORMAT_XZ LZMACompressor LZMADecompressor LZMAError MF_BT2 MF_BT3 MF_BT4 MF_HC3 MF_HC4 MODE_FAST MODE_NORMAL "
    "PRESET_DEFAULT PRESET_EXTREME _decode_filter_properties _encode_filter_properties is_check_supported",
}


class _Refused(type):
    """A class of which there can be no object."""

    def __call__(cls, *args, **kwargs):
        raise OSError(cls._told)


class Loader(_fetched.Loader):
    @staticmethod
    def exec_module(module):
        name = module.__name__
        told = f"{name} needs {_MODULES[name.partition('.')[0]]}, which {_WHERE} does not have"

        def missing(attribute):
            if attribute.startswith("__"):
                raise AttributeError(f"module {name!r} has no attribute {attribute!r}")
            if attribute.isupper() or attribute.startswith(("CHECK_", "FORMAT_")):
                return 0
            if attribute.lower().endswith("error"):
                return OSError
            return _Refused(attribute, (), {"_told": told})

        module.__getattr__ = missing
        module.__all__ = _STARS.get(name, "").split()


def spec_of(name):
    """How a module is found that is one of these; None of others."""
    return ModuleSpec(name, Loader, is_package=True) if name.partition(".")[0] in _MODULES else None
