"""Every dtype, and what two of them come to."""

import torch
from helper_module import attempt, shown

dtypes = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64]
for a in dtypes:
    print(a, *(str(torch.promote_types(a, b)).removeprefix("torch.") for b in dtypes))
for a in dtypes:
    x = torch.ones(2, dtype=a)
    results = (x + 1, x + 1.5, x + True, x / 2, x * x, x.sum(), x == 1, x + torch.tensor(1), x + torch.tensor(1.5, dtype=torch.float64), x + torch.ones(2))
    print(a, a.itemsize, a.is_floating_point, a.is_signed, *(it.dtype for it in results), torch.result_type(x, 1.0))
print(torch.tensor([1, 2]).dtype, torch.tensor([1, 2.0]).dtype, torch.tensor([True]).dtype, torch.tensor([]).dtype)
print(torch.tensor([True, 2]).dtype, torch.tensor(3).dtype, torch.arange(3).dtype, torch.arange(0, 1, 0.5).dtype)
print(torch.full((2,), 1).dtype, torch.full((2,), 1.0).dtype, torch.full((2,), True).dtype)
print(torch.get_default_dtype(), torch.is_floating_point(torch.ones(1)), torch.can_cast(torch.float32, torch.int64))
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
for dtype in (torch.int8, torch.int16):
    top = torch.tensor([torch.iinfo(dtype).max], dtype=dtype)
    print(top, top + 1, -top - 2, top * 2, top // 2, top >> 1, ~top, top.sum(), top.float() / 2, (top == 127).sum())
attempt(lambda: torch.tensor([300], dtype=torch.uint8), lambda: torch.tensor(-129, dtype=torch.int8), lambda: ~torch.ones(1), lambda: torch.ones(1) << 1, lambda: torch.tensor([None]))
# A number is promoted before anything is subtracted.
shown(2.5 - torch.ones(2, dtype=torch.uint8), 2.5 - torch.tensor([-128], dtype=torch.int8), 300 - torch.tensor([5], dtype=torch.uint8))
shown(3 - torch.tensor([1, 5]), torch.rsub(torch.tensor([1.5]), 3), 1 - torch.tensor(2.0, dtype=torch.float64))
flags = torch.tensor([True, False])
shown(2**flags, 2.5**flags, True ** torch.tensor([2, 3]), 2 ** torch.tensor([1, 7], dtype=torch.uint8), (2**flags).dtype)
x = torch.tensor([1.0, 2.0], requires_grad=True)
(3 - x).sum().backward()
shown(x.grad, (3 - x).grad_fn.name())
