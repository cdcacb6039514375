"""Training on several devices: programs import it and use it where there are several."""

from _outside import refused as _refused

DataParallel, DistributedDataParallel = (
    _refused(f"torch.nn.parallel.{name}") for name in ("DataParallel", "DistributedDataParallel")
)
