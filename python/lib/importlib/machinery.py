"""What imports are made of."""

from _frozen_importlib import BuiltinImporter, FrozenImporter, ModuleSpec

SOURCE_SUFFIXES = [".py"]
BYTECODE_SUFFIXES = []
EXTENSION_SUFFIXES = []


def all_suffixes():
    return SOURCE_SUFFIXES + BYTECODE_SUFFIXES + EXTENSION_SUFFIXES
