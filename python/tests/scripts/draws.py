import torch

print(torch.manual_seed(0) is torch.default_generator, torch.initial_seed())
print(torch.rand(3), torch.randn(2, 2), torch.randn(20)[-3:], torch.randint(0, 10, (4,)), torch.randint(5, (2,)), torch.randperm(6))
x = torch.empty(4)
print(x.uniform_(-1, 1), x.normal_(2, 0.5), torch.rand_like(x), torch.randn_like(x), torch.randint_like(x, 9), torch.normal(1.0, 2.0, size=(2,)))
print(torch.bernoulli(torch.full((5,), 0.5)), x.bernoulli_(0.3), torch.nn.init.trunc_normal_(torch.empty(4), std=0.02))
state = torch.get_rng_state()
first = torch.rand(2)
torch.set_rng_state(state)
print(torch.equal(first, torch.rand(2)), state.dtype, state.shape)
g = torch.Generator().manual_seed(42)
print(g.initial_seed(), torch.rand(2, generator=g), torch.randn(2, generator=g, dtype=torch.float64), g.device)
saved = g.get_state()
a = torch.randperm(5, generator=g)
print(torch.equal(a, torch.randperm(5, generator=g.set_state(saved))), torch.randn(3, requires_grad=True, generator=g).requires_grad)
drawn = torch.multinomial(torch.tensor([0.0, 1.0, 3.0]), 6, replacement=True)
print(drawn)
print(sorted(torch.multinomial(torch.tensor([0.0, 1.0, 3.0]), 2).tolist()))
print(torch.nn.functional.dropout(torch.ones(8), 0.5), torch.randn(2, dtype=torch.bfloat16))
for wrong in (lambda: torch.randint(3, 3, (1,)), lambda: torch.rand(2, generator=1)):
    try:
        wrong()
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__)
print(torch.normal(torch.zeros(3), torch.ones(3)), torch.normal(torch.arange(3.0), 0.1), torch.rand(4, dtype=torch.float16), torch.randn(3, dtype=torch.float64))
layer = torch.nn.Linear(3, 2)
print(layer.weight, layer.bias, torch.nn.Embedding(2, 3).weight, torch.randint(0, 2**40, (2,)))
# To the last bit.
torch.manual_seed(0)
print(torch.randn(40).view(torch.int32).tolist(), torch.randn(3, dtype=torch.bfloat16), torch.empty(17).normal_(2, 3)[-1].item())
print(torch.empty(3).exponential_(2), torch.empty(4).random_(5), torch.empty(2, dtype=torch.int64).random_(2, 9))
