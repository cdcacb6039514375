import helper_module
from helper_module import Holder

print(helper_module.SIZE, helper_module.__name__)


class Outer:
    @property
    def total(self):
        try:
            return 1 * (Holder({"a": [1, 2]}) + 3)
        except KeyError as error:
            raise ValueError("no such thing") from error


if __name__ == "__main__":
    print("before")
    result = 2 + Outer().total
