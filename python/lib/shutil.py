"""How large the terminal is, which is what `argparse` asks for."""


class terminal_size(tuple):
    """Nobody says how large a terminal is here."""

    columns = property(lambda self: self[0])
    lines = property(lambda self: self[1])


def get_terminal_size(fallback=(80, 24)):
    return terminal_size(fallback)
