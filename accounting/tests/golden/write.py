"""What the scripts beside this one share: how their figures are written down."""

import json
import pathlib
import sys


def dump(value):
    return json.dumps(value, separators=(",", ":"))


def write(script, data):
    """Writes the JSON file of that script: one line per entry of each list and of each mapping on top."""
    target = pathlib.Path(script).with_suffix(".json")
    parts = []
    for key, value in data.items():
        if isinstance(value, list):
            parts.append(f"{dump(key)}:[\n" + ",\n".join(map(dump, value)) + "\n]")
        else:
            lines = [f"{dump(k)}:{dump(v)}" for k, v in value.items()]
            parts.append(f"{dump(key)}:{{\n" + ",\n".join(lines) + "\n}")
    target.write_text("{" + ",\n".join(parts) + "}\n")
    json.loads(target.read_text())
    print(target.name, target.stat().st_size, {k: len(v) for k, v in data.items()}, file=sys.stderr)
