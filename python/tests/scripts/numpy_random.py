"""NumPy's older generator."""

import numpy as np

np.random.seed(3)
print(np.random.rand(2, 3), np.random.randn(3), np.random.randint(0, 10, size=5), np.random.permutation(7), np.random.choice(5, 3))
print(np.random.choice([10, 20, 30, 40], 3, replace=False), np.random.normal(1, 2, 3), np.random.uniform(-1, 1, 2), np.random.random(2))
a = np.arange(6)
np.random.shuffle(a)
l = list("abcdef")
np.random.shuffle(l)
print(a, l)
for wrong in (lambda: np.random.choice(3, 5, replace=False), lambda: np.random.seed(-1)):
    try:
        wrong()
    except ValueError as error:
        print(error)
