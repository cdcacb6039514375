"""Products, einsum and einops."""

import numpy as np
import torch
from einops import EinopsError, asnumpy, einsum, rearrange, reduce, repeat
from einops.layers.torch import Rearrange, Reduce
from helper_module import shown
from jaxtyping import Float, Int
from torch import Tensor

a = torch.arange(6.0).view(2, 3)
b = torch.arange(12.0).view(3, 4)
v = torch.tensor([1.0, 2, 3])
x: Float[Tensor, "a b c"] = torch.arange(24).view(2, 3, 4)


def same(x: Float[torch.Tensor, "batch seq"], n: Int[Tensor, ""] = None) -> Float[Tensor, "..."]:
    return x


shown(a @ b, a @ v, v @ v, torch.mv(a, v), torch.mm(a, b), torch.dot(v, v), torch.outer(v, v))
print(torch.bmm(a.expand(2, 2, 3), b.expand(2, 3, 4)).shape, torch.matmul(torch.ones(5, 1, 2, 3), torch.ones(4, 3, 2)).shape)
shown(torch.addmm(torch.ones(2, 4), a, b, beta=2, alpha=0.5), torch.baddbmm(torch.zeros(1, 2, 4), a[None], b[None]))
shown(torch.einsum("ij,jk->ik", a, b), torch.einsum("ij->ji", a), torch.einsum("ii", torch.eye(3)), torch.einsum("ij->", a))
shown(torch.einsum("i,j->ij", v, v), torch.einsum("bij,bjk->bik", a[None], b[None]), torch.einsum("...j,jk", a, b), torch.einsum("ii->i", torch.eye(2)))
shown(torch.tensordot(a, b, dims=1), torch.inner(v, v), torch.linalg.multi_dot([a, b]))
shown(rearrange(x, "a b c -> c (a b)"), rearrange([v, v], "n d -> d n"))
print(rearrange(x, "a b (c d) -> a d b c", d=2).shape, rearrange(x, "... c -> c ...").shape, einsum(x, x, "a b c, a d c -> a b d").shape, same(1))
shown(reduce(x, "a b c -> a b", "sum"), reduce(x, "a b c -> ", "min"), reduce(x, "a b c -> 1 b 1", "min"), reduce(a, "a b -> a", "mean"), reduce(a + 1, "a b -> b", "prod"))
print(reduce(x, "a (b 1) c -> a c", "max").shape, reduce(x, "... c -> ...", "max").shape)
shown(repeat(v, "d -> n d", n=2), repeat(v, "d -> (d k)", k=2), repeat(v, "c -> c k", k=2), einsum(x.float(), a, "a b c, a b -> c"), einsum(x, "a b c -> b"))
net = torch.nn.Sequential(Rearrange("b c d -> b (c d)"), torch.nn.Linear(12, 2), Reduce("b o -> b", "sum"))
print(net, net(torch.ones(2, 3, 4)).shape, asnumpy(torch.arange(3)))
shown(rearrange(np.arange(6).reshape(2, 3), "a b -> b a"), reduce(np.arange(6.0).reshape(2, 3), "a b -> a", "mean"))

for attempt in (
    lambda: a @ a,
    lambda: torch.inner(v, b),
    lambda: torch.inner(v, v.long()),
    lambda: torch.tensordot(a, a),
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
    lambda: rearrange(x, "a b c - > a b c"),
    lambda: rearrange(x, "a (b c -> a b c"),
    lambda: rearrange(x, "a b c -> c b a", d=2),
    lambda: reduce(x, "a b c -> a b", "median"),
    lambda: reduce(x, "a b c -> a", "mean"),
    lambda: repeat(v, "d -> n d"),
    lambda: repeat(x, "a b c -> a b"),
    lambda: einsum(x, a, "a b c, a d -> c e"),
    lambda: einsum(x, x, "a b c, a b c"),
    lambda: einsum(a, b, "row column, row column -> row"),
):
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__, isinstance(error, EinopsError), repr(str(error)))
