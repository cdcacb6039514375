"""Writes what each program beside this file does, as CPython's sys.settrace and PyTorch tell it.

    pip install torch
    python write.py

Steps are told apart by their own rules, written down once more: a statement opens a step, and closes it before the next
one of its frame; where functions ran in between, the values belong to a second step at the same place.
"""

import ast
import io
import json
import math
import re
import sys
import tokenize
import types
from contextlib import redirect_stdout
from pathlib import Path

HERE = Path(__file__).resolve().parent
DIRECTIVE = re.compile(r"@(inspect|clear|stepover|hide|slider|predict)\b\s*([^@]*)")
BLANK = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def statements(text):
    """For each line first and last line of its innermost statement, without the body of one that has a body."""
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.type not in BLANK]
    spans = {}

    def visit(node):
        if isinstance(node, ast.stmt):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            last = node.end_lineno
            if getattr(node, "body", None):
                start = node.body[0]
                begin = (start.lineno, start.col_offset)
                last = max(t.end[0] for t in tokens if t.end <= begin)
            spans.update({line: (first, last) for line in range(first, last + 1)})
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(text))
    return spans


def directives(text, spans):
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            for name, argument in DIRECTIVE.findall(token.string):
                first = spans[token.start[0]][0]
                found.setdefault(first, []).append((name, argument.strip().split()))
    return found


def plain_float(value):
    return value if math.isfinite(value) else str(value)


def value_of(value, depth=0):
    import torch

    kind = type(value)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    if isinstance(value, torch.Tensor):
        contents = value.detach()
        if contents.numel() > 64:
            corner = contents[tuple(slice(8 if contents.dim() > 1 else 64) for _ in contents.shape)].tolist()
            contents = [[*row, "…"] for row in corner] if contents.dim() > 1 else corner
            contents.append("…")
        else:
            contents = contents.tolist()
        return {
            "type": name,
            "contents": contents,
            "dtype": str(value.dtype),
            "shape": list(value.shape),
            "stride": list(value.stride()),
            "offset": value.storage_offset(),
            "device": str(value.device),
            "requires_grad": value.requires_grad,
        }
    if isinstance(value, float):
        contents = plain_float(value)
    elif isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        contents = str(value)
    elif value is None or isinstance(value, (bool, int, str)):
        contents = value
    elif depth >= 6:
        contents = "…"
    elif isinstance(value, (list, tuple, set)):
        contents = [value_of(item, depth + 1) for item in list(value)[:32]]
        contents += ["…"] if len(value) > 32 else []
    elif isinstance(value, dict):
        contents = {str(key): value_of(item, depth + 1) for key, item in value.items()}
    else:
        contents = None  # its text has an address
    return {"type": name, "contents": contents}


def is_data(value):
    return not isinstance(value, (types.ModuleType, types.FunctionType, type, types.BuiltinFunctionType))


class Tracer:
    def __init__(self, path, text):
        self.path, self.text = path, text
        self.spans = statements(text)
        self.directives = directives(text, self.spans)
        self.frames, self.steps = [], []
        self.out = io.StringIO()

    def says(self, line, name):
        return [a for n, arguments in self.directives.get(line, []) if n == name for a in arguments or [True]]

    def trace(self, frame, event, argument):
        if frame.f_code.co_filename != self.path:
            return None
        if event == "call":
            over = any(f["over"] or (f["open"] and self.says(f["open"][0], "stepover")) for f in self.frames)
            name = frame.f_code.co_name
            silent = over or (name.startswith("<") and name != "<module>")
            self.frames.append({"frame": frame, "over": over, "silent": silent, "open": None, "known": {}})
            if name == "<module>":
                self.compare()
            else:
                self.open(frame.f_code.co_firstlineno)
        elif event == "line":
            opened = self.frames[-1]["open"]
            if not opened or not opened[0] <= frame.f_lineno <= opened[1]:
                self.close()
                self.open(frame.f_lineno)
        elif event == "return":
            self.close()
            self.frames.pop()
        return self.trace

    def open(self, line):
        top = self.frames[-1]
        if not top["silent"]:
            first, last = self.spans.get(line, (line, line))
            top["open"] = (first, last, len(self.steps))
            self.settle()
            self.begin([(f["open"][0], f["frame"].f_code.co_name) for f in self.frames if f["open"]])

    def begin(self, stack):
        self.steps.append({"stack": stack, "env": {}, "changed": {}, "stdout": ""})

    def settle(self):
        if self.steps:
            self.steps[-1]["stdout"] += self.out.getvalue()
            self.out.seek(0)
            self.out.truncate()

    def close(self):
        top = self.frames[-1]
        if not top["open"]:
            return
        first, _, step = top["open"]
        top["open"] = None
        self.settle()
        if len(self.steps) > step + 1:
            self.begin(self.steps[step]["stack"])
        current = self.steps[-1]
        current["changed"] = self.compare()
        variables = top["frame"].f_locals
        for expression in self.says(first, "inspect"):
            name, *attributes = expression.split(".")
            if name in variables:
                value = variables[name]
                for attribute in attributes:
                    value = getattr(value, attribute)
                current["env"][expression] = value_of(value)
        current["env"].update({name: None for name in self.says(first, "clear")})

    def compare(self):
        top = self.frames[-1]
        variables = top["frame"].f_locals.items()
        now = {n: value_of(v) for n, v in variables if not n.startswith("__") and is_data(v)}
        before, top["known"] = top["known"], now
        changed = {n: v for n, v in now.items() if n not in before or before[n] != v}
        return changed | {n: None for n in before if n not in now}


def main():
    for path in sorted(HERE.glob("*.py")):
        if path.name == "write.py":
            continue
        text = path.read_text()
        tracer = Tracer(path.name, text)
        code = compile(text, path.name, "exec")
        import torch  # noqa: F401 - before anything is traced

        with redirect_stdout(tracer.out):
            sys.settrace(tracer.trace)
            exec(code, {"__name__": "__main__"})
            sys.settrace(None)
        tracer.settle()
        with path.with_suffix(".json").open("w") as file:
            file.write("[\n" + ",\n".join(map(json.dumps, tracer.steps)) + "\n]\n")


main()
