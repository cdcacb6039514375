"""Annotations of dtypes and shapes: `Float[Tensor, "batch seq"]`. They are for the reader, and `isinstance` checks them."""


class _Annotation(type):
    def __getitem__(cls, of):
        array, axes = of
        name = f"{cls.__name__}[{getattr(array, '__name__', array)}, {axes!r}]"
        return _Annotation(name, (cls,), {"__module__": "jaxtyping", "array_type": array, "dim_str": axes})

    def __instancecheck__(cls, array):
        if "dim_str" not in cls.__dict__ or not isinstance(array, cls.array_type):
            return False
        dtype = str(getattr(array, "dtype", "")).removeprefix("torch.").replace("_", "")
        return _is_of_kind(dtype, cls.__mro__[1].__name__) and _has_axes(array.shape, cls.dim_str.split())


def _is_of_kind(dtype, kind):
    """A kind is a dtype by its name, or a family of dtypes."""
    families = {
        "Float": ("float", "bfloat"), "Inexact": ("float", "bfloat", "complex"), "Complex": ("complex",), "Int": ("int",),
        "UInt": ("uint",), "Integer": ("int", "uint"), "Bool": ("bool",), "Real": ("float", "bfloat", "int", "uint"),
        "Num": ("float", "bfloat", "int", "uint", "complex"), "Shaped": ("",),
    }
    return dtype.startswith(families[kind]) if kind in families else dtype == kind.lower()


def _has_axes(shape, axes):
    """Whether the sizes are those of the axes: a number, or a name that has one size wherever it stands; `...` and
    `*name` stand for any number of them, and `_` for any size."""
    sizes = list(shape)
    several = [at for at, axis in enumerate(axes) if axis == "..." or axis.startswith("*")]
    if several:
        behind = len(axes) - several[0] - 1
        if len(sizes) < len(axes) - 1:
            return False
        sizes = sizes[: several[0]] + sizes[len(sizes) - behind :]
        axes = axes[: several[0]] + axes[several[0] + 1 :]
    if len(sizes) != len(axes):
        return False
    known = {}
    for size, axis in zip(sizes, axes):
        can_be_one, name = axis.startswith("#"), axis.lstrip("#").rpartition("=")[2]
        if name.startswith("_") or can_be_one and size == 1:
            continue
        if size != (int(name) if name.isdigit() else known.setdefault(name, size)):
            return False
    return True


def _kinds(*names):
    for name in names:
        globals()[name] = _Annotation(name, (), {"__module__": "jaxtyping"})


_kinds("Shaped", "Num", "Real", "Inexact", "Float", "Complex", "Integer", "Int", "UInt", "Bool", "Key")
_kinds("BFloat16", "Float8e4m3fn", "Float8e5m2", "Float16", "Float32", "Float64", "Complex64", "Complex128")
_kinds("Int4", "Int8", "Int16", "Int32", "Int64", "UInt4", "UInt8", "UInt16", "UInt32", "UInt64")


def jaxtyped(function=None, *, typechecker=None):
    """Leaves what it decorates as it is."""
    return (lambda function: function) if function is None else function
