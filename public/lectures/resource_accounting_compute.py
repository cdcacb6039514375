"""Compute accounting, first half: where tensors live, what a view is, and operations on them."""

import time

import torch
from einops import einsum, rearrange, reduce
from jaxtyping import Float
from napkin import show, slip, text
from torch import Tensor


def compute_accounting():
    """Tensors at work"""
    text("What do operations do? Some move gigabytes, others not a byte.")
    where_tensors_live()
    storage_and_strides()
    views()
    contiguity()
    elementwise()
    matmul()
    named_dimensions()


def where_tensors_live():
    """Where do tensors live?"""
    text("In the memory of the processor, unless told otherwise.")
    x = torch.zeros(32, 32)
    home = str(x.device)  # @inspect home
    text("A GPU has memory of its own. Tensors are moved there or, better, made there.")
    device = "cuda" if torch.cuda.is_available() else "cpu"  # @inspect device
    before = allocated(device)  # @stepover
    start = time.perf_counter()
    moved = x.to(device)
    synchronize(device)  # @stepover
    seconds = time.perf_counter() - start  # @inspect seconds
    made = torch.zeros(32, 32, device=device)
    more = allocated(device) - before  # @stepover @inspect more
    text("Two tensors of 32 × 32 float32 should take this many bytes more. Without a GPU nothing has moved.")
    expected = 2 * 32 * 32 * made.element_size()  # @inspect expected
    show.memory()


def allocated(device):
    return torch.cuda.memory_allocated() if device == "cuda" else 0


def synchronize(device):
    if device == "cuda":
        torch.cuda.synchronize()


def storage_and_strides():
    """Storage and strides"""
    text(r"""
Memory has one dimension. A tensor is a stretch of it, the *storage*, and a rule for reading it: per dimension a
*stride*, the number of elements to walk to the next index.
""")
    x = torch.arange(16.0).reshape(4, 4)  # @inspect x
    strides = x.stride()  # @inspect strides
    show.strides(x)
    text("Row 1, column 2 is one stride of rows and two of columns away from the start.")
    row = 1  # @slider 0 3
    column = 2  # @slider 0 3
    place = row * x.stride(0) + column * x.stride(1)  # @inspect place
    value = x[row, column].item()  # @inspect value
    text("Any number of dimensions works the same way. Five:")
    y = torch.zeros(2, 3, 4, 5, 6)
    five = y.stride()  # @inspect five


def views():
    """Views"""
    text(r"""
A new rule over the old storage is a new tensor for free, a *view*. PyTorch makes one wherever it can. Here are eight
tensors made from one:
""")
    x = torch.tensor([[1.0, 2, 3], [4, 5, 6]])  # @inspect x
    made = {
        "x[0]": x[0],
        "x[:, 1]": x[:, 1],
        "x.view(3, 2)": x.view(3, 2),
        "x.transpose(1, 0)": x.transpose(1, 0),
        "x[:, ::2]": x[:, ::2],
        "x[:, :1].expand(2, 3)": x[:, :1].expand(2, 3),
        "x.permute(1, 0)": x.permute(1, 0),
        "x + 0": x + 0,
    }
    text("Two tensors share storage if their storages begin at the same address.")
    base = x.untyped_storage().data_ptr()
    shared = sum(y.untyped_storage().data_ptr() == base for y in made.values())  # @predict How many of the eight share storage with x? | 1 | 4 | 7 | 8 @inspect shared
    copies = [name for name, y in made.items() if y.untyped_storage().data_ptr() != base]  # @inspect copies
    strides = [(name, list(y.shape), list(y.stride())) for name, y in made.items()]  # @inspect strides
    show.table(strides, columns=["expression", "shape", "stride"])
    text("The price: write through one, and all have changed.")
    y = x.view(3, 2)  # @clear copies strides
    z = x.transpose(1, 0)
    x[0][0] = 100
    seen_in_y = y[0][0].item()  # @inspect seen_in_y
    seen_in_z = z[0][0].item()  # @inspect seen_in_z
    show.strides(x, y, z)


