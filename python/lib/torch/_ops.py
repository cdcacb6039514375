"""Names of operations below `torch`: `torch.ops.aten.mm`."""


class OpOverloadPacket:
    """An operation of that name, as counters know it."""

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self._name}')>"

    def __str__(self):
        return self._name

    def __eq__(self, other):
        return isinstance(other, OpOverloadPacket) and self._name == other._name

    def __hash__(self):
        return hash(self._name)


class _Namespace:
    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        return OpOverloadPacket(f"{self._name}.{name}")


class _Ops:
    aten = _Namespace("aten")


ops = _Ops()
