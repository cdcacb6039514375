"""Compute accounting, second half: FLOPs, how fast they go, and what a training step takes of them."""

import time

import torch
from napkin import show, slip, text
from torch.utils.flop_counter import FlopCounterMode


def counting_flops():
    """Counting FLOPs"""
    text(r"""
A FLOP is one addition or multiplication of floats. *FLOPs* counts them, *FLOP/s* is a speed. Whoever writes FLOPS means
one of the two.
""")
    landmarks()
    flops_of_a_matmul()
    flop_per_second()
    roofline()
    gradients()
    backward_flops()
    two_plus_four()


def landmarks():
    """How much is much?"""
    gpt3 = 3.14e23
    gpt4 = 2e25
    threshold = 1e26
    text(r"""
GPT-3 took 3.14e23 FLOPs. GPT-4 took some 2e25, people guess. From 1e26 on, the United States wanted to be told;
the order was revoked in 2025. And what do eight H100s do in a week?
""")
    a100 = 312e12  # @inspect a100
    h100 = 1979e12 / 2  # @inspect h100
    gpus = 8  # @slider 1 100000
    one_week = gpus * h100 * 60 * 60 * 24 * 7  # @inspect one_week
    two_weeks = 2 * one_week  # @inspect two_weeks
    rows = [
        ("8 H100s, two weeks", two_weeks),
        ("GPT-3", gpt3),
        ("GPT-4 (a guess)", gpt4),
        ("reporting threshold (revoked)", threshold),
    ]
    show.table(rows, columns=["what", "FLOPs"])
    slip(
        claim="8 H100s for 2 weeks: 8 · (60 · 60 · 24 · 7) · 989.5e12 = 4.788e21 FLOPs.",
        right="9.575e21 FLOPs.",
        why="60 · 60 · 24 · 7 seconds are one week.",
    )


def flops_of_a_matmul():
    """What does a matrix product cost?"""
    text(r"""
$B$ points of $D$ numbers, each mapped to $K$ numbers: for every triple $(i, j, k)$ there is one multiplication,
$x_{ij} w_{jk}$, and one addition to the sum. Hence $2BDK$.
""")
    B = 1024  # @slider 1 65536
    D = 256  # @slider 1 65536
    K = 64  # @slider 1 65536
    flops = 2 * B * D * K  # @inspect flops
    text("With $B$ tokens and $DK$ parameters: a forward pass costs 2 FLOPs per token and parameter.")
    large = 2 * 16384 * 32768 * 8192  # @inspect large
    show.calculator("matmul", b=1024, d=256, k=64, gpu="h100-sxm")


def flop_per_second():
    """How fast does it go?"""
    text("FLOPs over seconds. First on the machine you sit at, in 32 and in 16 bits:")
    device = "cuda" if torch.cuda.is_available() else "cpu"  # @inspect device
    n = 256  # @slider 64 1024 64
    fp32 = measure(n, torch.float32, device)  # @stepover @inspect fp32
    bf16 = measure(n, torch.bfloat16, device)  # @stepover @inspect bf16
    show.product(m=n, k=n, n=n, dtype=torch.float32)
    show.machine()
    text(r"""
Then on an H100, measured elsewhere for $16384 \times 32768$ times $32768 \times 8192$. MFU is actual over promised speed:
""")
    fp32_mfu = 5.4e13 / 6.75e13  # @inspect fp32_mfu
    bf16_mfu = 2.735e14 / (1979e12 / 2)  # @inspect bf16_mfu
    text(r"""
bfloat16 is five times as fast, but promised to be fifteen. An MFU above 1 happens, too: consumer cards run above the
clock in their data sheet. The measurement is right, the promise modest.
""")
    slip(
        claim="Promised: 1 FLOP/s. MFU: 1.2e10.",
        right="There is no MFU without a known promise.",
        why="The program met no GPU that it knew, and put 1 in its place. Without a promise, state the speed and stop.",
    )


def measure(n, dtype, device):
    """FLOP/s of a product of two n×n matrices: the best of a few tries."""
    a = torch.ones(n, n, dtype=dtype, device=device)
    b = torch.ones(n, n, dtype=dtype, device=device)
    best, count, tries = float("inf"), 1, 4
    while tries:
        start = time.perf_counter()
        for _ in range(count):
            a @ b
        if device == "cuda":
            torch.cuda.synchronize()
        seconds = time.perf_counter() - start
        if seconds < 1e-3:  # a browser's clock ticks in tenths of a millisecond
            count *= 2
        else:
            best, tries = min(best, seconds / count), tries - 1
    return 2 * n**3 / best


