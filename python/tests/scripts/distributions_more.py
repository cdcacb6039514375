"""Rates, counts and several normal numbers at once."""

import torch
from torch import distributions as D
torch.manual_seed(0)
T = torch.tensor
for d, v in ((D.Exponential(T([1., 2.5])), T(0.7)), (D.Laplace(T([0., 1.]), T(2.)), T(0.3)), (D.LogNormal(0.5, 0.8), T(1.3)), (D.Poisson(T([3., 20.])), T(4.)), (D.Geometric(probs=T([.3, .8])), T(2.)), (D.Binomial(10, probs=T([.2, .7])), T(3.)), (D.Binomial(T(5.), logits=T([.2, -.7])), T(3.)), (D.Geometric(logits=T([.3])), T(2.))):
    s = d.sample((3,))
    print(type(d).__name__, d.batch_shape, s, d.log_prob(v), d.mean, d.variance, d.stddev)
    for name in ("entropy",):
        try: print(getattr(d, name)())
        except NotImplementedError: print("no entropy")
print(D.Exponential(2.), D.Laplace(0., 1.), D.Poisson(3.), D.Geometric(0.5), D.Binomial(3, 0.5))
print(D.Exponential(2.).cdf(T(0.5)), D.Exponential(2.).icdf(T(0.5)), D.Laplace(0., 1.).cdf(T(0.5)), D.Laplace(0., 1.).icdf(T(0.2)), D.LogNormal(0., 1.).cdf(T(1.)))
C = T([[2., .5], [.5, 1.]])
m = D.MultivariateNormal(T([1., -1.]), C)
print(m, m.sample((2,)), m.log_prob(T([0., 0.])), m.entropy(), m.mean, m.variance, m.covariance_matrix, m.event_shape, m.rsample().shape)
print(D.MultivariateNormal(torch.zeros(3, 2), scale_tril=torch.eye(2)).sample().shape)
for bad in (lambda: D.Exponential(-1.), lambda: D.Binomial(3, 1.5), lambda: D.MultivariateNormal(T([0.]))):
    try: bad()
    except ValueError as e: print(str(e))
x = T(0.5, requires_grad=True); D.Exponential(x).rsample().backward(); print(x.grad is not None)
