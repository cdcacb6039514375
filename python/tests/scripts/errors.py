"""What goes wrong, in PyTorch's words."""

import torch
import torch.nn.functional as F
from torch import nn

x, y = torch.ones(2, 3), torch.ones(4, 5)
for attempt in (
    lambda: x + y,
    lambda: x @ y,
    lambda: x.add_(torch.ones(5, 2, 3)),
    lambda: torch.arange(5, 0),
    lambda: torch.arange(0, 5, 0),
    lambda: torch.ones(2) + "a",
    lambda: "a" + torch.ones(2),
    lambda: torch.ones(2) @ 3,
    lambda: torch.sum([1, 2]),
    lambda: torch.ones("a"),
    lambda: torch.cat([]),
    lambda: torch.cat([x, x], dim=2),
    lambda: torch.stack([]),
    lambda: F.cross_entropy(torch.ones(2, 3), torch.tensor([0, 3])),
    lambda: F.mse_loss(torch.ones(2), torch.ones(3)).item(),
    lambda: F.linear(torch.ones(2, 3), torch.ones(4, 5)),
    lambda: F.embedding(torch.tensor([5]), torch.ones(3, 2)),
    lambda: F.layer_norm(torch.ones(2, 3), (4,)),
    lambda: F.one_hot(torch.tensor([3]), 2),
    lambda: F.dropout(x, 2.0),
    lambda: F.softmax(x, 5),
    lambda: F.scaled_dot_product_attention(torch.ones(1, 2, 3), torch.ones(1, 2, 4), torch.ones(1, 2, 4)),
    lambda: torch.where(torch.ones(2), 1, 0),
    lambda: torch.where(torch.tensor([True]), torch.ones(2), torch.ones(3)),
    lambda: torch.clamp(x),
    lambda: x.T.T.reshape(4, 4),
    lambda: torch.tensor(1).backward(),
    lambda: torch.tensor([1, 2]).item(),
    lambda: int(torch.ones(2)),
    lambda: torch.from_numpy([1, 2]),
    lambda: torch.load("nothing.pt"),
    lambda: nn.Linear(2),
    lambda: nn.LayerNorm(3)(torch.ones(2, 4)),
    lambda: nn.Parameter(torch.tensor([1])),
    lambda: torch.manual_seed("a"),
    lambda: torch.tril(torch.ones(3)),
    lambda: torch.chunk(x, 0),
    lambda: x.masked_fill(torch.ones(2, 4).bool(), 0),
):
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])
for attempt in (
    lambda: x[::-1],
    lambda: x["a"],
    lambda: torch.arange(3).std(),
    lambda: x.index_select(0, torch.tensor([7])),
    lambda: x[0].expand(5, 5),
    lambda: torch.multinomial(torch.zeros(2), 1),
    lambda: x < "a",
    lambda: torch.device("tpu"),
):
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__, error)