def roofline():
    """Arithmetic or memory?"""
    text(r"""
A chip computes, and it fetches. *Arithmetic intensity* is how many FLOPs a job does per byte that it moves. A chip has
such a number, too: a job below it waits for memory, above it for arithmetic.
""")
    peak = 989.5e12  # @slider 1e13 1e16
    bandwidth = 3.35e12  # @slider 1e11 1e13
    ridge = peak / bandwidth  # @inspect ridge
    text("Some jobs over $n$ numbers, or $n \\times n$ matrices, at 2 bytes each:")
    n = 1024  # @slider 1 65536
    relu = n / (2 * n + 2 * n)  # @inspect relu
    relu_fp32 = n / (4 * n + 4 * n)  # @inspect relu_fp32
    dot = (2 * n - 1) / (2 * n + 2 * n + 2)  # @inspect dot
    matvec = 2 * n**2 / (2 * n**2 + 2 * n + 2 * n)  # @inspect matvec
    matmul = 2 * n**3 / (3 * 2 * n**2)  # @inspect matmul
    rows = [("relu", relu), ("dot", dot), ("matrix · vector", matvec), ("matrix · matrix", matmul)]
    limits = [(name, work, "arithmetic" if work > ridge else "memory") for name, work in rows]  # @inspect limits
    show.table(limits, columns=["job", "FLOP/byte", "waits for"])
    show.calculator("roofline", gpu="h100-sxm", n=1024)
    text("Only the matrix product keeps the chip busy. So everything is made into one.")


def gradients():
    """Gradients"""
    text(r"""
Forward, a model computes a loss. Backward, PyTorch finds how the loss moves with each parameter. Take
$y = \tfrac12 (x \cdot w - 5)^2$:
""")
    x = torch.tensor([1.0, 2, 3])
    w = torch.tensor([1.0, 1, 1], requires_grad=True)
    predicted = x @ w
    loss = 0.5 * (predicted - 5) ** 2  # @inspect loss
    loss.backward()
    w_grad = w.grad  # @inspect w_grad
    text(r"""
By hand: $(x \cdot w - 5)\,x = (6 - 5)\,x$. Right. Only *leaves*, tensors that nothing computed, keep a gradient. What
lies between is dropped once used, and `x` never asked for one.
""")
    x_grad = x.grad  # @inspect x_grad
    is_leaf = predicted.is_leaf  # @inspect is_leaf
    between = predicted.grad  # @inspect between


def backward_flops():
    """What does the way back cost?"""
    text("Two linear layers in a row: $h_1 = x w_1$, $h_2 = h_1 w_2$.")
    B = 1024  # @slider 1 65536
    D = 256  # @slider 1 65536
    K = 64  # @slider 1 65536
    forward = 2 * B * D * D + 2 * B * D * K  # @inspect forward
    text(r"""
A product has two factors, and the gradient of each is a product of the same size. For the second layer
$\partial w_2 = h_1^\top \partial h_2$, then $\partial h_1 = \partial h_2\, w_2^\top$:
""")
    backward = 2 * B * D * K  # @inspect backward
    backward += 2 * B * D * K  # @inspect backward
    text("The first layer adds the same two in its own size.")
    backward += 2 * (2 * B * D * D)
    ratio = backward / forward  # @predict How many times the FLOPs of forward are those of backward? | ½ | 1 | 2 | 3 @inspect ratio
    total = backward  # @inspect total
    text("But nobody changes the data. If $x$ needs no gradient, one product falls away:")
    without_x = backward - 2 * B * D * D  # @inspect without_x
    show.calculator("backward", b=1024, d=256, k=64)


def two_plus_four():
    """Two and four are six"""
    text(r"""
Forward $2ND$, backward $4ND$: the $6ND$ of the first line. Claims should be counted. PyTorch has a counter that watches
every product of a real step:
""")
    B = 64  # @slider 1 256
    D = 32  # @slider 1 128
    K = 8  # @slider 1 128
    x = torch.ones(B, D)
    w1 = torch.ones(D, D, requires_grad=True)
    w2 = torch.ones(D, K, requires_grad=True)
    with FlopCounterMode(display=False) as counter:
        loss = (x @ w1 @ w2).pow(2).mean()
    counted_forward = counter.get_total_flops()  # @inspect counted_forward
    with FlopCounterMode(display=False) as counter:
        loss.backward()
    counted_backward = counter.get_total_flops()  # @inspect counted_backward
    formula = 6 * B * (D * D + D * K)  # @inspect formula
    missing = formula - counted_forward - counted_backward  # @inspect missing
    first_layer = 2 * B * D * D  # @inspect first_layer
    agrees = missing == first_layer  # @inspect agrees
    text(r"""
To the unit, but for the gradient of the data. A Transformer begins with a lookup, which has no products, and adds
attention, whose products have no parameters. One step of each, beside the formulas:
""")
    show.count("linear", batch=64, dim=32, layers=2)
    show.count("transformer", layers=2, dim=64, context=32)
