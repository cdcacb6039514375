"""Writes modules.json beside it: outputs, losses and gradients of torch.nn's modules and of GPTs made of them, computed in
float64 from float32 weights; the weights that a GPT begins with; what load_state_dict refuses.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy
    /tmp/golden/bin/python engine/tests/golden/modules.py
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from figures import write


def numbers(x, digits=9):
    return [float(f"{v:.{digits}g}") for v in x.detach().double().flatten().tolist()]


def norm_of(kind, dim, bias):
    return nn.LayerNorm(dim, bias=bias) if kind == "layer" else nn.RMSNorm(dim)


ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "silu": F.silu}


class Mlp(nn.Module):
    def __init__(self, dim, hidden, activation, is_gated, bias, dropout=0.0):
        super().__init__()
        self.c_fc = nn.Linear(dim, hidden, bias=bias)
        self.c_gate = nn.Linear(dim, hidden, bias=bias) if is_gated else None
        self.c_proj = nn.Linear(hidden, dim, bias=bias)
        self.f, self.p = ACTIVATIONS[activation], dropout

    def forward(self, x):
        inner = self.c_fc(x)
        inner = self.f(inner) if self.c_gate is None else self.f(self.c_gate(x)) * inner
        return F.dropout(self.c_proj(inner), self.p, self.training)


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.width = c["dim"] // c["heads"]
        self.c_attn = nn.Linear(c["dim"], c["dim"] + 2 * c["kv_heads"] * self.width, bias=c["bias"])
        self.c_proj = nn.Linear(c["dim"], c["dim"], bias=c["bias"])
        self.c = c

    def forward(self, x):
        c, (batch, time, dim) = self.c, x.shape
        q, k, v = self.c_attn(x).split([dim, c["kv_heads"] * self.width, c["kv_heads"] * self.width], dim=2)
        q, k, v = (t.view(batch, time, -1, self.width).transpose(1, 2) for t in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=c["dropout"] if self.training else 0.0, is_causal=True,
                                           enable_gqa=c["kv_heads"] != c["heads"])
        y = y.transpose(1, 2).reshape(batch, time, dim)
        return F.dropout(self.c_proj(y), c["dropout"], self.training)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.ln_1 = norm_of(c["norm"], c["dim"], c["bias"])
        self.attn = Attention(c)
        self.ln_2 = norm_of(c["norm"], c["dim"], c["bias"])
        self.mlp = Mlp(c["dim"], c["d_ff"], c["activation"], c["is_gated"], c["bias"], c["dropout"])

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.transformer = nn.ModuleDict({
            "wte": nn.Embedding(c["vocab_size"], c["dim"]), "wpe": nn.Embedding(c["context"], c["dim"]),
            "drop": nn.Dropout(c["dropout"]), "h": nn.ModuleList([Block(c) for _ in range(c["layers"])]),
            "ln_f": norm_of(c["norm"], c["dim"], c["bias"])})
        self.lm_head = nn.Linear(c["dim"], c["vocab_size"], bias=False)
        if c["is_tied"]:
            self.transformer.wte.weight = self.lm_head.weight
        self.apply(self.init)
        for name, p in self.named_parameters():
            if name.endswith("c_proj.weight"):
                nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * c["layers"]))

    def init(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, tokens):
        t = self.transformer
        x = t.drop(t.wte(tokens) + t.wpe(torch.arange(tokens.shape[1])))
        for block in t.h:
            x = block(x)
        return self.lm_head(t.ln_f(x))


class Layer(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(inputs, outputs))

    def forward(self, x):
        return x @ self.weight


class DeepLinear(nn.Module):
    def __init__(self, dim, layers):
        super().__init__()
        self.layers = nn.ModuleList([Layer(dim, dim) for _ in range(layers)])
        self.final = Layer(dim, 1)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.final(x).squeeze(-1)


def named(tensors):
    return [[name, list(x.shape), numbers(x)] for name, x in tensors]


def shaken(model, seed):
    """Every weight moved, so that no bias is 0 and no scale is 1."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.add_(torch.randn(p.shape, generator=generator) * 0.2)


cases = []


