"""Parameters that are functions of others: `module.weight` is computed from `module.parametrizations.weight`."""

from contextlib import contextmanager

import _torch as _C
from torch.autograd import no_grad
from torch.nn.containers import ModuleDict, ModuleList
from torch.nn.module import Module
from torch.nn.parameter import Parameter

# What was computed while it is kept, by the list that computed it; None where nothing is kept.
_kept = None


@contextmanager
def cached():
    """Computes each parameter once."""
    global _kept
    outer = _kept
    _kept = {} if outer is None else outer
    try:
        yield
    finally:
        _kept = outer


class ParametrizationList(ModuleList):
    """The functions in their order, and what the first is given: `original`, or `original0`, `original1`, …"""

    def __init__(self, modules, original, unsafe=False):
        super().__init__(modules)
        self.unsafe = unsafe
        with no_grad():
            given = self._back(original)
        self.is_tensor = isinstance(given, _C.TensorBase)
        self.ntensors = 1 if self.is_tensor else len(given)
        for name, tensor in zip(self._names(), [given] if self.is_tensor else given):
            if isinstance(original, Parameter):
                self.register_parameter(name, Parameter(tensor, original.requires_grad))
            else:
                self.register_buffer(name, tensor)

    def _names(self):
        return ["original"] if self.is_tensor else [f"original{number}" for number in range(self.ntensors)]

    def _back(self, value):
        for module in reversed(list(self)):
            if hasattr(module, "right_inverse"):
                value = module.right_inverse(value)
        return value

    def right_inverse(self, value):
        """Assigns: what the functions make of what is kept is the value then, where they can be inverted."""
        with no_grad():
            value = self._back(value)
            for name, tensor in zip(self._names(), [value] if self.is_tensor else value):
                getattr(self, name).data = tensor

    def forward(self):
        value = None
        for number, module in enumerate(self):
            value = module(value) if number else module(*(getattr(self, name) for name in self._names()))
        return value


def _parametrized(module):
    """Its class becomes one whose parametrized tensors are properties."""
    made = type(f"Parametrized{type(module).__name__}", (type(module),), {})
    object.__setattr__(module, "__class__", made)
    module.parametrizations = ModuleDict()


def _property(name):
    def get(module):
        functions = module.parametrizations[name]
        if _kept is None:
            return functions()
        if id(functions) not in _kept:
            _kept[id(functions)] = functions()
        return _kept[id(functions)]

    return property(get, lambda module, value: module.parametrizations[name].right_inverse(value))


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        functions = module.parametrizations[tensor_name]
        if not unsafe:
            value, name = getattr(module, tensor_name), f"module.{tensor_name}"
            _check(value, lambda: parametrization(value), "unless the", name + ".{}", f"parametrization({name}).{{}}")
        functions.append(parametrization)
        functions.unsafe |= unsafe
        return module
    if tensor_name not in module._parameters and tensor_name not in module._buffers:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'"
        )
    original = getattr(module, tensor_name)
    functions = ParametrizationList([parametrization], original, unsafe)
    if not unsafe:
        _check(original, functions, "unless", "unparametrized {}", "parametrized {}")
    delattr(module, tensor_name)
    if not is_parametrized(module):
        _parametrized(module)
    module.parametrizations[tensor_name] = functions
    setattr(type(module), tensor_name, _property(tensor_name))
    return module


@no_grad
def _check(before, compute, unless, old, new):
    """The last three are PyTorch's words, which differ between the first function and further ones."""
    after = compute()
    if not isinstance(after, _C.TensorBase):
        raise ValueError(f"A parametrization must return a tensor. Got {type(after).__name__}.")
    for what in ("dtype", "shape"):
        was, is_now = getattr(before, what), getattr(after, what)
        if was != is_now:
            raise ValueError(
                f"Registering a parametrization may not change the {what} of the tensor, {unless} `unsafe` flag is "
                f"enabled.\n{old.format(what)}: {was}\n{new.format(what)}: {is_now}"
            )


def is_parametrized(module, tensor_name=None):
    functions = module._modules.get("parametrizations")
    if not isinstance(functions, ModuleDict):
        return False
    return len(functions) > 0 if tensor_name is None else tensor_name in functions


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """The tensor is a parameter of its own again: with the value that it had, or the original."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    functions = module.parametrizations[tensor_name]
    if not (leave_parametrized or functions.is_tensor):
        raise ValueError(
                "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a "
                "sequence of tensors."
            )
    original = functions.original if functions.is_tensor else functions.original0
    if leave_parametrized:
        with no_grad():
            value = getattr(module, tensor_name)
        if functions.is_tensor:
            original.data = value
        else:
            original = Parameter(value) if isinstance(original, Parameter) else value
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    if not len(module.parametrizations):
        del module.parametrizations
        object.__setattr__(module, "__class__", type(module).__bases__[0])
    if isinstance(original, Parameter):
        module.register_parameter(tensor_name, original)
    else:
        module.register_buffer(tensor_name, original)
    return module


def type_before_parametrizations(module):
    return type(module).__bases__[0] if is_parametrized(module) else type(module)
