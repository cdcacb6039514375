"""How tensors are printed."""

import torch
from helper_module import attempt

for x in (
    torch.tensor(3.14159265),
    torch.tensor([1.0, 2.0, 3.0]),
    torch.tensor([1.5, 100.25, -3]),
    torch.tensor([1e-5, 1.0]),
    torch.tensor([1e10, 1.0]),
    torch.tensor([1e-8, 1e8]),
    torch.tensor([0.1, float("nan"), float("inf"), -float("inf")]),
    torch.tensor([1.0, float("inf")]),
    torch.tensor([123456789.0, 1.0]),
    torch.tensor([99999.0, 0.5]),
    torch.tensor([1, -20, 300]),
    torch.tensor([True, False]),
    torch.tensor([0.1, 0.2]).half(),
    torch.tensor([0.1, 1000.0]).bfloat16(),
    torch.tensor([0.1, 0.2], dtype=torch.float64),
    torch.tensor([], dtype=torch.int64),
    torch.empty(0, 3),
    torch.zeros(2, 0, 3),
    torch.arange(2000),
    torch.arange(1100.0).view(2, 550),
    torch.arange(30.0),
    torch.ones(1, requires_grad=True),
    torch.ones(1, requires_grad=True) * 2,
    torch.nn.Parameter(torch.zeros(2)),
    torch.tensor([-0.0, 0.0]),
    torch.tensor([1e-45, 1.0]),
    torch.tensor(1e-10),
    torch.tensor(123456.789),
    torch.tensor(2**40),
    torch.tensor([[1.0], [1000.0]]),
    torch.full((3,), 0.30000001192),
    torch.rand(2, 3, generator=torch.Generator().manual_seed(1)) * 1000,
    torch.ones(2, dtype=torch.float8_e4m3fn),
):
    print(x)
print(repr(torch.Size([1, 2])), torch.float32, torch.device("cpu"), torch.device("cuda", 1), str(torch.tensor(1)))
print(f"{torch.tensor(3.14159265):.2f} {torch.tensor(5)} {torch.tensor([1.5])} {torch.tensor(7):>4d} {torch.tensor(0.5):e}")
print("%s %d %.3f" % (torch.tensor(1), torch.tensor(2), torch.tensor(3.0)), [torch.tensor(1.0)], {"a": torch.ones(1)})
torch.set_printoptions(precision=2)
print(torch.tensor([3.14159, 2.71828]))
torch.set_printoptions(precision=4, sci_mode=True)
print(torch.tensor([3.14159, 2.71828]))
torch.set_printoptions(sci_mode=False)
print(torch.tensor([1e-8, 1.0]))
torch.set_printoptions(profile="default", threshold=5, edgeitems=2)
print(torch.arange(10), torch.arange(20.0).view(2, 10))
torch.set_printoptions(linewidth=40, threshold=1000)
print(torch.arange(20))
torch.set_printoptions(profile="full")
print(torch.arange(1001)[-3:], torch.zeros(3))
torch.set_printoptions(profile="short")
print(torch.arange(2000), torch.rand(2, generator=torch.Generator().manual_seed(1)))
torch.set_printoptions(profile="default")
print(torch.finfo(torch.float32), torch.finfo(torch.bfloat16), torch.iinfo(torch.int32))
for d in (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.float8_e4m3fn, torch.float8_e5m2):
    f = torch.finfo(d)
    print(d, f.bits, f.eps, f.max, f.min, f.tiny, f.smallest_normal, f.resolution, f.dtype)
attempt(lambda: torch.finfo(torch.int32), lambda: torch.iinfo(torch.float32), lambda: torch.iinfo(torch.bool))