def case(module, args, x, call=None, seed=None):
    """The loss is Σ out · (1, −2, 3, −4, …) / numel; a seed stands for training."""
    model = args.pop("model")
    shaken(model, len(cases))
    figure = {"module": module, "args": args, "seed": seed, "state": named(model.state_dict().items()),
              "x": {"shape": list(x.shape), "values": numbers(x) if x.is_floating_point() else x.flatten().tolist()}}
    model = model.double().train(seed is not None)
    if seed is not None:
        torch.manual_seed(seed)
    if x.is_floating_point():
        x = x.double().requires_grad_()
    out = (call or (lambda m, x: m(x)))(model, x)
    i = torch.arange(out.numel(), dtype=torch.float64)
    weights = ((i % 5 + 1) * (1 - 2 * (i % 2))).reshape(out.shape)
    if out.numel():
        (out * weights).mean().backward()
    figure["out"] = {"shape": list(out.shape), "values": numbers(out)}
    figure["grads"] = named([(name, p.grad if p.grad is not None else torch.zeros_like(p)) for name, p in model.named_parameters()])
    if x.is_floating_point():
        figure["x_grad"] = numbers(x.grad if x.grad is not None else torch.zeros_like(x))
    cases.append(figure)


torch.manual_seed(0)
for i, o, bias, shape in ((3, 4, True, [2]), (3, 1, True, []), (5, 3, False, [2, 3]), (1, 1, True, [1]), (17, 9, True, [2, 1, 2]),
                          (4, 5, True, [0])):
    case("Linear", {"model": nn.Linear(i, o, bias=bias), "in": i, "out": o, "bias": bias}, torch.randn([*shape, i]))
for n, dim, shape in ((5, 3, [4]), (7, 1, [2, 5]), (17, 4, [3, 3, 2]), (3, 2, [])):
    case("Embedding", {"model": nn.Embedding(n, dim), "n": n, "dim": dim}, torch.randint(0, n, shape))
for shape, normalized, bias in (([2, 3], [3], True), ([2, 3, 17], [17], False), ([3, 2, 5], [2, 5], True), ([4, 1], [1], True)):
    case("LayerNorm", {"model": nn.LayerNorm(normalized, bias=bias), "shape": normalized, "bias": bias}, torch.randn(shape))
for shape, normalized, eps in (([2, 3], [3], None), ([2, 3, 17], [17], 1e-3), ([3, 2, 5], [2, 5], 1e-6)):
    # Without an eps it is that of the dtype, here float32's.
    model = nn.RMSNorm(normalized, eps=eps if eps is not None else torch.finfo(torch.float32).eps)
    case("RMSNorm", {"model": model, "shape": normalized, "eps": eps}, torch.randn(shape))
for batch, time, dim, heads, causal, bias, dropout, seed in (
        (2, 3, 4, 1, False, True, 0.0, None), (1, 5, 6, 3, True, True, 0.0, None), (2, 7, 8, 4, True, False, 0.0, None),
        (3, 1, 6, 2, False, True, 0.0, None), (2, 17, 4, 2, True, True, 0.3, None), (2, 5, 6, 2, True, True, 0.3, 4), (1, 6, 4, 2, False, True, 0.5, 9)):
    mask = nn.Transformer.generate_square_subsequent_mask(time).double() if causal else None
    model = nn.MultiheadAttention(dim, heads, dropout=dropout, bias=bias, batch_first=True)
    call = lambda m, x: m(x, x, x, need_weights=False, attn_mask=mask)[0]
    case("MultiheadAttention", {"model": model, "dim": dim, "heads": heads, "is_causal": causal, "bias": bias, "dropout": dropout},
         torch.randn(batch, time, dim), call, seed)
for dim, hidden, activation, gated, bias, shape in ((3, 7, "relu", False, True, [2]), (4, 16, "gelu", False, True, [2, 3]),
                                                    (4, 9, "gelu_tanh", False, False, [5]), (4, 11, "silu", True, False, [2, 3]), (5, 3, "silu", True, True, [1])):
    case("Mlp", {"model": Mlp(dim, hidden, activation, gated, bias), "dim": dim, "hidden": hidden, "activation": activation,
                 "is_gated": gated, "bias": bias}, torch.randn([*shape, dim]))
for dim, layers in ((4, 2), (3, 0), (5, 3)):
    case("DeepLinear", {"model": DeepLinear(dim, layers), "dim": dim, "layers": layers}, torch.randn(3, dim))

