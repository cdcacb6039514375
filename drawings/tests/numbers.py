"""Writes numbers.json: numbers as CPython's repr writes them.

    python3 drawings/tests/numbers.py
"""

import json
import pathlib
import random
import struct

chosen = [0.0, -0.0, 1.0, 0.1, 1e-4, 9.999e-5, 1e-5, 1e15, 1e16, 123456789012345680.0, 1.5e300, 5e-324, 6.3e24, 4.37723136e22]
generator = random.Random(5)
drawn = [struct.unpack("d", generator.randbytes(8))[0] for _ in range(60)]
near = [generator.uniform(-1, 1) * 10 ** generator.randint(-6, 18) for _ in range(60)]
numbers = [value for value in chosen + drawn + near if value == value and abs(value) != float("inf")]
out = pathlib.Path(__file__).with_name("numbers.json")
out.write_text(json.dumps([repr(value) for value in numbers], indent=0) + "\n")
