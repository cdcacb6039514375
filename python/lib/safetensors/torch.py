"""`save_file` and `load_file`: the tensors of a `state_dict` in one file, and nothing else that could run."""

import _torch as _C
from safetensors import _read
from torch._tensor import Tensor

__all__ = ["load", "load_file", "load_model", "save", "save_file", "save_model"]


def _storage(tensor):
    return (str(tensor.device), tensor.untyped_storage().data_ptr())


def _shared(tensors):
    """Names by storage, where several share one."""
    groups = {}
    for name, tensor in tensors.items():
        if tensor.numel():
            groups.setdefault(_storage(tensor), []).append(name)
    return [names for names in groups.values() if len(names) > 1]


def save(tensors, metadata=None):
    """The bytes of a file with these tensors, a dict by name, and texts for its header."""
    if not isinstance(tensors, dict):
        raise ValueError(f"Expected a dict of [str, torch.Tensor] but received {type(tensors)}")
    for name, tensor in tensors.items():
        if not isinstance(tensor, Tensor):
            raise ValueError(f"Key `{name}` is invalid, expected torch.Tensor but received {type(tensor)}")
    if shared := _shared(tensors):
        names = ", ".join(str(set(names)) for names in shared)
        raise RuntimeError(f"tensors share memory and would be written twice: {names}; `save_model` writes one of them")
    for name, tensor in tensors.items():
        if not tensor.is_contiguous():
            raise ValueError(f"tensor `{name}` is not contiguous: call `.contiguous()` before it is saved")
    texts = []
    for key, value in (metadata or {}).items():
        if not (isinstance(key, str) and isinstance(value, str)):
            raise TypeError(f"metadata are texts by name, not {key!r}: {value!r}")
        texts += [key, value]
    return _C._to_safetensors(list(tensors), [tensor.detach().cpu() for tensor in tensors.values()], texts)


def save_file(tensors, filename, metadata=None):
    """Writes `save(tensors, metadata)` to a file."""
    data = save(tensors, metadata)
    with open(filename, "wb") as file:
        file.write(data)


def load(data):
    """The tensors of the bytes of a file, by name."""
    return _read("data", data)[0]


def load_file(filename, device="cpu"):
    """The tensors of a file, by name."""
    with open(filename, "rb") as file:
        tensors, _ = _read(str(filename), file.read())
    return {name: tensor.to(device) for name, tensor in tensors.items()}


def save_model(model, filename, metadata=None, force_contiguous=True):
    """Writes a module's `state_dict`; of tensors that share memory the first by name is written, and the texts say so."""
    state = model.state_dict()
    texts = dict(metadata or {})
    for names in _shared(state):
        kept, *others = sorted(names)
        for name in others:
            texts[name] = kept
            del state[name]
    if force_contiguous:
        state = {name: tensor.contiguous() for name, tensor in state.items()}
    save_file(state, filename, texts)


def load_model(model, filename, strict=True, device="cpu"):
    """Fills a module from a file; gives the missing and the unexpected names."""
    state = load_file(filename, device)
    groups = [names for names in _shared(model.state_dict()) if any(name in state for name in names)]
    missing, unexpected = model.load_state_dict(state, strict=False)
    known = {name for names in groups for name in names}
    missing = [name for name in missing if name not in known]
    if strict and (missing or unexpected):
        faults = [
            f"    {what} key(s) in state_dict: " + ", ".join(f'"{name}"' for name in sorted(names))
            for what, names in (("Missing", missing), ("Unexpected", unexpected))
            if names
        ]
        raise RuntimeError(f"Error(s) in loading state_dict for {type(model).__name__}:\n" + "\n".join(faults))
    return set(missing), list(unexpected)
