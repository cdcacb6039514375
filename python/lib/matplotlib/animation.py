"""Moving pictures, which are not here: figures are drawn once."""


class FuncAnimation:
    def __init__(self, *_args, **_more):
        raise NotImplementedError("Animations are not here: draw the frames as figures of their own.")


class ArtistAnimation(FuncAnimation):
    pass


Animation = FuncAnimation
PillowWriter = FFMpegWriter = HTMLWriter = FuncAnimation
