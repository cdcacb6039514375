"""Counts by chance, arrays backwards."""

import torch, numpy as np
torch.manual_seed(0)
print(torch.poisson(torch.full((2, 3), 4.0)), torch.poisson(torch.tensor([0., 0.5, 12., 100., 1000.])), torch.poisson(torch.full((30,), 15.0)))
print(torch.binomial(torch.full((4,), 10.), torch.tensor([.1, .5, .3, .9])), torch.binomial(torch.full((20,), 100.), torch.full((20,), 0.4)), torch.binomial(torch.tensor(50.), torch.tensor([0., 1., .7])))
print(torch.rand(3))
try: torch.poisson(torch.tensor([-1.]))
except Exception as e: print(e)
a = np.arange(12).reshape(3, 4)
print(a[::-1], a[:, ::-1], a[::-2, 1], a[..., ::-1].shape, a[2:0:-1, ::2], np.arange(5)[3::-1], np.arange(5)[::-2])
print(np.float64.__name__, np.bool_.__name__, torch.ones(2) + np.array([1., 2.]), np.array([1., 2.]).dtype)
