"""Generators and rng state: save, restore, fork."""

import torch
from helper_module import attempt

g1 = torch.Generator()
g1.manual_seed(42)
g2 = torch.Generator().manual_seed(42)
print(torch.rand(3, generator=g1), torch.rand(3, generator=g2))
print(g1.initial_seed(), g1.device, type(g1.get_state()), g1.get_state().dtype, g1.get_state().shape)
st = g1.get_state()
a = torch.randn(18, generator=g1)
g1.set_state(st)
print(torch.equal(a, torch.randn(18, generator=g1)))
print(torch.randperm(6, generator=g1), torch.randint(10, (3,), generator=g1), torch.bernoulli(torch.full((4,), 0.5), generator=g1))
print(torch.multinomial(torch.ones(4), 2, generator=g1), torch.empty(2).uniform_(generator=g1), torch.normal(0.0, 1.0, (2,), generator=g1))

torch.manual_seed(0)
print(torch.initial_seed(), torch.default_generator is torch.random.default_generator)

torch.manual_seed(7)
with torch.random.fork_rng():
    torch.manual_seed(1)
    inner = torch.rand(2)
outer = torch.rand(2)
torch.manual_seed(7)
print(inner, outer, torch.equal(outer, torch.rand(2)))

# a half-used normal: state includes the cached second value
torch.manual_seed(3)
first = torch.randn(1)
s = torch.get_rng_state()
nxt = torch.randn(2)
torch.set_rng_state(s)
print(torch.equal(nxt, torch.randn(2)), first)
print(torch.equal(torch.rand(2, generator=g1.clone_state()), torch.rand(2, generator=g1)))
attempt(
    lambda: torch.set_rng_state(torch.zeros(3)),
    lambda: g1.set_state(torch.zeros(10, dtype=torch.uint8)),
    lambda: torch.rand(2, generator=5),
)
