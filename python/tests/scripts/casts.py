"""Casts: overflow, truncation, nan, bool."""
import torch

src = torch.tensor([0., 0.4, 0.5, 1.5, 2.5, -0.5, -1.7, 127.9, -127.9, 100.])
for dt in (torch.int8, torch.int16, torch.int32, torch.int64, torch.bool, torch.float16, torch.bfloat16):
    print(dt, src.to(dt))
print(src[src >= 0].to(torch.uint8))
wide = torch.tensor([255, 256, 257, -1, -129, 65535, 65536, 2 ** 31, 2 ** 32 + 5, -2 ** 31 - 1])
for dt in (torch.uint8, torch.int8, torch.int16, torch.int32):
    print(dt, wide.to(dt))
print(wide.float(), wide.to(torch.bool))
print(torch.tensor([65504., 65519., 65520., 1e5, -1e9, 6e-8, 2e-8]).half())
print(torch.tensor([3.3895e38, 1e30, 1.00390625, 1.01171875, 0.1]).bfloat16())
print(torch.tensor([1e300, -1e300, 1e-50, 0.1], dtype=torch.float64).float())
print(torch.tensor([float("nan"), float("inf"), -0.0]).bool(), torch.tensor([float("nan")]).double())
x = torch.tensor([16777217, 16777219, 123456789])
print(x.float().long(), x.double().long(), x.float())
big = torch.tensor([2 ** 53 + 1, 2 ** 62])
print(big.double().long() - big, big.double())
print(torch.tensor([1.0, 2.0]).type(torch.IntTensor), torch.tensor([1]).type("torch.FloatTensor"), torch.tensor([1.]).type())
print(torch.tensor([1, 2]).type(torch.float64).type(), torch.tensor([True]).type())
print(src.long().type_as(torch.tensor(1.0, dtype=torch.half)).dtype)
print(torch.round(torch.tensor([1234.5678, -0.05, 2.675]), decimals=2), torch.round(torch.tensor([1250., 1350., 15.]), decimals=-2))
