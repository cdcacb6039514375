"""FLOPs of matrix products, as the devices counted them, for each module that ran."""

from collections import defaultdict

import _torch as _C
from torch._ops import OpOverloadPacket
from torch.nn.module import watching

_SUFFIXES = ("", "K", "M", "B", "T")


class FlopCounterMode:
    """Counts what runs within a `with` block, derivatives for the modules that they are of.

    Products with a vector count as the matrix products that they are. PyTorch's own counter passes over them.
    """

    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None):
        self.depth = depth
        self.display = display
        self.flop_counts = defaultdict(lambda: defaultdict(int))
        # What each module is called, and which ones ran around it.
        self._names = {}
        self._around = {"": ()}
        self._stack = [""]

    def __enter__(self):
        self.flop_counts.clear()
        for device in _devices():
            _C._start_count(device)
        self._watch = self._enter, self._leave
        watching.append(self._watch)
        return self

    def __exit__(self, *_):
        watching.remove(self._watch)
        del self._stack[1:]
        _C._set_part("")
        for device in _devices():
            for operation, part, flops in _C._take_count(device):
                packet = OpOverloadPacket("aten." + operation.split(" ")[0])
                for name in ("Global", *self._around.get(part, ())) if flops else ():
                    self.flop_counts[name][packet] += flops
        if self.display:
            print(self.get_table(self.depth))

    def _enter(self, module):
        self._name(module, type(module).__name__)
        name = self._names[module]
        around = self._around[self._stack[-1]]
        self._around.setdefault(name, around if name in around else (*around, name))
        self._stack.append(name)
        _C._set_part(name)

    def _leave(self, module):
        self._stack.pop()
        _C._set_part(self._stack[-1])

    def _name(self, module, name):
        name = self._names.setdefault(module, name)
        for child, below in module.named_children():
            self._name(below, f"{name}.{child}")

    def get_total_flops(self):
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self):
        return {name: dict(counts) for name, counts in self.flop_counts.items()}

    def get_table(self, depth=None):
        """FLOPs and shares of modules, down to some depth, and of the operations of each."""
        depth = self.depth if depth is None else depth
        total = self.get_total_flops()
        suffix = max(0, min(len(_SUFFIXES) - 1, (len(str(total)) - 2) // 3))

        def row(name, flops):
            shown = f"{flops / 1000**suffix:.3f}{_SUFFIXES[suffix]}" if suffix else str(flops)
            return name, shown, f"{flops / total:.2%}" if total else "0%"

        def rows(name):
            counts = self.flop_counts[name]
            return [row(name, sum(counts.values())), *(row(f"- {op}", flops) for op, flops in counts.items())]

        modules = sorted(name for name in self.flop_counts if name != "Global")
        shown = [name for name in modules if depth is None or name.count(".") < depth]
        lines = [line for name in shown for line in rows(name)]
        if not any(sum(self.flop_counts[name].values()) >= total for name in shown):
            lines = rows("Global") + lines if total else [row("Global", 0)]
        return _table([("Module", "FLOP", "% Total"), *lines])


def _table(lines):
    # Two wider than its head at least, as the package tabulate has it.
    widths = [max(len(head) + 2, *(len(line[at]) for line in lines)) for at, head in enumerate(lines[0])]

    def text(line):
        return f"{line[0]:<{widths[0]}}  {line[1]:>{widths[1]}}  {line[2]:>{widths[2]}}".rstrip()

    return "\n".join([text(lines[0]), "  ".join("-" * width for width in widths), *map(text, lines[1:])])


def _devices():
    return ("cpu", "meta", "cuda") if _C._has_gpu() else ("cpu", "meta")
