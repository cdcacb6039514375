"""Runs every cell of the lectures as a script under real PyTorch and writes what it prints to golden.json.

    pip install torch numpy einops jaxtyping
    cargo build && python write.py

What depends on the machine or its clock is null there.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
NAPKIN = ROOT / "target" / "debug" / "napkin"
LECTURES = ["resource-accounting.py", "arithmetic-intensity.py"]

# Cells that measure, and those that count what sums make of the order in which they are taken.
MACHINE = {
    "memory_accounting",
    "underflow",
    "compute_accounting",
    "where_tensors_live",
    "counting_flops",
    "flop_per_second",
    "roofline",
    "this_machine",
}


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=True, **options).stdout


def main():
    golden = {}
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    for lecture in LECTURES:
        path = ROOT / "public" / "lectures" / lecture
        for cell in run(NAPKIN, "export", path).split():
            script = run(NAPKIN, "export", path, cell)
            with tempfile.TemporaryDirectory() as folder:
                printed = run(sys.executable, "-c", script, cwd=folder)
            golden[f"{lecture} {cell}"] = None if cell in MACHINE else printed
    (HERE / "golden.json").write_text(json.dumps(golden, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
