"""Writes what every script in this folder prints under PyTorch into a .txt beside it.

    python3 -m venv /tmp/golden && /tmp/golden/bin/pip install torch==2.15.0 numpy einops
    /tmp/golden/bin/python python/tests/scripts/write.py
"""

import pathlib
import subprocess
import sys

for script in sorted(pathlib.Path(__file__).parent.glob("*.py")):
    if script.name != "write.py":
        ran = subprocess.run([sys.executable, script.name], cwd=script.parent, capture_output=True, text=True, check=True)
        script.with_suffix(".txt").write_text(ran.stdout)
