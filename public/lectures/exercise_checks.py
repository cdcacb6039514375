"""What the checks of exercises share. Each says in a sentence what is wrong, and nothing if all is right."""

import torch


def differs(got, right, example="", mistakes=()):
    """What is wrong with a tensor or a number.

    `example` says what the function was asked for. `mistakes` are pairs: a wrong number, and the sentence that
    explains it.
    """
    if got is None:
        return "It returns nothing. Is there a `return`?"
    if isinstance(right, torch.Tensor):
        if not isinstance(got, torch.Tensor):
            return f"It returns {kind(got)}, but should return a tensor."
        if got.shape != right.shape:
            return f"The shape is {tuple(got.shape)}, but should be {tuple(right.shape)}."
        if got.dtype != right.dtype:
            return f"The shape is right, but the dtype is {got.dtype} and should be {right.dtype}."
        is_right = torch.allclose(got.detach().float(), right.detach().float(), rtol=1e-3, atol=1e-5)
        return None if is_right else "The shape is right, but the values are not."
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return f"It returns {kind(got)}, but should return a number."
    for wrong, sentence in mistakes:
        if is_near(got, wrong) and not is_near(got, right):
            return sentence
    return None if is_near(got, right) else f"{example} it returns {got:,.6g}, which is not right."


def copies(got, x):
    """Whether a tensor has a storage of its own."""
    if got.untyped_storage().data_ptr() != x.untyped_storage().data_ptr():
        return "The shape is right, but this copies: `untyped_storage().data_ptr()` differs."


def is_near(one, other):
    return abs(one - other) <= 1e-6 * abs(other)


def kind(value):
    return f"a {type(value).__name__}"


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
