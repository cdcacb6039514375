"""What stands above every import of torch is told in a sentence as well."""

try:
    import matplotlib.pyplot
except ImportError as error:
    print(error)

try:
    import tempfile

    tempfile.mkdtemp()
except ImportError as error:
    print(error)
