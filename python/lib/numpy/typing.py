"""Annotations of arrays."""

from typing import Any

from numpy._array import ndarray

ArrayLike = DTypeLike = Any


class NDArray(ndarray):
    """An array of a dtype, in annotations."""

    def __class_getitem__(cls, dtype):
        return ndarray
