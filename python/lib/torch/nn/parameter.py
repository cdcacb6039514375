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


class UninitializedParameter(Parameter):
    """A parameter whose shape is not known yet."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return Tensor._make_subclass(cls, _C.empty(0, device=device, dtype=dtype), requires_grad)

    def __init__(self, requires_grad=True, device=None, dtype=None):
        pass

    @property
    def shape(self):
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
            "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` to "
            "initialize the parameters before accessing their attributes."
        )

    def _refuse(self, name):
        raise ValueError(
            f"Attempted to use an uninitialized parameter in <method '{name}' of 'torch._C.TensorBase' objects>. This "
            "error happens when you are using a `LazyModule` or explicitly manipulating "
            "`torch.nn.parameter.UninitializedParameter` objects. When using LazyModules Call `forward` with a dummy batch "
            "to initialize the parameters before calling torch functions"
        )

    def numel(self):
        self._refuse("numel")

    def size(self, *_):
        self._refuse("size")

    def materialize(self, shape):
        """Gives it memory; what is in it is not set."""
        self.data = self.data.new_empty(tuple(shape))
        self.__class__ = self.cls_to_become

    def __repr__(self):
        return f"<{type(self).__name__}>"


def is_lazy(param):
    return isinstance(param, UninitializedParameter)
