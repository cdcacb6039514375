"""`torch.Tensor`: operators, conversions and what reads best in Python."""

from weakref import ref

import _outside
import _torch as _C
from _torch import TensorBase as _Base
from torch._conversions import Conversions, convert
from torch._handles import RemovableHandle
from torch._new import New
from torch._storage import UntypedStorage


class Size(tuple):
    """The sizes of a tensor."""

    __module__ = "torch"

    def __repr__(self):
        return f"torch.Size({list(self)})"

    def numel(self):
        count = 1
        for size in self:
            count *= size
        return count

    def __getitem__(self, at):
        item = tuple.__getitem__(self, at)
        return Size(item) if isinstance(at, slice) else item

    def __add__(self, other):
        return Size(tuple.__add__(self, other))


_LEGACY = {
    _C.float32: "Float",
    _C.float64: "Double",
    _C.float16: "Half",
    _C.bfloat16: "BFloat16",
    _C.int64: "Long",
    _C.int32: "Int",
    _C.int16: "Short",
    _C.int8: "Char",
    _C.uint8: "Byte",
    _C.bool: "Bool",
    _C.float8_e4m3fn: "Float8_e4m3fn",
    _C.float8_e5m2: "Float8_e5m2",
}


_int = int


class Tensor(Conversions, New, _Base):
    __module__ = "torch"

    def __new__(cls, *data, device=None):
        """float32 of a list or an array, or room for a tensor of these sizes."""
        if len(data) == 1 and not isinstance(data[0], _int):
            made = data[0] if isinstance(data[0], _Base) else _C.tensor(data[0], dtype=_C._get_default_dtype(), device=device)
        else:
            made = _C.empty(*(data or (0,)), device=device)
        return cls._make_subclass(cls, made)

    __add__ = __radd__ = _Base._operator_add
    __sub__ = _Base._operator_sub
    __rsub__ = _Base._operator_rsub
    __mul__ = __rmul__ = _Base._operator_mul
    __truediv__ = _Base._operator_div
    __floordiv__ = _Base.floor_divide
    __mod__ = _Base.remainder
    __pow__ = _Base.pow
    __neg__ = _Base.neg

    def __pos__(self):
        if self.dtype == _C.bool:
            raise NotImplementedError("The `+` operator, on a bool tensor is not supported.")
        return self

    __abs__ = _Base.abs
    __and__ = __rand__ = _Base.bitwise_and
    __or__ = __ror__ = _Base.bitwise_or
    __xor__ = __rxor__ = _Base.bitwise_xor
    __lshift__ = _Base.bitwise_left_shift
    __rshift__ = _Base.bitwise_right_shift
    __lt__ = _Base._operator_lt
    __le__ = _Base._operator_le
    __gt__ = _Base._operator_gt
    __ge__ = _Base._operator_ge
    __iadd__ = _Base.add_
    __isub__ = _Base.sub_
    __imul__ = _Base.mul_
    __itruediv__ = _Base.div_
    __ipow__ = _Base.pow_
    __ifloordiv__ = _Base.floor_divide_
    __imod__ = _Base.remainder_
    __getitem__ = _Base._index
    __setitem__ = _Base._set_index

    def __invert__(self):
        if self.is_floating_point():
            raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
        return self.bitwise_not()

    def __matmul__(self, other):
        return self.matmul(other) if isinstance(other, _Base) else NotImplemented

    def __eq__(self, other):
        return self.eq(other) if isinstance(other, (_Base, int, float)) else NotImplemented

    def __ne__(self, other):
        return self.ne(other) if isinstance(other, (_Base, int, float)) else NotImplemented

    def __rfloordiv__(self, other):
        return self._beside(other).floor_divide(self)

    def __rmod__(self, other):
        return self._beside(other).remainder(self)

    def __rmatmul__(self, other):
        return other.matmul(self)

    def __rtruediv__(self, other):
        return self.reciprocal() * other

    def __rpow__(self, other):
        return _C.pow(other, self)

    def __rlshift__(self, other):
        return self._beside(other) << self

    def __rrshift__(self, other):
        return self._beside(other) >> self

    def __getattr__(self, name):
        raise _outside.lacking(self, name, f"torch.{name}", f"torch.{name.rstrip('_')}")

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return self._repr()

    def __format__(self, spec):
        if self.dim() == 0:
            return format(self.item(), spec)
        return object.__format__(self, spec)

    def __bool__(self):
        if self.numel() != 1:
            raise RuntimeError(
                "Boolean value of Tensor with no values is ambiguous"
                if self.numel() == 0
                else "Boolean value of Tensor with more than one value is ambiguous"
            )
        return self.item() != 0

    def _number(self):
        if self.numel() != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self.item()

    def __float__(self):
        return self._number() * 1.0

    def __int__(self):
        return _int(self._number())

    def __index__(self):
        if self.numel() != 1 or self.is_floating_point():
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return _int(self.item())

    def __deepcopy__(self, memo):
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
                "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
                "see https://github.com/pytorch/pytorch/pull/103001"
            )
        copied = type(self)._make_subclass(type(self), self.detach().clone(), self.requires_grad)
        if self.grad is not None:
            copied.grad = self.grad.clone()
        memo[id(self)] = copied
        return copied

    def __copy__(self):
        return type(self)._make_subclass(type(self), self.detach(), self.requires_grad)

    def __len__(self):
        if self.dim() == 0:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __iter__(self):
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, element):
        return (self == element).any().item()

    @property
    def shape(self):
        return Size(self._shape)

    def size(self, dim=None):
        return self.shape if dim is None else self._size(dim)

    def dim(self):
        return len(self._shape)

    @property
    def ndim(self):
        return len(self._shape)

    def numel(self):
        return self.shape.numel()

    def numpy(self):
        """The array that shares this tensor's elements."""
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if self.device.type != "cpu":
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. "
                "Use Tensor.cpu() to copy the tensor to host memory first."
            )
        from numpy._array import ndarray
        from numpy._dtypes import of_tensor

        return ndarray(self, of_tensor(self))

    nelement = numel

    def element_size(self):
        return self.dtype.itemsize

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def nbytes(self):
        return self.numel() * self.dtype.itemsize

    def untyped_storage(self):
        return UntypedStorage(self)

    @property
    def grad_fn(self):
        """The recorded operation that made it."""
        from torch.autograd.graph import node

        return node(self._grad_fn)

    def is_floating_point(self):
        return self.dtype.is_floating_point

    @property
    def is_cuda(self):
        return self.device.type == "cuda"

    @property
    def is_cpu(self):
        return self.device.type == "cpu"

    @property
    def is_meta(self):
        return self.device.type == "meta"

    is_sparse = is_quantized = is_nested = is_mkldnn = False

    def _is_view(self):
        return self._base is not None

    def get_device(self):
        return self.device.index if self.is_cuda else -1

    def to(self, *args, **kwargs):
        """To a dtype, a device, both, or those of another tensor; itself if it is there already."""
        device, dtype = kwargs.pop("device", None), kwargs.pop("dtype", None)
        copy, _ = kwargs.pop("copy", False), kwargs.pop("non_blocking", False)
        kwargs.pop("memory_format", None)
        if kwargs:
            raise TypeError(f"to() received an invalid combination of arguments - got {sorted(kwargs)}")
        places = 0
        for argument in args:
            if isinstance(argument, _Base):
                device, dtype = argument.device, argument.dtype
            elif isinstance(argument, (_C.dtype, type)):
                dtype = argument
            elif isinstance(argument, bool):
                # non_blocking, then copy
                copy = argument if places else copy
                places += 1
            elif argument is not None:
                device = argument
        device = None if device is None else _C.device(device)
        is_there = device is None or device.type == self.device.type and device.index in (None, self.device.index)
        if is_there and (dtype is None or dtype is self.dtype) and not copy:
            return self
        return self._to(device, dtype, copy)

    def type(self, dtype=None):
        if dtype is None:
            return ("torch.cuda." if self.is_cuda else "torch.") + _LEGACY[self.dtype] + "Tensor"
        if isinstance(dtype, str):
            name = dtype.removeprefix("torch.").removesuffix("Tensor")
            dtype = next((kind for kind, legacy in _LEGACY.items() if legacy == name), None)
            if dtype is None:
                raise ValueError(f"invalid type: '{name}'")
        return self.to(getattr(dtype, "dtype", dtype))

    def type_as(self, other):
        return self.to(other.dtype)

    def nonzero(self, *, as_tuple=False):
        return self._nonzero_as_tuple() if as_tuple else _Base.nonzero(self)

    def where(self, condition, other):
        return _C.where(condition, self, other)

    def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
        x = self if dtype is None else self.to(dtype)
        return x._norm(2 if p in ("fro", None) else p, dim, keepdim)

    def roll(self, shifts, dims=None):
        """The elements moved along dimensions, or along all of them as if flat."""
        if dims is None and self.dim() == 1:
            dims = 0
        if dims is None:
            return self.flatten()._roll(shifts, 0).view(self.shape)
        rolled = self
        shifts, dims = ((x,) if isinstance(x, _int) else x for x in (shifts, dims))
        if len(shifts) != len(dims):
            raise RuntimeError(
                f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}"
            )
        for shift, dim in zip(shifts, dims):
            rolled = rolled._roll(shift, dim)
        return rolled

    def ravel(self):
        return self.flatten()

    def register_hook(self, hook):
        """Calls `hook` with the gradient of each backward pass; what it returns takes the gradient's place."""
        handle = RemovableHandle(hook)
        self._register_hook(handle)
        return handle

    def register_post_accumulate_grad_hook(self, hook):
        """Calls `hook` with this leaf when a backward pass has added to its `.grad`."""
        handle = RemovableHandle(hook)
        # The tensor keeps its hooks, so they do not keep the tensor.
        leaf = ref(self)
        self._register_grad_hook(lambda: handle(leaf()))
        return handle

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        """Adds the gradients of this tensor to the `.grad` of the leaves, or of those inputs alone."""
        inputs = [inputs] if isinstance(inputs, _Base) else inputs
        _C._backward([self], [gradient], retain_graph, create_graph, inputs if inputs is None else list(inputs))

    def pin_memory(self):
        return self

    def is_pinned(self):
        return False

    def multinomial(self, num_samples, replacement=False, *, generator=None):
        from torch import multinomial

        return multinomial(self, num_samples, replacement, generator=generator)

    @property
    def T(self):
        return self.permute(*range(self.dim())[::-1])

    @property
    def mT(self):
        return self.transpose(-2, -1)


convert(Tensor, long=_C.int64, int=_C.int32, short=_C.int16, char=_C.int8, byte=_C.uint8, bool=_C.bool)
_C._set_class(Tensor)
