"""What packages there are, and their versions."""

import re
import sys


class PackageNotFoundError(ModuleNotFoundError):
    """There is no package of that name."""

    def __str__(self):
        return f"No package metadata was found for {self.name}"

    @property
    def name(self):
        return self.args[0]


# Those that are a part of this program, each with the version whose names it has.
_OURS = ("torch", "numpy", "einops", "jaxtyping", "safetensors", "matplotlib", "tqdm", "regex", "tiktoken")


class Distribution:
    """A package that can be imported."""

    def __init__(self, name, version, text=""):
        self.name, self.version, self._text = name, version, text

    @classmethod
    def from_name(cls, name):
        if not name:
            raise ValueError("A distribution name is required.")
        wanted = _same(name)
        if wanted in _OURS:
            module = __import__(wanted)
            return cls(wanted, getattr(module, "__version__", "0"))
        return next((found for found in distributions() if _same(found.name) == wanted), None) or _missing(name)

    @property
    def metadata(self):
        import email

        return email.message_from_string(self._text or f"Name: {self.name}\nVersion: {self.version}\n")

    @property
    def requires(self):
        return self.metadata.get_all("Requires-Dist")

    files = entry_points = ()

    def read_text(self, filename):
        return self._text if filename == "METADATA" else None


def _same(name):
    """A name as packages are told apart by it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _missing(name):
    raise PackageNotFoundError(name)


def distributions(**_kwargs):
    """The packages in the folders of `sys.path`."""
    import os

    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            found = re.fullmatch(r"(.+?)-(.+)\.dist-info", name)
            if found:
                try:
                    with open(os.path.join(folder, name, "METADATA")) as file:
                        text = file.read()
                except OSError:
                    text = ""
                yield Distribution(found[1], found[2], text)


def distribution(distribution_name):
    return Distribution.from_name(distribution_name)


def version(distribution_name):
    return distribution(distribution_name).version


def metadata(distribution_name):
    return distribution(distribution_name).metadata


def requires(distribution_name):
    return distribution(distribution_name).requires


def files(distribution_name):
    return distribution(distribution_name).files


def entry_points(**params):
    return ()


def packages_distributions():
    return {name: [name] for name in _OURS}
