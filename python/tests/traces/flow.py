"""Calls, loops, statements of several lines, generators and exceptions."""


def square(x):
    return x * x


def total(numbers):
    result = 0
    for number in numbers:
        result += square(
            number
        )  # @inspect result
    return result


def evens(limit):
    n = 0
    while n < limit:
        yield n
        n += 2


def risky(n):
    if n > 2:
        raise ValueError(
            f"{n} is too many"
        )
    elif n == 2:
        return "two"
    else:
        return "few"


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    @property
    def norm(self):
        return self.x + self.y


def decorated(function):
    def wrapper(*args):
        return function(*args)

    return wrapper


@decorated
def twice(x):
    return 2 * x


def main():
    print("begin", total([1, 2]))
    squares = [
        square(i)
        for i in range(2)
    ]  # @inspect squares
    pairs = {i: str(i) for i in range(3)}  # @inspect pairs
    found = []
    for even in evens(4):
        found.append(even)
    for n in (1, 2, 3):
        try:
            words = risky(n)  # @inspect words
        except ValueError as error:
            words = str(error)
        finally:
            last = n
    point = Point(3, 4)
    norm = point.norm  # @inspect norm point.x
    doubled = twice(norm)
    big = 2**70  # @inspect big
    bounds = (float("inf"), True, None, 1.5)  # @inspect bounds
    biggest = max(found, key=lambda value: -value)
    del found
    with open_nothing() as nothing:
        inside = 1
    long = list(range(100))  # @inspect long
    deep = [[[[[[[[1]]]]]]]]  # @inspect deep
    return 1 if nothing is None else 2


class open_nothing:
    def __enter__(self):
        return None

    def __exit__(self, *_):
        return False


answer = main()
print(answer, sep="")
