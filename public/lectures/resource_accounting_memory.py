"""Memory accounting: tensors, their bytes and their number formats."""

import math

import torch
import torch.nn.functional as F
from napkin import show, slip, text
from torch import nn


def memory_accounting():
    """Memory accounting"""
    text("Parameters, gradients, optimizer state, data, activations: all are tensors. So count tensors.")
    making_tensors()
    bytes_of_a_tensor()
    float_formats()
    finfo_table()
    small_formats()
    underflow()


def making_tensors():
    """Making tensors"""
    text("A tensor is a grid of numbers with any number of dimensions. From a list of lists:")
    x = torch.tensor([[1.0, 2, 3], [4, 5, 6]])  # @inspect x
    text("Filled with something:")
    zeros = torch.zeros(4, 8)  # @inspect zeros
    ones = torch.ones(4, 8)  # @inspect ones
    text("Random numbers come from a generator with a seed. Same seed, same numbers.")
    seed = 0  # @slider 0 100
    torch.manual_seed(seed)
    normal = torch.randn(4, 8)  # @inspect normal
    text("`empty` asks for memory and leaves it as it is. Fill it yourself, say with a normal cut off at ±2:")
    drawn = torch.empty(4, 8)
    nn.init.trunc_normal_(drawn, mean=0, std=1, a=-2, b=2)  # @inspect drawn
    largest = drawn.abs().max().item()  # @inspect largest
    show.heat(drawn)


def bytes_of_a_tensor():
    """How many bytes is a tensor?"""
    text(r"""
$$\text{bytes} = \text{number of elements} \times \text{bytes of one element}$$

The dtype settles the second factor. Unless told otherwise it is float32: 4 bytes.
""")
    rows = 4  # @slider 1 64
    columns = 8  # @slider 1 64
    x = torch.zeros(rows, columns)
    elements = x.numel()  # @inspect elements
    element_size = x.element_size()  # @inspect element_size
    x_bytes = elements * element_size  # @inspect x_bytes
    text("Now a feed-forward matrix of GPT-3. It has 96 layers with two of these in each.")
    matrix = torch.empty(12288 * 4, 12288)  # @stepover
    matrix_mib = matrix.numel() * matrix.element_size() / 2**20  # @inspect matrix_mib
    half_mib = matrix.numel() * torch.finfo(torch.float16).bits / 8 / 2**20  # @inspect half_mib
    show.calculator("tensor", shape="49152x12288", dtype="fp32")
    slip(
        claim="A feed-forward matrix of GPT-3 takes 2304 MiB in float16.",
        right="2304 MiB is float32. In float16 it takes 1152 MiB.",
        why="49152 × 12288 × 4 B = 2304 · 2²⁰ B. Two bytes per element make half of that.",
    )


def float_formats():
    """What is in a float?"""
    text(r"""
A sign, an exponent and a fraction: $\pm 1.\text{fraction} \times 2^{\text{exponent}}$. Bits of exponent buy range, bits
of fraction precision. `eps` is the gap after 1, so the fraction has $-\log_2 \text{eps}$ bits.
""")
    splits = []
    for dtype in [torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.float8_e5m2]:
        info = torch.finfo(dtype)
        fraction = round(-math.log2(info.eps))
        splits.append((info.dtype, 1, info.bits - 1 - fraction, fraction))
    splits.append(("tf32", 1, 8, 10))
    splits.append(("float4_e2m1", 1, 2, 1))  # @inspect splits
    show.table(splits, columns=["format", "sign", "exponent", "fraction"])
    text("float16 spends its bits on precision. bfloat16 has float32's exponent, and little else.")
    number = 1e-8  # @slider 1e-12 1e6
    survives = torch.tensor(number, dtype=torch.bfloat16).item() != 0  # @predict Is 1e-8 more than zero in bfloat16? | yes | no @inspect survives
    in_bf16 = torch.tensor(number, dtype=torch.bfloat16).item()  # @inspect in_bf16
    in_fp16 = torch.tensor(number, dtype=torch.float16).item()  # @inspect in_fp16
    show.bits(number, torch.float16)
    show.bits(number, torch.bfloat16)
    text("One of the two rounds to zero in silence, the other is 0.1% off. Training forgives being off, but no zeros.")
    show.number_line(torch.float32, torch.float16, torch.bfloat16, "tf32")


def finfo_table():
    """The limits of each format"""
    text("""
Hence bfloat16 for training: it reaches as far as float32. `tiny` is the smallest number with full precision. Below it,
fractions lose bits one by one, until none is left.
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


def small_formats():
    """Eight bits, and four"""
    text(r"""
float8 comes as E4M3, for weights and activations, and as E5M2, whose longer reach suits gradients. Four bits, E2M1,
make sixteen patterns. Eight of them are positive:
""")
    e2m1 = [0.0, 0.5] + [(1 + half) * 2.0**power for power in range(3) for half in [0, 0.5]]  # @inspect e2m1
    show.number_line(torch.float8_e4m3fn, torch.float8_e5m2, "fp4")
    text(r"""
A ruler with eight marks. So move the ruler: a block of neighbours shares one scale. In MX formats that is a power of two
for 32 numbers, in NVFP4 an E4M3 number for 16.
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
    text("Without a scale all are zero. With one, four bits are off by a tenth, and an eighth of the memory.")


def underflow():
    """Where underflow bites"""
    text(r"""
Small numbers live among gradients, and the better the model, the smaller they are. This one learns to tell two
clouds of points apart. Here are all its gradients after that.
""")
    steps = 100  # @slider 0 200
    grads = gradients_of_a_classifier(steps)  # @stepover
    count = grads.numel()  # @inspect count
    show.histogram(grads.abs().log2(), title="log₂ |gradient|")
    text(r"""
How many become zero in fewer bits? The remedy is cheap: multiply the loss by a power of two, and by the chain rule
all gradients follow. Divide again in float32, before the optimizer sees them.
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
