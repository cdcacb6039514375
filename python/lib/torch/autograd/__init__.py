"""Gradients, and whether operations are recorded."""

from functools import wraps as _wraps

import torch

import _torch as _C


# The flag of a function that yields.
_GENERATOR = 0x20


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

    def _again(self):
        """A mode like this one, for one call of a decorated function."""
        return type(self)()

    def __call__(self, function):
        if function.__code__.co_flags & _GENERATOR:
            return self._steps(function)

        @_wraps(function)
        def wrapped(*args, **kwargs):
            with self._again():
                return function(*args, **kwargs)

        return wrapped

    def _steps(self, function):
        """A generator whose own steps run in the mode, and not what is done between them."""

        @_wraps(function)
        def wrapped(*args, **kwargs):
            steps, sent = function(*args, **kwargs), None
            while True:
                try:
                    with self._again():
                        value = steps.send(sent)
                except StopIteration as end:
                    return end.value
                sent = yield value

        return wrapped


class no_grad(_Mode):
    """Nothing is recorded; a context and a decorator."""

    def __new__(cls, function=None):
        self = object.__new__(cls)
        return self if function is None else self(function)


class enable_grad(_Mode):
    """Operations are recorded; a context and a decorator."""

    enabled = True


class inference_mode(_Mode):
    """Nothing is recorded, and what is made meanwhile never is; a context and a decorator."""

    def __init__(self, mode=True):
        self.mode = mode

    def __enter__(self):
        self.before = _C.is_inference_mode_enabled(), _C.is_grad_enabled()
        _C._set_inference_mode(self.mode)

    def __exit__(self, *_):
        inference, grad = self.before
        _C._set_inference_mode(inference)
        _C._set_grad_enabled(grad)

    def _again(self):
        return inference_mode(self.mode)


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    """The gradients of the sum of the outputs, as a tuple; no `.grad` changes. With `create_graph` they have a history."""
    if is_grads_batched:
        raise NotImplementedError("gradients come one at a time: is_grads_batched is not implemented")
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    outputs, inputs = _tensors(outputs), _tensors(inputs)
    grad_outputs = _tensors(grad_outputs)
    allow_unused = bool(allow_unused) or materialize_grads
    given = _C._grad(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused)
    if materialize_grads:
        given = [torch.zeros_like(x) if it is None else it for it, x in zip(given, inputs)]
    return tuple(given)


def named(tensor, name):
    """A tensor as the result of one operation of that name, which was computed by others."""
    if not tensor.requires_grad or not _C.is_grad_enabled():
        return tensor
    return _C._function(name, [tensor], [], tensor.detach(), lambda gradient, _: [gradient])


def _tensors(given):
    """A list of tensors, or of one; none of none."""
    return [given] if isinstance(given, _C.TensorBase) else None if given is None else list(given)


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    """Adds the gradients of the sum of the tensors to the `.grad` of the leaves, or of those inputs alone."""
    _C._backward(_tensors(tensors), _tensors(grad_tensors), retain_graph, create_graph, _tensors(inputs))


from torch.autograd import function, graph  # what they import of this module is there by now
from torch.autograd.function import Function, FunctionCtx
