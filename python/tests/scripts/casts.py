"""Casts: overflow, truncation, nan, bool; and the dtype of what has none of its own."""
import torch
from helper_module import shown

src = torch.tensor([0., 200., 130.5, -3.7, 0.4, 0.5, 1.5, 2.5, -0.5, -1.7, 127.9, -127.9, 100.])
for dt in (torch.int8, torch.int16, torch.int32, torch.int64, torch.bool, torch.float16, torch.bfloat16):
    shown(dt, src.to(dt))
shown(src[src >= 0].to(torch.uint8))
wide = torch.tensor([255, 256, 257, -1, -129, 65535, 65536, 2 ** 31, 2 ** 32 + 5, -2 ** 31 - 1])
for dt in (torch.uint8, torch.int8, torch.int16, torch.int32):
    shown(dt, wide.to(dt))
shown(wide.float(), wide.to(torch.bool))
shown(torch.tensor([65504., 65519., 65520., 1e5, -1e9, 6e-8, 2e-8]).half())
shown(torch.tensor([448.0, 500.0, 0.001]).to(torch.float8_e4m3fn), torch.tensor([57344.0, 6e4, 1e9, 1e-5]).to(torch.float8_e5m2).float())
shown(torch.tensor([3.3895e38, 1e30, 1e-8, 1e-41, 1.00390625, 1.01171875, 0.1]).bfloat16())
shown(torch.tensor([1e300, -1e300, 1e-50, 0.1], dtype=torch.float64).float())
shown(torch.tensor([float("nan"), float("inf"), -0.0]).bool(), torch.tensor([float("nan")]).double())
x = torch.tensor([16777217, 16777219, 123456789])
shown(x.float().long(), x.double().long(), x.float())
big = torch.tensor([2 ** 53 + 1, 2 ** 62])
shown(big.double().long() - big, big.double())
shown(torch.tensor([1.0, 2.0]).type(torch.IntTensor), torch.tensor([1]).type("torch.FloatTensor"), torch.tensor([1.]).type())
shown(torch.tensor([1, 2]).type(torch.float64).type(), torch.tensor([True]).type())
shown(src.long().type_as(torch.tensor(1.0, dtype=torch.half)).dtype)
shown(torch.round(torch.tensor([1234.5678, -0.05, 2.675]), decimals=2), torch.round(torch.tensor([1250., 1350., 15.]), decimals=-2))
shown(torch.tensor([200], dtype=torch.uint8).char(), torch.tensor([1]).short().type(), torch.tensor(0.1).double().item())
torch.set_default_dtype(torch.float64)
shown(torch.Tensor([1, 2]), torch.linspace(0, 1, 3), torch.ones(2), torch.tensor([1]) / 2, torch.ones(2).float(), torch.ones(2).half())
shown(torch.rand(1).dtype, torch.tensor(1.5).dtype, torch.arange(2.0).dtype, torch.arange(2).dtype, torch.nn.Linear(2, 2).weight.dtype, torch.get_default_dtype())
shown((torch.ones(2, dtype=torch.int32) / 2).dtype, torch.ones(2, dtype=torch.int32).mean(dtype=torch.float32))
torch.set_default_dtype(torch.float32)
shown(torch.Tensor([1, 2]).dtype)
