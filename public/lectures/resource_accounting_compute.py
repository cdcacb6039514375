"""Compute accounting, first half: where tensors live, what a view is, and operations on them."""

import time

import torch
from einops import einsum, rearrange, reduce
from jaxtyping import Float
from napkin import check, exercise, remember, show, slip, text, try_this
from resource_accounting_exercises import OddColumns, Position  # @stepover
from torch import Tensor


def compute_accounting():
    """Tensors at work"""
    text("What do operations do to memory? Some copy gigabytes, others not a single byte. It pays to know which is which.")
    where_tensors_live()
    storage_and_strides()
    views()
    contiguity()
    elementwise()
    matmul()
    named_dimensions()


def where_tensors_live():
    """Where do tensors live?"""
    text("""
Unless you say otherwise, a tensor lives in the memory of the processor, the CPU. A GPU has memory of its own, and it
computes only with what is there.
""")
    x = torch.zeros(32, 32)
    home = str(x.device)  # @inspect home
    text("You can move a tensor to the GPU. It is better to make it there at once, since moving takes time.")
    device = "cuda" if torch.cuda.is_available() else "cpu"  # @inspect device
    before = allocated(device)  # @stepover
    start = time.perf_counter()
    moved = x.to(device)
    synchronize(device)  # @stepover
    seconds = time.perf_counter() - start  # @inspect seconds
    made = torch.zeros(32, 32, device=device)
    more = allocated(device) - before  # @stepover @inspect more
    text("""
Two tensors of 32 × 32 float32 should take `expected` bytes more on the GPU. If you have none, nothing has moved, and `more`
is 0.
""")
    expected = 2 * 32 * 32 * made.element_size()  # @inspect expected
    show.memory()
    try_this("""
In the code, make `x` of size `(2048, 2048)`. With a GPU, `more` grows to 16,781,312 bytes, and `seconds` grows much
less. Without a GPU, `more` stays 0.
""")
    check(
        "x is on the CPU. How many bytes does x.to('cpu') copy?",
        {
            "None": "`to` returns the tensor itself if it is already where you want it.",
            "All of them": "It reads like a command to copy. If you want a copy, write `x.clone()`.",
        },
        answer="None",
    )
    remember("Make tensors where you need them: `device=` saves the trip.")


def allocated(device):
    return torch.cuda.memory_allocated() if device == "cuda" else 0


def synchronize(device):
    if device == "cuda":
        torch.cuda.synchronize()


def storage_and_strides():
    """How does a grid lie in memory?"""
    text(r"""
Memory is one long line. A tensor is a piece of that line, its *storage*, together with a rule for reading it. The rule
has one number for each dimension, the *stride*: how many elements you walk to get to the next index.
""")
    x = torch.arange(16.0).reshape(4, 4)  # @inspect x
    strides = x.stride()  # @inspect strides
    show.strides(x)
    text("Where is row 1, column 2? Walk one stride of the rows and two strides of the columns from the beginning.")
    row = 1  # @slider 0 3
    column = 2  # @slider 0 3
    place = row * x.stride(0) + column * x.stride(1)  # @inspect place
    value = x[row, column].item()  # @inspect value
    text("It works the same way with any number of dimensions. Here are five:")
    y = torch.zeros(2, 3, 4, 5, 6)
    five = y.stride()  # @inspect five
    try_this("Set `row` to 3 and `column` to 0. `place` is 3 · 4 + 0 · 1 = 12, and so is the value that lies there.")
    check(
        "A float32 tensor of shape (10, 20) has stride (20, 1). How many bytes after x[0, 0] does x[1, 0] begin?",
        {
            "10": "That is the number of rows. To get to the next row you walk past the 20 elements of this one.",
            "20": "A stride counts elements, not bytes. Each of these takes 4 bytes.",
            "80": "20 elements of 4 bytes each.",
        },
        answer="80",
    )
    exercise(
        "`position` finds an element in the storage, for two dimensions. Make it work for any number of them.",
        position,
        Position,
    )
    remember("Place = sum of index × stride, counted in elements.")


def position(index, stride):
    return index[0] * stride[0] + index[1] * stride[1]


