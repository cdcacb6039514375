"""Markov chain, PageRank and linear regression: numeric scenarios."""
import torch

torch.set_printoptions(precision=5)
P = torch.tensor([[0.9, 0.075, 0.025], [0.15, 0.8, 0.05], [0.25, 0.25, 0.5]], dtype=torch.float64)
assert torch.allclose(P.sum(1), torch.ones(3, dtype=torch.float64))
pi = torch.full((3,), 1 / 3, dtype=torch.float64)
for k in range(200):
    pi = pi @ P
print(pi, torch.allclose(pi @ P, pi), torch.linalg.matrix_power(P, 50)[0])
A = torch.cat([P.T - torch.eye(3, dtype=torch.float64), torch.ones(1, 3, dtype=torch.float64)])
sol = torch.linalg.lstsq(A, torch.tensor([[0.], [0.], [0.], [1.]], dtype=torch.float64)).solution
print(sol.T, (sol.squeeze() - pi).abs().max() < 1e-10)

links = {0: [1, 2], 1: [2], 2: [0], 3: [2, 0]}
M = torch.zeros(4, 4)
for s, ds in links.items():
    M[ds, s] = 1 / len(ds)
r = torch.ones(4) / 4
it = 0
while True:
    nr = 0.85 * M @ r + 0.15 / 4
    it += 1
    if (nr - r).abs().sum() < 1e-6:
        break
    r = nr
print(it, r, r.sum().item(), r.argsort(descending=True), M)

n = 20
t = torch.linspace(0, 1, n, dtype=torch.float64)
y = 3 * t - 1 + 0.1 * torch.sin(37 * t)
X = torch.stack([t, torch.ones_like(t)], 1)
beta = torch.linalg.solve(X.T @ X, X.T @ y)
print(beta, torch.linalg.pinv(X) @ y, torch.linalg.lstsq(X, y[:, None]).solution.flatten())
res = y - X @ beta
print(f"R2={1 - (res ** 2).sum() / ((y - y.mean()) ** 2).sum():.6f}", res[:4], res.abs().max())

w = torch.zeros(2, dtype=torch.float64, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.5, momentum=0.5)
for epoch in range(101):
    opt.zero_grad()
    loss = ((X @ w - y) ** 2).mean()
    loss.backward()
    opt.step()
    if epoch % 25 == 0:
        print(f"{epoch:>3} {loss.item():.6f} {w.tolist()[0]:.4f} {w.grad.norm():.6f}")
print(w, torch.allclose(w.detach(), beta, atol=1e-2))
newton = torch.tensor(1.0, dtype=torch.float64)
for _ in range(5):
    newton = newton - (newton ** 2 - 2) / (2 * newton)
    print(f"{newton.item():.12f}", end=" ")
print()
fib = torch.tensor([[1, 1], [1, 0]])
print([torch.linalg.matrix_power(fib, k)[0, 1].item() for k in range(1, 12)], torch.matrix_power(fib, 90)[0, 1])
primes = torch.ones(50, dtype=torch.bool)
primes[:2] = False
for k in range(2, 8):
    if primes[k]:
        primes[k * k::k] = False
print(primes.nonzero().flatten(), primes.nonzero().squeeze(1).cumsum(0)[-1])
print(torch.cumprod(torch.arange(1, 21), 0)[-1], torch.tensor([2.0]).lgamma().exp(), torch.linspace(0, 1, 5).pow(2).mean())
