"""Whether operations are recorded."""

import _torch as _C


class set_grad_enabled:
    """Switches recording on or off, at once and until the end of a `with` block."""

    def __init__(self, mode):
        self.before = _C.is_grad_enabled()
        _C._set_grad_enabled(mode)

    def __enter__(self):
        return None

    def __exit__(self, *_):
        _C._set_grad_enabled(self.before)


class _Mode:
    enabled = False

    def __enter__(self):
        self.before = _C.is_grad_enabled()
        _C._set_grad_enabled(self.enabled)

    def __exit__(self, *_):
        _C._set_grad_enabled(self.before)

    def __call__(self, function):
        def wrapped(*args, **kwargs):
            with type(self)():
                return function(*args, **kwargs)

        return wrapped


class no_grad(_Mode):
    """Nothing is recorded; a context and a decorator."""

    def __new__(cls, function=None):
        self = object.__new__(cls)
        return self if function is None else self(function)


class enable_grad(_Mode):
    """Operations are recorded; a context and a decorator."""

    enabled = True
