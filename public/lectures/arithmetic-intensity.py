"""Arithmetic intensity: why a chip of a petaFLOP/s spends most of its day waiting."""

import math
import time

import torch
from arithmetic_intensity_exercises import Intensity, KvCacheBytes, SecondsAtLeast  # @stepover
from napkin import check, exercise, remember, show, slip, text, try_this


def main():
    work_and_bytes()
    roofline()
    consequences()


def work_and_bytes():
    """Work and bytes"""
    text(r"""
While a chip computes, it fetches the next data from memory. A job takes as long as the slower of the two, so we count
both: the FLOPs, and the bytes that move. What matters is how many FLOPs there are for each byte.

$$\text{arithmetic intensity} = \frac{\text{FLOPs}}{\text{bytes read and written}}$$

It belongs to the job, whatever chip runs it. Let us compute it for four jobs.
""")
    relu()
    dot_product()
    matrix_vector()
    matrix_matrix()


def relu():
    """What is the intensity of a ReLU?"""
    text("""
A ReLU makes every negative number zero. It reads a number, compares it with zero and writes it back: one FLOP for two trips
to memory.
""")
    n = 1_000_000  # @slider 1 1000000000
    element_size = 2  # @slider 1 8
    flops = n
    moved = n * element_size + n * element_size  # @inspect moved
    intensity = flops / moved  # @inspect intensity
    text("The length `n` cancels, so a longer vector does not help. In float32 each trip moves twice as much:")
    in_float32 = n / (2 * n * 4)  # @inspect in_float32
    text("A GELU is a smoother ReLU that takes some 20 FLOPs. It moves the same bytes.")
    gelu = 20 * n / moved  # @inspect gelu
    try_this("Set `element_size` to 1, as in float8. `intensity` doubles to 0.5.")
    check(
        "An H100 can do some hundreds of FLOPs in the time of one byte. How much longer than a ReLU does a GELU take on it?",
        {
            "20 times": "It does 20 times the FLOPs. But both wait for memory, and the bytes are the same.",
            "Not at all": "5 FLOPs per byte are far below that. The arithmetic is done while the bytes come in.",
        },
        answer="Not at all",
    )
    remember("An elementwise operation does a few FLOPs per byte, and size does not help.")


def dot_product():
    """Is a dot product any better?"""
    text("""
A *dot product* multiplies two vectors element by element and adds up the results. Two vectors of $n$ numbers come in, and
one number goes out. That takes $n$ multiplications and $n - 1$ additions.
""")
    n = 1_000_000  # @slider 1 1000000000
    flops = n + (n - 1)  # @inspect flops
    moved = 2 * n + 2 * n + 2  # @inspect moved
    intensity = flops / moved  # @inspect intensity
    text("That is twice as much as a ReLU has, since little has to be written. It is still very low.")
    try_this("Set `n` to 1. A single product is left: 1 FLOP for 6 bytes, an intensity of 0.17.")
    check(
        "What is the intensity of a long dot product in float32?",
        {
            "1/4": "Two FLOPs for two numbers of 4 bytes.",
            "1/2": "So it is with 2 bytes per number. In float32 each of them takes 4.",
            "1": "You have counted numbers. Intensity counts bytes.",
        },
        answer="1/4",
    )
    remember("A dot product does 1 FLOP for each number that it reads.")


def matrix_vector():
    """Why is a matrix times a vector slow?"""
    text("""
It is $n$ dot products that share the vector. But every element of the matrix is used only once, and most of the bytes are
the matrix.
""")
    n = 4096  # @slider 1 65536
    flops = n * (2 * n - 1)  # @inspect flops
    moved = 2 * (n * n + n + n)  # @inspect moved
    intensity = flops / moved  # @inspect intensity
    text("""
One FLOP per byte. This job matters, because it is how a language model writes: for every new token, each weight matrix is
multiplied by one vector.
""")
    try_this("Set `n` to 64, then to 65536. `intensity` goes from 0.96 to 1, and never above it.")
    check(
        "A 70-billion-parameter model in bfloat16 writes one token, on a chip with 989.5 TFLOP/s and 3.35 TB/s. "
        "How long does it take at least?",
        {
            "0.14 ms": "That is the time for 2 × 70e9 FLOPs at full speed. But all the weights have to be read, too, and this "
            "takes 300 times as long.",
            "42 ms": "140 GB of weights at 3.35 TB/s. The arithmetic is done long before.",
        },
        answer="42 ms",
    )
    remember("A matrix times a vector does 1 FLOP per byte: you wait until the matrix has been read.")


