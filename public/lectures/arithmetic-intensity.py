"""Arithmetic intensity: why a chip of a petaFLOP/s spends most of its day waiting."""

import math
import time

import torch
from napkin import show, slip, text


def main():
    work_and_bytes()
    roofline()
    consequences()


def work_and_bytes():
    """Work and bytes"""
    text(r"""
A chip computes and fetches at the same time. Whichever takes longer is the time. So count both.

$$\text{arithmetic intensity} = \frac{\text{FLOPs}}{\text{bytes read and written}}$$

It belongs to the job, not to the chip.
""")
    relu()
    dot_product()
    matrix_vector()
    matrix_matrix()


def relu():
    """ReLU"""
    text("Read a number, compare it with zero, write it back: one FLOP for two trips to memory.")
    n = 1_000_000  # @slider 1 1000000000
    element_size = 2  # @slider 1 8
    flops = n
    moved = n * element_size + n * element_size  # @inspect moved
    intensity = flops / moved  # @inspect intensity
    text("The length cancels: no vector is long enough to help. In float32 each trip is twice as long:")
    in_float32 = n / (2 * n * 4)  # @inspect in_float32
    text("GELU does some 20 FLOPs for the same bytes, in the same time.")
    gelu = 20 * n / moved  # @inspect gelu


def dot_product():
    """Dot product"""
    text("Two vectors come in, one number goes out: $n$ multiplications and $n - 1$ additions.")
    n = 1_000_000  # @slider 1 1000000000
    flops = n + (n - 1)  # @inspect flops
    moved = 2 * n + 2 * n + 2  # @inspect moved
    intensity = flops / moved  # @inspect intensity
    text("Twice the ReLU's, and still far from anything.")


def matrix_vector():
    """Matrix times vector"""
    text("$n$ dot products that share the vector. Every element of the matrix is used once.")
    n = 4096  # @slider 1 65536
    flops = n * (2 * n - 1)  # @inspect flops
    moved = 2 * (n * n + n + n)  # @inspect moved
    intensity = flops / moved  # @inspect intensity
    text("One FLOP per byte. Remember this one: it is how language models write.")


def matrix_matrix():
    """Matrix times matrix"""
    text("Now every element is used $n$ times, and work grows faster than bytes.")
    n = 1024  # @slider 1 65536
    flops = 2 * n**3  # @inspect flops
    moved = 2 * (n * n + n * n + n * n)  # @inspect moved
    intensity = flops / moved  # @inspect intensity
    text(r"$2n^3 / 6n^2 = n / 3$: the one job whose intensity you choose.")
    sizes = [2**k for k in range(4, 15)]
    curve = [(size, size / 3) for size in sizes]
    show.plot({"matrix · matrix": curve}, title="Intensity", xlabel="n", ylabel="FLOP/byte", log="xy")
    slip(
        claim="A matrix-matrix product of size 128 keeps an H100 busy: it is a matrix product, after all.",
        right="It has 42.7 FLOP/byte where 295 are needed.",
        why="n / 3 reaches it at n = 887. Below that a product waits for memory like everybody else.",
    )


def roofline():
    """The roofline"""
    text(r"""
Now the chip. Its peak over its bandwidth is the intensity at which computing takes as long as fetching: the *ridge*.
""")
    ridges()
    one_roof()
    this_machine()


def ridges():
    """Where is the ridge?"""
    text("An H100 computes 989.5 TFLOP/s in bfloat16, dense, and fetches 3.35 TB/s.")
    peak = 989.5e12  # @slider 1e13 1e16
    bandwidth = 3.35e12  # @slider 1e11 1e13
    ridge = peak / bandwidth  # @predict How many FLOPs can it do in the time of one byte? @inspect ridge
    text("Dense peaks in bfloat16, and what it takes to feed them. From A100 to H100 the arithmetic ran ahead:")
    chips = [
        ("A100", 312e12, 2.039e12),
        ("H100", 989.5e12, 3.35e12),
        ("H200", 989.5e12, 4.8e12),
        ("B200", 2250e12, 8.0e12),
        ("MI300X", 1307.4e12, 5.3e12),
    ]
    table = [(name, peak, bandwidth, peak / bandwidth) for name, peak, bandwidth in chips]  # @inspect table
    show.table(table, columns=["chip", "FLOP/s", "byte/s", "ridge, FLOP/byte"])
    text("In 8 bits the peak doubles, and so does the ridge. But bytes halve, so the same product gets by.")
    fp8_ridge = 1979e12 / 3.35e12  # @inspect fp8_ridge
    slip(
        claim="An H100 does 1979 TFLOP/s in bfloat16, so its ridge is at 591.",
        right="989.5 TFLOP/s, and 295.",
        why="1979 is for matrices half of whose entries are zero. In float8 it would be right.",
    )


