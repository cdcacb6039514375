import os

import numpy as np
import torch

np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], dtype=np.int32).tofile("tokens.tmp")
data = np.memmap("tokens.tmp", dtype=np.int32)
print(len(data), data[2:5], int(data[-1]), data.dtype, data.shape, data.nbytes, torch.tensor(data[3:6]))
data[1] = 20
print(np.fromfile("tokens.tmp", dtype=np.int32), np.fromfile("tokens.tmp", dtype=np.uint16)[:4], os.path.getsize("tokens.tmp"))
read_only = np.memmap("tokens.tmp", dtype=np.uint16, mode="r", offset=4, shape=(2, 3))
print(read_only, read_only[1])
try:
    read_only[0] = 1
except ValueError as error:
    print(error)
del data, read_only
os.remove("tokens.tmp")
big = np.memmap("big.tmp", dtype=np.int32, mode="w+", shape=(10**9,))
big[10**9 - 2] = 7
print(big, repr(big), np.arange(2400).reshape(300, 8), big.nbytes / 1e9, big[-3:], os.path.getsize("big.tmp"))
del big
os.remove("big.tmp")
try:
    np.memmap("missing.tmp", dtype=np.int32)
except FileNotFoundError as error:
    print(error)
print(np.array([[1, 2], [30, 4]]), repr(np.array([1.5, 2])), np.arange(4) * 2 + 1, np.arange(0, 1, 0.25), np.zeros((2, 2)))
print(float(np.sqrt(2.0)), np.sqrt(np.array([4.0, 9.0])), np.array([1, 2, 3]).mean(), int(np.array([1, 2, 3]).sum()))
print(np.array([300, -1]).astype(np.uint8), np.int32, np.dtype("float32").itemsize, np.array([1, 2]) / 2, np.array([1, 2]) > 1)
shared = torch.arange(3)
view = shared.numpy()
view[0] = 9
print(shared, torch.from_numpy(np.array([1.0, 2.0])), torch.from_numpy(np.array([1, 2], dtype=np.int32)).dtype)
print(torch.tensor(np.array([1.5])).dtype, torch.tensor(np.array([1, 2], dtype=np.int32)), np.array(torch.ones(2)))
print(torch.rand(2, 2, generator=torch.Generator().manual_seed(0)).numpy(), torch.tensor([True, False]).numpy(), torch.tensor(2.4193680286407471).numpy())
print(type(torch.ones(1).numpy()), torch.ones(2, dtype=torch.int8).numpy().dtype, np.arange(3.0), np.round(np.array([0.126, 2.0]), 2), np.mean([1, 2, 4]), np.allclose([1.0], [1.0 + 1e-9]))
tokens = np.array([3, 1, 2], dtype=np.int32)
print(torch.tensor([tokens[at : at + 2] for at in (0, 1)]), torch.tensor([torch.tensor(1.5), torch.tensor(2)]))
try:
    torch.ones(1).bfloat16().numpy()
except TypeError as error:
    print(error)

# Numbers that are far apart, large or small are printed with exponents, digits as few as tell them apart.
for numbers in (
    [1e-9, 1.0], [1e-5, 2.5e-5], [1e10, 1], [0.001, 1.5], [0.0, 1e-3, float("nan"), float("inf")], [1 / 3, 123456.789],
    [-1e-9, 5], [1e100, 1.0], [1e-320], [99999999.0], [100000000.0], [1e-4], [9.9e-5], [[1.5, 1e-6], [2, 3]],
    [1.123456789e-5, 2], [0.1234567891, 1000.123456789],
):
    print(np.array(numbers), np.array(numbers, dtype=np.float32), repr(np.array(numbers)))
print(np.array([0.1, 0.2, 1e-7], dtype=np.float16), np.array([True, False]), np.array(1e-9))
