"""What functions return that give values and where these are."""


class _Pair(tuple):
    def __new__(cls, values, indices):
        return tuple.__new__(cls, (values, indices))

    @property
    def values(self):
        return self[0]

    @property
    def indices(self):
        return self[1]

    def __repr__(self):
        return f"torch.return_types.{type(self).__name__}(\nvalues={self[0]!r},\nindices={self[1]!r})"


class max(_Pair):
    pass


class min(_Pair):
    pass


class median(_Pair):
    pass


class sort(_Pair):
    pass


class topk(_Pair):
    pass


class cummax(_Pair):
    pass


class cummin(_Pair):
    pass


class kthvalue(_Pair):
    pass


class mode(_Pair):
    pass


class aminmax(tuple):
    @property
    def min(self):
        return self[0]

    @property
    def max(self):
        return self[1]

    def __repr__(self):
        return f"torch.return_types.aminmax(\nmin={self[0]!r},\nmax={self[1]!r})"