def views():
    """Which operations copy?"""
    text(r"""
You can put a second rule over the same storage. That makes a new tensor without copying anything: a *view*. PyTorch makes
one wherever it can. Here are eight tensors that are made from one:
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
    text("How can you tell? Two tensors share storage if their storages begin at the same address.")
    base = x.untyped_storage().data_ptr()
    shared = sum(y.untyped_storage().data_ptr() == base for y in made.values())  # @predict How many of the eight share storage with x? | 1 | 4 | 7 | 8 @inspect shared
    copies = [name for name, y in made.items() if y.untyped_storage().data_ptr() != base]  # @inspect copies
    strides = [(name, list(y.shape), list(y.stride())) for name, y in made.items()]  # @inspect strides
    show.table(strides, columns=["expression", "shape", "stride"])
    text("There is a catch. Write through one of the tensors that share storage, and you see it in all of them.")
    y = x.view(3, 2)  # @clear copies strides
    z = x.transpose(1, 0)
    x[0][0] = 100
    seen_in_y = y[0][0].item()  # @inspect seen_in_y
    seen_in_z = z[0][0].item()  # @inspect seen_in_z
    show.strides(x, y, z)
    try_this("""
In the code, replace the last entry, `x + 0`, by `x.contiguous()`. Now all eight share storage: `x` is contiguous already, so
there is nothing to copy.
""")
    check(
        "After z = x.transpose(1, 0) you write z[2, 0] = 7. What happens to x, whose shape is (2, 3)?",
        {
            "x[0, 2] becomes 7": "A transpose swaps the two indices and shares the storage.",
            "x[2, 0] becomes 7": "`x` has only two rows. The transpose swaps the indices: row 2, column 0 of `z` is row 0, "
            "column 2 of `x`.",
            "Nothing": "It would be so if `z` were a copy. But a transpose only makes a new rule for the same storage.",
        },
        answer="x[0, 2] becomes 7",
    )
    exercise(
        "`odd_columns` returns columns 1, 3, 5, … of a matrix, and copies them. Return the same without a copy.",
        odd_columns,
        OddColumns,
    )
    remember("A view costs no memory. What you write through it shows in every tensor that shares the storage.")


def odd_columns(x):
    return torch.stack([x[:, i] for i in range(1, x.shape[1], 2)], dim=1)


def contiguity():
    """Why does view() sometimes fail?"""
    text(r"""
A tensor is *contiguous* if reading it row by row walks straight through its storage. A transpose is not: from one element
of a row to the next you jump.
""")
    x = torch.tensor([[1.0, 2, 3], [4, 5, 6]])
    y = x.transpose(1, 0)  # @inspect y
    contiguous = y.is_contiguous()  # @inspect contiguous
    text("To read it as 2 × 3, the steps within a row would have to differ. A stride is one number, and PyTorch tells you so:")
    try:
        y.view(2, 3)
    except RuntimeError as error:
        message = str(error)  # @inspect message
    text("""
`contiguous()` writes a copy whose elements lie in the order of reading. `reshape` does the same when it has to, without
telling you. Either way the copy takes memory.
""")
    z = y.contiguous().view(2, 3)  # @inspect z
    copied_bytes = z.numel() * z.element_size()  # @inspect copied_bytes
    shares = z.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()  # @inspect shares
    show.strides(x, y, z)
    try_this("In the line of `z`, write `x` in place of `y`. `shares` becomes True: `x` is contiguous, so nothing is copied.")
    check(
        "x has shape (5, 7) and stride (7, 1). What is the stride of x.transpose(1, 0)?",
        {
            "(5, 1)": "A fresh tensor of shape (7, 5) has these strides. The transpose is not a fresh tensor: it lies as `x` "
            "lies.",
            "(1, 7)": "The strides are swapped with the dimensions. The last is not 1, so the tensor is not contiguous.",
            "(7, 1)": "These are the strides of `x`. Unchanged, they would read `x` itself.",
        },
        answer="(1, 7)",
    )
    remember("`view` never copies, so it may refuse. `reshape` copies when it must.")


def elementwise():
    """What can you do to each element?"""
    text("""
The simplest operations do the same to every element. The results go into a new tensor of the same shape.
""")
    x = torch.tensor([1.0, 4, 9])
    squares = x.pow(2)  # @inspect squares
    roots = x.sqrt()  # @inspect roots
    inverse_roots = x.rsqrt()  # @inspect inverse_roots
    double = x + x  # @inspect double
    scaled = x * 2  # @inspect scaled
    halves = x / 2  # @inspect halves
    text(r"""
`triu` keeps the upper triangle of a matrix and fills the rest with zeros. A language model needs such a *mask*: position
$i$ may influence position $j$ only if $i \le j$, so that no word is predicted from words that come after it.
""")
    mask = torch.ones(3, 3).triu()  # @inspect mask
    show.heat(mask)
    try_this("In the last line, write `triu(1)`. The diagonal becomes 0, too, and three ones are left.")
    check(
        "x has a million elements in float32. How much new memory does the result of x.pow(2) take?",
        {
            "None": "It would be so for `x.pow_(2)`: the underscore means that `x` itself is overwritten.",
            "1 MB": "That would be one byte per element. A float32 has four.",
            "4 MB": "The result is a new tensor as large as `x`.",
        },
        answer="4 MB",
    )
    remember("An elementwise operation reads each element once, and writes a new tensor.")


def matmul():
    """What does a matrix product do to shapes?"""
    text("""
In the product `x @ w`, each row of `x` meets each column of `w`: multiply element by element, and add up. So a row of `x`
must be as long as a column of `w`. Nearly all the work of a language model is done by this one operation.
""")
    x = torch.ones(16, 32)
    w = torch.ones(32, 2)
    y = x @ w
    shape = y.shape  # @inspect shape
    text("In front of the matrix there may be more dimensions, say sequences of a batch. The product is repeated for each:")
    batch = torch.ones(4, 8, 16, 32)
    batched = batch @ w
    batched_shape = batched.shape  # @inspect batched_shape
    try_this("In the code, make `w` of size `(32, 10)`. Both shapes now end in 10, and nothing else changes.")
    check(
        "How many multiplications does the product of shapes (4, 8, 16, 32) and (32, 2) take?",
        {
            "1,024": "That is 16 × 32 × 2, one product. There are 4 × 8 of them.",
            "32,768": "4 × 8 × 16 × 32 × 2: one for each combination of all five sizes.",
            "65,536": "That is the number of FLOPs: each multiplication comes with an addition. Some tools count the pair as "
            "one, a *MAC*, and call it a FLOP.",
        },
        answer="32,768",
    )
    remember("(…, m, k) @ (k, n) gives (…, m, n): the inner sizes must be equal, and they disappear.")


def named_dimensions():
    """Can dimensions have names?"""
    text(r"""
In `x.transpose(-2, -1)`, which dimension is −2? Names are easier to read than numbers. The library jaxtyping writes them
into annotations, and einops computes with them: `einsum` multiplies, and sums over every name that is missing in the
result.
""")
    x: Float[Tensor, "batch seq1 hidden"] = torch.ones(2, 3, 4)
    y: Float[Tensor, "batch seq2 hidden"] = torch.ones(2, 3, 4)
    z = einsum(x, y, "batch seq1 hidden, batch seq2 hidden -> batch seq1 seq2")  # @inspect z
    shape = z.shape  # @inspect shape
    text("`reduce` sums, averages or takes the largest over the names that are missing in the result; `...` are all others:")
    sums = reduce(x, "... hidden -> ...", "sum")  # @inspect sums
    text("`rearrange` splits and merges dimensions. Here 8 numbers become 2 heads of 4. Each head is multiplied by `w`:")
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
        why="A comma separates tensors, and `rearrange` takes only one, so einops rejects the pattern.",
    )
    text(r"""
What does it cost? An einsum of two tensors takes 2 FLOPs for each combination of all its names. With three tensors the
order matters. Take two $n \times n$ matrices and a vector, $A B v$: do you begin at the left or at the right?
""")
    n = 1024  # @slider 2 16384
    from_the_left = 2 * n**3 + 2 * n**2  # @inspect from_the_left
    from_the_right = 2 * n**2 + 2 * n**2  # @inspect from_the_right
    times = from_the_left / from_the_right  # @inspect times
    try_this("Set `n` to 16384. Beginning at the left now costs 8192.5 times as much.")
    check(
        "Over which name does “batch seq1 hidden, batch seq2 hidden -> batch seq1 seq2” sum?",
        {
            "batch": "It stands in both inputs, as hidden does. But it also stands in the result, so it is kept.",
            "hidden": "It is the only name that is missing in the result.",
            "seq1 and seq2": "Each stands in one input only, and both stand in the result: they are kept.",
        },
        answer="hidden",
    )
    remember("In an einsum, what is missing in the result is summed. It takes 2 FLOPs per combination of all names.")
