"""Training: randomness, data, optimizers, and the memory of a step."""

import os
import random

import numpy as np
import torch
from napkin import check, exercise, remember, show, text, try_this
from torch import nn

from resource_accounting_exercises import AdamwBytes, LargestBatch, Through  # @stepover
from resource_accounting_loop import checkpointing, mixed_precision, training_loop
from resource_accounting_models import DeepLinear


def training():
    """Training"""
    text("A model, data, an optimizer, and a loop. Let us put them together, and see what each of them takes.")
    randomness()
    data_loading()
    optimizers()
    activations = memory_of_a_step()
    training_loop()
    checkpointing()
    mixed_precision()
    return activations  # @hide


def randomness():
    """How do you get the same random numbers again?"""
    text(r"""
The first weights are random, and so is the order of the data. But when you look for a mistake tomorrow, you want to see
what you saw today. So give each generator a seed. There are three of them, since PyTorch, NumPy and Python have their own.
""")
    seed = 0  # @slider 0 100
    torch.manual_seed(seed)
    np.random.seed(seed)
    random.seed(seed)
    first = torch.randn(4)  # @inspect first
    torch.manual_seed(seed)
    again = torch.randn(4)  # @inspect again
    same = torch.equal(first, again)  # @inspect same
    text("""
It is better still to have one generator for each use. Then it does not change the weights if you draw some more data.
""")
    for_weights = torch.Generator().manual_seed(1)
    for_data = torch.Generator().manual_seed(2)
    weights = torch.randn(4, generator=for_weights)
    for_weights.manual_seed(1)
    extra = torch.randn(100, generator=for_data)
    unmoved = torch.equal(weights, torch.randn(4, generator=for_weights))  # @inspect unmoved
    try_this("Set `seed` to 7. `first` and `again` change together, and `same` stays True.")
    check(
        "Your program begins with torch.manual_seed(0). Does np.random.rand() give the same number every time?",
        {
            "Yes": "One line for the whole program would be nice. But NumPy does not know of PyTorch's seed.",
            "No": "NumPy has a generator of its own, and it needs a seed of its own. So does Python's `random`.",
        },
        answer="No",
    )
    remember("Seed every generator, and give each use one of its own.")


def data_loading():
    """How do you read a file that is larger than memory?"""
    text("""
A *tokeniser* cuts text into tokens and gives each of them a number. These numbers go into a file, one after the other:
""")
    np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], dtype=np.int32).tofile("tokens.bin")
    text(r"""
For a large model such a file has terabytes, and no memory is that large. So use a *memory map*. It looks like an array, but
it reads nothing from the file until you ask for an element.
""")
    data = np.memmap("tokens.bin", dtype=np.int32)
    count = len(data)  # @inspect count
    text("A *batch* is what the model sees in one step. Here it is two windows, each of which begins at a random place:")
    generator = torch.Generator().manual_seed(0)
    batch = windows(data, batch=2, length=4, generator=generator)  # @inspect batch
    shape = batch.shape  # @inspect shape
    os.remove("tokens.bin")  # @hide
    text("And a file of 4 GB? It opens at once.")
    big = np.memmap("big.bin", dtype=np.int32, mode="w+", shape=(10**9,))
    gigabytes = big.nbytes / 1e9  # @inspect gigabytes
    far = windows(big, batch=2, length=4, generator=generator)  # @inspect far
    del big  # @hide
    os.remove("big.bin")  # @hide
    try_this("In the line of `batch`, write `length=8`. The shape becomes (2, 8), and each row still counts up by ones.")
    check(
        "You have just opened a file of 4 GB with np.memmap. How much of it is in memory?",
        {
            "4 GB": "`np.fromfile` would do that. The memory map has only noted where the file is.",
            "Next to nothing": "It is read piece by piece, when you ask for elements.",
            "One batch": "There is no batch yet. It is read when you index the array.",
        },
        answer="Next to nothing",
    )
    remember("A memory map reads what you index, when you index it.")


def windows(data, batch, length, generator):
    starts = torch.randint(len(data) - length + 1, (batch,), generator=generator)
    return torch.stack([torch.tensor(data[start : start + length]) for start in starts.tolist()])


class Descent(torch.optim.Optimizer):
    """p -= lr * rule(gradient, state): every optimizer of the family is one rule."""

    def __init__(self, params, rule, lr, weight_decay=0.0):
        super().__init__(params, dict(rule=rule, lr=lr, weight_decay=weight_decay))

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.data -= group["lr"] * group["weight_decay"] * p.data
                    p.data -= group["lr"] * group["rule"](p.grad, self.state[p])


def sgd(g, state):
    return g


def momentum(g, state):
    state["m"] = 0.9 * state.get("m", 0) + g
    return state["m"]


