"""Context variables, PEP 567: contexts of one thread."""

_missing = object()


class Context:
    """What variables have been set to, by variable; `run` makes it the current one."""

    def __init__(self):
        self._values = {}
        self._before = None

    def run(self, function, *args, **kwargs):
        global _current
        if self._before is not None:
            raise RuntimeError(f"cannot enter context: {self!r} is already entered")
        self._before, _current = _current, self
        try:
            return function(*args, **kwargs)
        finally:
            self._before, _current = None, self._before

    def copy(self):
        other = Context()
        other._values = self._values.copy()
        return other

    def __getitem__(self, variable):
        return self._values[variable]

    def get(self, variable, default=None):
        return self._values.get(variable, default)

    def __contains__(self, variable):
        return variable in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def keys(self):
        return self._values.keys()

    def values(self):
        return self._values.values()

    def items(self):
        return self._values.items()


_current = Context()


def copy_context():
    return _current.copy()


class Token:
    """What `ContextVar.set` returns: it leads back to the value before."""

    MISSING = _missing

    def __init__(self, var, old_value):
        self.var, self.old_value = var, old_value
        self._context, self._is_used = _current, False

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.var.reset(self)


class ContextVar:
    """A variable of the context."""

    def __init__(self, name, *, default=_missing):
        self.name, self._default = name, default

    def get(self, default=_missing):
        value = _current._values.get(self, default)
        if value is _missing:
            value = self._default
        if value is _missing:
            raise LookupError(self)
        return value

    def set(self, value):
        token = Token(self, _current._values.get(self, _missing))
        _current._values[self] = value
        return token

    def reset(self, token):
        if token._is_used:
            raise RuntimeError(f"{token!r} has already been used once")
        if token.var is not self:
            raise ValueError(f"{token!r} was created by a different ContextVar")
        if token._context is not _current:
            raise ValueError(f"{token!r} was created in a different Context")
        token._is_used = True
        if token.old_value is _missing:
            _current._values.pop(self, None)
        else:
            _current._values[self] = token.old_value

    def __class_getitem__(cls, item):
        return cls
