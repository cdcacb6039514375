"""Modules that hold others."""

from torch.nn.module import Module, _block, _indented
from torch.nn.parameter import Parameter


def _at(index, size):
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of range")
    return index % size


class _Listed(Module):
    """Modules or parameters by their numbers."""

    _kind = "_modules"

    @property
    def _held(self):
        return getattr(self, self._kind)

    def __len__(self):
        return len(self._held)

    def __iter__(self):
        return iter(list(self._held.values()))

    def __getitem__(self, index):
        held = list(self._held.values())
        if isinstance(index, slice):
            return self._of(dict(list(self._held.items())[index]))
        return held[_at(index, len(held))]

    def __setitem__(self, index, value):
        setattr(self, list(self._held)[_at(index, len(self))], value)

    def __contains__(self, value):
        return any(value is held for held in self)

    def append(self, value):
        if self._kind == "_modules":
            self.register_module(str(len(self)), value)
        else:
            setattr(self, str(len(self)), value)
        return self

    def extend(self, values):
        for value in values:
            self.append(value)
        return self

    def insert(self, index, value):
        held = list(self)
        held.insert(index, value)
        self._held.clear()
        self.extend(held)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def __add__(self, other):
        return self._of(dict(enumerate([*self, *other])))

    def __iadd__(self, other):
        return self.extend(other)

    def __delitem__(self, index):
        held = list(self)
        del held[index]
        self._held.clear()
        self.extend(held)


class ModuleList(_Listed):
    def __init__(self, modules=None):
        super().__init__()
        self.extend(modules or ())

    def _of(self, modules):
        return ModuleList(modules.values())

    def __repr__(self):
        """Modules that are printed alike are one line."""
        runs = []
        for number, module in enumerate(self):
            text = repr(module)
            if runs and runs[-1][2] == text:
                runs[-1][1] = number
            else:
                runs.append([number, number, text])
        lines = [
            f"({first}): {_indented(text)}" if first == last else f"({first}-{last}): {last - first + 1} x {_indented(text)}"
            for first, last, text in runs
        ]
        return _block(self._get_name(), [], lines)


class Sequential(_Listed):
    """Each module takes what the one before it gives."""

    def __init__(self, *modules):
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], dict):
            for name, module in modules[0].items():
                self.add_module(name, module)
        else:
            self.extend(modules)

    def _of(self, modules):
        return Sequential({str(name): module for name, module in modules.items()})

    def insert(self, index, module):
        super().insert(index, module)
        return self

    def forward(self, input):
        for module in list(self._modules.values()):
            input = module(input)
        return input


class ParameterList(_Listed):
    _kind = "_parameters"

    def __init__(self, values=None):
        super().__init__()
        self.extend(values or ())

    def _of(self, values):
        return ParameterList(values.values())

    def __setattr__(self, name, value):
        if name.isdigit() and not isinstance(value, Parameter):
            value = Parameter(value)
        super().__setattr__(name, value)

    def __repr__(self):
        """Dtype and size of each."""
        lines = [
            f"  ({number}): Parameter containing: [{value.dtype} of size {'x'.join(map(str, value.shape))}]"
            for number, value in enumerate(self)
        ]
        return _block("ParameterList", lines, [])


class ModuleDict(Module):
    """Modules by names."""

    def __init__(self, modules=None):
        super().__init__()
        self.update(modules or {})

    def update(self, modules):
        for name, module in modules.items() if hasattr(modules, "items") else modules:
            self[name] = module

    def __getitem__(self, name):
        return self._modules[name]

    def __setitem__(self, name, module):
        self.add_module(name, module)

    def __delitem__(self, name):
        del self._modules[name]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, name):
        return name in self._modules

    def pop(self, name):
        return self._modules.pop(name)

    def keys(self):
        return self._modules.keys()

    def values(self):
        return self._modules.values()

    def items(self):
        return self._modules.items()
