"""`torch.amp`: half precision where it is safe, and losses scaled so that small gradients survive in it."""

from functools import wraps as _wraps

import _torch as _C
from torch.autograd import no_grad


class autocast:
    """Matrix products inside compute in half precision; a context and a decorator."""

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        self.device = device_type
        self.fast_dtype = dtype or (_C.float16 if device_type == "cuda" else _C.bfloat16)
        self.enabled = enabled

    def __enter__(self):
        self._before = _C._set_autocast(self.fast_dtype if self.enabled else None)
        return self

    def __exit__(self, *_):
        _C._set_autocast(self._before)

    def __call__(self, function):
        @_wraps(function)
        def wrapped(*args, **kwargs):
            with autocast(self.device, self.fast_dtype, self.enabled):
                return function(*args, **kwargs)

        return wrapped


class GradScaler:
    """Multiplies losses by a scale as large as half precision bears, and skips the steps for which it was too large."""

    def __init__(self, device="cuda", init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        self._device, self._scale, self._enabled = device, float(init_scale), enabled
        self._growth_factor, self._backoff_factor, self._growth_interval = growth_factor, backoff_factor, growth_interval
        self._growth_tracker = 0
        self._unscaled = {}

    def scale(self, outputs):
        if not self._enabled:
            return outputs
        if isinstance(outputs, _C.TensorBase):
            return outputs * self._scale
        return type(outputs)(self.scale(output) for output in outputs)

    @no_grad
    def unscale_(self, optimizer):
        if not self._enabled:
            return
        if id(optimizer) in self._unscaled:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        is_finite = True
        for group in optimizer.param_groups:
            for param in group["params"]:
                if param.grad is not None:
                    param.grad.mul_(1 / self._scale)
                    is_finite = is_finite and bool(param.grad.isfinite().all())
        self._unscaled[id(optimizer)] = is_finite

    def step(self, optimizer, *args, **kwargs):
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if id(optimizer) not in self._unscaled:
            self.unscale_(optimizer)
        return optimizer.step(*args, **kwargs) if self._unscaled[id(optimizer)] else None

    def update(self, new_scale=None):
        if not self._enabled:
            return
        if new_scale is not None:
            self._scale = float(new_scale)
        elif not self._unscaled:
            raise AssertionError("No inf checks were recorded prior to update.")
        elif not all(self._unscaled.values()):
            self._scale, self._growth_tracker = self._scale * self._backoff_factor, 0
        else:
            self._growth_tracker += 1
            if self._growth_tracker == self._growth_interval:
                self._scale, self._growth_tracker = self._scale * self._growth_factor, 0
        self._unscaled = {}

    def get_scale(self):
        return self._scale if self._enabled else 1.0

    def is_enabled(self):
        return self._enabled

    def state_dict(self):
        names = ("growth_factor", "backoff_factor", "growth_interval")
        kept = {name: getattr(self, f"_{name}") for name in names}
        return {"scale": self._scale, **kept, "_growth_tracker": self._growth_tracker} if self._enabled else {}

    def load_state_dict(self, state_dict):
        for name, value in state_dict.items():
            setattr(self, name if name.startswith("_") else f"_{name}", value)
