"""Runs the lectures under real PyTorch, and writes every inspected value to golden.json for the engine to compare.

    pip install torch numpy einops jaxtyping
    python run.py            # checks predictions, writes golden.json
    python run.py --ends     # runs each lecture with every slider at each of its ends, too; writes ends.json

A float of golden.json agrees within 1e-5 of itself (or 1e-6, near zero), everything else exactly. Of a tensor with more
than 64 elements only dtype and shape are written. Of each exercise there is what its check says of the lecture's own text;
its solution must pass, and so must the right ones in attempts_*.py, of whose wrong ones it must say what stands there.
In ends.json each run has the first, second, … slider of every
function at its lower or upper end, and the last values that differ from golden.json.
"""

import ast
import contextlib
import importlib.util
import inspect
import io
import itertools
import json
import math
import os
import re
import sys
import tempfile
import textwrap
import tokenize
import warnings
from pathlib import Path

os.environ["CUDA_VISIBLE_DEVICES"] = ""
HERE = Path(__file__).resolve().parent
LECTURES = HERE.parents[2] / "public" / "lectures"
NAMES = ["resource-accounting", "arithmetic-intensity"]

# What depends on the machine or its clock, and what many steps make of the order in which sums are taken.
RANDOM = {
    ("underflow", "count"),
    ("underflow", "lost"),
    ("underflow", "shares"),
    ("checkpointing", "faults"),
    ("where_tensors_live", "device"),
    ("where_tensors_live", "seconds"),
    ("where_tensors_live", "more"),
    ("flop_per_second", "device"),
    ("flop_per_second", "fp32"),
    ("flop_per_second", "bf16"),
    ("this_machine", "device"),
    ("this_machine", "bytes_per_second"),
    ("this_machine", "flops_per_second"),
    ("this_machine", "ridge_here"),
}

sys.path.insert(0, str(HERE))
import napkin  # noqa: E402
import torch  # noqa: E402

DIRECTIVE = re.compile(r"@(inspect|clear|stepover|hide|slider|predict)\b\s*([^@]*)")


class Source:
    """A lecture's file: its directives, each at the statement that it ends."""

    def __init__(self, path, text):
        self.path = str(path)
        self.text = text
        tree = ast.parse(text)
        statements = {n.end_lineno: n for n in ast.walk(tree) if isinstance(n, ast.stmt) and not hasattr(n, "body")}
        self.directives = []  # (statement, name, argument)
        self.inspects = {}  # line of a statement: (first line, last line, names)
        self.stepovers = set()
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type != tokenize.COMMENT or "@" not in token.string:
                continue
            line = token.start[0]
            if line not in statements:
                raise SyntaxError(f"{path}:{line}: no statement ends here")
            statement = statements[line]
            found = DIRECTIVE.findall(token.string)
            if not found or token.string.count("@") != len(found):
                raise SyntaxError(f"{path}:{line}: unknown directive")
            for name, argument in found:
                self.directives.append((statement, name, argument.strip()))
                lines = range(statement.lineno, statement.end_lineno + 1)
                if name == "inspect":
                    for l in lines:
                        self.inspects[l] = (lines[0], lines[-1], argument.split())
                elif name == "stepover":
                    self.stepovers.update(lines)

    def sliders(self):
        """Function, statement and both ends of each slider."""
        functions = [node for node in ast.walk(ast.parse(self.text)) if isinstance(node, ast.FunctionDef)]
        for statement, name, argument in self.directives:
            if name == "slider":
                around = [f for f in functions if f.lineno <= statement.lineno <= f.end_lineno]
                whole = isinstance(ast.literal_eval(statement.value), int)
                ends = [repr(int(float(end))) if whole else end for end in argument.split()[:2]]
                yield max(around, key=lambda f: f.lineno).name, statement, ends

    def moved(self, statement, value):
        lines = self.text.split("\n")
        at, start, end = statement.lineno - 1, statement.value.col_offset, statement.value.end_col_offset
        lines[at] = lines[at][:start] + value + lines[at][end:]
        return "\n".join(lines)


