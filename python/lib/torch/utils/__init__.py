"""`torch.utils`"""

from torch.utils import checkpoint, flop_counter
