"""`torch.finfo` and `torch.iinfo`."""

import _torch as _C


class finfo:
    """The limits of a floating-point dtype, of the default one if none is named."""

    __module__ = "torch"

    def __init__(self, type=_C.float32):
        if not isinstance(type, _C.dtype) or not type.is_floating_point:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'")
        self.bits = type.itemsize * 8
        self.dtype = str(type)[len("torch.") :]
        self.max, self.min, self.eps, self.tiny, self._smallest_subnormal = _C._finfo(type)
        self.smallest_normal = self.tiny
        # As many decimal digits as always survive.
        self.resolution = float(f"1e-{len(str(int(1 / self.eps))) - 1}")

    def __repr__(self):
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo:
    """The limits of an integer dtype."""

    __module__ = "torch"

    def __init__(self, type):
        if type is _C.bool:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        if not isinstance(type, _C.dtype) or type.is_floating_point:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        self.bits = type.itemsize * 8
        self.dtype = str(type)[len("torch.") :]
        is_signed = type is not _C.uint8
        self.max = 2 ** (self.bits - is_signed) - 1
        self.min = -(2 ** (self.bits - 1)) if is_signed else 0

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"
