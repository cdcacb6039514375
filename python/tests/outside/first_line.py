"""What stands above every import of torch is told in a sentence as well."""

try:
    import pandas.plotting
except ImportError as error:
    print(error)

try:
    import scipy

    scipy.fft()
except ImportError as error:
    print(error)
