"""Writes fp4.json: tensors in FP4 under block scales, by NumPy and ml_dtypes' float4_e2m1fn, float8_e8m0fnu and
float8_e4m3fn. The rules are those of OCP Microscaling Formats 1.0, section 6.3, and of NVFP4.

    pip install numpy ml_dtypes
    python fp4.py
"""

import json
import pathlib

import ml_dtypes
import numpy as np

E2M1, E8M0, E4M3 = ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e8m0fnu, ml_dtypes.float8_e4m3fn
rng = np.random.default_rng(4)


def packed(numbers):
    codes = numbers.astype(E2M1).view(np.uint8) & 15
    pairs = codes.reshape(*codes.shape[:-2], codes.shape[-2] * codes.shape[-1] // 2, 2)
    return pairs[..., 0] | pairs[..., 1] << 4


def mx(x):
    blocks = x.reshape(*x.shape[:-1], x.shape[-1] // 32, 32)
    largest = np.abs(blocks).max(-1, initial=0)
    exponent = np.where(largest > 0, np.frexp(largest)[1] - 1, -1000)
    scales = np.exp2(np.clip(exponent - 2, -127, 127).astype(np.float64)).astype(np.float32).astype(E8M0)
    wide = scales.astype(np.float64)[..., None]
    codes = packed(np.clip(blocks / wide, -6, 6))
    numbers = np.clip(blocks / wide, -6, 6).astype(E2M1).astype(np.float64) * wide
    return codes, scales.view(np.uint8), 1.0, numbers.reshape(x.shape)


def nv(x):
    blocks = x.reshape(*x.shape[:-1], x.shape[-1] // 16, 16)
    largest = np.abs(blocks).max(-1, initial=0).astype(np.float32)
    scale = np.float32(largest.max(initial=0) * np.float32(1 / (6 * 448))) or np.float32(1)
    scales = (largest * np.float32(1 / 6) / scale).astype(E4M3)
    wide = (scales.astype(np.float32) * scale)[..., None]
    # Where a block is so small beside the others that its scale is 0, all its numbers are.
    quotient = np.divide(blocks, wide, out=np.copysign(np.zeros_like(blocks), blocks), where=wide != 0)
    numbers = np.clip(quotient, -6, 6).astype(E2M1).astype(np.float32) * wide
    return packed(np.clip(quotient, -6, 6)), scales.view(np.uint8), float(scale), numbers.reshape(x.shape)


def special():
    """Ties, zeros of both signs, the ends of the range, blocks of nothing but zeros."""
    ties = np.array([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5, 6, 0.2499999, 0.7500001, 5.0000005, 4.9999995])
    row = np.zeros(64)
    row[: len(ties)], row[16 : 16 + len(ties)] = ties, -ties
    row[30:32] = 6, -0.0
    return np.stack([row, row * 2.0**20, np.zeros(64), -np.zeros(64)]).astype(np.float32)


cases = []
for x in [
    special(),
    rng.standard_normal((3, 64)).astype(np.float32),
    (rng.standard_normal((2, 3, 96)) * np.exp2(rng.integers(-60, 60, (2, 3, 1)))).astype(np.float32),
    np.exp2(rng.integers(-30, 30, (4, 32))).astype(np.float32),
    np.zeros((0, 32), np.float32),
]:
    for scaling, quantize in [("mx", mx), ("nv", nv)]:
        codes, scales, scale, numbers = quantize(x)
        cases.append({
            "scaling": scaling,
            "shape": x.shape,
            "input": x.view(np.uint32).flatten().tolist(),
            "codes": codes.flatten().tolist(),
            "scales": scales.flatten().tolist(),
            "scale": scale,
            "numbers": numbers.astype(np.float32).view(np.uint32).flatten().tolist(),
        })
path = pathlib.Path(__file__).with_name("fp4.json")
path.write_text(json.dumps(cases, separators=(",", ":")) + "\n")
print(f"{path.name}: {len(cases)} cases, {path.stat().st_size} bytes")
