"""Distributions beside those that most programs use."""

import math as _math

import torch

from torch.distributions import _POSITIVE, _UNIT, Distribution, Normal, _OfChances


class Exponential(Distribution):
    _parameters = ("rate",)

    def __init__(self, rate, validate_args=None):
        (self.rate,) = self._broadcast(rate)
        super().__init__(self.rate.shape)
        self._satisfies("rate", self.rate > 0, _POSITIVE)

    mean = stddev = property(lambda self: self.rate.reciprocal())
    mode = property(lambda self: torch.zeros_like(self.rate))
    variance = property(lambda self: self.rate.pow(-2))

    def rsample(self, sample_shape=torch.Size()):
        return torch.empty(self._extended(sample_shape), dtype=self.rate.dtype).exponential_() / self.rate

    def log_prob(self, value):
        return self.rate.log() - self.rate * value

    def cdf(self, value):
        return 1 - torch.exp(-self.rate * value)

    def icdf(self, value):
        return -torch.log1p(-value) / self.rate

    def entropy(self):
        return 1.0 - self.rate.log()


class Laplace(Distribution):
    _parameters = "loc", "scale"

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = self._broadcast(loc, scale)
        super().__init__(self.loc.shape)
        self._satisfies("scale", self.scale > 0, _POSITIVE)

    mean = mode = property(lambda self: self.loc)
    variance = property(lambda self: 2 * self.scale.pow(2))
    stddev = property(lambda self: 2**0.5 * self.scale)

    def rsample(self, sample_shape=torch.Size()):
        shape, dtype = self._extended(sample_shape), self.loc.dtype
        u = torch.empty(shape, dtype=dtype).uniform_(torch.finfo(dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * torch.log1p(-u.abs())

    def log_prob(self, value):
        return -torch.log(2 * self.scale) - torch.abs(value - self.loc) / self.scale

    def cdf(self, value):
        away = value - self.loc
        return 0.5 - 0.5 * away.sign() * torch.expm1(-away.abs() / self.scale)

    def icdf(self, value):
        term = value - 0.5
        return self.loc - self.scale * term.sign() * torch.log1p(-2 * term.abs())

    def entropy(self):
        return 1 + torch.log(2 * self.scale)


class LogNormal(Distribution):
    """That of a number whose logarithm is normal."""

    def __init__(self, loc, scale, validate_args=None):
        self.base_dist = Normal(loc, scale)
        super().__init__(self.base_dist.batch_shape)

    loc = property(lambda self: self.base_dist.loc)
    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: (self.loc + self.scale.pow(2) / 2).exp())
    mode = property(lambda self: (self.loc - self.scale.square()).exp())
    variance = property(lambda self: torch.expm1(self.scale.pow(2)) * (2 * self.loc + self.scale.pow(2)).exp())

    def sample(self, sample_shape=torch.Size()):
        return self.base_dist.sample(sample_shape).exp()

    def rsample(self, sample_shape=torch.Size()):
        return self.base_dist.rsample(sample_shape).exp()

    def log_prob(self, value):
        logarithm = value.log()
        return self.base_dist.log_prob(logarithm) - logarithm

    def cdf(self, value):
        return self.base_dist.cdf(value.log())

    def entropy(self):
        return self.base_dist.entropy() + self.loc


class Poisson(Distribution):
    _parameters = ("rate",)

    def __init__(self, rate, validate_args=None):
        (self.rate,) = self._broadcast(rate)
        super().__init__(self.rate.shape)
        self._satisfies("rate", self.rate >= 0, "GreaterThanEq(lower_bound=0.0)")

    mean = variance = property(lambda self: self.rate)
    mode = property(lambda self: self.rate.floor())

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return torch.poisson(self.rate.expand(self._extended(sample_shape)))

    def log_prob(self, value):
        rate, value = torch.broadcast_tensors(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()


class _OfChance(_OfChances):
    """One chance, which a logit stands for."""

    def _probs_of(self, logits):
        return logits.sigmoid()

    def _logits_of(self, probs):
        return probs.log() - (-probs).log1p()


class Geometric(_OfChance):
    """How many trials fail before the first that does not."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits)
        (given,) = self._broadcast(logits if probs is None else probs)
        setattr(self, "logits" if probs is None else "probs", given)
        Distribution.__init__(self, given.shape)

    mean = property(lambda self: 1 / self.probs - 1)
    mode = property(lambda self: torch.zeros_like(self.probs))
    variance = property(lambda self: (1 / self.probs - 1) / self.probs)

    def sample(self, sample_shape=torch.Size()):
        dtype = self.probs.dtype
        u = torch.empty(self._extended(sample_shape), dtype=dtype).uniform_(torch.finfo(dtype).tiny, 1)
        return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value):
        value, probs = torch.broadcast_tensors(value, self.probs)
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self):
        return torch.nn.functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs


class Binomial(_OfChance):
    """How many of some trials succeed."""

    _parameters = "total_count", "probs", "logits"

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits)
        self.total_count, given = self._broadcast(total_count, logits if probs is None else probs)
        setattr(self, "logits" if probs is None else "probs", given)
        Distribution.__init__(self, given.shape)
        if probs is not None:
            self._satisfies("probs", (given >= 0) & (given <= 1), _UNIT)

    mean = property(lambda self: self.total_count * self.probs)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended(sample_shape)
        with torch.no_grad():
            return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value):
        ways = (self.total_count + 1).lgamma() - (value + 1).lgamma() - (self.total_count - value + 1).lgamma()
        some = self.logits.clamp(min=0) + (-self.logits.abs()).exp().log1p()
        return ways + value * self.logits - self.total_count * some

    def entropy(self):
        most = int(self.total_count.max())
        if not bool((self.total_count == most).all()):
            raise NotImplementedError("Inhomogeneous total count not supported by `entropy`.")
        counts = torch.arange(1.0 + most).view(-1, *[1] * len(self.batch_shape))
        logs = self.log_prob(counts)
        return -(logs.exp() * logs).sum(0)


class MultivariateNormal(Distribution):
    """Normal numbers with a covariance, given by itself, by its inverse or by its Cholesky factor."""

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        given = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril}
        given = {name: matrix for name, matrix in given.items() if matrix is not None}
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        ((name, matrix),) = given.items()
        factor = matrix if name == "scale_tril" else torch.linalg.cholesky(
            matrix if name == "covariance_matrix" else torch.linalg.inv(matrix)
        )
        front = torch.broadcast_shapes(loc.shape[:-1], matrix.shape[:-2])
        self.loc, self.scale_tril = loc.expand((*front, -1)), factor.expand((*front, -1, -1))
        super().__init__(front, loc.shape[-1:])

    mean = mode = property(lambda self: self.loc)
    covariance_matrix = property(lambda self: self.scale_tril @ self.scale_tril.mT)
    precision_matrix = property(lambda self: torch.cholesky_inverse(self.scale_tril))
    variance = property(lambda self: self.scale_tril.pow(2).sum(-1))

    def rsample(self, sample_shape=torch.Size()):
        noise = torch.randn(self._extended(sample_shape), dtype=self.loc.dtype)
        return self.loc + (self.scale_tril @ noise.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value):
        away = (value - self.loc).unsqueeze(-1)
        factor = self.scale_tril.expand((*away.shape[:-2], -1, -1))
        distance = torch.linalg.solve_triangular(factor, away, upper=False).square().sum((-2, -1))
        size = self.loc.shape[-1]
        return -0.5 * (size * _math.log(2 * _math.pi) + distance) - self._half_logdet()

    def _half_logdet(self):
        return self.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def entropy(self):
        return 0.5 * self.loc.shape[-1] * (1.0 + _math.log(2 * _math.pi)) + self._half_logdet()

    def __repr__(self):
        return f"MultivariateNormal(loc: {self.loc.size()}, covariance_matrix: {self.covariance_matrix.size()})"
