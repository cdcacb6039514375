"""Tensors with PyTorch's names and semantics, over this project's engine."""

import _outside
import _torch as _C
from _torch import *
from torch._tensor import Size, Tensor
from torch import autograd
from torch.autograd import enable_grad, inference_mode, no_grad, set_grad_enabled
from torch._functions import *
from torch._pointwise import *
from torch._compositions import *
from torch._scattering import *
from torch._draws import *
from torch._limits import finfo, iinfo
from torch._settings import *
from torch.random import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from torch import accelerator, amp, backends, cuda, distributed, linalg, nn, optim, random, return_types, utils
from torch._ops import ops
from torch._tensor import UntypedStorage
from torch.amp import GradScaler, autocast
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
greater, greater_equal, less, less_equal, not_equal = gt, ge, lt, le, ne
swapdims = swapaxes
for _name in "batch_norm cosine_similarity dropout embedding layer_norm rms_norm".split():
    globals()[_name] = getattr(nn.functional, _name)
del _name


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


_GUARDED = (
    "amp autograd autograd.function cuda distributed linalg nn nn.functional nn.init nn.parallel nn.utils optim "
    "optim.lr_scheduler utils utils.checkpoint utils.data"
)
for _name in ("torch", *(f"torch.{name}" for name in _GUARDED.split())):
    _outside.guard(_name)
del _name
