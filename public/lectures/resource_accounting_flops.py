"""Compute accounting, second half: FLOPs, how fast they go, and what a training step takes of them."""

import time

import torch
from napkin import check, exercise, remember, show, slip, text, try_this
from resource_accounting_exercises import AttentionFlops  # @stepover
from torch.utils.flop_counter import FlopCounterMode


def counting_flops():
    """Counting FLOPs"""
    text(r"""
A FLOP is one addition or one multiplication of floats. *FLOPs*, with a small s, is a number of them; *FLOP/s* is a speed,
so many per second. Where you read FLOPS, you have to find out which of the two is meant.
""")
    landmarks()
    flops_of_a_matmul()
    flop_per_second()
    roofline()
    gradients()
    backward_flops()
    flops_per_token = two_plus_four()
    return flops_per_token  # @hide


def landmarks():
    """How many FLOPs are a lot?"""
    text(r"""
Some landmarks help. To train GPT-3 took 3.14e23 FLOPs; for GPT-4 people guess 2e25. Until 2025, an order of the United
States asked for a report of every run above 1e26. And what can eight H100s do in a week, at their peak?
""")
    gpt3 = 3.14e23
    gpt4 = 2e25
    threshold = 1e26
    a100 = 312e12  # @inspect a100
    h100 = 1979e12 / 2  # @inspect h100
    gpus = 8  # @slider 1 100000
    one_week = gpus * h100 * 60 * 60 * 24 * 7  # @inspect one_week
    two_weeks = 2 * one_week  # @inspect two_weeks
    rows = [
        (f"{gpus} H100s, two weeks", two_weeks),
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
    try_this("Set `gpus` to 263. In two weeks they pass GPT-3, if they reach their peak all the time, which nobody does.")
    check(
        "An A100 is sold with “312 TFLOPS”. What is this?",
        {
            "An amount: 312e12 operations": "The S reads like a plural. But a chip has no amount of operations: it does so "
            "many in each second.",
            "A speed: 312e12 operations per second": "The S stands for “per second” here. In a paper the same word may be an "
            "amount, which is why we write FLOP/s and FLOPs.",
        },
        answer="A speed: 312e12 operations per second",
    )
    remember("FLOPs are an amount, FLOP/s is a speed. The amount divided by the speed is a time.")


def flops_of_a_matmul():
    """What does a matrix product cost?"""
    text(r"""
Take $B$ points of $D$ numbers each, and map every point to $K$ numbers by a matrix $w$. For each point $i$, input $j$ and
output $k$ there is one multiplication, $x_{ij} w_{jk}$, and one addition to a sum. That makes $2BDK$ FLOPs.
""")
    B = 1024  # @slider 1 65536
    D = 256  # @slider 1 65536
    K = 64  # @slider 1 65536
    flops = 2 * B * D * K  # @inspect flops
    text("The points are tokens, and $w$ has $DK$ parameters. So the way forward costs 2 FLOPs per token and parameter.")
    text("Here is a large product, which we come back to in the next cell:")
    large = 2 * 16384 * 32768 * 8192  # @inspect large
    text("A step of our GPT takes 16 texts of 128 letters. Each block has a matrix that turns 256 numbers of a letter into 1024:")
    ours = 2 * (16 * 128) * 256 * 1024  # @inspect ours
    show.calculator("matmul", b=1024, d=256, k=64, gpu="h100-sxm")
    try_this("Double `B`, then `D`, then `K`. Each time `flops` doubles: after all three it is eight times as much.")
    check(
        "A tool says that this product takes 16.8 million “flops”, half of our number. Why?",
        {
            "It counts pairs": "A multiplication with its addition is one *multiply-add*, or MAC. Some tools count these and "
            "call them flops. Double their number.",
            "It leaves out zeros": "It does not look at the values. A product of zeros takes as long as any other.",
            "It forgets half of the matrix": "Exactly half is suspicious, but there is a reason for it: in each pair of "
            "operations it counts one.",
        },
        answer="It counts pairs",
    )
    remember("A matrix product takes $2BDK$ FLOPs: 2 per token and parameter.")


def flop_per_second():
    """How fast is your machine?"""
    text("""
The speed is the number of FLOPs divided by the seconds that they took. Let us measure it on the machine that you sit at,
with numbers of 32 bits and of 16 bits:
""")
    device = "cuda" if torch.cuda.is_available() else "cpu"  # @inspect device
    n = 256  # @slider 64 1024 64
    fp32 = measure(n, torch.float32, device)  # @stepover @inspect fp32
    bf16 = measure(n, torch.bfloat16, device)  # @stepover @inspect bf16
    show.product(m=n, k=n, n=n, dtype=torch.float32)
    show.machine()
    text(r"""
For comparison, here is what somebody measured on an H100, for a product of $16384 \times 32768$ and $32768 \times 8192$.
The MFU is the actual speed divided by the promised one:
""")
    fp32_mfu = 5.4e13 / 6.75e13  # @inspect fp32_mfu
    bf16_mfu = 2.735e14 / (1979e12 / 2)  # @inspect bf16_mfu
    text(r"""
bfloat16 is five times as fast as float32, but the sheet promises fifteen times, so its MFU is lower. An MFU above 1 happens,
too: some consumer cards run at a higher clock than their data sheet says. Then the measurement is right, and the sheet is
modest.

And the MFU of a whole training run? Count the FLOPs of a step, and see how many tokens a second the run reads. Put in a run
of your own. The peak may be the data sheet's, or the one that you measure here.
""")
    show.calculator("mfu", model="llama-3.1-8b", tokens_per_sec="68k", gpus=8, sequence=8192)
    slip(
        claim="A program does not know the card, and prints: promised 1 FLOP/s, MFU 1.2e10.",
        right="There is no MFU without a known promise.",
        why="The program found no GPU that it knew, and took 1 for its peak. If you do not know the peak, state the speed "
        "and leave it at that.",
    )
    try_this("Set `n` to 64, then to 1024. On most machines the larger product reaches more FLOP/s. Does yours?")
    check(
        "The log of a training run on an H100 says MFU 104%. What is the most likely reason?",
        {
            "The GPU runs above its clock": "This happens with consumer cards. A data-centre card reaches about 80% in the "
            "best products, and a whole training run less.",
            "The peak of another card was put in": "Divide by the 312 TFLOP/s of an A100, and an H100 seems to do wonders. "
            "Check which peak a program divides by.",
            "The sparse peak was put in": "That happens, too. But the sparse peak is larger, so the MFU would come out at "
            "half of what it is.",
        },
        answer="The peak of another card was put in",
    )
    remember("MFU = FLOP/s that you reach ÷ dense peak of this card in this dtype.")


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
    """Do you wait for arithmetic or for memory?"""
    text(r"""
A chip does two things at once: it computes, and it fetches data from memory. The *arithmetic intensity* of a job is how
many FLOPs it does for each byte that it moves. Divide the peak of a chip by its bandwidth, and you have its *ridge*, in FLOPs
per byte: jobs below it wait for memory, jobs above it for arithmetic.
""")
    peak = 989.5e12  # @slider 1e13 1e16
    bandwidth = 3.35e12  # @slider 1e11 1e13
    ridge = peak / bandwidth  # @inspect ridge
    text(r"Here are some jobs on $n$ numbers, or on matrices of size $n \times n$, with 2 bytes for each number:")
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
    text("""
Of these four, only the matrix product keeps the chip busy. That is why models are built of matrix products. But it must be large enough:
that of our GPT, from two cells before, is too small for an H100.
""")
    ours = 2 * 2048 * 256 * 1024 / (2 * (2048 * 256 + 256 * 1024 + 2048 * 1024))  # @inspect ours
    try_this("Set `n` to 886, then to 887. Between the two, the matrix product stops waiting for memory.")
    check(
        "A ReLU reaches 0.1% of the peak of an H100. What makes it faster?",
        {
            "A chip with a higher peak": "It seems that the chip is too slow. But the ReLU waits for memory, and the new chip "
            "would wait as well.",
            "A larger batch": "This helps matrix products. A ReLU does one FLOP per element whatever the size, so its intensity "
            "stays at 1/4.",
            "Doing it together with the operation before": "The numbers are on the chip already, so the trip to memory is saved. "
            "This is called *fusion*.",
        },
        answer="Doing it together with the operation before",
    )
    remember("Compare a job's FLOPs per byte with peak ÷ bandwidth: below it memory sets the pace, above it arithmetic.")


def gradients():
    """What does backward() compute?"""
    text(r"""
On the way forward a model computes a *loss*, a number that says how wrong it is. On the way back, PyTorch finds out how
the loss changes when each parameter changes a little: that is the *gradient*. Take a loss of $\tfrac12 (x \cdot w - 5)^2$:
""")
    x = torch.tensor([1.0, 2, 3])
    w = torch.tensor([1.0, 1, 1], requires_grad=True)
    predicted = x @ w
    loss = 0.5 * (predicted - 5) ** 2  # @inspect loss
    loss.backward()
    w_grad = w.grad  # @inspect w_grad
    text(r"""
Check it by hand: the derivative is $(x \cdot w - 5)\,x = (6 - 5)\,x$, which is $x$. Only *leaves*, tensors that were not
computed from others, keep a gradient, and only with `requires_grad=True`. `predicted` is no leaf, and `x` has not asked.
""")
    x_grad = x.grad  # @inspect x_grad
    is_leaf = predicted.is_leaf  # @inspect is_leaf
    between = predicted.grad  # @inspect between
    try_this("In the code, make `w` the tensor `[1.0, 2, 0]`. Then $x \\cdot w$ is 5, the loss is 0, and so is the gradient.")
    check(
        "You compute the loss once more and call backward() again, without zero_grad(). What is w.grad then?",
        {
            "[1, 2, 3]": "It would be so if `backward()` replaced the old gradient. It adds to it.",
            "[2, 4, 6]": "`backward()` adds to what is there. This is why a training loop needs `zero_grad()`.",
            "PyTorch refuses": "It refuses a second backward pass over the *same* graph. Here the loss has been computed anew.",
        },
        answer="[2, 4, 6]",
    )
    remember("Only leaves that asked for a gradient keep one, in `.grad`, and a training loop clears it before each step.")


def backward_flops():
    """What does the backward pass cost?"""
    text("""
Let us count it on two linear layers in a row, $h_1 = x w_1$ and $h_2 = h_1 w_2$. `x` has $B$ rows of $D$ numbers, $w_1$ is
$D \\times D$ and $w_2$ is $D \\times K$. We know already what the forward pass costs:
""")
    B = 1024  # @slider 1 65536
    D = 256  # @slider 1 65536
    K = 64  # @slider 1 65536
    forward = 2 * B * D * D + 2 * B * D * K  # @inspect forward
    text(r"""
On the way back each layer has to find two gradients: one of its weights, and one of its input, which the layer before
needs. Each of them is a matrix product of the same size as the one forward. For the second layer, with $\partial w_2$ for
the gradient of the loss with respect to $w_2$, they are $\partial w_2 = h_1^\top \partial h_2$ and
$\partial h_1 = \partial h_2\, w_2^\top$:
""")
    backward = 2 * B * D * K  # @inspect backward
    backward += 2 * B * D * K  # @inspect backward
    text("The first layer adds two products of its own size.")
    backward += 2 * (2 * B * D * D)
    ratio = backward / forward  # @predict How many times as many FLOPs does backward take as forward? | ½ | 1 | 2 | 3 @inspect ratio
    total = backward  # @inspect total
    text("Nobody needs the gradient of the data, since nobody changes the data. Without it one product falls away:")
    without_x = backward - 2 * B * D * D  # @inspect without_x
    show.calculator("backward", b=1024, d=256, k=64)
    try_this("Set `K` to 256: `without_x` divided by `forward` rises from 1.2 to 1.5. The more layers, the nearer to 2.")
    check(
        "Why does the backward pass take twice the FLOPs of the forward pass?",
        {
            "It runs the forward pass again": "That is *activation checkpointing*, which is optional, and would come on top.",
            "Each layer needs two products": "One for the gradient of its weights, one for the gradient of its input.",
            "Derivatives are harder to compute": "Of a matrix product they are matrix products, too, and no harder. There are "
            "just two of them.",
        },
        answer="Each layer needs two products",
    )
    remember("Forward 2, backward 4, together 6 FLOPs per parameter and token.")


def two_plus_four():
    """Is it really 6ND?"""
    text(r"""
$2ND$ forward and $4ND$ backward make the $6ND$ that we began with. We do not have to believe it: PyTorch has a counter that
watches every matrix product of a real step.
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
They differ by exactly one product: the gradient of the data, which nobody computes. In a Transformer two things differ. It begins
with a lookup in a table of parameters, which takes no product; and it has attention, whose products multiply tokens with
tokens instead of parameters.

Take our GPT. Each of its 4 blocks has $12 \cdot 256^2$ parameters in matrices, and the output has $65 \cdot 256$: that takes
6 FLOPs each. In each block a token is compared with the 128 of its text, and then mixes their values: two products of
$2 \cdot 128 \cdot 256$ FLOPs forward, and twice that backward.
""")
    matrices = 4 * 12 * 256**2 + 65 * 256  # @inspect matrices
    scores = 4 * 2 * (2 * 128 * 256)  # @inspect scores
    flops_per_token = 6 * matrices + 3 * scores  # @inspect flops_per_token
    step_flops = 16 * 128 * flops_per_token  # @inspect step_flops
    text("Here is one step of each model, counted beside the formulas. The counter finds our `step_flops`, to the last digit.")
    show.count("linear", batch=64, dim=32, layers=2)
    show.count("transformer", layers=4, heads=8, dim=256, context=128, batch=16)
    try_this("Set `B` to 256. `missing` grows four times, to 524,288, and still equals `first_layer`.")
    check(
        "Which products of a Transformer does 6ND leave out?",
        {
            "Those of the optimizer": "An optimizer multiplies no matrices. It does some FLOPs per parameter once a step, "
            "whatever the number of tokens, and that is little.",
            "Those of attention scores": "They multiply queries with keys, and no parameter is among them. With long texts they "
            "count.",
            "Those of the embedding": "It is the other way round: a lookup takes no FLOPs, but 6ND counts its parameters.",
        },
        answer="Those of attention scores",
    )
    exercise(
        "Count the forward FLOPs of the two products in attention, for heads of size `head_dim` over `seq` tokens. "
        "Leave out the mask. The check compares with the counter.",
        attention_flops,
        AttentionFlops,
    )
    remember("6ND counts the products with parameters. Attention scores come on top.")
    return flops_per_token  # @hide


def attention_flops(batch, heads, seq, head_dim):
    return batch * heads * seq * seq * head_dim