def matrix_matrix():
    """Why are matrix products fast?"""
    text("""
In a product of two $n \\times n$ matrices every element is used $n$ times. So the work grows faster than the bytes.
""")
    n = 1024  # @slider 1 65536
    flops = 2 * n**3  # @inspect flops
    moved = 2 * (n * n + n * n + n * n)  # @inspect moved
    intensity = flops / moved  # @inspect intensity
    text(r"""
The intensity is $2n^3 / 6n^2 = n / 3$. This is the only job of the four where you can raise it: make the matrices larger.
""")
    sizes = [2**k for k in range(4, 15)]
    curve = [(size, size / 3) for size in sizes]
    show.plot({"matrix · matrix": curve}, title="Intensity", xlabel="n", ylabel="FLOP/byte", log="xy")
    slip(
        claim="A matrix-matrix product of size 128 keeps an H100 busy: it is a matrix product, after all.",
        right="It has 42.7 FLOP/byte, and 295 are needed.",
        why="n / 3 reaches that at n = 887. A smaller product waits for memory, as the other jobs do.",
    )
    try_this("Set `n` to 2048. `flops` grows eight times, `moved` four times, and so `intensity` doubles.")
    check(
        "You double n. How do the bytes grow, and how the FLOPs?",
        {
            "Twice and four times": "A matrix has $n^2$ elements, so doubling $n$ makes four times as many of them.",
            "Four times and eight times": "The bytes grow with $n^2$, the FLOPs with $n^3$.",
            "Both eight times": "Then the intensity would stay the same. The bytes grow only with $n^2$.",
        },
        answer="Four times and eight times",
    )
    exercise(
        "`intensity_of_a_product` is for any product, (m, k) @ (k, n), of elements with `element_size` bytes. It forgets some "
        "of the bytes.",
        intensity_of_a_product,
        Intensity,
    )
    remember("A product of two n × n matrices has an intensity of n / 3 in 16 bits.")


def intensity_of_a_product(m, k, n, element_size):
    moved = element_size * (m * k + k * n)
    return 2 * m * k * n / moved


def roofline():
    """The roofline"""
    text(r"""
Now the chip. It has a peak, in FLOP/s, and a *bandwidth*, in bytes per second. The peak divided by the bandwidth is the
intensity at which computing takes exactly as long as fetching. It is called the *ridge*.
""")
    ridges()
    one_roof()
    this_machine()


def ridges():
    """How much work does a chip need per byte?"""
    text("""
An H100 computes at most 989.5 TFLOP/s in bfloat16, with dense matrices, and fetches 3.35 TB/s from its memory. So while one
byte comes in, it could do a lot of arithmetic.
""")
    peak = 989.5e12  # @slider 1e13 1e16
    bandwidth = 3.35e12  # @slider 1e11 1e13
    ridge = peak / bandwidth  # @predict How many FLOPs can it do in the time of one byte? @inspect ridge
    text("Here are some chips, with their dense peaks in bfloat16. From A100 to H100 arithmetic grew faster than bandwidth:")
    chips = [
        ("A100", 312e12, 2.039e12),
        ("H100", 989.5e12, 3.35e12),
        ("H200", 989.5e12, 4.8e12),
        ("B200", 2250e12, 8.0e12),
        ("MI300X", 1307.4e12, 5.3e12),
    ]
    table = [(name, peak, bandwidth, peak / bandwidth) for name, peak, bandwidth in chips]  # @inspect table
    show.table(table, columns=["chip", "FLOP/s", "byte/s", "ridge, FLOP/byte"])
    text("""
In 8 bits the peak doubles, and with it the ridge. But each number takes half the bytes, so the intensity of a product
doubles as well.
""")
    fp8_ridge = 1979e12 / 3.35e12  # @inspect fp8_ridge
    slip(
        claim="An H100 does 1979 TFLOP/s in bfloat16, so its ridge is at 591.",
        right="989.5 TFLOP/s, and 295.",
        why="1979 is for matrices half of whose entries are zero. For dense matrices in float8 it would be right.",
    )
    try_this("Set `bandwidth` to 4.8e12, that of an H200. The ridge falls to 206: the chip is easier to feed.")
    check(
        "An H200 has the peak of an H100 and 1.4 times its bandwidth. Which jobs run faster on it?",
        {
            "All": "A newer chip sounds faster. But a large matrix product does not wait for memory, so more bandwidth does not "
            "help it.",
            "Those that wait for memory": "Below the ridge it is the bandwidth that counts.",
            "None, its peak is the same": "Peaks are what people compare. Most jobs never come near them.",
        },
        answer="Those that wait for memory",
    )
    remember("Ridge = peak ÷ bandwidth. An H100 needs 295 FLOPs for every byte to be busy.")


