"""Memory accounting: tensors, their bytes and their number formats."""

import math

import torch
import torch.nn.functional as F
from napkin import check, exercise, remember, show, slip, text, try_this
from resource_accounting_exercises import SixteenBits  # @stepover
from torch import nn


def memory_accounting():
    """Memory accounting"""
    text("Parameters, gradients, optimizer state, data, activations: all of them are tensors. So we count tensors.")
    making_tensors()
    bytes_of_a_tensor()
    float_formats()
    finfo_table()
    small_formats()
    underflow()


def making_tensors():
    """How do you make a tensor?"""
    text("""
A *tensor* is a grid of numbers. With one dimension it is a list, with two a table, and it may have more. You can make one
from a list of lists. Below it stands what PyTorch knows of it; strides and storage are for later.
""")
    x = torch.tensor([[1.0, 2, 3], [4, 5, 6]])  # @inspect x
    text("You can say how large it is and what it is filled with:")
    zeros = torch.zeros(4, 8)  # @inspect zeros
    ones = torch.ones(4, 8)  # @inspect ones
    text("Or you fill it with random numbers. They come from a *generator*, which begins at a number called the seed.")
    seed = 0  # @slider 0 100
    torch.manual_seed(seed)
    normal = torch.randn(4, 8)  # @inspect normal
    text("""
`empty` reserves memory and leaves in it what was there. You fill it afterwards, here with a normal distribution that is
cut off at ±2:
""")
    drawn = torch.empty(4, 8)
    nn.init.trunc_normal_(drawn, mean=0, std=1, a=-2, b=2)  # @inspect drawn
    largest = drawn.abs().max().item()  # @inspect largest
    show.heat(drawn)
    try_this("Set `seed` to 1: `normal` and `drawn` change. Set it back to 0, and the old numbers return.")
    check(
        "What is in the tensor that torch.empty(4, 8) returns?",
        {
            "Zeros": "Often it looks like that, because a system hands out fresh memory filled with zeros. Nobody promises "
            "it: use `torch.zeros` if you need zeros.",
            "Whatever that memory held before": "It has 32 elements, and nobody has written to them yet.",
            "Nothing, it has no elements": "The name suggests it. But the tensor has its 32 elements; they are just not "
            "filled in.",
        },
        answer="Whatever that memory held before",
    )
    remember("Same seed, same numbers. And fill what `empty` gives you before you read it.")


def bytes_of_a_tensor():
    """How many bytes is a tensor?"""
    text(r"""
Multiply how many elements it has by how many bytes each of them takes:

$$\text{bytes} = \text{elements} \times \text{bytes of each}$$

The *dtype*, the type of its elements, decides the second factor. Unless you say otherwise it is float32, which takes
4 bytes.
""")
    rows = 4  # @slider 1 64
    columns = 8  # @slider 1 64
    x = torch.zeros(rows, columns)
    elements = x.numel()  # @inspect elements
    element_size = x.element_size()  # @inspect element_size
    x_bytes = elements * element_size  # @inspect x_bytes
    text("The first tensor of our small GPT is its *embedding*: a table with a row of 256 numbers for each of the 65 letters.")
    table = torch.zeros(65, 256)
    table_bytes = table.numel() * table.element_size()  # @inspect table_bytes
    text("Now a large one: a matrix of GPT-3. The model has 96 layers, and two matrices of this size in each.")
    matrix = torch.empty(12288 * 4, 12288)  # @stepover
    matrix_mib = matrix.numel() * matrix.element_size() / 2**20  # @inspect matrix_mib
    half_mib = matrix.numel() * torch.finfo(torch.float16).bits / 8 / 2**20  # @inspect half_mib
    show.calculator("tensor", shape="49152x12288", dtype="fp32")
    slip(
        claim="A feed-forward matrix of GPT-3 takes 2304 MiB in float16.",
        right="2304 MiB is float32. In float16 it takes 1152 MiB.",
        why="49152 × 12288 × 4 B = 2304 · 2²⁰ B. Two bytes per element make half of that.",
    )
    try_this("Set `rows` and `columns` to 64. `x_bytes` is 16,384, which is 16 KiB.")
    check(
        "In float32 that matrix has 2,415,919,104 bytes. How do you write this?",
        {
            "2.304 GB": "You took the 2304 MiB and moved the point. But 1 GB has $10^9$ bytes and 1 MiB has $2^{20}$: the two "
            "systems do not mix.",
            "2.416 GB, or 2.25 GiB": "Divide by $10^9$ for GB and by $2^{30}$ for GiB.",
            "2.416 GiB": "The digits belong to GB. Divide by $2^{30}$ for GiB, and you get 2.25.",
        },
        answer="2.416 GB, or 2.25 GiB",
    )
    remember("Bytes = elements × bytes of one element. GB counts in thousands, GiB in 1024s.")


