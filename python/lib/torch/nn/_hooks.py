"""Hooks of modules: what is called before and after a call, and on the way back."""

import _torch as _C
from torch.autograd import Function


class Handle:
    """Takes a hook away again."""

    def __init__(self, hooks, hook, is_first=False):
        self._hooks, self._hook = hooks, hook
        hooks.insert(0 if is_first else len(hooks), hook)

    def remove(self):
        if self._hook in self._hooks:
            self._hooks.remove(self._hook)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


def _through(name, tensors, seen):
    """The same tensors, of whose gradients `seen` makes those that go on."""

    def forward(ctx, *tensors):
        ctx.set_materialize_grads(False)
        return tuple(tensor.view_as(tensor) for tensor in tensors)

    def backward(ctx, *gradients):
        return tuple(seen(gradients))

    parts = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(name, (Function,), parts).apply(*tensors)


def _changed(gradients, change):
    if change is None:
        return gradients
    return change if isinstance(change, tuple) else (change,)


def with_backward_hooks(module, args, kwargs, before, after):
    """Calls the module; the gradients of its outputs and then of its inputs pass by the hooks."""
    passing = {}

    def leaving(gradients):
        for hook in list(after):
            gradients = _changed(gradients, hook(module, spread(gradients), passing["out"]))
        return tuple(gradients[place] for place in places) if len(gradients) == len(args) != len(places) else gradients

    def spread(gradients):
        """One for each argument, None where there is none."""
        whole = [None] * len(args)
        for place, gradient in zip(places, gradients):
            whole[place] = gradient
        return tuple(whole)

    def arriving(gradients):
        for hook in list(before):
            gradients = _changed(gradients, hook(module, gradients))
        passing["out"] = gradients
        if not places:
            for hook in list(after):
                hook(module, spread(()), gradients)
        return gradients

    places = [place for place, arg in enumerate(args) if isinstance(arg, _C.TensorBase) and arg.requires_grad]
    args = list(args)
    if places:
        for place, tensor in zip(places, _through("BackwardHookFunction", [args[place] for place in places], leaving)):
            args[place] = tensor
    result = module.forward(*args, **kwargs)
    outputs = list(result) if isinstance(result, tuple) else [result]
    followed = [place for place, it in enumerate(outputs) if isinstance(it, _C.TensorBase) and it.requires_grad]
    if followed:
        tensors = _through("BackwardHookFunction", [outputs[place] for place in followed], arriving)
        for place, tensor in zip(followed, tensors):
            outputs[place] = tensor
    return tuple(outputs) if isinstance(result, tuple) else outputs[0]
