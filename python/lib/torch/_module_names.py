"""The modules that PyTorch keeps its classes in, of which their names tell: `torch.nn.modules.linear.Linear`."""

import sys as _sys

_Module = type(_sys)


def place(package, names, table):
    """Below `package` a module of each name in the table, with the classes that are listed there, of those `names`."""
    for name, classes in table.items():
        full = f"{package}.{name}"
        part = _sys.modules[full] = _Module(full)
        setattr(_sys.modules[package], name, part)
        for listed in classes.split():
            made = names[listed]
            made.__module__ = full
            setattr(part, listed, made)
