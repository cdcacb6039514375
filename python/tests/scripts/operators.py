"""What operators do, by name, and functions without one."""

import torch
from helper_module import shown

a, b = torch.tensor([5, -7, 6]), torch.tensor([2, 2, 3])
x, y = torch.tensor([1.0, float("nan"), -8.0]), torch.tensor([2.0, 4.0, -8.0])
shown(torch.ne(a, b), torch.lt(a, b), torch.le(x, y), torch.gt(a, 5), torch.ge(x, -8))
shown(torch.bitwise_and(a, b), torch.bitwise_or(a, 1), torch.bitwise_xor(a, b), torch.bitwise_not(a))
shown(torch.floor_divide(a, b), torch.floor_divide(y, 3), torch.fmax(x, y), torch.fmin(x, y), torch.log10(y.abs() * 50))
c = a.clone()
shown(c.floor_divide_(b) is c, c, c.remainder_(4), y.clone().rsqrt_(), y.clone().reciprocal_())
