"""Annotations of dtypes and shapes, for the reader: `Float[Tensor, "batch seq"]`."""


class _Annotation(type):
    def __getitem__(cls, of):
        array, axes = of
        name = f"{cls.__name__}[{getattr(array, '__name__', array)}, {axes!r}]"
        return _Annotation(name, (cls,), {"__module__": "jaxtyping", "array_type": array, "dim_str": axes})

    def __instancecheck__(cls, array):
        raise TypeError("annotations of jaxtyping are for the reader here: isinstance() does not check them")


def _kinds(*names):
    for name in names:
        globals()[name] = _Annotation(name, (), {"__module__": "jaxtyping"})


_kinds("Shaped", "Num", "Real", "Inexact", "Float", "Complex", "Integer", "Int", "UInt", "Bool", "Key")
_kinds("BFloat16", "Float8e4m3fn", "Float8e5m2", "Float16", "Float32", "Float64", "Complex64", "Complex128")
_kinds("Int4", "Int8", "Int16", "Int32", "Int64", "UInt4", "UInt8", "UInt16", "UInt32", "UInt64")


def jaxtyped(function=None, *, typechecker=None):
    """Leaves what it decorates as it is."""
    return (lambda function: function) if function is None else function
