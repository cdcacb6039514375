"""Variables whose values belong to a context, of which there is one: `warnings` keeps its filters so."""


class ContextVar:
    """A variable of the context."""

    def __init__(self, name):
        self.name = name

    def get(self):
        try:
            return self._value
        except AttributeError:
            raise LookupError(self) from None

    def set(self, value):
        self._value = value
