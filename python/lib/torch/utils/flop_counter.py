"""FLOPs of matrix products, as the devices counted them."""

import _torch as _C


class FlopCounterMode:
    """Counts what runs within a `with` block."""

    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None):
        self.display = display
        self.flops = {}

    def __enter__(self):
        self.before = _count()
        return self

    def __exit__(self, *_):
        for name, flops in _count().items():
            ran = flops - self.before.get(name, 0)
            if ran:
                self.flops[name] = self.flops.get(name, 0) + ran
        if self.display:
            print(self.get_table())

    def get_total_flops(self):
        return sum(self.flops.values())

    def get_flop_counts(self):
        return {"Global": dict(self.flops)}

    def get_table(self, depth=None):
        """Names, FLOPs and shares, one operation a line."""
        total = self.get_total_flops()
        rows = [("Global", total), *self.flops.items()]
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{width}}  {flops:>16}  {flops / max(total, 1):7.2%}" for name, flops in rows)


def _count():
    counts = {}
    for device in ("cpu", "cuda") if _C._has_gpu() else ("cpu",):
        for name, flops in _C._matmul_flops_by_operation(device):
            name = "aten." + name.split(" ")[0]
            counts[name] = counts.get(name, 0) + flops
    return counts
