import torch

x = torch.tensor([-1.5, 0.0, 2.5])
n = torch.tensor([1, 2, 3])
print(x + n, n / 2, n // 2, n % 2, n**2, 2**n, x.pow(2).sqrt(), -x, abs(x), x.sign(), 1 - x, 2 / n)
print(x > 0, (x > 0) & (x < 3), ~(x > 0), n.eq(2), n == n, x.clamp(-1, 1), x.clamp(min=0), torch.maximum(x, n))
print(torch.div(n, 2, rounding_mode="floor"), torch.add(x, n, alpha=2), x.lerp(n.float(), 0.5), torch.addcmul(x, x, x, value=0.5))
print(x.round(), x.floor(), x.ceil(), x.trunc(), x.isnan(), x.isfinite().all())
print(x.half() + n, (n + 1.5).dtype, (n.bool() + n).dtype, (x.bfloat16() * x.half()).dtype, torch.tensor([1, 2.0]).dtype)
print(x.sigmoid(), x.tanh(), x.relu(), x.erf(), torch.log(torch.tensor([1.0, 0.0, -1.0])), x.square(), x.reciprocal())
