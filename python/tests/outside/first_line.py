"""What stands above every import of torch is told in a sentence as well."""

try:
    import matplotlib.pyplot
except ImportError as error:
    print(error)

import datetime

try:
    datetime.datetime.strptime("2026", "%Y")
except ImportError as error:
    print(error)
