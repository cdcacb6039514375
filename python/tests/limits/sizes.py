"""Every operation with a size that no machine has raises an error at once, and the program goes on."""

import re
import sys
import time

import _torch
import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, rearrange, reduce, repeat

# In bytes more than a browser's addresses reach, elsewhere more than there is memory. The tensors are views of one number.
N = 2**31 - 1 if sys.maxsize < 2**32 else 10**13
x = torch.ones(1, dtype=torch.float64).expand(N)
whole, true = torch.zeros(1, dtype=torch.int64).expand(N), torch.ones(1, dtype=torch.bool).expand(N)
column, row, one, pair = x.unsqueeze(1), x.unsqueeze(0), torch.ones(1, dtype=torch.float64), torch.arange(2)

# What takes one such tensor, two, or whole numbers; what reduces a column; what makes no tensor.
UNARY = """sqrt rsqrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh sigmoid
erf abs sign relu floor ceil trunc round neg square clone empty_like zeros_like ones_like rand_like randn_like
bernoulli argmax argmin median sort argsort nonzero _nonzero_as_tuple tolist unbind contiguous"""
NETWORKS = "gelu silu softplus logsigmoid leaky_relu elu hardtanh"
BINARY = "add sub mul div pow floor_divide remainder fmod maximum minimum fmax fmin atan2 rsub outer"
# Of truth values, which take a byte each: in a browser there may be room for so many.
TRUTHS = "eq ne lt le gt ge logical_and logical_or logical_xor isclose"
REDUCTIONS = "sum mean prod amax amin var std logsumexp max min any all var_mean std_mean"
NOTHING_NEW = """view reshape view_as reshape_as expand expand_as permute transpose swapaxes movedim t select narrow unsqueeze squeeze
flatten diagonal unfold as_strided detach stride storage_offset is_contiguous data_ptr equal allclose dot promote_types
is_inference is_grad_enabled is_inference_mode_enabled retain_grad"""
ARGUMENTS = {
    "cumsum": [x, 0], "cumprod": [x, 0], "softmax": [x, 0], "log_softmax": [x, 0], "tril": [column], "triu": [column],
    "addcmul": [x, x, x], "addcdiv": [x, x, x], "where": [true, x, x], "lerp": [x, x, 0.5], "clamp": [x, 0, 1],
    "full": [(N,), 1.5], "full_like": [x, 2], "linspace": [0, 1, N], "randperm": [N], "randint_like": [whole, 9],
    "repeat": [one, N], "tile": [one, (N,)], "flip": [x, 0], "_roll": [x, 1, 0], "cat": [[x, x]], "stack": [[x]],
    "split": [x, 1], "tensor_split": [x, N - 1], "chunk": [x, N], "gather": [x, 0, whole], "index_select": [x, 0, whole],
    "take": [x, whole], "masked_fill": [x, true, 0.0], "scatter": [x, 0, whole, x],
    "scatter_add": [x, 0, whole, x], "topk": [x, N], "_norm": [column, 2, 1], "matmul": [column, row], "mm": [column, row],
    "bmm": [column.unsqueeze(2), column.unsqueeze(1)], "mv": [column, one], "addmm": [one, column, row],
    "baddbmm": [one, column.unsqueeze(2), column.unsqueeze(1)], "rand": [N, 2], "randn": [2 * N], "randint": [9, (N,)],
    "empty": [2, N, 3], "zeros": [10**7, 10**7], "ones": [2 * N], "tril_indices": [N, 1], "triu_indices": [1, N],
}
CALLS = {
    "tensor": [lambda: torch.tensor(x), lambda: torch.tensor(range(N), dtype=torch.int64)],
    "arange": [lambda: torch.arange(N), lambda: torch.arange(0, N / 4, 0.25), lambda: torch.arange(0, -N, -1), lambda: torch.arange(2**62)],
    "eye": [lambda: torch.eye(10**7), lambda: torch.eye(N, 1), lambda: torch.eye(1, N)],
    "tril_indices": [lambda: torch.tril_indices(10**7, 10**7)], "triu_indices": [lambda: torch.triu_indices(10**7, 10**7, -5)],
    "_to": [lambda: x.long()],
    "_normal": [lambda: torch.normal(0.0, 1.0, (2 * N,)), lambda: torch.normal(x, 1.0)],
    "empty": [lambda: torch.empty(2**62, 2**62)], "clamp": [lambda: x.clamp(one, one)], "repeat": [lambda: x.repeat(N)],
    "repeat_interleave": [lambda: one.repeat_interleave(N), lambda: one.repeat_interleave(torch.tensor([N])), lambda: torch.repeat_interleave(torch.tensor([N, N // 2]))],
    "chunk": [lambda: torch.empty(0).chunk(N)], "scatter": [lambda: x.scatter(0, whole, 1.0)], "matmul": [lambda: column @ one],
    "masked_fill": [lambda: one.masked_fill(true, 0.0)],
    "_einsum": [lambda: torch.einsum("i,j->ij", x, x), lambda: torch.einsum("i,i->i", x, x)],
    "_index": [lambda: x[whole], lambda: x[:, None] + x[None]],
    "_to_bytes": [lambda: x.numpy().tobytes()],
    "_rearrange": [lambda: rearrange(pair.expand(N, 2), "a b -> (a b)")], "_repeat": [lambda: repeat(pair, "a -> (n a)", n=N)],
    "_reduce": [lambda: reduce(column, "a b -> a", "sum")], "_einops_einsum": [lambda: einsum(x, x, "a, b -> a b")],
    "linear": [lambda: F.linear(column, one.view(1, 1))],
    "scaled_dot_product_attention": [lambda: F.scaled_dot_product_attention(column, column, column)],
    "mse_loss": [lambda: F.mse_loss(x, x, reduction="none")],
    "cross_entropy": [lambda: F.cross_entropy(row, torch.tensor([0])), lambda: F.cross_entropy(column, whole, reduction="none")],
    "layer_norm": [lambda: F.layer_norm(x, (N,)), lambda: F.layer_norm(column, (1,))], "rms_norm": [lambda: F.rms_norm(column, (1,))],
    "embedding": [lambda: F.embedding(whole, column[:1])], "one_hot": [lambda: F.one_hot(torch.tensor([0]), N), lambda: F.one_hot(whole[:5] + N - 1)],
    # What is made of operations, NumPy, and Python itself.
    "torch": [
        lambda: F.pad(one, (N, N)), lambda: x[:0].expand(N, 0).tolist(), lambda: list(x), lambda: torch.meshgrid(x, x)[0] + 1, lambda: torch.diag(x),
        lambda: torch.bincount(torch.tensor([N])), lambda: torch.nn.Linear(N, 1), lambda: torch.nn.Embedding(N, 64),
        lambda: torch.multinomial(torch.ones(2), N, replacement=True), lambda: next(iter(torch.utils.data.RandomSampler(range(N)))),
    ],
    "numpy": [
        lambda: np.arange(N), lambda: np.arange(0.0, N), lambda: np.zeros(N), lambda: np.ones((N, 2)), lambda: np.random.rand(N), lambda: np.eye(10**7),
        lambda: np.random.permutation(N), lambda: np.linspace(0, 1, N), lambda: x.numpy().tolist(), lambda: x.numpy() * 2, lambda: x.numpy().astype(np.int64),
    ],
    "python": [
        lambda: [0] * N, lambda: (0,) * N, lambda: "a" * N * 9, lambda: bytes(9 * N), lambda: bytearray(9 * N), lambda: list(range(N)), lambda: sorted(range(N)),
        lambda: [*range(N)], lambda: "a".ljust(9 * N), lambda: 1 << 99 * N,
    ],
}
# Each with a unit.
TOLD = ["cannot allocate [0-9.]+ ([kMGTPE]B|bytes)", "elements or more", "are at most [0-9]+ here", "fewer than [0-9]+ numbers", "[0-9]+ elements"]


def is_refused(call):
    # What goes through the elements first takes hours.
    start = time.perf_counter()
    try:
        call()
    except (MemoryError, OverflowError):
        return time.perf_counter() - start < 60
    except (RuntimeError, ValueError) as error:
        return any(re.search(told, str(error)) for told in TOLD) and time.perf_counter() - start < 60 or str(error)
    return "it was made"


def called(name, module, arguments):
    return lambda: getattr(module, name)(*arguments)


whole_numbers = ("bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift", _torch, [whole, whole]), ("bitwise_not", _torch, [whole])
truths = (TRUTHS, _torch, [x, x]), ("logical_not isnan isinf isfinite", _torch, [x]), ("masked_select __getitem__", torch.Tensor, [x, true]), ("dropout", F, [x])
truths = [(names, module if N > 2**32 else None, arguments) for names, module, arguments in truths]
groups = [(UNARY, _torch, [x]), (NETWORKS, F, [x]), (BINARY, _torch, [x, x]), (REDUCTIONS, _torch, [column, 1]), *whole_numbers, *truths]
for names, module, arguments in [*groups, *((name, _torch, arguments) for name, arguments in ARGUMENTS.items())]:
    for name in names.split():
        CALLS.setdefault(name, []).extend([called(name, module, arguments)] if module else [])
for name, calls in CALLS.items():
    for number, call in enumerate(calls):
        found = is_refused(call)
        if found is not True:
            print(name, number, found)
print(x)
operations = {name for module in (_torch, _torch._nn) for name in dir(module) if callable(getattr(module, name)) and not isinstance(getattr(module, name), type)}
print("without a line:", sorted(name for name in operations - {*CALLS, *NOTHING_NEW.split()} if not name.startswith("_") and not name.endswith("_")))
