"""`torch.nn.Parameter`"""

import _torch as _C
from torch._tensor import Tensor


class Buffer(Tensor):
    """A tensor that a module keeps and does not learn."""

    def __new__(cls, data=None, *, persistent=True):
        made = Tensor._make_subclass(cls, _C.empty(0) if data is None else data, False)
        made.persistent = persistent
        return made

    def __init__(self, data=None, *, persistent=True):
        pass


class Parameter(Tensor):
    """A tensor that a module has to learn."""

    def __new__(cls, data=None, requires_grad=True):
        return Tensor._make_subclass(cls, _C.empty(0) if data is None else data, requires_grad)

    def __init__(self, data=None, requires_grad=True):
        pass

    def __deepcopy__(self, memo):
        memo[id(self)] = type(self)(self.detach().clone(), self.requires_grad)
        return memo[id(self)]

    def __repr__(self):
        return f"Parameter containing:\n{Tensor.__repr__(self)}"
