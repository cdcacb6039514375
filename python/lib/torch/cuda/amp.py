"""`torch.cuda.amp`: the older names of what `torch.amp` has."""

import _torch as _C
from torch import amp as _amp
from torch.amp import GradScaler


class autocast(_amp.autocast):
    def __init__(self, enabled=True, dtype=_C.float16, cache_enabled=True):
        super().__init__("cuda", dtype, enabled)
