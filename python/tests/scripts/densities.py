"""A small variational autoencoder on points around a circle."""
import math
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence

torch.manual_seed(0)
theta = torch.rand(128) * 2 * math.pi
data = torch.stack([theta.cos(), theta.sin()], dim=1) + 0.05 * torch.randn(128, 2)


class VAE(nn.Module):
    def __init__(self, x_dim=2, h=24, z_dim=2):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(x_dim, h), nn.LeakyReLU(0.1), nn.Linear(h, 2 * z_dim))
        self.decoder = nn.Sequential(nn.Linear(z_dim, h), nn.LeakyReLU(0.1), nn.Linear(h, x_dim))

    def encode(self, x):
        return self.encoder(x).chunk(2, dim=-1)

    @staticmethod
    def reparameterize(mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + std * torch.randn_like(std)

    def forward(self, x):
        mu, logvar = self.encode(x)
        return self.decoder(self.reparameterize(mu, logvar)), mu, logvar


def elbo_terms(recon, x, mu, logvar, sigma=0.2):
    rec = nn.functional.mse_loss(recon, x, reduction="sum") / (2 * sigma ** 2)
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return rec / len(x), kld / len(x)


mu, logvar = torch.tensor([0.5, -1.0]), torch.tensor([0.2, -0.4])
q, p = Normal(mu, (0.5 * logvar).exp()), Normal(torch.zeros(2), torch.ones(2))
print("closed form:", kl_divergence(q, p), f"{-0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum().item():.4f}")
print(q, q.mean, q.stddev, sep="\n")
s = q.rsample((4000,))
print("monte carlo KL close:", abs((q.log_prob(s) - p.log_prob(s)).sum(-1).mean().item() - kl_divergence(q, p).sum().item()) < 0.1, s.shape)
print(q.log_prob(torch.zeros(2)), q.entropy(), q.cdf(mu))

model = VAE()
print(model)
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(12):
    beta = min(1.0, epoch / 6)
    totals = torch.zeros(2)
    for batch in data[torch.randperm(128)].split(32):
        recon, mu, logvar = model(batch)
        rec, kld = elbo_terms(recon, batch, mu, logvar)
        opt.zero_grad()
        (rec + beta * kld).backward()
        opt.step()
        totals += torch.stack([rec, kld]).detach()
    if epoch % 2 == 1:
        r, k = (totals / 4).tolist()
        print(f"epoch {epoch:2d} beta {beta:.2f} rec {r:.4f} kl {k:.4f} elbo {-(r + k):.4f}")

model.eval()
with torch.no_grad():
    mu, logvar = model.encode(data[:3])
    print(mu)
    print(logvar.exp().sqrt())
    samples = model.decoder(torch.randn(64, 2))
    print("sample radius mean %.3f std %.3f" % (samples.norm(dim=1).mean(), samples.norm(dim=1).std()))
    path = torch.lerp(mu[0], mu[1], torch.linspace(0, 1, 4).unsqueeze(1))
    print(model.decoder(path))

# the reparameterisation trick carries gradients, plain sampling does not
m = torch.zeros(1, requires_grad=True)
print(Normal(m, 1.0).rsample().requires_grad, Normal(m, 1.0).sample().requires_grad)
torch.manual_seed(1)
est = (Normal(m, torch.ones(1)).rsample((1000,)) - 3).pow(2).mean()
est.backward()
print(f"d/dm E(z-3)^2 = {m.grad.item():.4f} (exact -6)")