def float_formats():
    """What is in a float?"""
    text(r"""
A float is stored as a sign, an exponent and a fraction, and its value is $\pm 1.\text{fraction} \times
2^{\text{exponent}}$. With more bits of exponent a format reaches further; with more bits of fraction its numbers lie closer
together. PyTorch tells us the gap between 1 and the next number, `eps`, so we can count: the fraction has $-\log_2
\text{eps}$ bits.
""")
    splits = []
    for dtype in [torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2]:
        info = torch.finfo(dtype)
        fraction = round(-math.log2(info.eps))
        splits.append((info.dtype, 1, info.bits - 1 - fraction, fraction))
    splits.append(("tf32", 1, 8, 10))
    splits.append(("float4_e2m1", 1, 2, 1))  # @inspect splits
    show.table(splits, columns=["format", "sign", "exponent", "fraction"])
    text("""
Both 16-bit formats spend the same number of bits, but on different things: float16 on its fraction, bfloat16 on its
exponent, which is as long as that of float32. What do they make of a small number?
""")
    number = 1e-8  # @slider 1e-12 1e6
    survives = torch.tensor(number, dtype=torch.bfloat16).item() != 0  # @predict Is 1e-8 more than zero in bfloat16? | yes | no @inspect survives
    in_bf16 = torch.tensor(number, dtype=torch.bfloat16).item()  # @inspect in_bf16
    in_fp16 = torch.tensor(number, dtype=torch.float16).item()  # @inspect in_fp16
    show.bits(number, torch.float16)
    show.bits(number, torch.bfloat16)
    text("""
One of the two makes it zero without a word, the other is off by 0.1%. Training can live with small errors. A gradient that
becomes zero teaches the model nothing.
""")
    show.number_line(torch.float32, torch.float16, torch.bfloat16, "tf32")
    try_this("Set `number` to 300000. float16 cannot reach it and says `inf`; bfloat16 comes as close as 299,008.")
    check(
        "Which of the two 16-bit formats is more precise near 1?",
        {
            "bfloat16": "It is the newer one and most models train in it, so it sounds better. But it has 7 bits of fraction: "
            "after 1 comes 1 + 1/128. It was chosen for its range.",
            "float16": "It has 10 bits of fraction: after 1 comes 1 + 1/1024. Its weakness is its range.",
            "Neither, both have 16 bits": "They are equally large, but they divide their bits differently.",
        },
        answer="float16",
    )
    remember("float16 has 10 bits of fraction and is finer; bfloat16 has 8 bits of exponent and reaches further.")