def adagrad(g, state):
    state["g2"] = state.get("g2", 0) + g**2
    return g / (state["g2"] + 1e-5).sqrt()


def rmsprop(g, state):
    state["v"] = 0.99 * state.get("v", 0) + 0.01 * g**2
    return g / (state["v"].sqrt() + 1e-8)


def adam(g, state):
    state["t"] = state.get("t", 0) + 1
    state["m"] = 0.9 * state.get("m", 0) + 0.1 * g
    state["v"] = 0.999 * state.get("v", 0) + 0.001 * g**2
    m = state["m"] / (1 - 0.9 ** state["t"])
    v = state["v"] / (1 - 0.999 ** state["t"])
    return m / (v.sqrt() + 1e-8)


def optimizers():
    """What does an optimizer remember?"""
    text(r"""
An optimizer decides how far each weight moves. SGD takes a step against the gradient. Momentum follows an average of the gradients
so far. AdaGrad divides by the root of the sum of their squares, RMSProp by the root of an average of them. Adam takes an
average *and* divides, and AdamW also shrinks the weights a little. All but SGD have to remember something for each
parameter, and that takes memory.
""")
    p = nn.Parameter(torch.tensor(1.0))
    optimizer = Descent([p], adagrad, lr=0.1)
    (3 * p).backward()
    optimizer.step()
    g2 = optimizer.state[p]["g2"]  # @inspect g2
    value = p.item()  # @inspect value
    text("That was one step of AdaGrad: $g = 3$, $g_2 = 9$, $p = 1 - 0.1 \\cdot 3 / \\sqrt{9 + 10^{-5}}$. Now a valley, $x^2 / 2 + 10 y^2$:")
    lr = 0.05  # @slider 0.001 0.2
    steps = 40  # @slider 1 200
    paths = {}
    remembered = {}
    for rule in [sgd, momentum, adagrad, rmsprop, adam]:
        path, state = descend(rule, lr, steps)  # @stepover
        paths[rule.__name__] = path
        remembered[rule.__name__] = sum(isinstance(s, torch.Tensor) for s in state.values())
    show.plot(paths, title="From (−4, 1) towards (0, 0)", xlabel="x", ylabel="y")  # @inspect remembered
    losses = {name: [surface(torch.tensor(point)).item() for point in path] for name, path in paths.items()}
    show.plot(losses, title="Loss", xlabel="step", ylabel="loss", log="y")
    text("""
Adam remembers two numbers per parameter. For 70 billion parameters in float32 these are 560 GB. And do our few lines do what
PyTorch does? Let us compare them with its AdamW:
""")
    ours = nn.Parameter(torch.tensor([1.0, -2.0]))
    theirs = nn.Parameter(torch.tensor([1.0, -2.0]))
    our_adamw = Descent([ours], adam, lr=0.1, weight_decay=0.01)
    their_adamw = torch.optim.AdamW([theirs], lr=0.1, weight_decay=0.01)
    for _ in range(10):
        for p, adamw in [(ours, our_adamw), (theirs, their_adamw)]:
            adamw.zero_grad()
            surface(p).backward()  # @stepover
            adamw.step()  # @stepover
    agrees = torch.allclose(ours, theirs)  # @inspect agrees
    try_this("Set `lr` to 0.1. SGD now jumps from y = 1 to y = −1 and back for ever, while the others come nearer.")
    check(
        "How much memory do AdamW's averages take for 7 billion parameters in float32?",
        {
            "28 GB": "That is one number of 4 bytes for each parameter. AdamW keeps two: an average of the gradients, and one of "
            "their squares.",
            "56 GB": "Two numbers of 4 bytes for each parameter: twice as much as the weights themselves.",
            "112 GB": "These are all 16 bytes per parameter. Half of them are the weights and the gradients.",
        },
        answer="56 GB",
    )
    exercise(
        "How many bytes do AdamW's averages take for a model? `adamw_bytes` counts too few. Mind the dtype.",
        adamw_bytes,
        AdamwBytes,
    )
    remember("Numbers to remember per parameter: SGD 0; momentum, AdaGrad and RMSProp 1; Adam and AdamW 2.")


def adamw_bytes(model):
    return sum(p.numel() * p.element_size() for p in model.parameters())


def surface(point):
    """A valley: ½x² + 10y²."""
    return (torch.tensor([0.5, 10.0]) * point**2).sum()


def descend(rule, lr, steps):
    point = nn.Parameter(torch.tensor([-4.0, 1.0]))
    optimizer = Descent([point], rule, lr)
    path = [point.tolist()]
    for _ in range(steps):
        optimizer.zero_grad()
        surface(point).backward()
        optimizer.step()
        path.append(point.tolist())
    return path, optimizer.state[point]


