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


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=None):
    """The gradients of the sum of the outputs, as a tuple; no `.grad` changes."""
    if create_graph:
        raise NotImplementedError("derivatives of derivatives are not recorded")
    outputs, inputs = ([x] if isinstance(x, _C.TensorBase) else list(x) for x in (outputs, inputs))
    if isinstance(grad_outputs, _C.TensorBase):
        grad_outputs = [grad_outputs]
    return tuple(_C._grad(outputs, inputs, grad_outputs, bool(retain_graph), bool(allow_unused)))


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


def backward(tensors, grad_tensors=None, retain_graph=None):
    tensors = [tensors] if isinstance(tensors, _C.TensorBase) else list(tensors)
    if grad_tensors is None or isinstance(grad_tensors, _C.TensorBase):
        grad_tensors = [grad_tensors] * len(tensors)
    for tensor, gradient in zip(tensors, grad_tensors):
        tensor.backward(gradient, retain_graph=retain_graph)


class FunctionCtx:
    """What the forward of a `Function` leaves for its backward."""

    def __init__(self):
        self.saved_tensors = ()
        self._not_differentiable = ()
        self._materializes = True

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *tensors):
        self._not_differentiable = tensors

    def mark_dirty(self, *tensors):
        raise NotImplementedError("a Function cannot change its inputs in place: return a new tensor")

    def set_materialize_grads(self, value):
        self._materializes = value


def once_differentiable(function):
    return function


class Function:
    """An operation with a derivative of its own: subclasses define `forward` and `backward`, and are called by `apply`."""

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it "
            "with backward mode AD."
        )

    setup_context = None

    @classmethod
    def apply(cls, *args):
        ctx = FunctionCtx()
        ctx.needs_input_grad = tuple(isinstance(arg, _C.TensorBase) and arg.requires_grad for arg in args)
        with no_grad():
            if cls.setup_context is None:
                output = cls.forward(ctx, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
        outputs = list(output) if isinstance(output, tuple) else [output]
        outputs = _follow(cls, ctx, args, outputs)
        return tuple(outputs) if isinstance(output, tuple) else outputs[0]


def _follow(cls, ctx, args, outputs):
    """The outputs with the history of one call."""
    name = cls.__name__ + "Backward"
    places = [place for place, arg in enumerate(args) if isinstance(arg, _C.TensorBase)]
    kept = ctx.saved_tensors
    saved = [place for place, it in enumerate(kept) if it is not None]
    count = len(kept)

    def is_followed(it):
        is_real = isinstance(it, _C.TensorBase) and it.is_floating_point()
        return is_real and not any(it is other for other in ctx._not_differentiable)

    followed = [place for place, it in enumerate(outputs) if is_followed(it)]
    if not followed:
        return outputs
    parts = [outputs[place] for place in followed]
    spans = []
    for it in parts:
        start = spans[-1][1] if spans else 0
        spans.append((start, start + it.numel(), it.shape))
    # What has no gradient gets zeros; of the others nothing is kept.
    fixed = [it if isinstance(it, _C.TensorBase) and place not in followed else None for place, it in enumerate(outputs)]

    def backward(gradient, tensors):
        ctx.saved_tensors = tuple(tensors[saved.index(place)] if place in saved else None for place in range(count))
        gradients = [torch.zeros_like(it) if it is not None and ctx._materializes else None for it in fixed]
        for place, (start, end, shape) in zip(followed, spans):
            gradients[place] = gradient.view(-1)[start:end].view(shape)
        given = cls.backward(ctx, *gradients)
        given = list(given) if isinstance(given, tuple) else [given]
        if len(given) < len(args) or any(it is not None for it in given[len(args) :]):
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {len(args)}, got {len(given)})"
            )
        return [given[place] for place in places]

    def part(whole, it, start, end):
        def spread(gradient, _):
            everywhere = torch.zeros_like(whole)
            everywhere[start:end] = gradient.reshape(-1)
            return [everywhere]

        return _C._function(name, [whole], [], it, spread)

    tensors = [args[place] for place in places]
    kept_tensors = [kept[place] for place in saved]
    if len(parts) == 1:
        outputs[followed[0]] = _C._function(name, tensors, kept_tensors, parts[0], backward)
        return outputs
    # Of several outputs one operation makes all elements, of which each is a part: so their gradients come together.
    with no_grad():
        whole = torch.cat([it.reshape(-1) for it in parts])
    whole = _C._function(name, tensors, kept_tensors, whole, backward)
    for place, it, (start, end, _) in zip(followed, parts, spans):
        outputs[place] = part(whole, it, start, end)
    return outputs
