import torch

x = torch.tensor([-1.5, 0.0, 2.5])
n = torch.tensor([1, 2, 3])
print(x + n, n / 2, n // 2, n % 2, n**2, 2**n, x.pow(2).sqrt(), -x, abs(x), x.sign(), 1 - x, 2 / n)
print(x > 0, (x > 0) & (x < 3), ~(x > 0), n.eq(2), n == n, x.clamp(-1, 1), x.clamp(min=0), torch.maximum(x, n))
print(torch.div(n, 2, rounding_mode="floor"), torch.add(x, n, alpha=2), x.lerp(n.float(), 0.5), torch.addcmul(x, x, x, value=0.5))
y = x.clone()
y += 1
y *= 2
y[0] = 9
y[y > 4] = 0
print(y, y.exp_(), y.fill_(3).zero_(), x.round(), x.floor(), x.ceil(), x.trunc(), x.isnan(), x.isfinite().all())
print(x.half() + n, (n + 1.5).dtype, (n.bool() + n).dtype, (x.bfloat16() * x.half()).dtype, torch.tensor([1, 2.0]).dtype)
print(x.sigmoid(), x.tanh(), x.relu(), x.erf(), torch.log(torch.tensor([1.0, 0.0, -1.0])), x.square(), x.reciprocal())
for wrong in (lambda: x + torch.ones(2), lambda: n.sqrt_(), lambda: x + "a", lambda: x & x):
    try:
        wrong()
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__)
v = torch.arange(24).view(2, 3, 4)
print(v.permute(2, 0, 1).shape, v.transpose(0, 2).stride(), v[..., -1], v[:, None, 1].shape, v[[1, 0], 0], v.flatten(1).shape)
print(v.unsqueeze(-1).squeeze(-1).shape, v[0].expand(2, 3, 4).stride(), torch.cat([v, v], -1).shape, torch.stack([v, v]).shape, v[0].repeat(2, 1).shape)
print(torch.zeros(0), torch.empty(0, 3), torch.linspace(0, 1, 3), torch.eye(2), torch.full((2,), 1.5), torch.arange(0, 1, 0.25), torch.tensor(True))
print(torch.tensor([1e-8, 1.0]), torch.tensor([1e10, 1.0]), torch.tensor([float("nan"), float("inf")]), torch.zeros(2, dtype=torch.bfloat16))
