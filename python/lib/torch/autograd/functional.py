"""Jacobians and Hessians of functions, whole and multiplied by a vector."""

import torch

import _torch as _C
from torch.autograd import enable_grad, grad


def _tuple(given, what, function):
    """Tensors as a tuple, and whether they came as one."""
    if isinstance(given, _C.TensorBase):
        return (given,), False
    described = f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the"
    if not isinstance(given, tuple):
        raise TypeError(f"{described} given {what} has type {type(given)}.")
    for at, it in enumerate(given):
        if not isinstance(it, _C.TensorBase):
            raise TypeError(f"{described} value at index {at} of the {what} has type {type(it)}.")
    return given, True


def _called(name, function, inputs, create_graph):
    """The inputs apart from other uses of them, what the function makes of them, and whether both came as tuples."""
    inputs, is_tuple = _tuple(inputs, "inputs", name)
    inputs = tuple(
        it.view_as(it) if create_graph and it.requires_grad else it.detach().requires_grad_() for it in inputs
    )
    outputs = function(*inputs)
    outputs, is_many = _tuple(outputs, "outputs of the user-provided function", name)
    return inputs, is_tuple, outputs, is_many


def _slopes(outputs, inputs, weights, create_graph):
    """The gradients of the weighed outputs, zeros where there are none."""
    used = [(it, weight) for it, weight in zip(outputs, weights) if it.requires_grad]
    if not used:
        return tuple(torch.zeros_like(it) for it in inputs)
    outputs, weights = zip(*used)
    return grad(
        outputs, inputs, weights, retain_graph=True, create_graph=create_graph, materialize_grads=True
    )


def _settled(given, is_tuple, create_graph):
    given = tuple(it if create_graph else it.detach() for it in given)
    return given if is_tuple else given[0]


def _vector(v, like, of_what):
    """The vector as a tuple; 1 where it goes without saying."""
    if v is None:
        if len(like) != 1 or like[0].numel() != 1:
            raise RuntimeError(f"The vector v can only be None if the {of_what} a single Tensor with a single element.")
        return (torch.ones_like(like[0]),)
    v = v if isinstance(v, tuple) else (v,)
    if len(v) != len(like):
        raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}.")
    for at, (it, other) in enumerate(zip(v, like)):
        if it.shape != other.shape:
            entry = f"Entry {at} in " if len(like) > 1 else ""
            raise RuntimeError(f"{entry}v has invalid size: should be {other.shape} but got {it.shape}.")
    return v


def _of_one(name, function):
    """The function, if it gives one number."""

    def checked(*inputs):
        output = function(*inputs)
        if not isinstance(output, _C.TensorBase):
            raise RuntimeError(f"The function given to {name} should return a single Tensor")
        if output.numel() != 1:
            raise RuntimeError(
                f"The Tensor returned by the function given to {name} should contain a single element"
            )
        return output.squeeze()

    return checked


def _not_strict(strict):
    if strict:
        raise NotImplementedError("strict=True is not implemented: what does not depend on an input gives zeros")


@enable_grad()
def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    """The derivative of each element of the outputs by each element of the inputs."""
    return _jacobian("jacobian", func, inputs, create_graph, strict)


def _jacobian(name, func, inputs, create_graph, strict):
    _not_strict(strict)
    inputs, is_tuple, outputs, is_many = _called(name, func, inputs, create_graph)
    rows = []
    for output in outputs:
        flat = output.reshape(-1)
        slopes = [_slopes([it], inputs, [torch.ones_like(it)], create_graph) for it in flat]
        columns = [
            torch.stack(column).view(output.shape + it.shape) if slopes else it.new_zeros(output.shape + it.shape)
            for it, column in zip(inputs, zip(*slopes) if slopes else inputs)
        ]
        rows.append(_settled(columns, is_tuple, create_graph))
    return tuple(rows) if is_many else rows[0]


@enable_grad()
def hessian(
    func,
    inputs,
    create_graph=False,
    strict=False,
    vectorize=False,
    outer_jacobian_strategy="reverse-mode",
):
    """The second derivatives of a function that gives one number."""
    is_tuple = isinstance(inputs, tuple)

    def slope(*inputs):
        return _jacobian("hessian", _of_one("hessian", func), inputs if is_tuple else inputs[0], True, strict)

    return _jacobian("hessian", slope, inputs, create_graph, strict)


@enable_grad()
def vjp(func, inputs, v=None, create_graph=False, strict=False):
    """What the function gives, and v times its Jacobian."""
    _not_strict(strict)
    inputs, is_tuple, outputs, is_many = _called("vjp", func, inputs, create_graph)
    product = _slopes(outputs, inputs, _vector(v, outputs, "user-provided function returns"), create_graph)
    return _settled(outputs, is_many, create_graph), _settled(product, is_tuple, create_graph)


@enable_grad()
def jvp(func, inputs, v=None, create_graph=False, strict=False):
    """What the function gives, and its Jacobian times v."""
    _not_strict(strict)
    inputs, _, outputs, is_many = _called("jvp", func, inputs, create_graph)
    v = _vector(v, inputs, "input to the user-provided function is")
    # The product with a vector from the left is linear in it, and its derivative that from the right.
    left = tuple(torch.zeros_like(it).requires_grad_() for it in outputs)
    product = _slopes(_slopes(outputs, inputs, left, True), left, v, create_graph)
    return _settled(outputs, is_many, create_graph), _settled(product, is_many, create_graph)


@enable_grad()
def vhp(func, inputs, v=None, create_graph=False, strict=False):
    """What the function, one number, is, and v times its Hessian."""
    return _hessian_product("vhp", func, inputs, v, create_graph, strict)


@enable_grad()
def hvp(func, inputs, v=None, create_graph=False, strict=False):
    """What the function, one number, is, and its Hessian, which is symmetric, times v."""
    return _hessian_product("hvp", func, inputs, v, create_graph, strict)


def _hessian_product(name, func, inputs, v, create_graph, strict):
    _not_strict(strict)
    inputs, is_tuple, (output,), _ = _called(name, _of_one(name, func), inputs, create_graph)
    v = _vector(v, inputs, "input to the user-provided function is")
    slopes = _slopes([output], inputs, [torch.ones_like(output)], True)
    product = _slopes(slopes, inputs, v, create_graph)
    return _settled([output], False, create_graph), _settled(product, is_tuple, create_graph)
