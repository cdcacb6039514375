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


for _name in ("max", "median", "min", "sort", "topk"):
    globals()[_name] = _fields(_name, "values", "indices")
