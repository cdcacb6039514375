"""Bases of views, lists as indices, and refusals."""

import torch
x = torch.arange(12.).reshape(3, 4)
print(x.contiguous() is x, x.t().contiguous() is x, x.contiguous().is_contiguous())
b = torch.arange(24); v = b.view(2, 3, 4); w = v[0].t()
print(v._base is b, w._base is b, w._base is v._base, b._base, x._base is not None)
s = b.split(6); print(s[0]._base is b, s[1]._base is s[2]._base, v.T._base is b, b[2:5]._base is b, b.clone()._base)
print(x[[[0,1],[1,2]]], x[[]], x[[], :], x[:, []].shape, x[[[0, 1]]].shape, x[[0, 2]], x[[True, False, True]])
for f in (lambda: x[::0], lambda: x[::-1], lambda: torch.cat([x, 1]), lambda: x.split(-1), lambda: x.topk(-1), lambda: torch.linspace(0, 1, -1), lambda: x.argmax((0, 1)), lambda: x.argmax(dim=(0, 1)), lambda: x.sum('a'), lambda: x.sum(dim='a'), lambda: x.max((0, 1)), lambda: torch.sum(), lambda: x.sum(foo=1), lambda: torch.min(x, 1.0), lambda: x.masked_fill(x > 0, 'a'), lambda: torch.where(x > 0, x, None), lambda: x.clamp(1, 'b'), lambda: x.prod((0, 1))):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e).split("\n")[0])
print(torch.promote_types(torch.int32, int), torch.zeros(2, dtype=float).dtype, torch.zeros(2, dtype=int).dtype, torch.zeros(2, dtype=bool), torch.tensor([1, 2], dtype=float))