def contiguity():
    """When a view is impossible"""
    text(r"""
A tensor is *contiguous* if reading it row by row walks straight through its storage. A transpose is not: its rows jump.
""")
    x = torch.tensor([[1.0, 2, 3], [4, 5, 6]])
    y = x.transpose(1, 0)  # @inspect y
    contiguous = y.is_contiguous()  # @inspect contiguous
    text("Reading it as 2 × 3 would need a stride that changes on the way. There is no such rule, and PyTorch says so:")
    try:
        y.view(2, 3)
    except RuntimeError as error:
        message = str(error)  # @inspect message
    text("`contiguous()` writes a copy in reading order. Copies cost memory, and `reshape` makes them unasked.")
    z = y.contiguous().view(2, 3)  # @inspect z
    copied_bytes = z.numel() * z.element_size()  # @inspect copied_bytes
    shares = z.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()  # @inspect shares
    show.strides(x, y, z)


def elementwise():
    """Element by element"""
    text("The simplest operations do the same to every element, and put the answers into a new tensor.")
    x = torch.tensor([1.0, 4, 9])
    squares = x.pow(2)  # @inspect squares
    roots = x.sqrt()  # @inspect roots
    inverse_roots = x.rsqrt()  # @inspect inverse_roots
    double = x + x  # @inspect double
    scaled = x * 2  # @inspect scaled
    halves = x / 2  # @inspect halves
    text(r"""
`triu` keeps the upper triangle. As a mask in a language model it lets position $i$ influence position $j$ if
$i \le j$. Nobody reads the future.
""")
    mask = torch.ones(3, 3).triu()  # @inspect mask
    show.heat(mask)


def matmul():
    """Matrix products"""
    text("The operation that everything else waits for.")
    x = torch.ones(16, 32)
    w = torch.ones(32, 2)
    y = x @ w
    shape = y.shape  # @inspect shape
    text("Usually it is repeated for every sequence of a batch and every token of a sequence:")
    batch = torch.ones(4, 8, 16, 32)
    batched = batch @ w
    batched_shape = batched.shape  # @inspect batched_shape


def named_dimensions():
    """Dimensions with names"""
    text(r"""
`x.transpose(-2, -1)`: which one was −2? Names are kinder. jaxtyping writes them into annotations, einops computes with
them. `einsum` multiplies, and sums over every name that the result lacks.
""")
    x: Float[Tensor, "batch seq1 hidden"] = torch.ones(2, 3, 4)
    y: Float[Tensor, "batch seq2 hidden"] = torch.ones(2, 3, 4)
    z = einsum(x, y, "batch seq1 hidden, batch seq2 hidden -> batch seq1 seq2")  # @inspect z
    shape = z.shape  # @inspect shape
    text("`reduce` sums, averages or takes the largest over the names that go:")
    sums = reduce(x, "... hidden -> ...", "sum")  # @inspect sums
    text("`rearrange` splits and merges. Here 8 numbers are 2 heads of 4, which mix within each head:")
    flat: Float[Tensor, "batch seq total_hidden"] = torch.ones(2, 3, 8)
    w: Float[Tensor, "hidden1 hidden2"] = torch.ones(4, 4)
    heads = rearrange(flat, "... (heads hidden1) -> ... heads hidden1", heads=2)
    heads_shape = heads.shape  # @inspect heads_shape
    mixed = einsum(heads, w, "... hidden1, hidden1 hidden2 -> ... hidden2")
    merged = rearrange(mixed, "... heads hidden2 -> ... (heads hidden2)")
    merged_shape = merged.shape  # @inspect merged_shape
    slip(
        claim='`rearrange(x, "..., (heads hidden1) -> ... heads hidden1", heads=2)`',
        right="No comma after the ellipsis.",
        why="A comma separates tensors, and `rearrange` has but one: einops rejects the pattern.",
    )
    text(r"""
An einsum of two tensors costs 2 FLOPs per combination of all its names. With three the order matters: $A B v$, from the
left or from the right?
""")
    n = 1024  # @slider 2 16384
    from_the_left = 2 * n**3 + 2 * n**2  # @inspect from_the_left
    from_the_right = 2 * n**2 + 2 * n**2  # @inspect from_the_right
    times = from_the_left / from_the_right  # @inspect times
