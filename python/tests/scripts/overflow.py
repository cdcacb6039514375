"""Numbers that a dtype cannot hold."""

import torch
inf, nan = float("inf"), float("nan")
def t(f):
    try: return repr(f().tolist())
    except Exception as e: return type(e).__name__ + " " + str(e).split("\n")[0]
for d in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.bool):
    outcomes = {}
    for v in (300, -1, -300, 70000, 2**31, 2**40, 1.5, 300.7, -300.2, 1e10, 1e39, inf, -inf, nan, 1e300):
        a = t(lambda: torch.tensor(v, dtype=d)); b = t(lambda: torch.full((), v, dtype=d)); c = t(lambda: torch.zeros((), dtype=d).fill_(v)); e = t(lambda: torch.zeros((1,), dtype=d).masked_fill(torch.tensor([True]), v)); g = t(lambda: torch.tensor([v], dtype=d)); h = t(lambda: torch.full_like(torch.zeros((), dtype=d), v))
        i = t(lambda: torch.zeros(2, dtype=d) .__setitem__(0, v) or torch.zeros(1))
        outcomes.setdefault(" | ".join((a, b, c, e, g, h, i)), []).append(v)
    for outcome, values in outcomes.items():
        print(d, *values, "|", outcome)
