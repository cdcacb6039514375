"""Distributions: samples, densities, entropies and how far one is from another."""

import math as _math

import torch

import _torch as _C


# What parameters must be, in PyTorch's words.
_POSITIVE, _UNIT = "GreaterThan(lower_bound=0.0)", "Interval(lower_bound=0.0, upper_bound=1.0)"


def _sizes(sample_shape):
    return torch.Size(sample_shape) if isinstance(sample_shape, (tuple, list)) else torch.Size((sample_shape,))


class Distribution:
    """`batch_shape` are the sizes of the parameters, `event_shape` those of one sample."""

    _parameters = ()

    def __init__(self, batch_shape=torch.Size(), event_shape=torch.Size()):
        self.batch_shape = torch.Size(batch_shape)
        self.event_shape = torch.Size(event_shape)

    def _broadcast(self, *values):
        """Parameters of one shape; numbers have none."""
        tensors = [value if isinstance(value, _C.TensorBase) else torch.tensor(float(value)) for value in values]
        return torch.broadcast_tensors(*tensors)

    def _satisfies(self, name, is_met, constraint):
        """Refuses a parameter that is not what it must be."""
        if not bool(is_met.all()):
            value = getattr(self, name)
            raise ValueError(
                f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution {self!r} to "
                f"satisfy the constraint {constraint}, but found invalid values:\n{value}"
            )

    def _extended(self, sample_shape):
        return _sizes(sample_shape) + self.batch_shape + self.event_shape

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=torch.Size()):
        raise NotImplementedError(f"{type(self).__name__} has no samples with derivatives")

    @property
    def stddev(self):
        return self.variance.sqrt()

    def entropy(self):
        raise NotImplementedError

    def __repr__(self):
        given = [(name, getattr(self, name)) for name in self._parameters if name in self.__dict__]
        told = ", ".join(f"{name}: {value if value.numel() == 1 else value.size()}" for name, value in given)
        return f"{type(self).__name__}({told})"


class Normal(Distribution):
    _parameters = "loc", "scale"

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = self._broadcast(loc, scale)
        self._satisfies("scale", self.scale > 0, _POSITIVE)
        super().__init__(self.loc.shape)

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.scale.pow(2))

    def sample(self, sample_shape=torch.Size()):
        shape = self._extended(sample_shape)
        with torch.no_grad():
            return torch.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended(sample_shape)
        noise = torch.normal(torch.zeros(shape, dtype=self.loc.dtype), torch.ones(shape, dtype=self.loc.dtype))
        return self.loc + noise * self.scale

    def log_prob(self, value):
        return -((value - self.loc) ** 2) / (2 * self.scale**2) - self.scale.log() - _math.log(_math.sqrt(2 * _math.pi))

    def cdf(self, value):
        return 0.5 * (1 + torch.erf((value - self.loc) * self.scale.reciprocal() / _math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * torch.erfinv(2 * value - 1) * _math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * _math.log(2 * _math.pi) + self.scale.log()


class Uniform(Distribution):
    _parameters = "low", "high"

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = self._broadcast(low, high)
        super().__init__(self.low.shape)

    mean = property(lambda self: (self.high + self.low) / 2)
    variance = property(lambda self: (self.high - self.low).pow(2) / 12)

    def rsample(self, sample_shape=torch.Size()):
        return self.low + torch.rand(self._extended(sample_shape), dtype=self.low.dtype) * (self.high - self.low)

    def log_prob(self, value):
        is_inside = (self.low <= value).type_as(self.low) * (self.high > value).type_as(self.low)
        return is_inside.log() - (self.high - self.low).log()

    def cdf(self, value):
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def entropy(self):
        return (self.high - self.low).log()


class _OfChances(Distribution):
    _parameters = "probs", "logits"

    def __init__(self, probs, logits):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")

    def __getattr__(self, name):
        if name not in ("probs", "logits"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        found = self._probs_of(self.logits) if name == "probs" else self._logits_of(self.probs)
        self.__dict__[name] = found
        return found

    def enumerate_support(self, expand=True):
        """All samples that there can be, along a first dimension."""
        values = torch.arange(self._num_events, dtype=self._support).view((-1, *[1] * len(self.batch_shape)))
        return values.expand((-1, *self.batch_shape)) if expand else values


def _inside(probs):
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


class Bernoulli(_OfChances):
    _num_events, _support = 2, torch.float32

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits)
        (given,) = self._broadcast(logits if probs is None else probs)
        setattr(self, "logits" if probs is None else "probs", given)
        Distribution.__init__(self, given.shape)
        if probs is not None:
            self._satisfies("probs", (given >= 0) & (given <= 1), _UNIT)

    def _probs_of(self, logits):
        return logits.sigmoid()

    def _logits_of(self, probs):
        probs = _inside(probs)
        return probs.log() - (-probs).log1p()

    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(self._extended(sample_shape)))

    def log_prob(self, value):
        logits, value = torch.broadcast_tensors(self.logits, value)
        return -torch.nn.functional.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return torch.nn.functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")


class Categorical(_OfChances):
    """One of several, by its number."""

    _support = torch.int64

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(probs, logits)
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
            Distribution.__init__(self, self.probs.shape[:-1])
            self._satisfies("probs", self.probs >= 0, "Simplex()")
        else:
            self.logits = logits - logits.logsumexp(-1, keepdim=True)
        given = self.probs if logits is None else self.logits
        self._num_events = given.shape[-1]
        Distribution.__init__(self, given.shape[:-1])

    def _probs_of(self, logits):
        return logits.softmax(-1)

    def _logits_of(self, probs):
        return _inside(probs).log()

    mode = property(lambda self: self.probs.argmax(-1))

    def sample(self, sample_shape=torch.Size()):
        sample_shape = _sizes(sample_shape)
        rows = self.probs.detach().reshape(-1, self._num_events)
        drawn = torch.multinomial(rows, sample_shape.numel(), True).T
        return drawn.reshape(self._extended(sample_shape))

    def log_prob(self, value):
        value, logits = torch.broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        logits = self.logits.clamp(min=torch.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)


def kl_divergence(p, q):
    """How many nats a code for q spends beyond one for p."""
    if isinstance(p, Normal) and isinstance(q, Normal):
        ratio = (p.scale / q.scale).pow(2)
        return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())
    if isinstance(p, Categorical) and isinstance(q, Categorical):
        parts = p.probs * (p.logits - q.logits)
        parts = torch.where((q.probs == 0).expand_as(parts), _math.inf, parts)
        return torch.where((p.probs == 0).expand_as(parts), 0.0, parts).sum(-1)
    if isinstance(p, Bernoulli) and isinstance(q, Bernoulli):
        one = p.probs * (torch.nn.functional.softplus(-q.logits) - torch.nn.functional.softplus(-p.logits))
        none = (1 - p.probs) * (torch.nn.functional.softplus(q.logits) - torch.nn.functional.softplus(p.logits))
        return one + none
    if isinstance(p, Uniform) and isinstance(q, Uniform):
        found = ((q.high - q.low) / (p.high - p.low)).log()
        return torch.where((q.low > p.low) | (q.high < p.high), _math.inf, found)
    raise NotImplementedError(f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}")


from torch.distributions.further import Binomial, Exponential, Geometric, Laplace, LogNormal, MultivariateNormal, Poisson
