"""Where libraries of C are: nowhere."""


def find_library(name):
    return None
