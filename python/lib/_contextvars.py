"""Variables whose values belong to a context; there is one thread, so one context runs at a time."""

_MISSING = object()


class Context:
    """Values of variables."""

    def __init__(self):
        self._values = {}

    def run(self, callable, *args, **kwargs):
        """Calls in this context; what is set there stays there."""
        global _current
        before, _current = _current, self
        try:
            return callable(*args, **kwargs)
        finally:
            _current = before

    def copy(self):
        new = Context()
        new._values = dict(self._values)
        return new

    def __getitem__(self, var):
        return self._values[var]

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def get(self, var, default=None):
        return self._values.get(var, default)


class Token:
    """What a variable was before it was set."""

    MISSING = _MISSING

    def __init__(self, var, old_value):
        self.var = var
        self.old_value = old_value

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.var.reset(self)


class ContextVar:
    """A variable of the context."""

    def __init__(self, name, *, default=_MISSING):
        self.name = name
        self._default = default

    def get(self, default=_MISSING):
        for value in (_current.get(self, _MISSING), default, self._default):
            if value is not _MISSING:
                return value
        raise LookupError(self)

    def set(self, value):
        token = Token(self, _current.get(self, _MISSING))
        _current._values[self] = value
        return token

    def reset(self, token):
        if token.var is not self:
            raise ValueError(f"{token!r} was created by a different ContextVar")
        if token.old_value is _MISSING:
            _current._values.pop(self, None)
        else:
            _current._values[self] = token.old_value


_current = Context()


def copy_context():
    return _current.copy()