def finfo_table():
    """How large and how small can a number get?"""
    text("""
Each format ends somewhere. Above `max` there is only infinity, or *not a number* in float8_e4m3fn. Below `tiny`, the smallest number with full precision,
fractions lose their bits one by one until zero is left.
""")
    fp16_max = torch.finfo(torch.float16).max  # @inspect fp16_max
    fp16_tiny = torch.finfo(torch.float16).tiny  # @inspect fp16_tiny
    bf16_eps = torch.finfo(torch.bfloat16).eps  # @inspect bf16_eps
    e4m3_max = torch.finfo(torch.float8_e4m3fn).max  # @inspect e4m3_max
    e5m2_max = torch.finfo(torch.float8_e5m2).max  # @inspect e5m2_max
    limits = []
    for dtype in [torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2]:
        info = torch.finfo(dtype)
        limits.append((info.dtype, info.min, info.max, info.eps, info.tiny))
    show.table(limits, columns=["dtype", "min", "max", "eps", "tiny"])  # @inspect limits
    text("And what does each format weigh? Our GPT will turn out to have 3,208,960 parameters. In bytes they are:")
    formats = [torch.float32, torch.bfloat16, torch.float8_e4m3fn]
    weight_bytes = {torch.finfo(it).dtype: 3208960 * torch.finfo(it).bits // 8 for it in formats}  # @inspect weight_bytes
    try_this("Edit the code: put `torch.bfloat16` into the line of `fp16_max`. The largest number grows to 3.4e38.")
    check(
        "What is 65504 + 100 in float16?",
        {
            "65504": "Some casts to 8 bits stop at the largest number, so this is a fair guess. Arithmetic in float16 does not.",
            "65604": "There is no such float16: 65504 is the largest.",
            "Infinity": "The sum is beyond the largest number. From there on every sum with it is infinite or no number.",
        },
        answer="Infinity",
    )
    exercise(
        "Let `sixteen_bits` return `x` in float16 if all of its numbers fit, whatever their sign, and in bfloat16 if not.",
        sixteen_bits,
        SixteenBits,
    )
    remember("float16 ends at 65504. bfloat16 and float32 both go up to about 3.4e38.")


def sixteen_bits(x):
    return x.to(torch.float16)


def small_formats():
    """Can a number fit into four bits?"""
    text(r"""
Eight bits come in two kinds, named after their bits of exponent and of fraction (the M is for *mantissa*, another word for
it): E4M3 for weights and activations, and E5M2, which reaches further, for gradients. Four bits, E2M1, make
only sixteen patterns. These are the eight without a minus sign:
""")
    e2m1 = [0.0, 0.5] + [(1 + half) * 2.0**power for power in range(3) for half in [0, 0.5]]  # @inspect e2m1
    show.number_line(torch.float8_e4m3fn, torch.float8_e5m2, "fp4")
    text(r"""
Eight numbers are too few for a whole matrix. The trick is to let a *block* of neighbours share a scale: each number is
stored divided by the scale, and multiplied again when it is read. In MX formats 32 numbers share a power of two, in NVFP4
16 numbers share a scale in E4M3.
""")
    torch.manual_seed(0)
    block = torch.randn(16) * 0.1  # @inspect block
    largest = block.abs().max().item()
    mx_scale = 2.0 ** (math.floor(math.log2(largest)) - 2)  # @inspect mx_scale
    nv_scale = torch.tensor(largest / 6).to(torch.float8_e4m3fn).item()  # @inspect nv_scale
    marks = torch.tensor([-v for v in e2m1] + e2m1)
    errors = {}
    for name, scale in [("no scale", 1.0), ("MX", mx_scale), ("NV", nv_scale)]:
        nearest = (block[:, None] / scale - marks).abs().argmin(dim=1)
        kept = marks[nearest] * scale
        errors[name] = ((kept - block).norm() / block.norm()).item()
    show.table(list(errors.items()), columns=["scale", "relative error"])  # @inspect errors
    text("""
Without a scale all of these numbers become zero. With one, they are off by about a tenth, and take little more than an
eighth of the memory of float32.
""")
    try_this("""
In the code, change `* 0.1` to `* 10`. Without a scale the numbers are now too large, and more than half is lost; with one,
the error stays at about a tenth.
""")
    check(
        "How many bytes do 16 numbers in NVFP4 take?",
        {
            "8": "That is 16 × 4 bits, but the block also needs its scale.",
            "9": "16 × 4 bits are 8 bytes, and the scale in E4M3 takes one more.",
            "16": "A byte for each would be float8. Two numbers of 4 bits share a byte.",
        },
        answer="9",
    )
    remember("Four bits write only eight sizes. A scale for each block puts them where the numbers are.")


def underflow():
    """Which gradients get lost?"""
    text(r"""
A number that is too small for its format becomes zero: that is called *underflow*. It happens to gradients first, because
they are small, and get smaller as the model gets better. The model here learns to tell two clouds of points apart, and the
histogram shows all its gradients after that.
""")
    steps = 100  # @slider 0 200
    grads = gradients_of_a_classifier(steps)  # @stepover
    count = grads.numel()  # @inspect count
    show.histogram(grads.abs().log2(), title="log₂ |gradient|")
    text(r"""
How many of them become zero in fewer bits? There is a cheap remedy, *loss scaling*: multiply the loss by a power of two,
and by the chain rule every gradient is multiplied, too. Before the optimizer uses them, divide again in float32.
""")
    exponent = 0  # @slider 0 24
    lost = {}
    for dtype in [torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2]:
        kept = (grads * 2.0**exponent).to(dtype).float()
        lost[torch.finfo(dtype).dtype] = (kept == 0).float().mean().item()
    show.table(list(lost.items()), columns=["dtype", "share of gradients that became zero"])  # @inspect lost
    shares = []
    for power in range(0, 25, 4):
        scaled = (grads * 2.0**power).to(torch.float16).float()
        shares.append((power, (scaled == 0).float().mean().item()))
    show.plot({"float16": shares}, title="Loss scaling", xlabel="log₂ scale", ylabel="share lost")  # @inspect shares
    try_this("Raise `exponent` from 0 to 16. The share that float16 loses falls from a fifth to nothing.")
    check(
        "Why do you scale the loss before the backward pass, and not the gradients after it?",
        {
            "It makes no difference": "In exact arithmetic it would not. But these are 16-bit numbers, and each is rounded as "
            "soon as it is computed.",
            "Because by then they are zero": "What has been rounded to zero stays zero, whatever you multiply it by.",
            "Because one product is cheaper": "It is cheaper, but that is not the point: scaling the gradients would be too "
            "late.",
        },
        answer="Because by then they are zero",
    )
    remember("Scale the loss up before the backward pass, and the gradients down after it.")


def gradients_of_a_classifier(steps):
    torch.manual_seed(0)
    labels = torch.arange(64) % 2
    points = torch.randn(64, 8) + 3.0 * labels[:, None]
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.9)
    for step in range(steps + 1):
        optimizer.zero_grad()
        F.cross_entropy(model(points), labels).backward()
        if step < steps:
            optimizer.step()
    every = torch.cat([p.grad.flatten() for p in model.parameters()])
    return every[every != 0]  # of a neuron that is off, a gradient is zero by right
