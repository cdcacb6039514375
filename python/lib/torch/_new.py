"""Tensors like another one."""

import _torch as _C


class New:
    """Of a tensor: others of its dtype, on its device."""

    def new_tensor(self, data, *, dtype=None, device=None, requires_grad=False):
        return _C.tensor(data, **self._own(dtype, device), requires_grad=requires_grad)

    def new_zeros(self, *size, dtype=None, device=None, requires_grad=False):
        return _C.zeros(*size, **self._own(dtype, device), requires_grad=requires_grad)

    def new_ones(self, *size, dtype=None, device=None, requires_grad=False):
        return _C.ones(*size, **self._own(dtype, device), requires_grad=requires_grad)

    def new_empty(self, *size, dtype=None, device=None, requires_grad=False):
        return _C.empty(*size, **self._own(dtype, device), requires_grad=requires_grad)

    def new_full(self, size, fill_value, *, dtype=None, device=None, requires_grad=False):
        return _C.full(size, fill_value, **self._own(dtype, device), requires_grad=requires_grad)

    def _own(self, dtype, device):
        return {"dtype": dtype or self.dtype, "device": device or self.device}
