"""`torch.nn.utils`"""

import _torch as _C
from torch.autograd import no_grad


@no_grad
def get_total_norm(tensors, norm_type=2.0):
    """The norm of all tensors as one vector."""
    norms = [tensor._norm(norm_type) for tensor in tensors]
    if not norms:
        return _C.tensor(0.0)
    return _C.stack([norm.to(norms[0].device) for norm in norms])._norm(norm_type)


@no_grad
def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """Scales all gradients together so that their norm is at most `max_norm`; gives the norm before that."""
    parameters = [parameters] if isinstance(parameters, _C.TensorBase) else list(parameters)
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    total = get_total_norm(gradients, norm_type)
    if error_if_nonfinite and not total.isfinite():
        raise RuntimeError(
            f"The total norm of order {float(norm_type)} for gradients from `parameters` is non-finite, so it cannot "
            "be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
            "`error_if_nonfinite=False`"
        )
    factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
    for gradient in gradients:
        gradient.mul_(factor.to(gradient.device))
    return total


@no_grad
def clip_grad_value_(parameters, clip_value):
    for parameter in [parameters] if isinstance(parameters, _C.TensorBase) else parameters:
        if parameter.grad is not None:
            parameter.grad.clamp_(-clip_value, clip_value)


def parameters_to_vector(parameters):
    return _C.cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec, parameters):
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        parameter.data = vec[start:end].view_as(parameter).data
        start = end
