"""Random numbers of the processor's generator."""

import torch
from helper_module import attempt, shown
from torch import nn

print(torch.manual_seed(0) is torch.default_generator, torch.initial_seed())
# To the last bit.
print(torch.randn(40).view(torch.int32).tolist(), torch.randn(3, dtype=torch.bfloat16), torch.empty(17).normal_(2, 3)[-1].item())
print(torch.empty(3).exponential_(2), torch.empty(4).random_(5), torch.empty(2, dtype=torch.int64).random_(2, 9))
torch.manual_seed(1234)
shown(torch.rand(3), torch.randn(3), torch.randn(20), torch.randn(2, 9).sum())
shown(torch.randint(10, (5,)), torch.randint(-5, 5, (2, 2)), torch.randint(0, 2**40, (2,)), torch.randperm(10))
shown(torch.rand(2, dtype=torch.float64), torch.randn(3, dtype=torch.float64), torch.randn(17, dtype=torch.float64)[-1])
shown(torch.normal(0.0, 1.0, (3,)), torch.normal(torch.zeros(3), torch.ones(3)), torch.normal(torch.arange(3.0), 0.1), torch.normal(1.0, torch.ones(2)))
shown(torch.bernoulli(torch.full((8,), 0.5)), torch.empty(5).bernoulli_(0.3), torch.empty(3).uniform_(-1, 1), torch.empty(3).normal_(2, 3))
shown(torch.rand_like(torch.zeros(2)), torch.randn_like(torch.zeros(2)), torch.randint_like(torch.zeros(3), 5))
shown(torch.multinomial(torch.tensor([0.1, 0.2, 0.7]), 5, replacement=True), torch.multinomial(torch.tensor([0.0, 1.0, 1.0]), 2))
shown(torch.multinomial(torch.tensor([[1.0, 0.0], [0.5, 0.5]]), 1), torch.initial_seed())
shown(torch.rand(4, dtype=torch.float16), torch.randn(4).bfloat16(), torch.rand(3).half())

torch.manual_seed(7)
layer = nn.Linear(3, 2)
shown(layer.weight, layer.bias)
shown(nn.Embedding(2, 3).weight, nn.init.xavier_uniform_(torch.empty(2, 2)), nn.init.kaiming_normal_(torch.empty(2, 2)))
shown(nn.init.trunc_normal_(torch.empty(3), std=0.5, a=-1, b=1))
x = torch.ones(10)
shown(nn.functional.dropout(x, 0.5), nn.functional.dropout(x, 0.5, training=False), nn.Dropout(0.2)(x))
shown(torch.tensor([5, 6, 7])[torch.randperm(3)])

attempt(
    lambda: torch.multinomial(torch.tensor([0.5, 0.5]), 3),
    lambda: torch.multinomial(torch.tensor([-1.0, 1.0]), 1),
    lambda: torch.randn(2, dtype=torch.int64),
    lambda: nn.Dropout(1.5),
)
