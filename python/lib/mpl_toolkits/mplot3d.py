"""Drawings in space by name: an import alone does no harm."""


class Axes3D:
    def __init__(self, *args, **kwargs):
        raise NotImplementedError("3D axes are not there: draw a heat map (imshow), contours, or slices as lines")
