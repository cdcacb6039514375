"""`torch.cuda`: the GPU that the session has, whatever its make."""

import _torch as _C


def is_available():
    return _C._has_gpu()


def device_count():
    return int(_C._has_gpu())


def current_device():
    _check()
    return 0


def get_device_name(device=None):
    _check()
    return _C._gpu_name()


class _CudaDeviceProperties:
    """What is known of the device: its name."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"_CudaDeviceProperties(name='{self.name}')"


def get_device_properties(device=None):
    return _CudaDeviceProperties(get_device_name(device))


def synchronize(device=None):
    _check()
    _C._synchronize("cuda")


def memory_allocated(device=None):
    return _C._allocated_bytes("cuda") if is_available() else 0


def max_memory_allocated(device=None):
    return _C._peak_bytes("cuda") if is_available() else 0


def empty_cache():
    """There is nothing to give back: memory that is free is free."""


def manual_seed(seed):
    """Draws for every device come from the default generator, which `torch.manual_seed` seeds."""


manual_seed_all = manual_seed


def _check():
    if not is_available():
        raise RuntimeError("No CUDA GPUs are available")


def is_bf16_supported(including_emulation=True):
    return is_available()


from torch.cuda import amp  # it knows `torch.amp` by its name alone
