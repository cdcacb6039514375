"""`torch.Tensor`: operators, conversions and what reads best in Python."""

import _torch as _C
from _torch import TensorBase as _Base


class Size(tuple):
    """The sizes of a tensor."""

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


class Tensor(_Base):
    __module__ = "torch"
    __add__ = __radd__ = _Base.add
    __sub__ = _Base.sub
    __rsub__ = _Base.rsub
    __mul__ = __rmul__ = _Base.mul
    __truediv__ = _Base.div
    __floordiv__ = _Base.floor_divide
    __mod__ = _Base.remainder
    __pow__ = _Base.pow
    __matmul__ = _Base.matmul
    __neg__ = _Base.neg
    __abs__ = _Base.abs
    __invert__ = _Base.bitwise_not
    __and__ = __rand__ = _Base.bitwise_and
    __or__ = __ror__ = _Base.bitwise_or
    __xor__ = __rxor__ = _Base.bitwise_xor
    __lt__ = _Base.lt
    __le__ = _Base.le
    __gt__ = _Base.gt
    __ge__ = _Base.ge
    __eq__ = _Base.eq
    __ne__ = _Base.ne
    __iadd__ = _Base.add_
    __isub__ = _Base.sub_
    __imul__ = _Base.mul_
    __itruediv__ = _Base.div_
    __getitem__ = _Base._index
    __setitem__ = _Base._set_index

    def __rtruediv__(self, other):
        return self.reciprocal() * other

    def __rpow__(self, other):
        return _C.pow(other, self)

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return self._repr()

    def __str__(self):
        return self._repr()

    def __format__(self, spec):
        if self.dim() == 0:
            return format(self.item(), spec)
        return format(str(self), spec)

    def __bool__(self):
        if self.numel() != 1:
            raise RuntimeError(
                "Boolean value of Tensor with no values is ambiguous"
                if self.numel() == 0
                else "Boolean value of Tensor with more than one value is ambiguous"
            )
        return bool(self.item())

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __index__(self):
        return int(self.item())

    def __len__(self):
        if self.dim() == 0:
            raise TypeError("len() of a 0-d tensor")
        return self.shape[0]

    def __iter__(self):
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, element):
        return bool((self == element).any())

    @property
    def shape(self):
        return Size(self._shape)

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def dim(self):
        return len(self._shape)

    @property
    def ndim(self):
        return len(self._shape)

    def numel(self):
        return self.shape.numel()

    @property
    def T(self):
        return self.permute(*range(self.dim())[::-1])

    @property
    def mT(self):
        return self.transpose(-2, -1)


_C._set_class(Tensor)
