"""`torch.save` and `torch.load`: what a checkpoint holds, in one file.

The file is a line that names the format, a line of JSON (what there is, and of each tensor its dtype, shape, strides and
place in which storage), and the bytes of all storages one after the other. So tensors that share elements share them
again when they are read, and a view takes its whole storage with it. Nothing in it runs when it is read, unless `weights_only=False` allows it.
"""

import json
from collections import OrderedDict

import _torch as _C
from torch._tensor import Size, Tensor
from torch.nn.parameter import Parameter

_FORMAT = b"napkin-checkpoint-2\n"
_CONTAINERS = {"list": list, "tuple": tuple, "set": set, "Size": Size}
_MAPPINGS = {"dict": dict, "OrderedDict": OrderedDict}


def save(obj, f):
    """Writes an object of numbers, texts, containers, dtypes, devices and tensors to a path or an open binary file."""
    writer = _Writer()
    tree = writer.told(obj)
    header = json.dumps({"object": tree, "tensors": writer.tensors, "storages": writer.storages}).encode()
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
        storages = [_storage(told, data, end + 1, map_location) for told in header["storages"]]
        tensors = [_tensor(told, storages) for told in header["tensors"]]
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
        self.tensors, self.storages, self.blocks = [], [], []
        # By where it is: the number of what is written already.
        self.known, self.kept = {}, {}

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
        import pickle

        return {"is": "pickle", "of": pickle.dumps(obj).hex()}

    def tensor(self, tensor):
        """Its number; what is the same part of the same storage is written once."""
        place = (tensor.data_ptr(), tensor.dtype, tuple(tensor.shape), tensor.stride(), tensor.requires_grad)
        if tensor.numel() and place in self.known:
            return self.known[place]
        self.known[place] = len(self.tensors)
        self.tensors.append(
            {
                "dtype": str(tensor.dtype).split(".")[1],
                "shape": list(tensor.shape),
                "stride": list(tensor.stride()),
                "offset": tensor.storage_offset(),
                "requires_grad": tensor.requires_grad,
                "storage": self.storage(tensor),
            }
        )
        return self.known[place]

    def storage(self, tensor):
        """The number of what the tensor lies over."""
        place = tensor._storage_address()
        if place not in self.kept or not tensor.numel():
            count = tensor._storage_bytes() // tensor.itemsize if tensor.numel() else 0
            whole = tensor.detach().as_strided((count,), (1,), 0) if count else tensor.detach().flatten()
            self.kept[place] = len(self.storages)
            self.blocks.append(_bytes(whole))
            begin = self.storages[-1]["end"] if self.storages else 0
            end = begin + len(self.blocks[-1])
            self.storages.append({"begin": begin, "end": end, "device": str(tensor.device)})
        return self.kept[place]


def _storage(told, data, start, map_location):
    block = data[start + told["begin"] : start + told["end"]]
    if len(block) != told["end"] - told["begin"]:
        raise ValueError(f"a storage of {told['end'] - told['begin']} bytes has {len(block)}")
    return _of_bytes(block, _C.uint8, (len(block),)).to(told["device"] if map_location is None else map_location)


def _tensor(told, storages):
    dtype, shape, stride = getattr(_C, told["dtype"]), told["shape"], told["stride"]
    storage = storages[told["storage"]]
    if not Size(shape).numel():
        tensor = _C.empty(shape, dtype=dtype, device=storage.device)
    else:
        reach = told["offset"] + 1 + sum((size - 1) * step for size, step in zip(shape, stride))
        if len(storage) < reach * dtype.itemsize:
            raise ValueError(f"a tensor of shape {shape} reaches beyond its storage of {len(storage)} bytes")
        tensor = storage.view(dtype).as_strided(shape, stride, told["offset"]).detach()
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
        import pickle

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
