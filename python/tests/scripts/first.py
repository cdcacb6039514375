import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
y = (x @ x).sum()
y.backward()
print(x.grad, x.shape, y)
z = torch.arange(12).view(3, 4)
print(z[1:, ::2], z[0, -1], z.T.stride() if hasattr(z, "stride") else None)
z[0] = 7
print(z, z.float().mean(), 2 * z + 1, 1 / z.float())
print(torch.zeros(2, 3), torch.ones(2, dtype=torch.int64), torch.float32, torch.device("cpu"))
try:
    z.t().view(12)
except RuntimeError as error:
    print(error)
try:
    torch.zeros(2).sum(dim="a")
except TypeError as error:
    print(type(error).__name__)
with torch.no_grad():
    print((x * 2).requires_grad)
print(f"{y.item():.3f} {len(x)} {[float(v) for v in x[0]]}")
