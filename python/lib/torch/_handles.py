"""Hooks of tensors."""

from _torch import TensorBase as _Base


class RemovableHandle:
    """A hook until it is removed."""

    def __init__(self, hook):
        self._hook = hook

    def __call__(self, gradient):
        found = None if self._hook is None else self._hook(gradient)
        if found is None:
            return None
        name = getattr(self._hook, "__name__", type(self._hook).__name__)
        if not isinstance(found, _Base):
            raise TypeError(f"expected Variable, but hook returned '{type(found).__name__}'")
        if isinstance(gradient, _Base) and found.shape != gradient.shape:
            raise RuntimeError(f"hook '{name}' has changed the size of value")
        if isinstance(gradient, _Base) and found.dtype != gradient.dtype:
            raise RuntimeError(f"hook '{name}' has changed the type of value (was {gradient.type()} got {found.type()})")
        return found

    def remove(self):
        self._hook = None