def sources():
    return {str(p): Source(p, p.read_text()) for p in sorted(LECTURES.glob("*.py"))}


def plain(value):
    """A value as JSON knows it."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, torch.Tensor):
        value = value.detach()
        tensor = {"dtype": str(value.dtype), "shape": list(value.shape)}
        if value.numel() <= 64:
            tensor["values"] = plain(value.float().tolist() if value.is_floating_point() else value.tolist())
        return tensor
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    raise TypeError(f"{type(value)} cannot be inspected")


def kind(value):
    """What is known of a value that differs from machine to machine."""
    if isinstance(value, torch.Tensor):
        return {"dtype": str(value.dtype), "shape": list(value.shape)}
    return type(value).__name__


def expected_choice(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value


def check_prediction(where, value, argument):
    _, *choices = [part.strip() for part in argument.split("|")]
    right = expected_choice(value)
    matches = [c for c in choices if c == right or (not isinstance(right, str) and number(c) == right)]
    if choices and len(matches) != 1:
        raise ValueError(f"{where}: {right!r} is not one of {choices}")


def number(text):
    with contextlib.suppress(ValueError):
        return float(text)


class Tracer:
    """Values of @inspect after their line, as (function, name, value)."""

    def __init__(self, files, has_answers):
        self.files = files
        self.has_answers = has_answers
        self.values = []
        self.kinds = []
        self.predictions = {
            (path, statement.lineno): (statement.targets[0].id, argument)
            for path, source in files.items()
            for statement, name, argument in source.directives
            if name == "predict"
        }

    def __call__(self, frame, event, _):
        source = self.files.get(frame.f_code.co_filename)
        if source is None or frame.f_code.co_name.startswith("<") or self.hidden(frame):
            return None  # a comprehension is part of its line
        pending = None

        def local(frame, event, _):
            nonlocal pending
            if pending and (event == "return" or not pending[0] <= frame.f_lineno <= pending[1]):
                self.take(source, frame, pending)
                pending = None
            if event == "line":
                pending = source.inspects.get(frame.f_lineno)
            return local

        return local

    def hidden(self, frame):
        caller = frame.f_back
        while caller is not None:
            source = self.files.get(caller.f_code.co_filename)
            if source is not None and caller.f_lineno in source.stepovers:
                return True
            caller = caller.f_back
        return False

    def take(self, source, frame, pending):
        function = frame.f_code.co_name
        for name in pending[2]:
            if name not in frame.f_locals:
                raise NameError(f"{source.path}:{pending[0]}: {name} is not defined")
            value = frame.f_locals[name]
            if (function, name) in RANDOM:
                self.kinds.append([function, name, kind(value)])
            else:
                self.values.append([function, name, plain(value)])
        target, argument = self.predictions.get((source.path, pending[0]), (None, ""))
        if target and self.has_answers:
            check_prediction(f"{source.path}:{pending[0]}", frame.f_locals[target], argument)


def run(name, files, has_answers=True):
    """Runs a lecture from the text of `files`: its values. `has_answers` says whether one of
    the choices of each prediction is right."""
    for path in files:
        sys.modules.pop(Path(path).stem, None)
    tracer = Tracer(files, has_answers)

    class Finder:
        @staticmethod
        def find_spec(module, *_):
            path = str(LECTURES / f"{module}.py")
            return importlib.util.spec_from_loader(module, Loader, origin=path) if path in files else None

    class Loader:
        @staticmethod
        def create_module(_):
            return None

        @staticmethod
        def exec_module(module):
            path = module.__spec__.origin
            exec(compile(files[path].text, path, "exec"), module.__dict__)

    sys.meta_path.insert(0, Finder)
    napkin.exercises.clear()
    folder = os.getcwd()
    try:
        with tempfile.TemporaryDirectory() as scratch, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the lecture looks at .grad of a tensor that has none
            os.chdir(scratch)
            main = importlib.import_module(name).main
            sys.settrace(tracer)
            try:
                main()
            finally:
                sys.settrace(None)
                os.chdir(folder)
    finally:
        sys.meta_path.remove(Finder)
    return {"values": tracer.values, "kinds": tracer.kinds, "exercises": [checked(*it) for it in napkin.exercises]}


def checked(_, attempt, key):
    """What is said of an exercise as the lecture has it."""
    # As a reader writes it: where the attempt is.
    names = dict(attempt.__globals__)
    exec(textwrap.dedent(inspect.getsource(key.solution)), names)
    if fault := key.check(names["solution"]):
        raise ValueError(f"the solution of {attempt.__name__} does not pass: {fault}")
    return [attempt.__name__, "fault", key.check(attempt)]


def check_attempts():
    """Whether the checks say of right and wrong attempts what they must."""
    napkin.exercises.clear()
    sys.path.insert(0, str(LECTURES))
    for path in sorted(HERE.glob("attempts_*.py")):
        importlib.import_module(path.stem)
    for said, attempt, key in napkin.exercises:
        try:
            fault = key.check(attempt) or "It passes the check."
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        if said not in fault:
            raise ValueError(f"of {inspect.getsource(attempt)} is said: {fault}")


def ends(files, golden):
    """Runs with sliders at their ends: one of each function, since no function knows the others' numbers."""
    rounds = {}
    for path, source in files.items():
        lecture = "arithmetic-intensity" if "arithmetic" in path else "resource-accounting"
        counts = {}
        for function, statement, both in source.sliders():
            turn = counts[function] = counts.get(function, -1) + 1
            for end, value in enumerate(both):
                moves = rounds.setdefault((lecture, turn, end), [])
                moves.append((path, function, statement, value))
    for (lecture, turn, end), moves in sorted(rounds.items()):
        moved = {path: Source(path, source.text) for path, source in files.items()}
        for path, _, statement, value in moves:
            moved[path].text = moved[path].moved(statement, value)
        print(f"{lecture}: slider {turn}, end {end}", file=sys.stderr)
        with contextlib.redirect_stdout(io.StringIO()):
            values = run(lecture, moved, has_answers=False)["values"]
        last = {(function, name): value for function, name, value in values}
        yield {
            "lecture": lecture,
            "sliders": [[f"{function}.{it.targets[0].id}", value] for _, function, it, value in moves],
            "values": [[*key, value] for key, value in last.items() if [*key, value] not in golden[lecture]["values"]],
        }


