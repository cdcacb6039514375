"""`torch.accelerator`: the device beside the processor, if there is one."""

import _torch as _C


def is_available():
    return _C._has_gpu()


def current_accelerator(check_available=False):
    return _C.device("cuda") if is_available() else None


def device_count():
    return int(is_available())
