"""Products, einsum and einops."""

import torch
from einops import einsum, rearrange, reduce, repeat

a = torch.arange(6.0).view(2, 3)
b = torch.arange(12.0).view(3, 4)
v = torch.tensor([1.0, 2, 3])
print(a @ b, a @ v, v @ v, torch.mv(a, v), torch.mm(a, b), torch.dot(v, v), torch.outer(v, v))
print(torch.bmm(a.expand(2, 2, 3), b.expand(2, 3, 4)).shape, torch.matmul(torch.ones(5, 1, 2, 3), torch.ones(4, 3, 2)).shape)
print(torch.addmm(torch.ones(2, 4), a, b, beta=2, alpha=0.5), torch.baddbmm(torch.zeros(1, 2, 4), a[None], b[None]))
print(torch.einsum("ij,jk->ik", a, b), torch.einsum("ij->ji", a), torch.einsum("ii", torch.eye(3)), torch.einsum("ij->", a))
print(torch.einsum("i,j->ij", v, v), torch.einsum("bij,bjk->bik", a[None], b[None]), torch.einsum("...j,jk", a, b), torch.einsum("ii->i", torch.eye(2)))
print(torch.tensordot(a, b, dims=1), torch.inner(v, v))
print(torch.linalg.norm(a), torch.linalg.multi_dot([a, b]))

x = torch.arange(24.0).view(2, 3, 4)
print(rearrange(x, "a b c -> c (a b)"), rearrange(x, "a b (c d) -> a d b c", d=2).shape, rearrange(x, "... c -> c ...").shape)
print(reduce(x, "a b c -> a", "mean"), reduce(x, "a (b 1) c -> a c", "max").shape, reduce(x, "a b c -> ", "sum"), reduce(x, "a b c -> 1 b 1", "min"), reduce(x[0] + 1, "a b -> b", "prod"))
print(repeat(v, "d -> n d", n=2), repeat(v, "d -> (d k)", k=2), rearrange([v, v], "n d -> d n"))
print(einsum(x, a, "a b c, a b -> c"), einsum(x, "a b c -> b"), einsum(a, b, "i j, j k -> i k").shape)

for attempt in (
    lambda: a @ a,
    lambda: v @ b.T,
    lambda: torch.mm(a, v),
    lambda: torch.bmm(a, b),
    lambda: torch.dot(v, v[:2]),
    lambda: torch.einsum("ij,jk->ik", a, a),
    lambda: torch.einsum("ij->k", a),
    lambda: torch.einsum("ijk->i", a),
    lambda: rearrange(x, "a b -> b a"),
    lambda: rearrange(x, "a b (c d) -> a b c d", c=3),
    lambda: rearrange(x, "a b c -> a b c d"),
    lambda: reduce(x, "a b c -> a b", "median"),
    lambda: repeat(v, "d -> n d"),
    lambda: einsum(x, a, "a b c, a d -> c e"),
    lambda: rearrange(x, "a b c - > a b c"),
    lambda: rearrange(x, "a (b c -> a b c"),
    lambda: rearrange(x, "a b c -> c b a", d=2),
    lambda: repeat(x, "a b c -> a b"),
):
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__, str(error))
