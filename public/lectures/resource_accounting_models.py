"""Models: how parameters begin, a deep linear model, a small Transformer, and how many parameters they have."""

import math

import torch
import torch.nn.functional as F
from einops import einsum, rearrange
from napkin import check, remember, show, slip, text, try_this
from torch import nn


def models():
    """Models"""
    text("Now we build models, from a stack of matrices to a Transformer, and count what is in them.")
    initialisation()
    deep_linear()
    params = small_transformer()
    published_models()
    return params  # @hide


def initialisation():
    """How large should the first weights be?"""
    text(r"""
Before training, the weights are random numbers. An output is a sum of as many products as there are inputs, `fan_in`. If
inputs and weights are standard normal, the outputs have a standard deviation of $\sqrt{\text{fan\_in}}$. They grow like
this in every layer, and after some layers they are infinite.
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
    text(r"So divide the weights by $\sqrt{\text{fan\_in}}$. Then their standard deviation stays near 1, however wide the layer.")
    w = nn.Parameter(torch.randn(fan_in, fan_out) / math.sqrt(fan_in))
    output = x @ w
    scaled_std = output.std().item()  # @inspect scaled_std
    show.histogram(output, title="outputs of scaled weights")
    text("""
A normal distribution sometimes gives a very large number. To be safe, cut it off at three standard deviations:
""")
    bound = 1 / math.sqrt(fan_in)
    w = nn.Parameter(nn.init.trunc_normal_(torch.empty(fan_in, fan_out), std=bound, a=-3 * bound, b=3 * bound))
    cut_std = (x @ w).std().item()  # @inspect cut_std
    largest = w.abs().max().item() / bound
    within = largest <= 3.001  # @inspect within
    show.histogram(w.detach(), title="weights, cut off")
    slip(
        claim="`trunc_normal_(w, std=1 / sqrt(16384), a=-3, b=3)` cuts off at three standard deviations.",
        right="It cuts off at 384 standard deviations, so never.",
        why="`a` and `b` are the limits themselves. One standard deviation is 1/128 here, so ±3 is 384 of them: write "
        "`a=-3 * std, b=3 * std`.",
    )
    try_this("Set `fan_in` to 256. `std` falls to about √256 = 16, and `scaled_std` stays near 1.")
    check(
        "With 16384 inputs, you divide the weights by 16384 and not by its root. What is the standard deviation of the outputs?",
        {
            "About 1": "Dividing a sum by the number of its terms gives a mean, which sounds right. But random terms mostly "
            "cancel, and the mean of so many is tiny.",
            "About 1/128": "The sum is as large as $\\sqrt{16384} = 128$, and 128 / 16384 = 1/128. After a few layers nothing "
            "is left.",
            "About 128": "So large they are if you do not divide at all.",
        },
        answer="About 1/128",
    )
    remember("Divide the first weights by √fan_in, and the outputs keep a standard deviation near 1.")


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
    """How many parameters does a stack of layers have?"""
    text(r"""
Our first model has $L$ layers, each a matrix from $D$ numbers to $D$ numbers, and a *head* that makes one number of the
last $D$. It can do no more than a single layer could, but it is a good model to practise counting on.
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
    text("A *bias* is a number that is added to each output. With biases there are $D$ more in each layer, and one in the head.")
    biased = DeepLinear(D, L, bias=True)  # @stepover
    with_biases = sum(p.numel() for p in biased.parameters())  # @inspect with_biases
    biased_formula = D * D * L + D * L + D + 1  # @inspect biased_formula
    slip(
        claim="`DeepLinear(D, L)` has random inputs of shape (4, D), and D² · L + D · L + D + 1 parameters.",
        right="Without biases it has D² · L + D. And inputs are no parameters.",
        why="`x @ w` adds no bias, and inputs are not trained. Count what `named_parameters()` lists.",
    )
    try_this("Set `D` to 128. `total` grows from 8,256 to 32,896, nearly four times.")
    check(
        "You have D = 64 and L = 2. What makes the model larger, twice the width or twice the depth?",
        {
            "Twice the width": "The matrices have $D^2$ entries, so they grow four times: 32,896 parameters.",
            "Twice the depth": "It doubles the number of matrices: 16,448 parameters. Twice the width makes each of them four "
            "times as large.",
            "Both the same": "It would be so if a layer had $D$ parameters. It has $D^2$.",
        },
        answer="Twice the width",
    )
    remember("Parameters grow with the depth, and with the square of the width.")


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
    """What is inside a Transformer?"""
    text("""
A Transformer is a stack of blocks. In each, *attention* mixes what stands at different positions, and a *feed-forward
layer* works on each position alone; *norms* keep the numbers at a good size. Forty lines of Python make our small GPT,
built like GPT-2.
""")
    dim = 256  # @slider 32 384 32
    layers = 4  # @slider 1 8
    torch.manual_seed(0)
    model = SmallTransformer(vocab=65, context=128, dim=dim, heads=8, layers=layers)  # @stepover
    tokens = torch.randint(65, (2, 128))
    logits = model(tokens)  # @stepover
    shape = logits.shape  # @inspect shape
    parts = {}
    for name, p in model.named_parameters():
        part = name.split(".")[-2]
        parts[part] = parts.get(part, 0) + p.numel()
    show.table(list(parts.items()), columns=["component", "parameters"])  # @inspect parts
    total = sum(p.numel() for p in model.parameters())  # @inspect total
    text("""
Let $d$ be the width. A block has $12 d^2$ parameters in matrices: attention has $3 + 1$ of $d^2$ each, the feed-forward
layer $4 + 4$. Biases and norms add $13 d$, which is little.
""")
    formula = (65 + 128) * dim + layers * (12 * dim**2 + 13 * dim) + 2 * dim  # @inspect formula
    try_this("Set `dim` to 128. `total` falls from 3,208,960 to 818,048: not quite to a quarter, since embeddings only halve.")
    check(
        "You give the model 16 heads in place of 8, and keep its width. What happens to the number of parameters?",
        {
            "It doubles": "It sounds as if each head came with matrices of its own. But the heads divide the same $d$ numbers "
            "among themselves: twice the heads, half the size.",
            "It stays the same": "Heads divide the width among themselves. The matrices stay as large as they were.",
            "It halves": "Each head is half as large, but there are twice as many.",
        },
        answer="It stays the same",
    )
    remember("A block has about $12 d^2$ parameters: 4 in attention, 8 in the feed-forward layer.")
    return total  # @hide


def published_models():
    """How many parameters do real models have?"""
    text("""
The formula of the small model counts the large ones, too. Put in the numbers of GPT-2, and you get its 124 million
parameters to the last digit:
""")
    gpt2 = (50257 + 1024) * 768 + 12 * (12 * 768**2 + 13 * 768) + 2 * 768  # @inspect gpt2
    text(r"""
Llama differs in four ways. Several heads share their keys and values (*grouped-query attention*, GQA). A feed-forward layer
has three matrices. There are no biases. And the embedding at the beginning and the output at the end are two matrices
instead of one.
""")
    llama_8b = llama(layers=32, dim=4096, kv_heads=8, hidden=14336, vocab=128256)  # @inspect llama_8b
    llama_70b = llama(layers=80, dim=8192, kv_heads=8, hidden=28672, vocab=128256)  # @inspect llama_70b
    llama_405b = llama(layers=126, dim=16384, kv_heads=8, hidden=53248, vocab=128256)  # @inspect llama_405b
    show.calculator("params", model="llama-3.1-8b")
    text(r"""
In a *mixture of experts* (MoE) a layer has many feed-forward parts, the experts, and each token is sent to a few of them.
DeepSeek-V3 has 671 billion parameters, and a token meets 37.6 billion of these. Its attention stores keys and values in a
compressed form (MLA).
""")
    show.calculator("params", model="deepseek-v3")
    show.calculator("flops", model="llama-3.1-8b")
    show.calculator("memory", model="llama-3.1-8b")
    try_this("In the line of `llama_8b`, set `kv_heads=32`, so that no head shares. It grows by 805 million parameters.")
    check(
        "DeepSeek-V3 has 671 billion parameters, and a token meets 37.6 billion. Which number is the N of 6ND?",
        {
            "671 billion": "This is the number in its name, and the one that needs memory. But experts that a token does not "
            "visit do no products for it.",
            "37.6 billion": "FLOPs are done only with parameters that a token meets.",
        },
        answer="37.6 billion",
    )
    remember("Memory depends on all parameters, FLOPs on those that a token meets.")


def llama(layers, dim, kv_heads, hidden, vocab, head_dim=128):
    attention = 2 * dim * dim + 2 * dim * kv_heads * head_dim
    feed_forward = 3 * dim * hidden
    norms = 2 * dim
    return 2 * vocab * dim + layers * (attention + feed_forward + norms) + dim
