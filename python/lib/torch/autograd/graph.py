"""What autograd has recorded, and what becomes of the tensors that it keeps."""

import _torch as _C


class Node:
    """An operation that autograd has recorded."""

    def name(self):
        name = type(self).__name__
        return f"torch::autograd::{name}" if name == "CopySlices" else name


_classes = {}


def node(name):
    """An object of a class of that operation's name."""
    if name is None:
        return None
    if name not in _classes:
        _classes[name] = type(name, (Node,), {"__module__": "builtins"})
    return _classes[name]()


class saved_tensors_hooks:
    """Within it operations keep what `pack_hook` makes of a tensor; derivatives get what `unpack_hook` makes of that."""

    _entered = []

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self):
        self._raised = None
        self._entered.append(self)
        _C._set_saved_tensors_hooks(self._pack, self.unpack_hook)

    def __exit__(self, kind, *_):
        self._entered.pop()
        before = self._entered[-1] if self._entered else None
        _C._set_saved_tensors_hooks(before and before._pack, before and before.unpack_hook)
        if self._raised is not None and kind is None:
            raise self._raised

    def _pack(self, tensor):
        # An operation cannot fail for what is kept of it: what is raised here ends the block.
        try:
            return self.pack_hook(tensor)
        except Exception as error:
            self._raised = self._raised or error


class save_on_cpu(saved_tensors_hooks):
    """Within it what operations keep waits in the memory of the CPU."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        super().__init__(lambda x: (x.device, x.cpu()), lambda packed: packed[1].to(packed[0]))