def written(golden):
    """As JSON, a line for the names and values that a function shows in a row."""
    lectures = []
    for name, kinds in golden.items():
        lists = []
        for kind, rows in kinds.items():
            grouped = ([function, [row[1:] for row in shown]] for function, shown in itertools.groupby(rows, lambda row: row[0]))
            lines = ",\n  ".join(json.dumps(group, ensure_ascii=False, allow_nan=False) for group in grouped)
            lists.append(f'"{kind}": [\n  {lines}\n]')
        lectures.append(f'"{name}": {{{", ".join(lists)}}}')
    return "{" + ",\n".join(lectures) + "}"


def read(golden):
    """What `written` made, a row per value again."""
    rows = lambda groups: [[function, *row] for function, shown in groups for row in shown]
    return {name: {kind: rows(groups) for kind, groups in kinds.items()} for name, kinds in json.loads(golden).items()}


def main():
    files = sources()
    if "--ends" in sys.argv[1:]:
        golden = read((HERE / "golden.json").read_text())
        rounds = [json.dumps(it, ensure_ascii=False, allow_nan=False) for it in ends(files, golden)]
        (HERE / "ends.json").write_text("[\n" + ",\n".join(rounds) + "\n]\n")
        return
    golden = {name: run(name, files) for name in NAMES}
    check_attempts()
    (HERE / "golden.json").write_text(written(golden) + "\n")
    values = sum(len(lecture["values"]) for lecture in golden.values())
    print(f"{values} values, torch {torch.__version__}", file=sys.stderr)


if __name__ == "__main__":
    main()
