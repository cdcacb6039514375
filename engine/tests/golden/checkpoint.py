"""Writes checkpoint.safetensors and checkpoint.json beside it: a checkpoint made without the engine, and what is in it.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch numpy safetensors
    /tmp/golden/bin/python engine/tests/golden/checkpoint.py

With a file as its argument it reads that one and compares it with checkpoint.json. The tests leave theirs in
target/tmp:

    cargo test -p napkin-engine --test behaviour checkpoint
    /tmp/golden/bin/python engine/tests/golden/checkpoint.py target/tmp/checkpoint.safetensors
"""

import json
import pathlib
import sys
import zlib

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

HERE = pathlib.Path(__file__).parent
DTYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
          "F8_E4M3": torch.float8_e4m3fn, "F8_E5M2": torch.float8_e5m2, "I64": torch.int64, "I32": torch.int32,
          "U8": torch.uint8, "BOOL": torch.bool}
SHAPES = [[3, 5], [], [0], [1], [17], [2, 0, 3], [63], [65], [7], [2, 3]]


def raw(tensor):
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""


def name_of(dtype):
    return next(name for name, known in DTYPES.items() if known == dtype)


def checksum(tensors, metadata):
    crc = 0
    for name in sorted(tensors):
        shape = ",".join(map(str, tensors[name].shape))
        crc = zlib.crc32(f"{name}\0{name_of(tensors[name].dtype)}\0{shape}\0".encode(), crc)
        crc = zlib.crc32(raw(tensors[name]), crc)
    for key in sorted(metadata):
        if key != "crc32":
            crc = zlib.crc32(f"{key}\0{metadata[key]}\0".encode(), crc)
    return f"{crc:08x}"


def describe(tensors, metadata):
    return {"tensors": [{"name": name, "dtype": str(t.dtype)[6:], "shape": list(t.shape), "bytes": raw(t).hex()}
                        for name, t in sorted(tensors.items())],
            "values": {k: v for k, v in sorted(metadata.items()) if k not in ("format", "version", "crc32")}}


def make():
    generator = torch.Generator().manual_seed(11)
    tensors = {}
    for (name, dtype), shape in zip(DTYPES.items(), SHAPES):
        # Every bit pattern is allowed, NaN and denormal numbers among them; of truth values only two.
        n = int(torch.tensor(shape, dtype=torch.int64).prod()) * dtype.itemsize
        bits = torch.randint(2 if name == "BOOL" else 256, (n,), generator=generator, dtype=torch.uint8)
        tensors[f"model.{name.lower()}.weight"] = bits.view(dtype).reshape(shape)
    tensors["optimizer.bias.exp_avg"] = torch.randn(4, generator=generator)
    tensors["random.data"] = generator.get_state()[:32].clone()
    metadata = {"format": "napkin-checkpoint", "version": "1", "step": "120", "note": "ünïcode \"quoted\"\n"}
    metadata["crc32"] = checksum(tensors, metadata)
    save_file(tensors, HERE / "checkpoint.safetensors", metadata)
    (HERE / "checkpoint.json").write_text(json.dumps(describe(tensors, metadata), indent=1) + "\n")


def check(path):
    with safe_open(path, "pt") as file:
        metadata = file.metadata()
    tensors = load_file(path)
    assert metadata["format"] == "napkin-checkpoint" and metadata["version"] == "1", metadata
    assert metadata["crc32"] == checksum(tensors, metadata), metadata
    assert describe(tensors, metadata) == json.loads((HERE / "checkpoint.json").read_text()), path
    print(f"{path}: {len(tensors)} tensors as they should be")


check(sys.argv[1]) if sys.argv[1:] else make()
