"""`torch.nn.Module`: a tree of parameters, buffers and other modules."""

from collections import OrderedDict as _OrderedDict
from collections.abc import KeysView

import _outside
import _torch as _C
from torch._conversions import Conversions
from torch.nn.parameter import Buffer, Parameter


# Pairs of functions: what is called when any module begins, and when it ends.
watching = []


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


class odict_keys(KeysView):
    def __repr__(self):
        return f"odict_keys({list(self)})"


class OrderedDict(_OrderedDict):
    """One that shows its keys."""

    __module__ = "collections"

    def keys(self):
        return odict_keys(self)


class _IncompatibleKeys(tuple):
    missing_keys = property(lambda self: self[0])
    unexpected_keys = property(lambda self: self[1])

    def __repr__(self):
        if not self[0] and not self[1]:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self[0]}, unexpected_keys={self[1]})"


class Module(Conversions):
    training = True

    def __init__(self):
        for kind in ("_parameters", "_buffers", "_modules"):
            object.__setattr__(self, kind, {})
        object.__setattr__(self, "_transient", set())
        object.__setattr__(self, "_hooks", ([], []))
        self.training = True

    def __setattr__(self, name, value):
        parts = self.__dict__
        if isinstance(value, (Parameter, Module)):
            kind = "_parameters" if isinstance(value, Parameter) else "_modules"
            if kind not in parts:
                what = "parameters" if kind == "_parameters" else "module"
                raise AttributeError(f"cannot assign {what} before Module.__init__() call")
            self._forget(name, kind)
            parts[kind][name] = value
            return
        if isinstance(value, Buffer):
            self.register_buffer(name, value, value.persistent)
            return
        for kind in ("_parameters", "_modules", "_buffers"):
            if name in parts.get(kind, ()):
                if value is not None and not (kind == "_buffers" and isinstance(value, _C.TensorBase)):
                    what = {"_parameters": "parameter", "_modules": "child module", "_buffers": "buffer"}[kind]
                    expected = {
                        "_parameters": "torch.nn.Parameter or None",
                        "_modules": "torch.nn.Module or None",
                        "_buffers": "torch.Tensor, Buffer, or None",
                    }[kind]
                    got = "torch.FloatTensor" if isinstance(value, _C.TensorBase) else type(value).__name__
                    raise TypeError(f"cannot assign '{got}' as {what} '{name}' ({expected} expected)")
                parts[kind][name] = value
                return
        object.__setattr__(self, name, value)

    def __getattr__(self, name):
        parts = self.__dict__
        for kind in ("_parameters", "_buffers", "_modules"):
            if kind in parts and name in parts[kind]:
                return parts[kind][name]
        told = _outside.sentence(f"torch.nn.Module.{name}")
        raise AttributeError(told or f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name):
        if not self._forget(name):
            object.__delattr__(self, name)

    def _forget(self, name, but=None):
        """Takes away what has that name; where something else takes its place, that stays where it was."""
        kinds = [kind for kind in ("_parameters", "_buffers", "_modules") if kind != but]
        held = [place for place in [self.__dict__, *(getattr(self, kind) for kind in kinds)] if name in place]
        for place in held:
            del place[name]
        return bool(held)

    def _check_name(self, name, kind, held):
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {type(name).__name__}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."' + (f", got: {name}" if kind == "module" else ""))
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in held:
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name, param):
        self._check_name(name, "parameter", self._parameters)
        if param is not None and not isinstance(param, Parameter):
            what = param.type() if isinstance(param, _C.TensorBase) else type(param).__name__
            raise TypeError(f"cannot assign '{what}' object to parameter '{name}' (torch.nn.Parameter or None required)")
        self._parameters[name] = param

    def register_buffer(self, name, tensor, persistent=True):
        self._check_name(name, "buffer", self._buffers)
        if tensor is not None and not isinstance(tensor, _C.TensorBase):
            what = type(tensor).__name__
            raise TypeError(f"cannot assign '{what}' object to buffer '{name}' (torch Tensor or None required)")
        self._buffers[name] = tensor
        (self._transient.discard if persistent else self._transient.add)(name)

    def register_module(self, name, module):
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{type(module).__name__} is not a Module subclass")
        self._check_name(name, "module", self._modules)
        self._modules[name] = module

    add_module = register_module

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        """`hook(module, args)`, with `with_kwargs` `hook(module, args, kwargs)`, before each call."""
        return Handle(self._hooks[0], (hook, with_kwargs), prepend)

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        """`hook(module, args, output)`, with `with_kwargs` `hook(module, args, kwargs, output)`, after each call."""
        return Handle(self._hooks[1], (hook, with_kwargs), prepend)

    _forward_pre_hooks = property(lambda self: _numbered(self._hooks[0]))
    _forward_hooks = property(lambda self: _numbered(self._hooks[1]))

    def forward(self, *_, **__):
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args, **kwargs):
        before, after = self._hooks
        if not (before or after or watching):
            return self.forward(*args, **kwargs)
        for entered, _ in watching:
            entered(self)
        for hook, with_kwargs in list(before):
            changed = hook(self, args, kwargs) if with_kwargs else hook(self, args)
            if changed is not None and with_kwargs:
                args, kwargs = changed
            elif changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        result = self.forward(*args, **kwargs)
        for hook, with_kwargs in list(after):
            changed = hook(self, args, kwargs, result) if with_kwargs else hook(self, args, result)
            result = result if changed is None else changed
        for _, left in watching:
            left(self)
        return result

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        memo = set() if memo is None else memo
        if remove_duplicate and id(self) in memo:
            return
        memo.add(id(self))
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def _named(self, kind, prefix, recurse, remove_duplicate):
        seen = set()
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in modules:
            for name, tensor in getattr(module, kind).items():
                if tensor is None or remove_duplicate and id(tensor) in seen:
                    continue
                seen.add(id(tensor))
                yield f"{path}.{name}" if path else name, tensor

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def buffers(self, recurse=True):
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    def modules(self):
        return (module for _, module in self.named_modules())

    def named_children(self):
        seen = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def children(self):
        return (module for _, module in self.named_children())

    def get_submodule(self, target):
        module = self
        for name in target.split(".") if target else ():
            if name not in module._modules:
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = module._modules[name]
        return module

    def _get(self, target, kind):
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if name not in getattr(module, kind):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        return getattr(module, kind)[name]

    def get_parameter(self, target):
        return self._get(target, "_parameters")

    def get_buffer(self, target):
        return self._get(target, "_buffers")

    def type(self, dst_type):
        return self._convert(lambda tensor: tensor.type(dst_type))

    def to_empty(self, *, device, recurse=True):
        return self._convert(lambda tensor: _C.empty_like(tensor, device=device))

    def compile(self, *_, **__):
        """It runs as it is."""

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode=True):
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        for module in self.modules():
            module.training = mode
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for parameter in self.parameters():
            if set_to_none or parameter.grad is None:
                parameter.grad = None
            else:
                parameter.grad.zero_()

    def _convert(self, convert):
        """What a tensor is held by stays; its elements, and those of its gradient, are replaced."""
        for module in self.modules():
            for parameter in module._parameters.values():
                if parameter is not None:
                    gradient = parameter.grad
                    parameter.grad = None
                    parameter.data = convert(parameter.data)
                    if gradient is not None:
                        parameter.grad = convert(gradient)
            for name, buffer in module._buffers.items():
                if buffer is not None:
                    module._buffers[name] = convert(buffer)
        return self

    def to(self, *args, **kwargs):
        """Moves and converts; only floating-point tensors change their dtype."""

        def convert(tensor):
            moved = tensor.to(*args, **kwargs)
            return moved if tensor.is_floating_point() else tensor.to(moved.device)

        return self._convert(convert)

    def state_dict(self, *, prefix="", keep_vars=False):
        state = OrderedDict()
        state._metadata = OrderedDict()
        for path, module in self.named_modules(prefix=prefix.rstrip("."), remove_duplicate=False):
            state._metadata[path] = {"version": 1}
            for name, tensor in (module._parameters | module._buffers).items():
                if tensor is not None and name not in module._transient:
                    state[f"{path}.{name}" if path else name] = tensor if keep_vars else tensor.detach()
        return state

    def load_state_dict(self, state_dict, strict=True, assign=False):
        own = self.state_dict(keep_vars=True)
        missing = [name for name in own if name not in state_dict]
        if not hasattr(state_dict, "_metadata"):
            # A dict of somebody's own may be older than the count of batches.
            missing = [name for name in missing if not name.endswith("num_batches_tracked")]
        unexpected = [name for name in state_dict if name not in own]
        errors = []
        if strict and missing:
            errors.append(f"Missing key(s) in state_dict: {_listed(missing)}. ")
        if strict and unexpected:
            errors.append(f"Unexpected key(s) in state_dict: {_listed(unexpected)}. ")
        for name, tensor in own.items():
            given = state_dict.get(name)
            if given is None:
                continue
            if given.shape != tensor.shape:
                errors.append(
                    f"size mismatch for {name}: copying a param with shape {given.shape} from checkpoint, "
                    f"the shape in current model is {tensor.shape}."
                )
            elif assign:
                tensor.data = given
            else:
                tensor.data.copy_(given)
        if errors:
            found = "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{found}")
        return _IncompatibleKeys((missing, unexpected))

    def extra_repr(self):
        return ""

    def _get_name(self):
        return type(self).__name__

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): {_indented(repr(module))}" for name, module in self._modules.items()]
        return _block(self._get_name(), lines, children)


def _numbered(hooks):
    return OrderedDict((number, hook) for number, (hook, _) in enumerate(hooks))


def _listed(names):
    return ", ".join(f'"{name}"' for name in names)


def _indented(text):
    return text.replace("\n", "\n  ")


def _block(name, lines, children):
    if len(lines) == 1 and not children:
        return f"{name}({lines[0]})"
    if not lines and not children:
        return f"{name}()"
    return f"{name}(\n  " + "\n  ".join(lines + children) + "\n)"
