"""Writes what every script in this folder prints under PyTorch into a .txt beside it.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch==2.15.0 numpy einops jaxtyping \
        safetensors matplotlib regex tqdm tiktoken requests graphviz
    /tmp/golden/bin/python python/tests/scripts/write.py
"""

import os
import pathlib
import subprocess
import sys

folder = pathlib.Path(__file__).parent
for script in sorted(folder.glob("*.py")):
    if script.name not in ("write.py", "helper_module.py"):
        ran = subprocess.run([sys.executable, "-W", "ignore", script.name], cwd=folder, capture_output=True, text=True)
        # The script goes by its name alone.
        text = (ran.stdout + ran.stderr).replace(f"{folder.resolve()}{os.sep}", "")
        script.with_suffix(".txt").write_text(text)
