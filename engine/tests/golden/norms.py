"""Writes norms.json: torch.linalg.vector_norm of every order, with gradients.

    pip install torch
    python norms.py
"""

import json
import pathlib
import random

import torch
from figures import laid, number, told, upstream, values

random.seed(7)
torch.manual_seed(7)
cases = []
for ord in [0, 0.5, 1, 1.5, 2, 3, 4.5, -1, -2, float("inf"), float("-inf")]:
    for shape, dims in [([5], []), ([3, 4], [1]), ([3, 4], [-2]), ([2, 3, 4], [0, 2]), ([17, 3], []), ([], []), ([1, 63], [1])]:
        for dtype in ["float32", "float64"]:
            x = laid(shape, dtype, "any")
            if random.random() < 0.5 and shape:
                x = x.clone(memory_format=torch.contiguous_format)
                x.view(-1)[:: max(1, x.numel() // 2)] = 0
            case = {"ord": number(float(ord)), "x": told(x), "dims": dims}
            x = x.clone().requires_grad_()
            keepdim = random.random() < 0.5
            out = torch.linalg.vector_norm(x, ord, dims or None, keepdim)
            out.backward(upstream(out))
            cases.append(case | {"keepdim": keepdim, "shape": list(out.shape), "out": values(out),
                                 "grad": values(x.grad if x.grad is not None else torch.zeros_like(x))})
path = pathlib.Path(__file__).with_name("norms.json")
path.write_text(json.dumps(cases, separators=(",", ":")) + "\n")
print(f"{path.name}: {len(cases)} cases, {path.stat().st_size} bytes")
