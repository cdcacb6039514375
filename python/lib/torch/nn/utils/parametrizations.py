"""Functions that parameters are often made by."""

import _torch as _C
from torch.autograd import no_grad
from torch.nn import functional as F
from torch.nn.module import Module
from torch.nn.utils.parametrize import register_parametrization


class _WeightNorm(Module):
    """A direction and a length along `dim`."""

    def __init__(self, dim=0):
        super().__init__()
        self.dim = dim

    def _length(self, v):
        if self.dim in (None, -1):
            return v.norm()
        return v.norm(2, [dim for dim in range(v.dim()) if dim != self.dim], True)

    def forward(self, weight_g, weight_v):
        return weight_v * (weight_g / self._length(weight_v))

    def right_inverse(self, weight):
        return self._length(weight), weight


def weight_norm(module, name="weight", dim=0):
    register_parametrization(module, name, _WeightNorm(dim), unsafe=True)
    return module


class _SpectralNorm(Module):
    """Divides by the largest singular value, as power iterations find it."""

    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        self.dim = dim if dim >= 0 else dim + weight.dim()
        self.eps, self.n_power_iterations = eps, n_power_iterations
        if weight.dim() > 1:
            matrix = self._matrix(weight)
            rows, columns = matrix.shape
            self.register_buffer("_u", F.normalize(matrix.new_empty(rows).normal_(0, 1), dim=0, eps=eps))
            self.register_buffer("_v", F.normalize(matrix.new_empty(columns).normal_(0, 1), dim=0, eps=eps))
            self._iterate(matrix, 15)

    def _matrix(self, weight):
        return weight.movedim(self.dim, 0).flatten(1)

    @no_grad
    def _iterate(self, matrix, times):
        for _ in range(times):
            self._u.copy_(F.normalize(matrix.mv(self._v), dim=0, eps=self.eps))
            self._v.copy_(F.normalize(matrix.T.mv(self._u), dim=0, eps=self.eps))

    def forward(self, weight):
        if weight.dim() == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._iterate(matrix.detach(), self.n_power_iterations)
        return weight / self._u.clone().dot(matrix.mv(self._v.clone()))

    def right_inverse(self, value):
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=0):
    weight = getattr(module, name).detach()
    register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
    return module
