"""Modules that are a function of `torch.nn.functional` and its options."""

from torch.nn.module import Module


class Called(Module):
    """Calls its function with the options that it was made with, by name or in their order."""

    _function = None
    _options = {}

    def __init__(self, *args, **kwargs):
        super().__init__()
        given = dict(zip(self._options, args), **kwargs)
        for name in given:
            if name not in self._options:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{name}'")
        for name, default in self._options.items():
            self._keep(name, given.get(name, default))

    def _keep(self, name, value):
        setattr(self, name, value)


def classes(base, table):
    """A class for each name, of which the table has the function and the options with their defaults."""
    made = {}
    for name, (function, options) in table.items():
        parts = {"_function": staticmethod(function), "_options": options, "__module__": base.__module__}
        made[name] = type(name, (base,), parts)
    return made
