"""What small programs use besides."""

import copy

import torch
import torch.nn.functional as F
from helper_module import shown

x = torch.tensor([[-1.5, 0.0, 0.5], [2.0, 3.5, -0.25]])
n = torch.tensor([1, 2, 3])
row = x[0]
for name in "relu gelu silu sigmoid tanh softplus elu leaky_relu hardtanh logsigmoid".split():
    print(name, getattr(F, name)(row), end="; ")
for name in "abs neg exp log log1p expm1 sin cos tan atan sinh cosh floor ceil round trunc sign square erf rsqrt reciprocal log2 isnan exp2".split():
    print(name, getattr(torch, name)(row.abs() + 0.1 if name in ("rsqrt", "log2", "reciprocal", "log1p") else row), end="; ")
print()
shown(torch.maximum(x, torch.zeros(3)), torch.minimum(x, x.flip(1)), torch.maximum(row, n), torch.atan2(x, x + 1), torch.fmod(x, 1), torch.remainder(x, 1))
shown(torch.div(x, 2, rounding_mode="floor"), torch.div(x, 2, rounding_mode="trunc"), x // 1, x % 1, 2**x, x.pow(2), -(x**2), 1 / (x + 10), 1 - x)
shown(n / 2, n // 2, n % 2, n**2, 2**n, 2 / n, 7 // n, 7 % torch.tensor([4, 5]), 7 // torch.tensor([2.0, 3.0]), torch.div(n, 2, rounding_mode="floor"))
shown((row > 0) & (row < 3), ~(row > 0), n.eq(2), n == n, row.clamp(-1, 1), row.clamp(min=0), row.isfinite().all())
shown(torch.add(row, n, alpha=2), row.lerp(n.float(), 0.5), torch.addcmul(row, row, row, value=0.5), torch.addcdiv(row, row, n + 1, value=2), torch.rsub(row, n), torch.rsub(n, 5), row.half() + n)
print((n + 1.5).dtype, (n.bool() + n).dtype, (row.bfloat16() * row.half()).dtype)
shown(torch.cat([x, x], 1), torch.stack([x, x]).shape, torch.hstack([x, x]).shape, torch.vstack([x, x]).shape, torch.concat([x, x]).shape, x.repeat(1, 2), x.repeat_interleave(2, dim=0), x.tile(2))
shown(torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij"), torch.diag(torch.tensor([1, 2])), torch.diag(torch.eye(2)), x.roll(1), x.roll(1, 0), x.flip(-1))
shown(F.pad(x, (1, 1)), F.pad(x, (0, 0, 1, 0), value=9), F.normalize(x, dim=1), F.cosine_similarity(x[0], x[1], dim=0), F.glu(torch.ones(2, 4)))
shown(F.dropout(torch.ones(3), 0.9, training=False), F.softmax(torch.tensor([1000.0, 1001.0]), 0), F.embedding(torch.tensor([[0, 1]]), x).shape, F.softplus(torch.tensor([30.0])))
t = torch.tensor([2, 0])
shown(F.cross_entropy(x, t), F.cross_entropy(x, t, reduction="none"), F.cross_entropy(x, t, label_smoothing=0.1), F.nll_loss(x.log_softmax(1), t), F.cross_entropy(x, torch.softmax(x, 1)))
shown(F.cross_entropy(x, torch.tensor([2, -100])), F.cross_entropy(x, t, weight=torch.tensor([1.0, 2, 3])), F.mse_loss(x, x + 1), F.l1_loss(x, x * 2), F.smooth_l1_loss(x, x * 2), F.huber_loss(x, x * 2))
shown(F.layer_norm(x, (3,)), F.rms_norm(x, (3,)), F.embedding(t, x.T), F.linear(x, torch.ones(2, 3), torch.ones(2)))
q = torch.arange(12.0).view(1, 1, 3, 4) / 10
shown(F.scaled_dot_product_attention(q, q, q, is_causal=True), F.scaled_dot_product_attention(q, q, q))
print(torch.tensor(x.tolist()).equal(x), torch.from_numpy(x.numpy()).equal(x))
y = copy.deepcopy(x)
y[0, 0] = 9
shown(x[0, 0], copy.copy(x).data_ptr() == x.data_ptr(), hash(x) == id(x), x.size(0))
shown(sum(torch.tensor([1, 2])), max(torch.tensor([1, 3])), sorted(torch.tensor([3, 1])), list(map(int, torch.tensor([1, 2]))), round(torch.tensor(2.567).item(), 2), abs(torch.tensor(-1)))
shown(torch.tensor(5) / 2, torch.tensor(5) // 2, torch.tensor(-5) // 2, torch.tensor(-5) % 3, torch.tensor([5]) / torch.tensor([2]), True + torch.tensor(1))
