"""Where Python is installed, as far as that is anywhere."""

import sys

_KEYS = ("stdlib", "platstdlib", "purelib", "platlib", "include", "scripts", "data")


def get_python_version():
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def get_platform():
    return sys.platform


def get_path_names():
    return _KEYS


def get_scheme_names():
    return ("posix_prefix",)


def get_default_scheme():
    return "posix_prefix"


def get_path(name, scheme=None, vars=None, expand=True):
    return get_paths()[name]


def get_paths(scheme=None, vars=None, expand=True):
    return dict.fromkeys(_KEYS, "")


def get_config_vars(*args):
    return [None] * len(args) if args else {}


def get_config_var(name):
    return None


def is_python_build(check_home=False):
    return False
