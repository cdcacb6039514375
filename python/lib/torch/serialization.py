"""`torch.save` and `torch.load`: what a checkpoint holds, in one file.

The file is a line that names the format, a line of JSON (what there is, and of each tensor its dtype, shape and place),
and the bytes of all tensors one after the other. Nothing in it runs when it is read, unless `weights_only=False` allows it.
"""

import json
import pickle
from collections import OrderedDict

import _torch as _C
from torch._tensor import Size, Tensor
from torch.nn.parameter import Parameter

_FORMAT = b"napkin-checkpoint-1\n"
_CONTAINERS = {"list": list, "tuple": tuple, "set": set, "Size": Size}
_MAPPINGS = {"dict": dict, "OrderedDict": OrderedDict}


def save(obj, f):
    """Writes an object of numbers, texts, containers, dtypes, devices and tensors to a path or an open binary file."""
    writer = _Writer()
    tree = writer.told(obj)
    header = json.dumps({"object": tree, "tensors": writer.tensors}).encode()
    data = b"".join([_FORMAT, header, b"\n", *writer.blocks])
    if hasattr(f, "write"):
        f.write(data)
    else:
        with open(f, "wb") as file:
            file.write(data)


def load(f, map_location=None, *, weights_only=True, mmap=None):
    """Reads what `save` wrote; tensors go where they were, or to `map_location`."""
    if hasattr(f, "read"):
        data = f.read()
    else:
        with open(f, "rb") as file:
            data = file.read()
    name = getattr(f, "name", f)
    if not data.startswith(_FORMAT):
        raise RuntimeError(f"{name}: no checkpoint of this program (it does not begin with {_FORMAT[:-1].decode()})")
    end = data.find(b"\n", len(_FORMAT))
    try:
        header = json.loads(data[len(_FORMAT) : end].decode())
        tensors = [_tensor(told, data, end + 1, map_location) for told in header["tensors"]]
        return _read(header["object"], tensors, weights_only)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise RuntimeError(f"{name}: the checkpoint is damaged or cut short ({error})") from error


def _bytes(tensor):
    """Its elements in order, as they lie in memory."""
    plain = tensor.detach().cpu().contiguous()
    return _C._to_bytes(plain.flatten().view(_C.uint8), "u8") if plain.numel() else b""


def _of_bytes(data, dtype, shape):
    return _C._from_bytes(data, "u8", _C.uint8).view(dtype).view(shape) if data else _C.empty(shape, dtype=dtype)


class _Writer:
    def __init__(self):
        self.tensors = []
        self.blocks = []
        self.end = 0
        self.known = {}

    def told(self, obj):
        kind = type(obj)
        if obj is None or kind in (bool, int, float, str):
            return obj
        if isinstance(obj, Tensor):
            return {"is": "Parameter" if isinstance(obj, Parameter) else "Tensor", "at": self.tensor(obj)}
        if kind.__name__ in _CONTAINERS:
            return {"is": kind.__name__, "of": [self.told(item) for item in obj]}
        if kind.__name__ in _MAPPINGS:
            return {"is": kind.__name__, "of": [[self.told(key), self.told(value)] for key, value in obj.items()]}
        if kind is bytes:
            return {"is": "bytes", "of": list(obj)}
        if isinstance(obj, _C.dtype):
            return {"is": "dtype", "of": str(obj).split(".")[1]}
        if isinstance(obj, _C.device):
            return {"is": "device", "of": str(obj)}
        # Whatever else there is is told as Python tells it, and read only by who trusts the file.
        return {"is": "pickle", "of": pickle.dumps(obj).hex()}

    def tensor(self, tensor):
        """Its number; what is the same part of the same storage is written once."""
        place = (tensor.data_ptr(), tensor.dtype, tuple(tensor.shape), tensor.stride(), tensor.requires_grad)
        if tensor.numel() and place in self.known:
            return self.known[place]
        data = _bytes(tensor)
        self.known[place] = len(self.tensors)
        self.tensors.append(
            {
                "dtype": str(tensor.dtype).split(".")[1],
                "shape": list(tensor.shape),
                "device": str(tensor.device),
                "requires_grad": tensor.requires_grad,
                "begin": self.end,
                "end": self.end + len(data),
            }
        )
        self.blocks.append(data)
        self.end += len(data)
        return self.known[place]


def _tensor(told, data, start, map_location):
    dtype, shape = getattr(_C, told["dtype"]), told["shape"]
    block = data[start + told["begin"] : start + told["end"]]
    if len(block) != told["end"] - told["begin"] or len(block) != Size(shape).numel() * dtype.itemsize:
        raise ValueError(f"a tensor of shape {shape} has {len(block)} bytes")
    tensor = _of_bytes(block, dtype, shape).to(told["device"] if map_location is None else map_location)
    return tensor.requires_grad_() if told["requires_grad"] else tensor


def _rebuilt(kind, data, dtype, shape, requires_grad):
    """A tensor that was pickled."""
    tensor = _of_bytes(data, getattr(_C, dtype), shape)
    return kind(tensor, requires_grad) if kind is Parameter else tensor.requires_grad_(requires_grad)


def _reduced(tensor, protocol):
    data = _bytes(tensor)
    kind = Parameter if isinstance(tensor, Parameter) else Tensor
    return _rebuilt, (kind, data, str(tensor.dtype).split(".")[1], tuple(tensor.shape), tensor.requires_grad)


Tensor.__reduce_ex__ = _reduced


def _read(told, tensors, is_safe):
    if not isinstance(told, dict):
        return told
    kind, of = told["is"], told.get("of")
    if kind == "Tensor":
        return tensors[told["at"]]
    if kind == "Parameter":
        tensor = tensors[told["at"]]
        if not isinstance(tensor, Parameter):
            tensor = tensors[told["at"]] = Parameter(tensor.detach(), tensor.requires_grad)
        return tensor
    if kind in _CONTAINERS:
        return _CONTAINERS[kind](_read(item, tensors, is_safe) for item in of)
    if kind in _MAPPINGS:
        return _MAPPINGS[kind]((_read(key, tensors, is_safe), _read(value, tensors, is_safe)) for key, value in of)
    if kind == "pickle":
        if is_safe:
            raise pickle.UnpicklingError(
                "Weights only load failed. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, "
                "but it can result in arbitrary code execution. Do it only if you got the file from a trusted source."
            )
        return pickle.loads(bytes.fromhex(of))
    if kind == "bytes":
        return bytes(of)
    if kind == "dtype":
        return getattr(_C, of)
    if kind == "device":
        return _C.device(of)
    raise ValueError(f"unknown kind {kind}")
