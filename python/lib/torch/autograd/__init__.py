"""Gradients, and whether operations are recorded."""

from functools import wraps as _wraps

import torch

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

    def _again(self):
        """A mode like this one, for one call of a decorated function."""
        return type(self)()

    def __call__(self, function):
        @_wraps(function)
        def wrapped(*args, **kwargs):
            with self._again():
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
    outputs, inputs = ([x] if isinstance(x, _C.TensorBase) else list(x) for x in (outputs, inputs))
    if isinstance(grad_outputs, _C.TensorBase):
        grad_outputs = [grad_outputs]
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


class set_detect_anomaly:
    """Faults are told where they are, always."""

    def __init__(self, mode=True, check_nan=True):
        pass

    def __enter__(self):
        return None

    def __exit__(self, *_):
        pass


detect_anomaly = set_detect_anomaly


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False):
    """Adds the gradients of the sum of the tensors to the `.grad` of the leaves."""
    tensors = [tensors] if isinstance(tensors, _C.TensorBase) else list(tensors)
    if grad_tensors is None or isinstance(grad_tensors, _C.TensorBase):
        grad_tensors = [grad_tensors] * len(tensors)
    for tensor, gradient in zip(tensors, grad_tensors):
        tensor.backward(gradient, retain_graph=retain_graph, create_graph=create_graph)


from torch.autograd import function, functional  # what they import of this module is there by now
from torch.autograd.function import Function, FunctionCtx
