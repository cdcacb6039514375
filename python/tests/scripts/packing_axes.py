"""einops.einsum, pack, unpack, parse_shape."""
import torch
from einops import einsum, pack, unpack, parse_shape, rearrange, repeat

torch.manual_seed(0)
A, B = torch.arange(6.0).reshape(2, 3), torch.arange(12.0).reshape(3, 4)
print(einsum(A, B, "i k, k j -> i j"))
print(torch.equal(einsum(A, B, "i k, k j -> i j"), A @ B))
print(einsum(A, "i j -> j i"), einsum(A, "i j -> "), einsum(A, A, "i j, i j -> i"), einsum(torch.eye(3), "i i -> i"))
q, k, v = torch.randn(3, 2, 4, 5, 6).unbind(0)
att = einsum(q, k, "batch head query dim, batch head key dim -> batch head query key") / 6 ** 0.5
out = einsum(att.softmax(-1), v, "b h q k, b h k d -> b h q d")
print(att.shape, out.shape, f"{out.sum().item():.4f}")
print(torch.allclose(out, torch.nn.functional.scaled_dot_product_attention(q, k, v), atol=1e-5))
X, W = torch.randn(2, 3, 4), torch.randn(5, 4)
y = einsum(X, W, "... d_in, d_out d_in -> ... d_out")
print(y.shape, torch.allclose(y, X @ W.T, atol=1e-5))
print(einsum(torch.ones(2), torch.ones(3), torch.ones(4), "a, b, c -> a b c").shape)

a, b, c = torch.zeros(2, 7), torch.ones(2, 3, 7), torch.full((2, 4, 5, 7), 2.0)
packed, ps = pack([a, b, c], "b * d")
print(packed.shape, ps)
for t in unpack(packed, ps, "b * d"):
    print(tuple(t.shape), t.mean().item())
p1, ps1 = pack([torch.arange(4).reshape(2, 2)], "*")
print(p1, ps1, unpack(p1, ps1, "*"))
s, pss = pack([torch.tensor(1.0), torch.tensor([2.0, 3.0]), torch.tensor([[4.0], [5.0]])], "*")
print(s, pss, unpack(s * 10, pss, "*"))
print([tuple(t.shape) for t in unpack(torch.zeros(2, 10), [[2], [3, 2], [-1]], "b *")])


def flexible(x: torch.Tensor) -> torch.Tensor:
    x, ps = pack([x], "* c h w")
    x = x.mean((2, 3))
    (x,) = unpack(x, ps, "* c")
    return x


for shape in ((3, 4, 4), (2, 3, 4, 4), (2, 5, 3, 4, 4)):
    print(shape, "->", tuple(flexible(torch.ones(shape)).shape))
print(parse_shape(c, "b h w d"), parse_shape(c, "b _ _ d"), parse_shape(c, "b ... d") if False else parse_shape(a, "x y"))
print(rearrange(packed, "b (n x) d -> b n x d", **parse_shape(b, "b n _"), x=8).shape if False else repeat(a, "b d -> b n d", n=3).shape)
for fn in (lambda: einsum(A, B, "i k, k j"), lambda: einsum(A, B, "i k -> i"), lambda: einsum(A, B, "i k, j k -> i j"), lambda: einsum(A, "i (j k) -> i"),
           lambda: pack([a, b], "b d"), lambda: pack([a, b], "b * * d"), lambda: pack([a, torch.zeros(3, 2, 7)], "b * d"), lambda: unpack(packed, ps[:2], "b * d"),
           lambda: unpack(torch.zeros(2, 10), [[-1], [-1]], "b *"), lambda: parse_shape(a, "a b c"), lambda: parse_shape(a, "(a b) c"), lambda: pack([torch.zeros(2)], "a b *"),
           lambda: einsum("i j -> j i", A), lambda: einsum(A, B, "i k, k j -> i z")):
    try:
        r = fn()
        print("ok", r if isinstance(r, dict) else type(r).__name__)
    except Exception as e:
        print(type(e).__name__, "|", str(e).splitlines()[0])
