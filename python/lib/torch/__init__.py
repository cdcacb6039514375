"""Tensors with PyTorch's names and semantics, over this project's engine."""

import _torch as _C
from _torch import *
from torch._tensor import Size, Tensor
from torch import autograd
from torch.autograd import enable_grad, inference_mode, is_anomaly_check_nan_enabled, is_anomaly_enabled, no_grad
from torch.autograd import set_grad_enabled
from torch._functions import *
from torch._pointwise import *
from torch._compositions import *
from torch._scattering import *
from torch._draws import *
from torch._rarely import *
from torch._limits import finfo, iinfo
from torch._settings import *
from torch.random import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from torch import amp, backends, cuda, linalg, nn, optim, random, return_types, testing, utils
from torch import distributions, func, special
from torch._ops import ops
from torch._tensor import UntypedStorage
from torch.amp import GradScaler, autocast
from torch.func import vmap
from torch.special import digamma, erfinv, i0
from torch.special import gammaln as lgamma
from torch.special import multigammaln as mvlgamma
from torch.serialization import load, save

inf = 1e999
nan = inf - inf
pi = 3.141592653589793
e = 2.718281828459045
newaxis = None
__version__ = "2.15.0"

absolute = abs
row_stack = vstack
multiply = mul
subtract = sub
divide = true_divide = div
negative = neg
clip = clamp
greater = gt
less = lt
swapdims = swapaxes
for _name in "batch_norm bilinear celu conv1d conv2d cosine_similarity dropout embedding group_norm instance_norm layer_norm pairwise_distance prelu rms_norm selu threshold".split():
    globals()[_name] = getattr(nn.functional, _name)
del _name
Tensor.lgamma, Tensor.digamma, Tensor.erfinv = lgamma, digamma, erfinv


def get_default_device():
    return device._default()


def set_default_device(device):
    _C.device("cpu" if device is None else device)._make_default()


def get_default_dtype():
    return _C._get_default_dtype()


def set_default_dtype(d):
    _C._set_default_dtype(d)


def get_autocast_dtype(device_type):
    return _C._get_autocast() or (_C.float16 if device_type == "cuda" else _C.bfloat16)


def is_autocast_enabled(device_type=None):
    return _C._get_autocast() is not None


def from_numpy(ndarray):
    """The tensor whose elements an array has."""
    if not hasattr(ndarray, "_tensor"):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    if ndarray.dtype.itemsize != ndarray._tensor.dtype.itemsize:
        raise TypeError(f"can't convert np.ndarray of type numpy.{ndarray.dtype} here")
    return ndarray._tensor
