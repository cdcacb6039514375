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


class TypedStorage(UntypedStorage):
    """Its elements, as numbers."""

    def _all(self):
        whole = self._tensor.detach()
        return whole.as_strided((self.nbytes() // whole.itemsize,), (1,), 0)

    def __len__(self):
        return len(self._all())

    size = __len__

    def tolist(self):
        return self._all().tolist()

    def __iter__(self):
        return iter(self.tolist())

    def __getitem__(self, at):
        return self._all()[at].item()

    def __repr__(self):
        lines = "".join(f" {value}\n" for value in self.tolist())
        told = f"dtype={self._tensor.dtype}, device={self._tensor.device}"
        return f"{lines}[torch.storage.TypedStorage({told}) of size {len(self)}]"
