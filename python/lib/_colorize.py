"""Texts without colours: nothing here is a terminal."""


class _Theme:
    """Each of its sections is one like it; each colour is no text."""

    def __getattr__(self, name):
        return _Colours()


class ANSIColors:
    RESET = RED = GREEN = YELLOW = BLUE = MAGENTA = CYAN = BOLD_RED = BOLD_GREEN = BOLD_MAGENTA = INTENSE_BLACK = ""


class _Colours:
    def __getattr__(self, name):
        return ""


def can_colorize(*, file=None):
    return False


def get_theme(**options):
    return _Theme()


def decolor(text):
    return text
