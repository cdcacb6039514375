"""What functions return that give several tensors by name."""


def _fields(name, *fields):
    """A tuple of tensors, each with a name."""

    def new(cls, *values):
        return tuple.__new__(cls, values[0] if len(values) == 1 else values)

    def shown(self):
        parts = ",\n".join(f"{field}={value!r}" for field, value in zip(fields, self))
        return f"torch.return_types.{name}(\n{parts})"

    parts = {field: property(lambda self, at=at: self[at]) for at, field in enumerate(fields)}
    return type(name, (tuple,), {"__module__": "torch.return_types", "__new__": new, "__repr__": shown, **parts})


for _name in ("cummax", "cummin", "kthvalue", "max", "median", "min", "mode", "nanmedian", "sort", "topk"):
    globals()[_name] = _fields(_name, "values", "indices")
aminmax = _fields("aminmax", "min", "max")
frexp = _fields("frexp", "mantissa", "exponent")
histogram = _fields("histogram", "hist", "bin_edges")
linalg_eigh = _fields("linalg_eigh", "eigenvalues", "eigenvectors")
linalg_cholesky_ex = _fields("linalg_cholesky_ex", "L", "info")
linalg_inv_ex = _fields("linalg_inv_ex", "inverse", "info")
linalg_lu = _fields("linalg_lu", "P", "L", "U")
linalg_lstsq = _fields("linalg_lstsq", "solution", "residuals", "rank", "singular_values")
linalg_qr = _fields("linalg_qr", "Q", "R")
linalg_slogdet = _fields("linalg_slogdet", "sign", "logabsdet")
linalg_svd = _fields("linalg_svd", "U", "S", "Vh")
slogdet = _fields("slogdet", "sign", "logabsdet")
svd = _fields("svd", "U", "S", "V")
triangular_solve = _fields("triangular_solve", "solution", "cloned_coefficient")
