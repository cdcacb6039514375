"""Writes data.json beside it: files as NumPy saves them, and batches of random windows as PyTorch draws them.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy
    /tmp/golden/bin/python engine/tests/golden/data.py
"""

import io
import json
import pathlib
import warnings

import numpy as np
import torch

warnings.simplefilter("ignore")  # of version 3, that old NumPys cannot read it


def saved(array, version=(1, 0)):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version=version)
    return file.getvalue()


good, refused = [], []
rng = np.random.default_rng(1)
for name in ["u1", "<u2", "<u4", "<i4", "<i8"]:
    info = np.iinfo(name)
    for n in [0, 1, 3, 17, 65]:
        for version in [(1, 0), (2, 0), (3, 0)]:
            array = rng.integers(info.min, info.max, n, dtype=np.dtype(name), endpoint=True)
            if n:
                array[0], array[-1] = info.min, info.max
            assert np.array_equal(np.load(io.BytesIO(saved(array, version))), array)
            good.append({"file": saved(array, version).hex(), "tokens": [str(t) for t in array.tolist()]})

ten = np.arange(10)
for why, array in [("big-endian", ten.astype(">u2")), ("big-endian", ten.astype(">i8")), ("'<f4'", ten.astype("<f4")),
                   ("'<u8'", ten.astype("<u8")), ("'|i1'", ten.astype("i1")), ("'|b1'", ten.astype("?")),
                   ("'<U1'", ten.astype("<U1")), ("2 dimensions", ten.astype("<u2").reshape(2, 5)),
                   ("0 dimensions", np.array(3, dtype="<u2")), ("Fortran's order", ten.astype("<u2").reshape(2, 5, order="F")),
                   ("several fields", np.zeros(2, dtype=[("a", "<u2"), ("b", "<u2")]))]:
    refused.append({"file": saved(array).hex(), "why": why})

# What nanoGPT's get_batch does.
batches = []
for seed, length, context, batch, dtype, rounds in [(0, 30, 7, 3, "<u2", 5), (1337, 65, 64, 2, "<u4", 3), (7, 1000, 17, 16, "<i4", 4),
                                                    (2**31, 200, 1, 63, "u1", 3), (5, 9, 8, 1, "<i8", 4)]:
    data = rng.integers(0, 250, length).astype(dtype)
    generator = torch.Generator().manual_seed(seed)
    drawn = []
    for _ in range(rounds):
        starts = torch.randint(len(data) - context, (batch,), generator=generator)
        x = torch.stack([torch.from_numpy(data[i:i + context].astype(np.int64)) for i in starts])
        y = torch.stack([torch.from_numpy(data[i + 1:i + 1 + context].astype(np.int64)) for i in starts])
        drawn.append({"inputs": x.flatten().tolist(), "targets": y.flatten().tolist()})
    batches.append({"seed": seed, "dtype": np.dtype(dtype).name, "raw": data.tobytes().hex(), "context": context, "batch": batch,
                    "drawn": drawn})

data = {"good": good, "refused": refused, "batches": batches}
lines = [f'"{key}":[\n' + ",\n".join(json.dumps(v, separators=(",", ":")) for v in value) + "\n]" for key, value in data.items()]
made_with = {"torch": torch.__version__.split("+")[0], "numpy": np.__version__}
path = pathlib.Path(__file__).parent / "data.json"
path.write_text(f'{{"made_with":{json.dumps(made_with)},\n' + ",\n".join(lines) + "}\n")
