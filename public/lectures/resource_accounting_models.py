"""Models: how parameters begin, a deep linear model, a small Transformer, and how many parameters they have."""

import math

import torch
import torch.nn.functional as F
from einops import einsum, rearrange
from napkin import show, slip, text
from torch import nn


def models():
    """Models"""
    initialisation()
    deep_linear()
    small_transformer()
    published_models()


def initialisation():
    """How parameters begin"""
    text(r"""
Parameters begin as random numbers. If those are standard normal, an output is a sum of `fan_in` random terms, and grows
with $\sqrt{\text{fan\_in}}$. A few layers later nothing is finite.
""")
    fan_in = 16384  # @slider 16 65536
    fan_out = 32
    torch.manual_seed(0)
    x = torch.randn(fan_in)
    w = nn.Parameter(torch.randn(fan_in, fan_out))
    output = x @ w
    std = output.std().item()  # @inspect std
    expected = math.sqrt(fan_in)  # @inspect expected
    show.histogram(output, title="outputs of standard normal weights")
    text(r"So divide by $\sqrt{\text{fan\_in}}$, and the outputs stay near 1 whatever the width.")
    w = nn.Parameter(torch.randn(fan_in, fan_out) / math.sqrt(fan_in))
    output = x @ w
    scaled_std = output.std().item()  # @inspect scaled_std
    show.histogram(output, title="outputs of scaled weights")
    text("The normal distribution has tails. Cut them off at three standard deviations.")
    bound = 1 / math.sqrt(fan_in)
    w = nn.Parameter(nn.init.trunc_normal_(torch.empty(fan_in, fan_out), std=bound, a=-3 * bound, b=3 * bound))
    cut_std = (x @ w).std().item()  # @inspect cut_std
    largest = w.abs().max().item() / bound
    within = largest <= 3.001  # @inspect within
    show.histogram(w.detach(), title="weights, cut off")
    slip(
        claim="`trunc_normal_(w, std=1 / sqrt(16384), a=-3, b=3)` cuts off at three standard deviations.",
        right="It cuts off at 384 of them, which is to say never.",
        why="`a` and `b` are absolute. One standard deviation is 1/128, so ±3 is 384 of them: write `a=-3 * std`.",
    )


class DeepLinear(nn.Module):
    """Layers of width `dim` to `dim`, then a head to one number: (batch, dim) to (batch,)."""

    def __init__(self, dim, layers, bias=False):
        super().__init__()
        self.layers = nn.ModuleList([Linear(dim, dim, bias) for _ in range(layers)])
        self.head = Linear(dim, 1, bias)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x).squeeze(-1)


class Linear(nn.Module):
    """x @ weight, plus a bias if wanted; weights are scaled by the width of the input."""

    def __init__(self, inputs, outputs, bias):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(inputs, outputs) / math.sqrt(inputs))
        self.bias = nn.Parameter(torch.zeros(outputs)) if bias else None

    def forward(self, x):
        x = x @ self.weight
        return x if self.bias is None else x + self.bias


def deep_linear():
    """A deep linear model"""
    text(r"""
$L$ layers from $D$ to $D$, then a head to one number. As a function it could be a single layer. As an exercise in
accounting it has everything.
""")
    D = 64  # @slider 1 256
    L = 2  # @slider 1 8
    torch.manual_seed(0)
    model = DeepLinear(D, L)  # @stepover
    sizes = [(name, p.numel()) for name, p in model.named_parameters()]  # @inspect sizes
    total = sum(p.numel() for p in model.parameters())  # @inspect total
    formula = D * D * L + D  # @inspect formula
    x = torch.randn(8, D)
    y = model(x)
    shape = y.shape  # @inspect shape
    text("With biases there are $D$ more in each layer, and one in the head.")
    biased = DeepLinear(D, L, bias=True)  # @stepover
    with_biases = sum(p.numel() for p in biased.parameters())  # @inspect with_biases
    biased_formula = D * D * L + D * L + D + 1  # @inspect biased_formula
    slip(
        claim="The model has random inputs of shape (4, D), and D² · L + D · L + D + 1 parameters.",
        right="Without biases it has D² · L + D. And inputs are no parameters.",
        why="`x @ w` adds nothing. Count what `named_parameters()` lists.",
    )


