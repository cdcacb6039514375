"""What operators do, by name, and functions without one."""

import torch
from helper_module import attempt, shown

a, b = torch.tensor([5, -7, 6]), torch.tensor([2, 2, 3])
x, y = torch.tensor([1.0, float("nan"), -8.0]), torch.tensor([2.0, 4.0, -8.0])
shown(torch.ne(a, b), torch.lt(a, b), torch.le(x, y), torch.gt(a, 5), torch.ge(x, -8))
shown(torch.bitwise_and(a, b), torch.bitwise_or(a, 1), torch.bitwise_xor(a, b), torch.bitwise_not(a))
shown(torch.floor_divide(a, b), torch.floor_divide(y, 3), torch.fmax(x, y), torch.fmin(x, y), torch.log10(y.abs() * 50))
c = a.clone()
shown(c.floor_divide_(b) is c, c, c.remainder_(4), y.clone().rsqrt_(), y.clone().reciprocal_())
wide, narrow = torch.tensor([1, -8]), torch.tensor([100, -100], dtype=torch.int8)
for bits in (0, 7, 8, 62, 63, 64, 70, -1, torch.tensor([2, 70])):
    shown(wide << bits, wide >> bits, narrow << bits, narrow >> bits, bits << wide, bits >> wide)
wide <<= 63
shown(wide, torch.bitwise_left_shift(a, 1), a.bitwise_right_shift(b), torch.tensor(True) << 1)
attempt(lambda: torch.tensor([True]) << True, lambda: x << 1, lambda: a >> 1.0)
small = torch.tensor([1e-9, -1e-4, 0.5, 3.0], dtype=torch.float64, requires_grad=True)
for function in (torch.sinh, torch.cosh, torch.tan, torch.atan, torch.asin, torch.acos):
    small.grad = None
    found = function(small)
    found[:3].sum().backward()
    shown(found.grad_fn.name(), *(f"{value:.9e}" for value in found.tolist()), small.grad, function(torch.tensor([0, 1])), function(torch.tensor(True)))