def one_roof():
    """How fast can each job be?"""
    text(r"""
Below the ridge, a job is as fast as the data come in: its intensity $I$ times the bandwidth. Above the ridge, it is as fast
as the peak. If you plot both, you get a slope and then a flat line, like a roof. No job can be above it.

$$\text{FLOP/s} \le \min(\text{peak},\ I \times \text{bandwidth})$$
""")
    peak = 989.5e12  # @slider 1e13 1e16
    bandwidth = 3.35e12  # @slider 1e11 1e13
    n = 1024  # @slider 16 65536
    jobs = {"relu": 1 / 4, "dot": 1 / 2, "matrix · vector": 1.0, "matrix · matrix": n / 3}
    roof = [(work, min(peak, work * bandwidth)) for work in sorted([1 / 8, peak / bandwidth, max(8192, n)])]
    below = {name: [(work, bandwidth / 8), (work, min(peak, work * bandwidth))] for name, work in jobs.items()}
    show.plot({"roof": roof, **below}, title="Roofline", xlabel="FLOP/byte", ylabel="FLOP/s", log="xy")
    shares = [(name, 100 * min(peak, work * bandwidth) / peak) for name, work in jobs.items()]  # @inspect shares
    show.table(shares, columns=["job", "% of the peak, at most"])
    text("""
A ReLU uses less than a tenth of a percent of the peak, and yet it is as fast as it can be. So before you call a program
slow, ask what its intensity allows.
""")
    show.calculator("roofline", gpu="h100-sxm", dtype="bf16", n=1024)
    try_this("Set `n` to 300. The matrix product slides down the roof, to 34% of the peak.")
    check(
        "You move to a chip with twice the peak and the same bandwidth. How fast is a matrix times a vector there?",
        {
            "Twice as fast": "It would be if it waited for arithmetic. At 1 FLOP per byte it waits for memory.",
            "As fast as before": "And it uses half the share of the peak: the MFU halves, though nothing got slower.",
            "Half as fast": "Its share of the peak halves, but the peak has doubled.",
        },
        answer="As fast as before",
    )
    exercise(
        "How long does a job take at least, under this roof? `seconds_at_least` returns too long a time.",
        seconds_at_least,
        SecondsAtLeast,
    )
    remember("FLOP/s ≤ the smaller of peak and intensity × bandwidth.")


def seconds_at_least(flops, moved, peak, bandwidth):
    return flops / peak + moved / bandwidth


def this_machine():
    """And your machine?"""
    text("""
It has a roof, too, and you can measure it. We time two jobs: an addition, which mostly moves bytes, and a matrix product,
which mostly computes.
""")
    device = "cuda" if torch.cuda.is_available() else "cpu"  # @inspect device
    n = 512  # @slider 128 2048 128
    a = torch.ones(n, n, device=device)
    b = torch.ones(n, n, device=device)
    add_seconds = best_of(4, lambda: a + b, device)  # @stepover
    product_seconds = best_of(4, lambda: a @ b, device)  # @stepover
    bytes_per_second = 3 * 4 * n * n / add_seconds  # @inspect bytes_per_second
    flops_per_second = 2 * n**3 / product_seconds  # @inspect flops_per_second
    ridge_here = flops_per_second / bytes_per_second  # @inspect ridge_here
    text("""
Be careful with small tensors. They fit into *caches*, small and fast memories on the chip, and then the bandwidth looks
better than it is. This survey of your machine uses large ones:
""")
    show.machine()
    try_this("Set `n` to 128, then to 2048. `bytes_per_second` often falls, when the tensors no longer fit into a cache.")
    check(
        "Why does `best_of` keep the fastest of several runs?",
        {
            "To look good": "It can look like that. But nothing can make a program run faster than the machine allows.",
            "Because other programs only ever slow a run down": "The fastest run was disturbed least, so it says most about "
            "the machine.",
            "Because the first run is the fastest": "It is often the slowest: memory is reserved, and kernels are compiled. That "
            "is why there is one to warm up.",
        },
        answer="Because other programs only ever slow a run down",
    )
    remember("Measure before you believe: your own peak and bandwidth give your own ridge.")


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
    """Why do several operations at once?"""
    text("""
Elementwise operations wait for memory. So when a number is on the chip, do everything with it that you want to do before
you write it back. A chain of $k$ operations then moves the bytes of a single one. This is called *fusion*.
""")
    k = 4  # @slider 1 32
    n = 1_000_000
    apart = k * n / (k * 4 * n)  # @inspect apart
    fused = k * n / (4 * n)  # @inspect fused
    faster = fused / apart  # @inspect faster
    text("""
Compilers for tensors do this for you. FlashAttention does it by hand: it never writes the attention scores to memory.
""")
    try_this("Set `k` to 32. The fused chain has 8 FLOPs per byte, and is 32 times as fast.")
    check(
        "Four operations are fused into one. What gets less?",
        {
            "The FLOPs": "All four operations are still done, on every element.",
            "The bytes": "Three times nothing has to be written and read again in between.",
            "Both": "It is four times as fast, so it seems to do less of everything. It does the same arithmetic.",
        },
        answer="The bytes",
    )
    remember("Fusion saves trips to memory, not arithmetic.")


