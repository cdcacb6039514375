"""What a tensor lies over."""

import _torch as _C


class UntypedStorage:
    """The bytes that a tensor and its views share."""

    def __init__(self, tensor, *, device=None):
        self._tensor = _C.empty(tensor, dtype=_C.uint8, device=device) if isinstance(tensor, int) else tensor

    @property
    def device(self):
        return self._tensor.device

    def data_ptr(self):
        return self._tensor._storage_address()

    def nbytes(self):
        return self._tensor._storage_bytes()

    size = __len__ = nbytes
