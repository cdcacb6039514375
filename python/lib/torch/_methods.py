"""How functions written in Python become methods of tensors."""

from torch._functions import can_cast
from torch._tensor import _LEGACY, Tensor
from torch.autograd import named


def add(names, helpers=()):
    """Every public function of a module but those that it has from elsewhere, or that are functions alone."""
    for name, function in list(names.items()):
        if callable(function) and name not in helpers and not name.startswith("_"):
            setattr(Tensor, name, function)


def lacks(kernel, input):
    """Refuses as PyTorch does where it has no kernel of that name for the dtype."""
    raise NotImplementedError(f'"{kernel}" not implemented for \'{_LEGACY[input.dtype]}\'')


def in_place(name):
    """The method of that name, whose result takes the place of the tensor."""

    def changed(input, *args, **kwargs):
        found = getattr(input, name)(*args, **kwargs)
        if not can_cast(found.dtype, input.dtype):
            raise RuntimeError(
                f"result type {_LEGACY[found.dtype]} can't be cast to the desired output type {_LEGACY[input.dtype]}"
            )
        return input._become(found)

    changed.__name__ = name + "_"
    return changed


def place(names, listed):
    """To the module functions that change their argument."""
    names.update({f"{name}_": in_place(name) for name in listed.split()})


def _recorded(function, name):
    """The function with results that autograd knows by that name."""

    def recorded(*args, **kwargs):
        found = function(*args, **kwargs)
        if not isinstance(found, tuple):
            return named(found, name)
        return type(found)((named(found[0], name), *found[1:]))

    recorded.__name__, recorded.__doc__ = function.__name__, function.__doc__
    return recorded


def record(names, listed):
    """Functions of the module are operations of their own for autograd."""
    for name in listed.split():
        title = "".join(part.capitalize() for part in name.split("_"))
        names[name] = _recorded(names[name], f"{title}Backward0")