def batches():
    """How large should a batch be?"""
    text(r"""
A language model writes token by token. If it serves one reader, every weight matrix is multiplied by one vector: 1 FLOP per
byte. If it serves $B$ readers at once, it reads each matrix once for all of them. For weights of size $D \times D$ in
bfloat16:
""")
    B = 1  # @slider 1 4096
    D = 8192  # @slider 1024 65536
    intensity = 2 * B * D * D / (2 * (B * D + D * D + B * D))  # @inspect intensity
    busy = min(1.0, intensity / (989.5e12 / 3.35e12))  # @inspect busy
    text("How many sequences does it take to keep an H100 busy? Set the intensity equal to the ridge, and solve for $B$.")
    ridge = 989.5e12 / 3.35e12
    needed = math.ceil(ridge * D / (D - 2 * ridge))  # @predict How many sequences at D = 8192? | 32 | 319 | 8192 @inspect needed
    curve = [(b, b * D / (2 * b + D)) for b in [2**k for k in range(13)]]
    lines = {"weights": curve, "ridge": [(1, ridge), (4096, ridge)]}
    show.plot(lines, title="Intensity of a batch", xlabel="sequences", ylabel="FLOP/byte", log="xy")
    text("Below that number, a step for one reader takes nearly as long as a step for all of them.")
    try_this("Set `B` to 32. `busy` is 0.107: 32 readers are served, and the chip still waits most of the time.")
    check(
        "A server writes for 32 readers at once instead of one. How much longer does a step take?",
        {
            "32 times": "It does 32 times the FLOPs. But it waits for the weights, and these are read once for all.",
            "Hardly longer": "The weights take the time, and all readers share them.",
            "It is faster": "Per reader it is. The step itself does not get shorter.",
        },
        answer="Hardly longer",
    )
    remember("Readers share the weights: below the ridge, more readers cost almost no time.")


def attention():
    """Does a larger batch help attention, too?"""
    text(r"""
All sequences share the weights. But each sequence has keys and values of its own, for every token so far: the *KV cache*.
With $S$ tokens in it and heads of size $d$, each head does $4 S d$ FLOPs on $2 S d$ numbers. More sequences or longer ones
have more of both, so the intensity stays the same.
""")
    S = 8192  # @slider 1 1000000
    d = 128
    intensity = 4 * S * d / (2 * 2 * S * d)  # @inspect intensity
    text("It helps if several query heads share their keys and values. In Llama 3.1 70B eight of them do.")
    queries_per_kv = 8  # @slider 1 64
    with_groups = intensity * queries_per_kv  # @inspect with_groups
    text("That is still far below the ridge. Reading a long text again for each token takes bandwidth, not arithmetic.")
    show.calculator("kv", model="llama-3.1-8b", sequence=8192)
    try_this("Set `queries_per_kv` to 64, so that all heads share one cache. Even then there are 64 FLOPs per byte, not 295.")
    check(
        "Llama 3.1 70B has 80 layers, 64 query heads, 8 heads of keys and values, and heads of size 128. How much KV cache "
        "does a token take in 16 bits?",
        {
            "164 kB": "80 × 8 × 128 × 2 bytes. But there are keys *and* values: twice as much.",
            "328 kB": "2 × 80 × 8 × 128 × 2 bytes: keys and values, layers, heads, size, bytes.",
            "2.6 MB": "You have used all 64 heads, or the width of 8192, as many formulas do. Only keys and values are stored, "
            "and these have 8 heads.",
        },
        answer="328 kB",
    )
    exercise(
        "How many bytes does the KV cache of a whole batch take, in 16 bits? `kv_cache_bytes` counts only some of it.",
        kv_cache_bytes,
        KvCacheBytes,
    )
    remember("Every sequence has its own KV cache, so a larger batch does not raise the intensity of attention.")


def kv_cache_bytes(batch, seq, layers, kv_heads, head_dim):
    return batch * seq * layers * kv_heads * head_dim * 2


if __name__ == "__main__":
    main()
