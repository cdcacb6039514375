"""What tensors and modules are converted to by name, over their own `to`."""

import _torch as _C


def convert(kind, **names):
    """Gives a class a method for each dtype."""
    for name, dtype in names.items():
        setattr(kind, name, lambda self, dtype=dtype: self.to(dtype))


class Conversions:
    def cpu(self):
        return self.to("cpu")

    def cuda(self, device=None):
        return self.to("cuda" if device is None else device)


convert(Conversions, float=_C.float32, double=_C.float64, half=_C.float16, bfloat16=_C.bfloat16)
