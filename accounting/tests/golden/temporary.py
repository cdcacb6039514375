"""Writes temporary.json beside it: what a backward pass holds in passing, at the peak of a training step.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch==2.15.0 numpy
    /tmp/golden/bin/python accounting/tests/golden/temporary.py

torch's MemTracker sees every allocation of a step (its second, so that the optimizer's state is there) and what it is for;
"held" are the bytes beside parameters and optimizer state when most is held: activations, gradients that have come, and
what operations need in passing. Attention is written out; norms and projections have no biases. Few tokens are known, so
that the peak is not at the logits.
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributed._tools.mem_tracker import MemTracker

from write import write


class Layer(nn.Module):
    def __init__(self, dim, heads, hidden, gated):
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(dim, bias=False), nn.LayerNorm(dim, bias=False)
        self.query, self.key, self.value, self.out = (nn.Linear(dim, dim, bias=False) for _ in range(4))
        self.up, self.down = nn.Linear(dim, hidden, bias=False), nn.Linear(hidden, dim, bias=False)
        self.gate = nn.Linear(dim, hidden, bias=False) if gated else None

    def forward(self, x):
        batch, tokens, dim = x.shape
        y = self.before(x)
        q, k, v = (
            part(y).view(batch, tokens, self.heads, dim // self.heads).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        weights = torch.softmax(q @ k.transpose(-1, -2) * (dim // self.heads) ** -0.5, -1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(batch, tokens, dim))
        y = self.between(x)
        inner = F.gelu(self.up(y)) if self.gate is None else F.silu(self.gate(y)) * self.up(y)
        return x + self.down(inner)


class Model(nn.Module):
    def __init__(self, vocab, dim, heads, hidden, layers, gated):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.layers = nn.Sequential(*(Layer(dim, heads, hidden, gated) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(dim, bias=False), nn.Linear(dim, vocab, bias=False)

    def forward(self, tokens):
        return self.head(self.norm(self.layers(self.embedding(tokens))))


CASES = [
    {"dim": 64, "heads": 4, "hidden": 256, "layers": 4, "gated": False, "batch": 128, "tokens": 16},
    {"dim": 64, "heads": 4, "hidden": 256, "layers": 4, "gated": True, "batch": 128, "tokens": 16},
    {"dim": 96, "heads": 3, "hidden": 264, "layers": 2, "gated": True, "batch": 63, "tokens": 33},
    {"dim": 64, "heads": 2, "hidden": 260, "layers": 2, "gated": False, "batch": 100, "tokens": 33},
    {"dim": 64, "heads": 8, "hidden": 256, "layers": 2, "gated": False, "batch": 4, "tokens": 512},
    {"dim": 64, "heads": 4, "hidden": 172, "layers": 3, "gated": True, "batch": 3, "tokens": 700},
]
VOCAB = 17


def held(case):
    torch.manual_seed(0)
    model = Model(VOCAB, *(case[key] for key in ("dim", "heads", "hidden", "layers", "gated")))
    optimizer = torch.optim.AdamW(model.parameters(), fused=True)
    tracker = MemTracker()
    tracker.track_external(model, optimizer)
    tokens = torch.randint(0, VOCAB, (2, case["batch"], case["tokens"]))
    with tracker:
        for step in range(2):
            F.cross_entropy(model(tokens[0]).view(-1, VOCAB), tokens[1].view(-1)).backward()
            optimizer.step()
            optimizer.zero_grad()
            if step == 0:
                tracker.reset_mod_stats()
    (peak,) = tracker.get_tracker_snapshot("peak").values()
    bytes_of = {str(kind).split(".")[-1].lower(): count for kind, count in peak.items()}
    return bytes_of["act"] + bytes_of["temp"] + bytes_of["grad"]


write(__file__, {"steps": [{**case, "vocab": VOCAB, "held": held(case)} for case in CASES]})
