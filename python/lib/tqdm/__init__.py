"""Progress bars for loops: `for item in tqdm(items)`."""

from .std import TqdmKeyError, TqdmTypeError, TqdmWarning, tqdm, trange

__version__ = "4.67.1"
__all__ = ["tqdm", "trange", "tqdm_notebook", "tnrange", "TqdmTypeError", "TqdmKeyError", "TqdmWarning", "__version__"]

tqdm_notebook, tnrange = tqdm, trange
