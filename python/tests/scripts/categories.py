"""Reinforcement learning in small: REINFORCE on a bandit, tabular Q-learning, value iteration."""
import random
from collections import deque
import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
random.seed(0)
true_means = torch.tensor([0.1, 0.5, 0.9, 0.3])

for use_baseline in (False, True):
    torch.manual_seed(1)
    theta = nn.Parameter(torch.zeros(4))
    opt = torch.optim.SGD([theta], lr=0.2)
    baseline, window = 0.0, deque(maxlen=50)
    for t in range(201):
        dist = Categorical(logits=theta)
        a = dist.sample()
        r = (true_means[a] + 0.1 * torch.randn(())).item()
        loss = -dist.log_prob(a) * (r - baseline)
        opt.zero_grad()
        loss.backward()
        opt.step()
        window.append(r)
        if use_baseline:
            baseline += 0.1 * (r - baseline)
        if t % 50 == 0:
            print(f"baseline={use_baseline} t={t:3d} avg reward {sum(window) / len(window):.3f} probs", [f"{p:.3f}" for p in dist.probs])

d = Categorical(torch.tensor([1.0, 1.0, 2.0]))
print(d, d.probs, d.logits, d.entropy(), d.log_prob(torch.tensor(2)), sep="\n")
print(d.sample((2, 5)), d.enumerate_support())
# score-function identity: E[grad log p] = 0
th = torch.tensor([0.3, -0.2, 0.5], requires_grad=True)
p = th.softmax(0)
g = torch.stack([torch.autograd.grad(p.log()[i], th, retain_graph=True)[0] for i in range(3)])
print("E[score] is zero:", torch.allclose(p.detach() @ g, torch.zeros(3), atol=1e-6))
print("Fisher:", torch.einsum("a,ai,aj->ij", p.detach(), g, g))

# a 3x4 grid world: start in the lower left, goal +1, pit -1
H, W, goal, pit = 3, 4, (0, 3), (1, 3)
moves = [(-1, 0), (0, 1), (1, 0), (0, -1)]


def env_step(s, a):
    r, c = min(max(s[0] + moves[a][0], 0), H - 1), min(max(s[1] + moves[a][1], 0), W - 1)
    return (r, c), {goal: 1.0, pit: -1.0}.get((r, c), -0.04), (r, c) in (goal, pit)


Q = torch.zeros(H, W, 4)
lengths = []
for episode in range(200):
    s, n, done = (2, 0), 0, False
    while not done and n < 50:
        a = random.randrange(4) if random.random() < 0.2 else Q[s].argmax().item()
        s2, r, done = env_step(s, a)
        Q[s][a] += 0.5 * (r + (0.0 if done else 0.95 * Q[s2].max()) - Q[s][a])
        s, n = s2, n + 1
    lengths.append(n)
print("mean length by 50 episodes:", torch.tensor(lengths).float().view(-1, 50).mean(1))
print(Q.amax(-1))
arrows = "^>v<"
for r in range(H):
    print(" ".join("G" if (r, c) == goal else "P" if (r, c) == pit else arrows[Q[r, c].argmax()] for c in range(W)))

V = torch.zeros(H, W)
for k in range(50):
    new = V.clone()
    for r in range(H):
        for c in range(W):
            if (r, c) not in (goal, pit):
                new[r, c] = max(rew + 0.95 * V[s2] * (not done) for s2, rew, done in (env_step((r, c), a) for a in range(4)))
    if (delta := (new - V).abs().max().item()) < 1e-6:
        print("value iteration converged after", k)
        break
    V = new
print(V)
