"""Packages that are installed for Python: where they are, and which of them cannot be imported here."""

import _napkin


def folders():
    """Where packages are that Python itself would find: in PYTHONPATH, and in the environment that is active."""
    import os

    found = [folder for folder in os.environ.get("PYTHONPATH", "").split(":") if folder]
    library = os.path.join(os.environ["VIRTUAL_ENV"], "lib") if os.environ.get("VIRTUAL_ENV") else None
    if library and os.path.isdir(library):
        found += [os.path.join(library, name, "site-packages") for name in os.listdir(library) if name.startswith("python")]
    return found


def refuse(last, folders):
    """Says of what is compiled for another Python why it is not imported; None of what is not there."""
    for folder in folders:
        # Beside a program there is its source alone.
        if not isinstance(folder, str) or "site-packages" not in folder:
            continue
        try:
            names = _napkin.list(folder)
        except OSError:
            continue
        compiled = next((name for name in names if name.startswith(f"{last}.") and name.endswith(".so")), None)
        if compiled:
            told = f"{folder}/{compiled} is compiled for CPython: Napkin imports packages that are written in Python"
            raise ImportError(told, name=last)
    return None
