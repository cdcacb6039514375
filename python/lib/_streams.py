"""Standard output and standard error, as text alone."""

import _napkin
import sys


class Stream:
    encoding = "utf-8"
    errors = "strict"
    newlines = None
    closed = False

    def __init__(self, number, name):
        self.number = number
        self.name = name

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        _napkin.write(self.number, text)
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False

    def writable(self):
        return True


sys.stdout = sys.__stdout__ = Stream(1, "<stdout>")
sys.stderr = sys.__stderr__ = Stream(2, "<stderr>")