def one_roof():
    """Everything under one roof"""
    text(r"""
Below the ridge, speed is intensity times bandwidth: a slope. Above it, the peak: a ceiling. Nothing gets through.

$$\text{FLOP/s} \le \min(\text{peak},\ \text{intensity} \times \text{bandwidth})$$
""")
    peak = 989.5e12  # @slider 1e13 1e16
    bandwidth = 3.35e12  # @slider 1e11 1e13
    n = 1024  # @slider 16 65536
    jobs = {"relu": 1 / 4, "dot": 1 / 2, "matrix · vector": 1.0, "matrix · matrix": n / 3}
    roof = [(2.0**k, min(peak, 2.0**k * bandwidth)) for k in range(-3, 14)]
    dots = [(work, min(peak, work * bandwidth)) for work in jobs.values()]
    show.plot({"roof": roof, "jobs": dots}, title="Roofline", xlabel="FLOP/byte", ylabel="FLOP/s", log="xy")
    shares = [(name, 100 * min(peak, work * bandwidth) / peak) for name, work in jobs.items()]  # @inspect shares
    show.table(shares, columns=["job", "% of the peak, at most"])
    text("A ReLU uses a twelfth of a percent of the chip, and is as fast as it can be. A low MFU is not always a fault.")
    show.calculator("roofline", gpu="h100-sxm", dtype="bf16", n=1024)


def this_machine():
    """And your machine?"""
    text("It has a roof, too. Two jobs, timed: one that only moves bytes, one that mostly computes.")
    device = "cuda" if torch.cuda.is_available() else "cpu"  # @inspect device
    n = 512  # @slider 128 2048 128
    a = torch.ones(n, n, device=device)
    b = torch.ones(n, n, device=device)
    add_seconds = best_of(4, lambda: a + b, device)  # @stepover
    product_seconds = best_of(4, lambda: a @ b, device)  # @stepover
    bytes_per_second = 3 * 4 * n * n / add_seconds  # @inspect bytes_per_second
    flops_per_second = 2 * n**3 / product_seconds  # @inspect flops_per_second
    ridge_here = flops_per_second / bytes_per_second  # @inspect ridge_here
    text("Small tensors stay in caches, which flatters the bytes. The survey knows that:")
    show.machine()


def best_of(tries, job, device):
    """Seconds of the fastest run of `job`, after one to warm up; of several at once where a clock could not tell one."""
    job()
    best, count = math.inf, 1
    while tries:
        start = time.perf_counter()
        for _ in range(count):
            job()
        if device == "cuda":
            torch.cuda.synchronize()
        seconds = time.perf_counter() - start
        if seconds < 1e-3:
            count *= 2
        else:
            best, tries = min(best, seconds / count), tries - 1
    return best


def consequences():
    """What follows"""
    fusion()
    batches()
    attention()


def fusion():
    """Fusion"""
    text("Memory bounds elementwise operations. So do several per trip: a chain of $k$ costs the bytes of one.")
    k = 4  # @slider 1 32
    n = 1_000_000
    apart = k * n / (k * 4 * n)  # @inspect apart
    fused = k * n / (4 * n)  # @inspect fused
    faster = fused / apart  # @inspect faster
    text("That is most of what compilers for tensors do, and why FlashAttention never writes its scores down.")


def batches():
    """How large a batch?"""
    text(r"""
A language model writes token by token. With one sequence, every weight matrix meets a single vector: 1 FLOP/byte. With
$B$ sequences it is read once for all of them. For $D \times D$ weights in bfloat16:
""")
    B = 1  # @slider 1 4096
    D = 8192  # @slider 1024 65536
    intensity = 2 * B * D * D / (2 * (B * D + D * D + B * D))  # @inspect intensity
    busy = min(1.0, intensity / (989.5e12 / 3.35e12))  # @inspect busy
    text("How many sequences until an H100 is no longer bored? Solve intensity = ridge for $B$.")
    ridge = 989.5e12 / 3.35e12
    needed = math.ceil(ridge * D / (D - 2 * ridge))  # @predict How many sequences at D = 8192? | 32 | 319 | 8192 @inspect needed
    curve = [(b, b * D / (2 * b + D)) for b in [2**k for k in range(13)]]
    lines = {"weights": curve, "ridge": [(1, ridge), (4096, ridge)]}
    show.plot(lines, title="Intensity of a batch", xlabel="sequences", ylabel="FLOP/byte", log="xy")
    text("Below that, serving one reader costs nearly what serving them all does.")


def attention():
    """Attention does not share"""
    text(r"""
All sequences share the weights. Nobody shares a cache of keys and values: for $S$ tokens read so far, each head does
$4 S d$ FLOPs on $2 S d$ numbers. Sequences and length cancel.
""")
    S = 8192  # @slider 1 1000000
    d = 128
    intensity = 4 * S * d / (2 * 2 * S * d)  # @inspect intensity
    text("It helps if query heads share keys and values. In Llama 3.1 70B eight do.")
    queries_per_kv = 8  # @slider 1 64
    with_groups = intensity * queries_per_kv  # @inspect with_groups
    show.calculator("kv", model="llama-3.1-70b", sequence=8192)
    text("Still far below the ridge: long contexts are a matter of bandwidth. No faster arithmetic will help.")


if __name__ == "__main__":
    main()
