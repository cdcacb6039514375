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
# A number on the left has the dtype that it has on the right.
small, true = torch.tensor([3], dtype=torch.uint8), torch.tensor([True, False])
for number in (300, 1.0, True):
    for tensor in (b, small, small[0], true):
        attempt(lambda: number << tensor, lambda: number >> tensor, lambda: number // tensor, lambda: number % tensor)
attempt(lambda: true**True, lambda: true**False, lambda: true.pow_(True), lambda: true**true, lambda: True**true, lambda: true**2, lambda: a**True)
leaf = torch.tensor([1.0, 2.0], requires_grad=True)
for term in (torch.tensor([5.0, 6.0]), 5, leaf):
    found = torch.rsub(leaf, term, alpha=2)
    leaf.grad = None
    found.sum().backward()
    shown(found, leaf.grad)
attempt(
    lambda: torch.rsub(a, b),
    lambda: torch.rsub(a, b, alpha=2),
    lambda: torch.rsub(a, b, alpha=2.0),
    lambda: torch.rsub(a, 5, alpha=2.0),
    lambda: torch.rsub(a, 5.0, alpha=2.5),
    lambda: torch.rsub(a, 5, 2),
    lambda: torch.rsub(x.half(), y.half(), alpha=0.3),
    lambda: torch.rsub(x.half(), 5, alpha=0.3),
    lambda: torch.rsub(true, 5, alpha=2),
)
small = torch.tensor([1e-9, -1e-4, 0.5, 3.0], dtype=torch.float64, requires_grad=True)
for function in (torch.sinh, torch.cosh, torch.tan, torch.atan, torch.asin, torch.acos):
    small.grad = None
    found = function(small)
    found[:3].sum().backward()
    shown(found.grad_fn.name(), *(f"{value:.9e}" for value in found.tolist()), small.grad, function(torch.tensor([0, 1])), function(torch.tensor(True)))
