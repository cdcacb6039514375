"""`torch.backends`: what other machines have; here the answer is no, and what is chosen changes nothing."""


class _Backend:
    def __init__(self, **choices):
        self.__dict__.update(choices)

    def is_available(self):
        return False

    is_built = is_available


mps = _Backend()
cudnn = _Backend(enabled=False, benchmark=False, deterministic=False, allow_tf32=True)
cuda = _Backend(matmul=_Backend(allow_tf32=False, allow_fp16_reduced_precision_reduction=True))
mkl = _Backend()
