"""NumPy's older generator."""

import numpy as np
r = np.random.RandomState(3)
print(r.rand(2, 3), r.randn(3), r.randint(0, 10, size=5), r.permutation(7), r.choice(5, 3), r.choice([10, 20, 30, 40], 3, replace=False))
a = np.arange(6)
r.shuffle(a); print(a)
l = list("abcdef"); r.shuffle(l); print(l)
np.random.seed(1); print(np.random.rand(2), np.random.choice(10, size=(2, 2)), np.random.permutation(np.array([5.0, 6.0, 7.0])))
print(np.random.normal(1, 2, 3), np.random.uniform(-1, 1, 2), np.random.standard_normal(2), np.random.random_sample(2))
try: np.random.choice(3, 5, replace=False)
except ValueError as e: print(e)
try: np.random.RandomState(-1)
except ValueError as e: print(e)
