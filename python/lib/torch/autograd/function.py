"""Operations with derivatives of their own."""

import torch

import _torch as _C
from torch.autograd import no_grad


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

    def span(whole, place):
        start, end, shape = spans[place]
        return whole.view(-1)[start:end].view(shape)

    def backward(gradient, tensors):
        given = dict(zip(saved, tensors))
        if _C.is_grad_enabled():
            # A copy of an output has no history, but all outputs together have.
            given.update((place, span(tensors[-1], at)) for place, at in copies.items())
        ctx.saved_tensors = tuple(given.get(place) for place in range(count))
        gradients = [torch.zeros_like(it) if it is not None and ctx._materializes else None for it in fixed]
        for at, place in enumerate(followed):
            gradients[place] = span(gradient, at)
        try:
            given = cls.backward(ctx, *gradients)
        finally:
            # With their histories they would hold what holds them.
            ctx.saved_tensors = ()
        given = list(given) if isinstance(given, tuple) else [given]
        if len(given) < len(args) or any(it is not None for it in given[len(args) :]):
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {len(args)}, got {len(given)})"
            )
        return [given[place] for place in places]

    # Which of several outputs a saved tensor is.
    copies = {
        place: at for place in saved for at, it in enumerate(parts) if it is kept[place] and len(parts) > 1
    }

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
    if copies:
        kept_tensors.append(whole)
    whole = _C._function(name, tensors, kept_tensors, whole, backward)
    for place, it, (start, end, _) in zip(followed, parts, spans):
        outputs[place] = part(whole, it, start, end)
    return outputs
