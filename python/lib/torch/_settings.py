"""Choices that change nothing here, and the older names of tensors."""

import _torch as _C
from torch._tensor import _LEGACY, Tensor

_settings = {"float32_matmul_precision": "highest", "deterministic": False, "threads": 1}


class memory_format:
    """In which order elements lie: here always that of their dimensions."""

    __module__ = "torch"

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"torch.{self._name}"


class layout(memory_format):
    __module__ = "torch"


contiguous_format, preserve_format = memory_format("contiguous_format"), memory_format("preserve_format")
strided = layout("strided")
Tensor.layout = strided


def get_num_threads():
    return _settings["threads"]


def set_num_threads(int):
    _settings["threads"] = int


def get_float32_matmul_precision():
    return _settings["float32_matmul_precision"]


def set_float32_matmul_precision(precision):
    if precision not in ("highest", "high", "medium"):
        raise RuntimeError(f"Invalid precision {precision!r}")
    _settings["float32_matmul_precision"] = precision


def use_deterministic_algorithms(mode, *, warn_only=False):
    """All algorithms are."""
    _settings["deterministic"] = bool(mode)


def are_deterministic_algorithms_enabled():
    return _settings["deterministic"]


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    """What is compiled runs as it is."""
    return (lambda model: model) if model is None else model


class _Legacy(type):
    """`torch.LongTensor` and its like make tensors, and are the type of those that are like theirs."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype

    def __call__(cls, *data):
        if len(data) == 1 and not isinstance(data[0], int):
            return _C.tensor(data[0], dtype=cls.dtype)
        return _C.empty(*(data or (0,)), dtype=cls.dtype)


for _dtype, _name in _LEGACY.items():
    globals()[f"{_name}Tensor"] = _Legacy(f"{_name}Tensor", (), {"dtype": _dtype, "__module__": "torch"})