SMALL = {"vocab_size": 11, "context": 7, "layers": 2, "heads": 2, "kv_heads": 2, "dim": 8, "d_ff": 32, "norm": "layer",
         "activation": "gelu_tanh", "is_gated": False, "dropout": 0.0, "bias": True, "is_tied": True}
gpts = []
for changes, shape, seed in (
        ({}, [2, 7], None), ({"is_tied": False, "bias": False}, [3, 4], None),
        ({"norm": "rms", "activation": "silu", "is_gated": True, "bias": False, "d_ff": 21, "layers": 1}, [2, 5], None),
        ({"heads": 4, "kv_heads": 2, "layers": 1}, [2, 7], None), ({"heads": 4, "kv_heads": 1, "dim": 12, "d_ff": 9, "layers": 1}, [1, 6], None),
        ({"layers": 0}, [2, 3], None), ({"layers": 3, "d_ff": 5, "heads": 1, "kv_heads": 1, "activation": "relu"}, [1, 1], None),
        ({"dropout": 0.2}, [2, 7], 3), ({"dropout": 0.5, "is_tied": False, "heads": 4, "kv_heads": 2, "layers": 1, "activation": "gelu"}, [3, 5], 8)):
    config = {**SMALL, **changes}
    torch.manual_seed(len(gpts))
    model = Gpt(config)
    begun = named(model.state_dict().items())
    shaken(model, 100 + len(gpts))
    figure = {"config": config, "begun": begun, "state": named(model.state_dict().items()), "seed": seed,
              "num_params": sum(p.numel() for p in model.parameters())}
    tokens, targets = torch.randint(0, 11, shape), torch.randint(0, 11, shape)
    model = model.double().train(seed is not None)
    if seed is not None:
        torch.manual_seed(seed)
    logits = model(tokens)
    loss = F.cross_entropy(logits.view(-1, 11), targets.view(-1))
    loss.backward()
    gpts.append({**figure, "shape": shape, "tokens": tokens.flatten().tolist(), "targets": targets.flatten().tolist(),
                 "logits": numbers(logits), "loss": loss.item(), "grads": named([(n, p.grad) for n, p in model.named_parameters()])})

# Learning: a schedule, two groups of weights, clipped gradients that are gathered from two batches each, dropout.
config = {**SMALL, "dropout": 0.1}
torch.manual_seed(21)
model = Gpt(config)
matrices = [p for p in model.parameters() if p.dim() > 1]
others = [p for p in model.parameters() if p.dim() == 1]
optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}], lr=0.02, betas=(0.9, 0.95))
scheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, [torch.optim.lr_scheduler.LinearLR(optimizer, 1 / 5, 1.0, 4),
                                                              torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 35, 0.001)], [5])
text = torch.randint(0, 11, (2, 2, 8))
torch.manual_seed(22)
losses, norms = [], []
for step in range(40):
    optimizer.zero_grad()
    total = 0.0
    for batch in text:
        logits = model(batch[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, 11), batch[:, 1:].reshape(-1)) / 2
        loss.backward()
        total += loss.item()
    norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0).item())
    optimizer.step()
    scheduler.step()
    losses.append(total)
learning = {"config": config, "text": text.flatten().tolist(), "losses": losses, "norms": norms}

refusals = []
for strict, state in ((True, {}), (True, {"weight": [2, 3]}), (True, {"weight": [2, 3], "bias": [2], "extra": [1], "more": []}),
                      (True, {"weight": [3, 2], "bias": [2]}), (False, {"weight": [3, 2], "bias": [], "extra": [1]}),
                      (True, {"weight": [3, 2], "b": [2]}), (False, {"extra": [1]}), (True, {"weight": [2, 3], "bias": [2]})):
    model = nn.Linear(3, 2)
    figure = {"strict": strict, "state": list(state.items())}
    try:
        keys = model.load_state_dict({k: torch.zeros(v) for k, v in state.items()}, strict=strict)
        figure |= {"missing": keys.missing_keys, "unexpected": keys.unexpected_keys}
    except RuntimeError as error:
        figure["error"] = str(error)
    refusals.append(figure)

write("modules.json", cases=cases, gpts=gpts, learning=learning, refusals=refusals)
