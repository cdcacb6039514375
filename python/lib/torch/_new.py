"""Tensors like another one."""

import _torch as _C


class New:
    """Of a tensor: others of its dtype, on its device."""


def _like(make):
    def method(self, *args, dtype=None, device=None, **options):
        return make(*args, dtype=dtype or self.dtype, device=device or self.device, **options)

    return method


for _name in "tensor zeros ones empty full".split():
    setattr(New, f"new_{_name}", _like(getattr(_C, _name)))
