"""Modules that see at their first call how many features they are given, and are usual ones from then on."""

import _torch as _C
from torch.nn import convolutions, layers
from torch.nn.parameter import UninitializedParameter, is_lazy


class _Lazy:
    def __init__(self, *args, device=None, dtype=None, **kwargs):
        has_bias = kwargs.pop("bias", True)
        # Without a bias nothing is drawn for what has no features.
        super().__init__(0, *args, **kwargs, **({} if self._is_norm else {"bias": False}))
        self._like = {"device": device, "dtype": dtype}
        names = ["weight", "bias"] if has_bias else ["weight"]
        for name in names if not self._is_norm or self.affine else ():
            del self._parameters[name]
            self.register_parameter(name, UninitializedParameter(**self._like))

    def has_uninitialized_params(self):
        return any(map(is_lazy, self._parameters.values()))

    def __call__(self, input, *args, **kwargs):
        is_new = self.has_uninitialized_params() or self._is_norm
        self._learn(input)
        object.__setattr__(self, "__class__", self._becomes)
        if is_new:
            self.reset_parameters()
        return self(input, *args, **kwargs)

    def _materialize(self, name, *shape):
        if is_lazy(self._parameters.get(name)):
            self._parameters[name].materialize(shape)


class LazyLinear(_Lazy, layers.Linear):
    _becomes, _is_norm = layers.Linear, False

    def _learn(self, input):
        self.in_features = input.shape[-1]
        self._materialize("weight", self.out_features, self.in_features)
        self._materialize("bias", self.out_features)


class _LazyConvolution(_Lazy):
    _is_norm = False

    def _learn(self, input):
        self.in_channels = input.shape[-self._dims - 1]
        self._materialize("weight", *self._weight_shape(), *self.kernel_size)
        self._materialize("bias", self.out_channels)


class _LazyNorm(_Lazy):
    _is_norm = True

    def _learn(self, input):
        self.num_features = input.shape[1]
        self._materialize("weight", self.num_features)
        self._materialize("bias", self.num_features)
        if self.track_running_stats:
            self.running_mean = _C.zeros(self.num_features, **self._like)
            self.running_var = _C.ones(self.num_features, **self._like)


__all__ = ["LazyLinear"]
for _dims in (1, 2, 3):
    for _base, _kinds in ((_LazyConvolution, ("Conv", "ConvTranspose")), (_LazyNorm, ("BatchNorm", "InstanceNorm"))):
        for _kind in _kinds:
            _usual = getattr(convolutions, f"{_kind}{_dims}d")
            _name = f"Lazy{_kind}{_dims}d"
            globals()[_name] = type(_name, (_base, _usual), {"_becomes": _usual})
            __all__.append(_name)
