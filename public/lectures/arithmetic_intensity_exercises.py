"""The exercises of the lecture: hints, a solution, and a check that says what is wrong with an attempt."""

import torch
from exercise_checks import differs


class Intensity:
    hints = [
        "Two matrices are read, and one is written.",
        "The result has m × n numbers, and they move, too.",
    ]

    def solution(m, k, n, element_size):
        numbers = m * k + k * n + m * n
        return 2 * m * k * n / (element_size * numbers)

    def check(intensity):
        for m, k, n, dtype in [(64, 64, 64, torch.float16), (1, 512, 256, torch.bfloat16), (8, 32, 16, torch.float32)]:
            a, b = torch.ones(m, k, dtype=dtype), torch.ones(k, n, dtype=dtype)
            size = a.element_size()
            numbers = a.numel() + b.numel() + (a @ b).numel()
            right = 2 * m * k * n / (size * numbers)
            mistakes = [
                (2 * m * k * n / (size * (m * k + k * n)), "The result has to be written, too: its bytes are missing."),
                (right / 2, "Each multiplication comes with an addition: this is half of the FLOPs."),
                (right * size, "You divide by numbers. Intensity counts bytes."),
            ]
            fault = differs(intensity(m, k, n, size), right, f"For ({m}, {k}) @ ({k}, {n}) in {dtype}", mistakes)
            if fault:
                return fault


class SecondsAtLeast:
    hints = [
        "How long would the arithmetic take alone? And the memory alone?",
        "Both happen at the same time, so the slower of the two decides.",
    ]

    def solution(flops, moved, peak, bandwidth):
        return max(flops / peak, moved / bandwidth)

    def check(seconds_at_least):
        for name, flops, moved, peak, bandwidth in [
            ("a matrix product", 2 * 4096**3, 3 * 2 * 4096**2, 989.5e12, 3.35e12),
            ("a ReLU", 1e9, 4e9, 989.5e12, 3.35e12),
            ("a ReLU on another chip", 1e9, 4e9, 312e12, 2.04e12),
        ]:
            arithmetic, memory = flops / peak, moved / bandwidth
            mistakes = [
                (arithmetic + memory, "You add the two times. But a chip computes while it fetches."),
                (arithmetic, f"This is the arithmetic alone, but {name} waits for memory."),
                (memory, f"This is the memory alone, but {name} waits for arithmetic."),
            ]
            right = max(arithmetic, memory)
            fault = differs(seconds_at_least(flops, moved, peak, bandwidth), right, f"For {name}", mistakes)
            if fault:
                return fault


class KvCacheBytes:
    hints = [
        "A token leaves two vectors in each layer and each head: a key and a value.",
        "In 16 bits each number takes 2 bytes. So there are two factors of 2.",
    ]

    def solution(batch, seq, layers, kv_heads, head_dim):
        numbers = 2 * layers * kv_heads * head_dim
        return batch * seq * numbers * 2

    def check(kv_cache_bytes):
        for sizes in [(1, 1, 80, 8, 128), (32, 512, 80, 8, 128), (2, 16, 4, 2, 8)]:
            batch, seq, layers, kv_heads, head_dim = sizes
            keys = torch.empty(layers, batch, kv_heads, seq, head_dim, dtype=torch.bfloat16, device="meta")
            right = 2 * keys.numel() * keys.element_size()
            mistakes = [
                (right / 2, "This is half: there are keys *and* values, and each number takes 2 bytes."),
                (right / 4, "You count keys, and no bytes. There are values, too, and each number takes 2 bytes."),
                (right * 2, "This is twice too much: in 16 bits a number takes 2 bytes."),
                (right / batch, "This is the cache of one sequence. Each has its own."),
            ]
            fault = differs(kv_cache_bytes(*sizes), right, f"For (batch, seq, layers, kv_heads, head_dim) = {sizes}", mistakes)
            if fault:
                return fault