class Block(nn.Module):
    """Attention over earlier positions, then a feed-forward layer; both add to (batch, seq, dim)."""

    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.norm1 = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)
        self.norm2 = nn.LayerNorm(dim)
        self.up = nn.Linear(dim, 4 * dim)
        self.down = nn.Linear(4 * dim, dim)

    def forward(self, x):
        q, k, v = rearrange(self.qkv(self.norm1(x)), "b s (three h d) -> three b h s d", three=3, h=self.heads)
        scores = einsum(q, k, "b h i d, b h j d -> b h i j") / math.sqrt(q.shape[-1])
        future = torch.ones(x.shape[1], x.shape[1], device=x.device).triu(1).bool()
        weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
        mixed = einsum(weights, v, "b h i j, b h j d -> b h i d")
        x = x + self.out(rearrange(mixed, "b h s d -> b s (h d)"))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class SmallTransformer(nn.Module):
    """GPT-2 in small: tokens (batch, seq) to logits (batch, seq, vocab); embedding and output share a matrix."""

    def __init__(self, vocab, context, dim, heads, layers):
        super().__init__()
        self.tokens = nn.Embedding(vocab, dim)
        self.positions = nn.Embedding(context, dim)
        self.blocks = nn.ModuleList([Block(dim, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm(dim)

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions(torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        return self.norm(x) @ self.tokens.weight.T


def small_transformer():
    """A small Transformer"""
    text("Attention, feed-forward layers, norms, residual additions: fifty lines. Larger, it would talk.")
    dim = 32  # @slider 8 128 8
    layers = 2  # @slider 1 8
    torch.manual_seed(0)
    model = SmallTransformer(vocab=65, context=16, dim=dim, heads=4, layers=layers)  # @stepover
    tokens = torch.arange(32).reshape(2, 16)
    logits = model(tokens)  # @stepover
    shape = logits.shape  # @inspect shape
    parts = {}
    for name, p in model.named_parameters():
        part = name.split(".")[-2]
        parts[part] = parts.get(part, 0) + p.numel()
    show.table(list(parts.items()), columns=["component", "parameters"])  # @inspect parts
    total = sum(p.numel() for p in model.parameters())  # @inspect total
    text("Most of a block is $12 d^2$: $3 + 1$ in attention, $4 + 4$ feed-forward. Biases and norms add $13 d$.")
    formula = (65 + 16) * dim + layers * (12 * dim**2 + 13 * dim) + 2 * dim  # @inspect formula


def published_models():
    """Parameters of models you know"""
    text("The same formula, with GPT-2's numbers:")
    gpt2 = (50257 + 1024) * 768 + 12 * (12 * 768**2 + 13 * 768) + 2 * 768  # @inspect gpt2
    text(r"""
In Llama, heads share keys and values in groups (GQA), a feed-forward layer has three matrices, nothing has a bias, and
embedding and output are two matrices.
""")
    llama_8b = llama(layers=32, dim=4096, kv_heads=8, hidden=14336, vocab=128256)  # @inspect llama_8b
    llama_70b = llama(layers=80, dim=8192, kv_heads=8, hidden=28672, vocab=128256)  # @inspect llama_70b
    llama_405b = llama(layers=126, dim=16384, kv_heads=8, hidden=53248, vocab=128256)  # @inspect llama_405b
    show.calculator("params", model="llama-3.1-8b")
    text(r"""
With experts (MoE) a model has more parameters than a token meets: DeepSeek-V3 has 671 billion, a token meets 37.6 of
them. Memory follows the first number, FLOPs the second. Its attention squeezes keys and values into a bottleneck (MLA).
""")
    show.calculator("params", model="deepseek-v3")
    show.calculator("flops", model="llama-3.1-8b")
    show.calculator("memory", model="llama-3.1-8b")


def llama(layers, dim, kv_heads, hidden, vocab, head_dim=128):
    attention = 2 * dim * dim + 2 * dim * kv_heads * head_dim
    feed_forward = 3 * dim * hidden
    norms = 2 * dim
    return 2 * vocab * dim + layers * (attention + feed_forward + norms) + dim
