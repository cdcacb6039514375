"""`torch.distributed`: there is one process, and what would join several refuses when it is called."""

from _outside import refused as _refused

init_process_group, destroy_process_group = (
    _refused(f"torch.distributed.{name}") for name in ("init_process_group", "destroy_process_group")
)


def is_available():
    return False


is_initialized = is_available