def memory_of_a_step():
    """What fills the memory during training?"""
    text("""
Now everything is there at once: the parameters, their gradients, what the optimizer remembers, and the *activations*, the
results of each layer that the way back needs. Let us take one step with a small model and count the numbers.
""")
    B = 2  # @slider 1 64
    D = 4  # @slider 1 64
    L = 2  # @slider 1 8
    torch.manual_seed(0)
    model = DeepLinear(D, L)  # @stepover
    optimizer = Descent(model.parameters(), adagrad, lr=0.01)
    x = torch.randn(B, D)
    y = x @ torch.arange(float(D))
    h = x
    kept = []
    for layer in model.layers:
        h = layer(h)  # @stepover
        kept.append(h)
    loss = (model.head(h).squeeze(-1) - y).pow(2).mean()  # @stepover
    loss.backward()
    optimizer.step()  # @stepover
    parameters = sum(p.numel() for p in model.parameters())  # @inspect parameters
    activations = sum(h.numel() for h in kept)  # @inspect activations
    gradients = sum(p.grad.numel() for p in model.parameters())  # @inspect gradients
    states = sum(state["g2"].numel() for state in optimizer.state.values())  # @inspect states
    step_bytes = 4 * (parameters + activations + gradients + states)  # @inspect step_bytes
    text(r"""
The formulas say the same: $P = D^2 L + D$ parameters, as many gradients, as many numbers of the optimizer, and $BDL$
activations. The step takes $6BP$ FLOPs.
""")
    P = D * D * L + D  # @inspect P
    formula_bytes = 4 * (P + B * D * L + P + P)  # @inspect formula_bytes
    step_flops = 6 * B * P  # @inspect step_flops
    text("The counter below finds $2BD^2$ FLOPs fewer. They belong to the gradient of the data, which nobody needs.")
    show.count("linear", batch=2, dim=4, layers=2, optimizer="adagrad")
    show.memory()
    text(r"""
Activations grow with the batch. If they do not fit, take the batch in pieces, *micro-batches*, and add up the gradients. This
is called *gradient accumulation*. The sum is the same, and only one piece is in memory at a time.
""")
    whole = [p.grad.clone() for p in model.parameters()]
    model = restart(D, L)  # @stepover
    for i in range(B):
        part = (model(x[i : i + 1]) - y[i : i + 1]).pow(2).mean() / B  # @stepover
        part.backward()
    same = all(torch.allclose(p.grad, g, rtol=1e-4, atol=1e-5) for p, g in zip(model.parameters(), whole))  # @inspect same
    text(r"""
There is another way, *activation checkpointing*: keep only the input of each block, and compute the rest once more on the
way back. It takes a third more FLOPs and saves most of the activations.

Our GPT has a lot to save. A block keeps 16 vectors of 256 numbers for each token: 2 for the norms, 5 for attention, 9 for the
feed-forward layer. Then there are 128 attention weights for each of the 8 heads, and 4 numbers of the norms. At the end
there are the input of the last norm and the 65 scores of the next letter, both with their gradients.
""")
    tokens = 16 * 128
    in_blocks = 4 * tokens * (16 * 256 + 8 * 128 + 4)  # @inspect in_blocks
    gpt_activations = in_blocks + 2 * tokens * (256 + 65)  # @inspect gpt_activations
    text("In float32 these are 173 MB, and the weights are 13 MB. Here is a step of it without checkpointing, and with it:")
    show.count("transformer", layers=4, heads=8, dim=256, context=128, batch=16)
    show.count("transformer", layers=4, heads=8, dim=256, context=128, batch=16, checkpointing=True)
    try_this("Set `B` to 64. `activations` grows to 512, and the other three stay at 36.")
    check(
        "You double the batch. What takes twice the memory?",
        {
            "Only the activations": "There is one set of them for each example. Everything else is as large as the model.",
            "Gradients and activations": "Each example has a gradient, that is true. But the backward pass adds them up at once, "
            "so one number per parameter is kept.",
            "Everything": "Parameters, gradients and optimizer state depend on the model. The batch does not matter to them.",
        },
        answer="Only the activations",
    )
    exercise(
        "How many examples fit into `memory` bytes? Training takes AdamW, with everything in float32. The model has `params` "
        "parameters, and keeps `activations` numbers for each example.",
        largest_batch,
        LargestBatch,
    )
    exercise(
        "Reach the same loss with half the memory: change `through` so that less is kept for the way back.",
        through,
        Through,
    )
    remember("Parameters, gradients and optimizer state grow with the model; activations grow with the batch, too.")
    return gpt_activations  # @hide


def largest_batch(memory, params, activations):
    return memory // (4 * activations)


def through(blocks, x):
    for block in blocks:
        x = block(x)
    return x


def restart(D, L):
    torch.manual_seed(0)
    return DeepLinear(D, L)
