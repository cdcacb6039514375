"""What the checks of exercises share. Each says in a sentence what is wrong, and nothing if all is right."""

import math

import torch


def differs(got, right, example="", mistakes=()):
    """What is wrong with a tensor or a number, and what should have come.

    `example` says what the function was asked for. `mistakes` are pairs: a wrong number, and the sentence that
    explains it.
    """
    if got is None:
        return "It returns nothing. Is there a `return`?"
    if isinstance(right, torch.Tensor):
        shape = tuple(right.shape)
        if not isinstance(got, torch.Tensor):
            return f"It returns {kind(got)}, but should return a tensor of shape {shape} in {right.dtype}."
        if got.shape != right.shape:
            return f"The shape is {tuple(got.shape)}, but should be {shape}."
        if got.dtype != right.dtype:
            return f"The shape is right, but the dtype is {got.dtype} and should be {right.dtype}."
        got, right = got.detach().cpu().float(), right.detach().cpu().float()
        is_far = ~torch.isclose(got, right, rtol=1e-3, atol=1e-5)
        if not is_far.any():
            return None
        at = tuple(is_far.nonzero()[0].tolist())
        element = f"element {at}" if at else "the number"
        return f"The shape is right, but {element} is {told(got[at].item())} and should be {told(right[at].item())}."
    # A number may be a tensor or an array of no dimensions, too.
    if getattr(got, "ndim", None) == 0:
        got = got.item()
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return f"It returns {kind(got)}, but should return a number: {told(right)}."
    for wrong, sentence in mistakes:
        if is_near(got, wrong) and not is_near(got, right):
            return f"{sentence} {example}, {told(right)} is right."
    return None if is_near(got, right) else f"{example}, it returns {told(got)}, but should return {told(right)}."


def copies(got, x):
    """Whether a tensor has a storage of its own."""
    if got.untyped_storage().data_ptr() != x.untyped_storage().data_ptr():
        return "The shape is right, but this copies: `untyped_storage().data_ptr()` differs."


def is_near(one, other):
    return abs(one - other) <= 1e-6 * abs(other)


def kind(value):
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def told(number):
    """A number with as many digits as are compared."""
    is_whole = math.isfinite(number) and abs(number) < 10**15 and number == int(number)
    return f"{int(number):,}" if is_whole else f"{number:,.8g}"


class KeptForBackward(torch.autograd.graph.saved_tensors_hooks):
    """Counts the bytes that forward passes keep for the way back: `most` at once. Parameters are not counted."""

    def __init__(self, model):
        super().__init__(self.pack, lambda kept: kept.tensor)
        self.parameters = {p.untyped_storage().data_ptr() for p in model.parameters()}
        self.now = self.most = 0

    def __enter__(self):
        super().__enter__()
        return self

    def pack(self, tensor):
        is_parameter = tensor.untyped_storage().data_ptr() in self.parameters
        return Kept(self, tensor, 0 if is_parameter else tensor.numel() * tensor.element_size())


class Kept:
    """A tensor that is kept, and counted as long as it is."""

    def __init__(self, counter, tensor, count):
        self.counter, self.tensor, self.count = counter, tensor, count
        counter.now += count
        counter.most = max(counter.most, counter.now)

    def __del__(self):
        self.counter.now -= self.count
