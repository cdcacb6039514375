"""Every dtype, and what two of them come to."""

import torch
from helper_module import attempt

dtypes = [
    torch.bool,
    torch.uint8,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
]
dtypes = [d for d in dtypes if d is not None]
for a in dtypes:
    print(a, *(str(torch.promote_types(a, b)).removeprefix("torch.") for b in dtypes))
for a in dtypes:
    x = torch.ones(2, dtype=a)
    print(
        a,
        a.itemsize,
        a.is_floating_point,

        (x + 1).dtype,
        (x + 1.5).dtype,
        (x + True).dtype,
        (x / 2).dtype,
        (x * x).dtype,
        x.sum().dtype,
        x.float().mean().dtype,
        (x == 1).dtype,
        (x + torch.tensor(1)).dtype,
        (x + torch.tensor(1.5, dtype=torch.float64)).dtype,
        (x + torch.ones(2)).dtype,
        torch.result_type(x, 1.0),
        torch.sqrt(x.to(torch.float32)).to(a).dtype,
    )
print(torch.tensor([1, 2]).dtype, torch.tensor([1, 2.0]).dtype, torch.tensor([True]).dtype, torch.tensor([]).dtype)
print(torch.tensor([True, 2]).dtype, torch.tensor(3).dtype, torch.arange(3).dtype, torch.arange(0, 1, 0.5).dtype)
print(torch.full((2,), 1).dtype, torch.full((2,), 1.0).dtype, torch.full((2,), True).dtype)
print(torch.get_default_dtype(), torch.is_floating_point(torch.ones(1)), torch.can_cast(torch.float32, torch.int64))
print(torch.ones(1, dtype=torch.float8_e4m3fn).to(torch.float32), torch.tensor([448.0, 500.0, 0.001]).to(torch.float8_e4m3fn))
print(torch.tensor([57344.0, 6e4, 1e9, 1e-5]).to(torch.float8_e5m2).float())
print(torch.tensor([1e-8, 65504.0, 65520.0, 1e5]).half(), torch.tensor([1e-8, 3.14159265, 1e38, 1e-41]).bfloat16())
print(torch.tensor([1.9, -1.9, 300.0]).to(torch.uint8)[:2], torch.tensor([256, -1]).to(torch.uint8))
print(torch.tensor([2**31, -1]).to(torch.int32), torch.tensor([0.0, 0.1, float("nan")]).bool())
print(torch.tensor(16777217).float().item(), torch.tensor(2**53 + 1).double().item(), torch.tensor(0.1).double().item())
x = torch.ones(3, dtype=torch.float16)
print((x * 1e-4).dtype, (x * torch.tensor(1e-4)).dtype, (x * torch.ones(3)).dtype, (x + torch.ones(3, dtype=torch.bfloat16)).dtype)
print(torch.where(torch.tensor([True, False]), 1, 2.0).dtype, torch.cat([torch.ones(1), torch.ones(1, dtype=torch.int64)]).dtype)
print(torch.stack([torch.ones(1).half(), torch.ones(1)]).dtype)

attempt(
    lambda: torch.ones(2, dtype=torch.int64).add_(1.5),
    lambda: torch.ones(2, dtype=torch.int64).div_(2),
    lambda: torch.ones(2, dtype=torch.bool).add_(1),
    lambda: torch.ones(2, dtype=torch.int64).mean(),
    lambda: torch.ones(2) & torch.ones(2),
    lambda: -torch.ones(2, dtype=torch.bool),
    lambda: torch.ones(2, dtype=torch.int64, requires_grad=True),
    lambda: torch.ones(2, dtype=torch.int64).softmax(0),
    lambda: torch.zeros(2)[torch.ones(1)],
    lambda: torch.tensor([[1, 2], [3]]),
    lambda: torch.zeros(2, dtype="float32"),
)
whole = (torch.uint8, torch.int8, torch.int16, torch.int32)
print([[str(torch.promote_types(a, b))[6:] for a in whole] for b in whole])
for dtype in (torch.int8, torch.int16):
    top = torch.tensor([torch.iinfo(dtype).max], dtype=dtype)
    print(top, top + 1, -top - 2, top * 2, top // 2, top >> 1, ~top, top.sum(), top.float() / 2, (top == 127).sum(), dtype.is_signed)
print(torch.tensor([-3.7, 200.0, 130.5]).to(torch.int8), torch.tensor([200], dtype=torch.uint8).char(), torch.tensor([1]).short().type(), torch.iinfo(torch.int8))
attempt(lambda: torch.tensor([300], dtype=torch.uint8), lambda: torch.tensor(-129, dtype=torch.int8), lambda: ~torch.ones(1), lambda: torch.ones(1) << 1, lambda: torch.tensor([None]))
