import torch
from helper_module import attempt
from einops import EinopsError, einsum, rearrange, reduce, repeat
from jaxtyping import Float, Int
from torch import Tensor

x: Float[Tensor, "a b c"] = torch.arange(24).view(2, 3, 4)


def f(x: Float[torch.Tensor, "batch seq"], n: Int[Tensor, ""] = None) -> Float[Tensor, "..."]:
    return x


print(rearrange(x, "a b c -> c (a b)"), rearrange(x, "a b (c d) -> d a b c", d=2).shape)
print(reduce(x, "a b c -> a b", "sum"), reduce(x, "... c -> ...", "max").shape, reduce(x, "a b c -> ", "min"))
print(repeat(x[0, 0], "c -> c k", k=3), einsum(x, x, "a b c, a d c -> a b d").shape, f(1))
print(rearrange([x[0], x[1]], "a b c -> b a c").shape)
for call in (
    lambda: rearrange(x, "a b -> a b"),
    lambda: rearrange(x, "a b c -> a (b c) d"),
    lambda: rearrange(x, "a (b q) c -> a b q c", q=2),
    lambda: repeat(x, "a b c -> a b c d"),
    lambda: reduce(x, "a b c -> a b", "foo"),
):
    try:
        call()
    except EinopsError as error:
        print(error)
try:
    einsum(x, x, "a b c, a b c")
except ValueError as error:
    print(error)
import numpy as np
from einops import asnumpy
from einops.layers.torch import Rearrange, Reduce

net = torch.nn.Sequential(Rearrange("b c d -> b (c d)"), torch.nn.Linear(12, 2), Reduce("b o -> b", "sum"))
print(net, net(torch.ones(2, 3, 4)).shape, asnumpy(torch.arange(3)))
print(rearrange(np.arange(6).reshape(2, 3), "a b -> b a"), reduce(np.arange(6.0).reshape(2, 3), "a b -> a", "mean"))
attempt(
    lambda: reduce(torch.arange(4).view(2, 2), "a b -> a", "mean"),
    lambda: einsum(torch.ones(2, 3), torch.ones(3, 2), "row column, row column -> row"),
)
