"""Right and wrong attempts at the exercises of the lecture on arithmetic intensity."""

import math

import torch
from arithmetic_intensity_exercises import Intensity, KvCacheBytes, SecondsAtLeast
from judged import judged


@judged(Intensity)
def intensity_of_a_product(m, k, n, element_size):
    return 2 * m * k * n / ((m * k + k * n + m * n) * element_size)


@judged(Intensity)
def intensity_of_a_product(m, k, n, element_size):
    return 2 / element_size / (1 / n + 1 / m + 1 / k)


@judged(Intensity)
def intensity_of_a_product(m, k, n, element_size):
    with torch.device("meta"):
        a, b = torch.empty(m, k), torch.empty(k, n)
        moved = sum(x.numel() for x in [a, b, a @ b]) * element_size
    return torch.tensor(2 * m * k * n / moved, dtype=torch.float64)


@judged(Intensity, "its bytes are missing. For (64, 64) @ (64, 64) in torch.float16, 21.333333 is right.")
def intensity_of_a_product(m, k, n, element_size):
    return 2 * m * k * n / (element_size * (m * k + k * n))


@judged(Intensity, "this is half of the FLOPs")
def intensity_of_a_product(m, k, n, element_size):
    return m * k * n / (element_size * (m * k + k * n + m * n))


@judged(Intensity, "Intensity counts bytes")
def intensity_of_a_product(m, k, n, element_size):
    return 2 * m * k * n / (m * k + k * n + m * n)


@judged(Intensity, "For (8, 32) @ (32, 16) in torch.float32, it returns 4.5714286, but should return 2.2857143.")
def intensity_of_a_product(m, k, n, element_size):
    return 2 * m * k * n / (2 * (m * k + k * n + m * n))


@judged(Intensity, "For (1, 512) @ (512, 256) in torch.bfloat16, it returns 170.66667")
def intensity_of_a_product(m, k, n, element_size):
    return 2 * k / (3 * element_size)


@judged(Intensity, "It returns a tuple, but should return a number: 21.333333.")
def intensity_of_a_product(m, k, n, element_size):
    return 2 * m * k * n, element_size * (m * k + k * n + m * n)


@judged(Intensity, "NameError: name 'size' is not defined")
def intensity_of_a_product(m, k, n, element_size):
    return 2 * m * k * n / (size * (m * k + k * n + m * n))


@judged(SecondsAtLeast)
def seconds_at_least(flops, moved, peak, bandwidth):
    arithmetic, memory = flops / peak, moved / bandwidth
    return arithmetic if arithmetic > memory else memory


@judged(SecondsAtLeast)
def seconds_at_least(flops, moved, peak, bandwidth):
    return flops / min(peak, flops / moved * bandwidth)


@judged(SecondsAtLeast)
def seconds_at_least(flops, moved, peak, bandwidth):
    return torch.tensor([flops / peak, moved / bandwidth], dtype=torch.float64).max()


@judged(SecondsAtLeast, "But a chip computes while it fetches. For a matrix product, 0.00013889")
def seconds_at_least(flops, moved, peak, bandwidth):
    return flops / peak + moved / bandwidth


@judged(SecondsAtLeast, "This is the arithmetic alone, but a ReLU waits for memory.")
def seconds_at_least(flops, moved, peak, bandwidth):
    return flops / peak


@judged(SecondsAtLeast, "This is the memory alone, but a matrix product waits for arithmetic.")
def seconds_at_least(flops, moved, peak, bandwidth):
    return min(flops / peak, moved / bandwidth)


@judged(SecondsAtLeast, "For a ReLU on another chip, it returns 0.0011940299, but should return 0.0019607843.")
def seconds_at_least(flops, moved, peak, bandwidth):
    return max(flops / 989.5e12, moved / 3.35e12)


@judged(SecondsAtLeast, "For a matrix product, it returns")
def seconds_at_least(flops, moved, peak, bandwidth):
    return math.hypot(flops / peak, moved / bandwidth)


@judged(SecondsAtLeast, "It returns nothing")
def seconds_at_least(flops, moved, peak, bandwidth):
    print(max(flops / peak, moved / bandwidth))


@judged(KvCacheBytes)
def kv_cache_bytes(batch, seq, layers, kv_heads, head_dim):
    return 4 * batch * seq * layers * kv_heads * head_dim


@judged(KvCacheBytes)
def kv_cache_bytes(batch, seq, layers, kv_heads, head_dim):
    both = torch.empty(2, layers, batch, seq, kv_heads, head_dim, dtype=torch.float16, device="meta")
    return both.untyped_storage().nbytes()


@judged(KvCacheBytes)
def kv_cache_bytes(batch, seq, layers, kv_heads, head_dim):
    total = 0
    for _ in range(layers):
        total += math.prod([batch, seq, kv_heads, head_dim]) * (2 + 2)
    return float(total)


@judged(KvCacheBytes, "For (batch, seq, layers, kv_heads, head_dim) = (1, 1, 80, 8, 128), 327,680 is right.")
def kv_cache_bytes(batch, seq, layers, kv_heads, head_dim):
    return 2 * batch * seq * layers * kv_heads * head_dim


@judged(KvCacheBytes, "This is the cache of one sequence")
def kv_cache_bytes(batch, seq, layers, kv_heads, head_dim):
    return 4 * seq * layers * kv_heads * head_dim


@judged(KvCacheBytes, "This is twice too much")
def kv_cache_bytes(batch, seq, layers, kv_heads, head_dim):
    return 2 * 4 * batch * seq * layers * kv_heads * head_dim


@judged(KvCacheBytes, "You count keys, and no bytes")
def kv_cache_bytes(batch, seq, layers, kv_heads, head_dim):
    return batch * seq * layers * kv_heads * head_dim


@judged(KvCacheBytes, "= (32, 512, 80, 8, 128), it returns 10,485,760, but should return 5,368,709,120.")
def kv_cache_bytes(batch, seq, layers, kv_heads, head_dim):
    return 4 * batch * layers * kv_heads * head_dim


@judged(KvCacheBytes, "= (2, 16, 4, 2, 8), it returns 524,288, but should return 8,192.")
def kv_cache_bytes(batch, seq, layers, kv_heads, head_dim):
    return 4 * batch * seq * layers * 8 * 128
