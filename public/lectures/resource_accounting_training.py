"""Training: randomness, data, optimizers, and the memory of a step."""

import os
import random

import numpy as np
import torch
from napkin import show, slip, text
from torch import nn

from resource_accounting_loop import checkpointing, mixed_precision, training_loop
from resource_accounting_models import DeepLinear


def training():
    """Training"""
    randomness()
    data_loading()
    optimizers()
    memory_of_a_step()
    training_loop()
    checkpointing()
    mixed_precision()


def randomness():
    """Randomness"""
    text(r"""
Weights, order of the data, dropout: all begin at random, and all should be the same tomorrow when you look for the bug.
Three libraries keep three generators. Seed them all.
""")
    seed = 0  # @slider 0 100
    torch.manual_seed(seed)
    np.random.seed(seed)
    random.seed(seed)
    first = torch.randn(4)  # @inspect first
    torch.manual_seed(seed)
    again = torch.randn(4)  # @inspect again
    same = torch.equal(first, again)  # @inspect same
    text("Better: one seed per use. Then a second look at the data does not change the weights.")
    for_weights = torch.Generator().manual_seed(1)
    for_data = torch.Generator().manual_seed(2)
    weights = torch.randn(4, generator=for_weights)
    for_weights.manual_seed(1)
    extra = torch.randn(100, generator=for_data)
    unmoved = torch.equal(weights, torch.randn(4, generator=for_weights))  # @inspect unmoved


def data_loading():
    """Loading data"""
    text("A tokeniser turns text into integers, and those go into a file.")
    np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], dtype=np.int32).tofile("tokens.bin")
    text(r"""
Such files run to terabytes. A *memory map* looks like an array, but reads nothing until an element is asked for.
""")
    data = np.memmap("tokens.bin", dtype=np.int32)
    count = len(data)  # @inspect count
    text("A batch is some windows of it, each beginning at a random place.")
    generator = torch.Generator().manual_seed(0)
    batch = windows(data, batch=2, length=4, generator=generator)  # @inspect batch
    shape = batch.shape  # @inspect shape
    os.remove("tokens.bin")  # @hide
    text("A file of 4 GB? It opens at once.")
    big = np.memmap("big.bin", dtype=np.int32, mode="w+", shape=(10**9,))
    gigabytes = big.nbytes / 1e9  # @inspect gigabytes
    far = windows(big, batch=2, length=4, generator=generator)  # @inspect far
    del big  # @hide
    os.remove("big.bin")  # @hide


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
    """Optimizers"""
    text(r"""
SGD goes down the gradient. Momentum averages gradients. AdaGrad divides by the root of the sum of their squares, RMSProp
of their average. Adam does both; AdamW also shrinks the weights. One family, each with a rule of a few lines, and
something to remember.
""")
    p = nn.Parameter(torch.tensor(1.0))
    optimizer = Descent([p], adagrad, lr=0.1)
    (3 * p).backward()
    optimizer.step()
    g2 = optimizer.state[p]["g2"]  # @inspect g2
    value = p.item()  # @inspect value
    text("That was one step of AdaGrad: $g = 3$, $g_2 = 9$, $p = 1 - 0.1 \\cdot 3 / \\sqrt{9 + 10^{-5}}$. Now a valley:")
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
    text("Adam remembers two numbers per parameter. For 70 billion parameters in float32 that is 560 GB. And AdamW?")
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
    """The memory of a training step"""
    text("Everything at once: a deep linear model, a batch, a backward pass, an optimizer.")
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
    text(r"Then the formulas: $P = D^2 L + D$ parameters, as many gradients and states, $BDL$ activations, $6BP$ FLOPs.")
    P = D * D * L + D  # @inspect P
    formula_bytes = 4 * (P + B * D * L + P + P)  # @inspect formula_bytes
    step_flops = 6 * B * P  # @inspect step_flops
    text("The counter below finds $2BD^2$ fewer: the data's own gradient, which nobody needs.")
    show.count("linear", batch=2, dim=4, layers=2, optimizer="adagrad")
    show.memory()
    text(r"""
Activations grow with the batch. *Accumulation* takes the batch in pieces and adds up their gradients: same sum, less at a
time.
""")
    whole = [p.grad.clone() for p in model.parameters()]
    model = restart(D, L)  # @stepover
    for i in range(B):
        part = (model(x[i : i + 1]) - y[i : i + 1]).pow(2).mean() / B  # @stepover
        part.backward()
    same = all(torch.allclose(p.grad, g, rtol=1e-4, atol=1e-5) for p, g in zip(model.parameters(), whole))  # @inspect same
    text(r"""
*Activation checkpointing* keeps only the input of each block and computes the rest again on the way back: a third more
FLOPs for a fraction of the memory. The same Transformer without and with it:
""")
    show.count("transformer", layers=4, dim=64, context=32)
    show.count("transformer", layers=4, dim=64, context=32, checkpointing=True)


def restart(D, L):
    torch.manual_seed(0)
    return DeepLinear(D, L)
