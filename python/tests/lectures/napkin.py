"""What lectures import as `napkin`, under real PyTorch: prints prose, records what is shown, checks how it is called."""

import sys

import torch

CALLS = []
"""Every call in order: (function of the lecture, name of the call)."""

FORMATS = {"fp32", "tf32", "fp16", "bf16", "fp8_e4m3", "fp8_e5m2", "fp4"}
CALCULATORS = {
    "time": {"model", "params", "tokens", "gpu", "dtype", "sparse", "gpus", "mfu", "price", "pue"},
    "size": {"gpu", "memory", "gpus", "convention", "bytes_per_param", "gib"},
    "reality": {"mfu"},
    "optimal": {"flop", "tokens_per_param"},
    "tensor": {"shape", "dtype"},
    "matmul": {"b", "d", "k", "dtype", "gpu", "sparse", "secs"},
    "roofline": {"gpu", "dtype", "sparse", "n", "model", "batch", "sequence"},
    "backward": {"b", "d", "k"},
    "params": {"model"},
    "flops": {"model", "batch", "sequence", "causal", "recompute"},
    "memory": {"model", "batch", "sequence", "optimizer", "recompute", "flash", "gpu", "memory", "gib"},
    "kv": {"model", "batch", "sequence", "dtype", "gpu", "memory"},
    "linear": {"batch", "dim", "layers", "optimizer", "dtype", "bias"},
}
COUNTS = {
    "linear": {"batch", "dim", "layers", "bias", "accumulate", "optimizer", "dtype"},
    "transformer": {
        *("batch", "dim", "layers", "heads", "vocab", "context", "accumulate", "checkpointing", "optimizer", "dtype"),
    },
}


def record(name):
    CALLS.append((sys._getframe(2).f_code.co_name, name))


def demand(condition, rule):
    if not condition:
        raise TypeError(rule)


def text(markdown):
    record("text")
    print(markdown.strip(), end="\n\n")


def try_this(markdown):
    record("try_this")
    print(f"Try this: {markdown.strip()}\n")


def remember(markdown):
    record("remember")
    print(f"Remember: {markdown.strip()}\n")


def check(question, choices, answer):
    demand(len(choices) >= 2 and answer in choices, "check takes two choices or more, and one of them as the answer")
    record("check")
    print(f"Check yourself: {question.strip()}", *choices, sep="\n  - ")
    print(f"  Answer: {answer}. {choices[answer]}\n")


def slip(claim, right, why):
    record("slip")
    print(f"Find the error: {claim}\n  {right} {why}\n")


def is_format(dtype):
    return isinstance(dtype, torch.dtype) or dtype in FORMATS


def one_by_one(values):
    return values.tolist() if isinstance(values, torch.Tensor) else list(values)


class Show:
    def bits(self, value, dtype):
        demand(isinstance(value, (int, float)) and is_format(dtype), "bits takes a number and a format")
        record("bits")

    def number_line(self, *dtypes):
        demand(dtypes and all(map(is_format, dtypes)), "number_line takes formats")
        record("number_line")

    def strides(self, *tensors):
        demand(tensors and all(isinstance(t, torch.Tensor) for t in tensors), "strides takes tensors")
        record("strides")

    def table(self, rows, columns):
        demand(all(len(row) == len(columns) for row in rows), "each row of a table has a value per column")
        record("table")

    def plot(self, series, x=None, title="", xlabel="", ylabel="", log=""):
        demand(log in ("", "x", "y", "xy"), "log is x, y or xy")
        for ys in map(one_by_one, series.values()):
            pairs = all(isinstance(y, (tuple, list)) and len(y) == 2 for y in ys)
            numbers = all(isinstance(y, (int, float)) for y in ys) and (x is None or len(x) == len(ys))
            demand(pairs or numbers, "a series is numbers, as many as x, or pairs of numbers")
        record("plot")

    def histogram(self, tensor, title=""):
        demand(isinstance(tensor, torch.Tensor), "histogram takes a tensor")
        record("histogram")

    def heat(self, tensor):
        demand(isinstance(tensor, torch.Tensor) and tensor.dim() <= 2, "heat takes a tensor of at most two dimensions")
        record("heat")

    def calculator(self, which, **options):
        demand(options.keys() <= CALCULATORS[which], f"{which} has no option {options.keys() - CALCULATORS[which]}")
        record("calculator")

    def count(self, which, **options):
        demand(options.keys() <= COUNTS[which], f"{which} has no option {options.keys() - COUNTS[which]}")
        record("count")

    def machine(self):
        record("machine")

    def training(self, dim=16, layers=2, batch=4, lr=0.01, optimizer="adagrad", seed=1, steps=2000):
        sizes = [dim, layers + 1, batch, seed + 1, steps]
        demand(all(isinstance(size, int) and size > 0 for size in sizes), "training takes whole numbers")
        demand(0 < lr <= 100 and optimizer in ("adagrad", "sgd"), "training takes a learning rate and an optimizer")
        record("training")

    def product(self, m=512, k=512, n=512, dtype=torch.float32):
        demand(all(isinstance(size, int) and size > 0 for size in [m, k, n]), "product takes whole numbers")
        demand(str(dtype).removeprefix("torch.") in ("float32", "float16", "bfloat16"), "product takes a dtype")
        record("product")

    def memory(self):
        record("memory")


show = Show()
