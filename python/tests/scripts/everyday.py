"""What small programs use besides."""

import torch
import torch.nn.functional as F

x = torch.tensor([[-1.5, 0.0, 0.5], [2.0, 3.5, -0.25]])
row = x[0]
for name in "relu gelu silu sigmoid tanh softplus elu leaky_relu hardtanh logsigmoid".split():
    print(name, getattr(F, name)(row))
for name in "abs neg exp log1p expm1 sin cos tan atan sinh cosh floor ceil round trunc sign square erf rsqrt reciprocal log2 isnan exp2".split():
    print(name, getattr(torch, name)(row.abs() + 0.1 if name in ("rsqrt", "log2", "reciprocal", "log1p") else row))
print(torch.maximum(x, torch.zeros(3)), torch.minimum(x, x.flip(1)), torch.atan2(x, x + 1), torch.fmod(x, 1), torch.remainder(x, 1))
print(torch.div(x, 2, rounding_mode="floor"), torch.div(x, 2, rounding_mode="trunc"), x // 1, x % 1, 2**x, x.pow(2), -(x**2), 1 / (x + 10), 7 // torch.tensor(2), 7 % torch.tensor(4))
print(torch.cat([x, x], 1), torch.stack([x, x]).shape, torch.hstack([x, x]).shape, torch.vstack([x, x]).shape, torch.concat([x, x]).shape, x.repeat(1, 2), x.repeat_interleave(2, dim=0), x.tile(2))
print(torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij"))
print(torch.diag(torch.tensor([1, 2])), torch.diag(torch.eye(2)), x.roll(1), x.roll(1, 0), x.flip(-1))
print(F.pad(x, (1, 1)), F.pad(x, (0, 0, 1, 0), value=9), F.normalize(x, dim=1), F.cosine_similarity(x[0], x[1], dim=0))
print(F.dropout(torch.ones(3), 0.9, training=False), F.softmax(torch.tensor([1000.0, 1001.0]), 0), F.embedding(torch.tensor([[0, 1]]), x).shape, F.softplus(torch.tensor([30.0])))
t = torch.tensor([2, 0])
print(F.cross_entropy(x, t), F.cross_entropy(x, t, reduction="none"), F.cross_entropy(x, t, label_smoothing=0.1), F.nll_loss(x.log_softmax(1), t), F.cross_entropy(x, torch.softmax(x, 1)))
print(F.cross_entropy(x, torch.tensor([2, -100])), F.cross_entropy(x, t, weight=torch.tensor([1.0, 2, 3])), F.mse_loss(x, x + 1), F.l1_loss(x, x * 2), F.smooth_l1_loss(x, x * 2), F.huber_loss(x, x * 2))
print(F.layer_norm(x, (3,)), F.rms_norm(x, (3,)), F.embedding(t, x.T), F.linear(x, torch.ones(2, 3), torch.ones(2)), F.glu(torch.ones(2, 4)))
q = torch.arange(12.0).view(1, 1, 3, 4) / 10
print(F.scaled_dot_product_attention(q, q, q, is_causal=True), F.scaled_dot_product_attention(q, q, q))
print(torch.numel(x), torch.is_tensor(x), torch.is_tensor(1), isinstance(x, torch.Tensor), x.type(), torch.numel(torch.ones(2, 3)))
print(torch.tensor(x.tolist()).equal(x), torch.as_tensor(x) is x, torch.from_numpy(x.numpy()).equal(x), torch.asarray([1, 2]), torch.Tensor([1, 2]), torch.Tensor(2, 3).shape)
import copy
y = copy.deepcopy(x)
y[0, 0] = 9
print(x[0, 0], copy.copy(x).data_ptr() == x.data_ptr(), hash(x) == id(x), x.shape == (2, 3), x.size(0), x.size() == torch.Size([2, 3]))
print(sum(torch.tensor([1, 2])), max(torch.tensor([1, 3])), sorted(torch.tensor([3, 1])), list(map(int, torch.tensor([1, 2]))), round(torch.tensor(2.567).item(), 2), abs(torch.tensor(-1)), divmod(7, 2))
print(torch.tensor([1, 2, 3]).float().std(), torch.tensor(5) / 2, torch.tensor(5) // 2, torch.tensor(-5) // 2, torch.tensor(-5) % 3, torch.tensor([5]) / torch.tensor([2]), True + torch.tensor(1))
