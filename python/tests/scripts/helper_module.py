"""What programs beside it import."""

SIZE = 3


class Holder:
    def __init__(self, held):
        self.held = held

    def __add__(self, other):
        return self.held["missing"] + other


def shown(*values):
    """Prints each as it is printed, but on one line."""
    print(*(" ".join(str(value).split()) for value in values))


def attempt(*functions):
    """What each gives, or the first line of the error that it raises."""
    for function in functions:
        try:
            shown(function())
        except Exception as error:
            print(type(error).__name__, str(error).split("\n")[0])
