"""Training loops: one that learns, one that survives, and one in fewer bits."""

import os
import time

import torch
from napkin import check, exercise, remember, show, slip, text, try_this
from torch import nn

from resource_accounting_exercises import Accumulate, AddOften  # @stepover
from resource_accounting_models import DeepLinear


def training_loop():
    """What does a training loop do?"""
    text(r"""
It repeats four things: draw a batch, see how wrong the model is, go back for the gradients, and let the optimizer take a
step. Here the data are random points, and the target of each is the sum of its $D$ coordinates, weighted by
$0, 1, \dots, D-1$. The model has to find these weights.
""")
    D = 16  # @slider 2 32
    B = 4  # @slider 1 64
    layers = 0  # @slider 0 3
    steps = 400  # @slider 10 1000
    lr = 0.03  # @slider 0.001 0.1
    model, losses = train(D, B, layers, steps, lr)  # @stepover
    first_loss = losses[0]  # @inspect first_loss
    last_loss = losses[-1]  # @inspect last_loss
    fell = last_loss < first_loss  # @inspect fell
    text("What has it learned? Give a linear model without biases the unit vectors, and it answers with its weights:")
    learned = model(torch.eye(D)).detach()  # @stepover @inspect learned
    farthest = (learned - torch.arange(float(D))).abs().max().item()
    learned_well = farthest < 0.1  # @inspect learned_well
    text("Here is the same loop for you to run, to pause and to step through:")
    show.training(dim=D, layers=layers, batch=B, lr=lr, optimizer="sgd", steps=steps)
    text("""
Everything hangs on the *learning rate*, which says how large a step is. If it is too small, the loss hardly moves; if it is
too large, each step overshoots, and the loss grows.
""")
    curves = {}
    for rate in [0.001, 0.01, 0.03, 0.3]:
        curves[str(rate)] = train(D, B, layers, 60, rate)[1]  # @stepover
    show.plot(curves, title="Learning rates compared", xlabel="step", ylabel="loss", log="y")
    slip(
        claim="I ran `train(lr=0.1)` and `train(lr=0.01)`. The curves are equal, so the learning rate does not matter.",
        right="Both runs were the same.",
        why="That `train` took `lr`, and then used a fixed value. If two curves are equal to the last digit, look why.",
    )
    text("One more trap. Here are four targets, and four predictions that are right but have one dimension too many:")
    targets = torch.tensor([1.0, 2, 3, 4])
    predictions = targets.reshape(4, 1)
    differences = (predictions - targets).shape  # @inspect differences
    wrong_loss = (predictions - targets).pow(2).mean().item()  # @inspect wrong_loss
    right_loss = (predictions.squeeze(-1) - targets).pow(2).mean().item()  # @inspect right_loss
    slip(
        claim="A prediction of shape () and targets of shape (4,): the loss runs, so it is right.",
        right="It is wrong: each target is compared with the same prediction.",
        why="*Broadcasting* stretches whatever fits, without telling you. Compare shapes before you subtract.",
    )
    try_this("Set `layers` to 1: `last_loss` is `nan`. A deeper model needs a smaller step: with `lr` at 0.003 it learns.")
    check(
        "Where in the loop may optimizer.zero_grad() stand?",
        {
            "Nowhere, it is optional": "It would be if `backward()` replaced gradients. It adds to them, so each step would "
            "follow the sum of all gradients so far.",
            "Only right before backward()": "You often see it there. But anywhere will do, as long as nothing needs the "
            "gradients that it clears.",
            "Anywhere but between backward() and step()": "Between these two it would clear the gradients that the step is "
            "about to use.",
        },
        answer="Anywhere but between backward() and step()",
    )
    exercise(
        "`accumulate` takes 16 rows at once. Find the same gradients with a quarter of the rows at a time.",
        accumulate,
        Accumulate,
    )
    remember("Predict, compare, `zero_grad`, `backward`, `step`: the rest of a training program is book-keeping.")


def accumulate(model, x, y):
    loss = (model(x) - y).pow(2).mean()
    loss.backward()


def train(D, B, layers, steps, lr):
    """Learn the weights 0, 1, …, D−1: the model, and the loss of every step."""
    torch.manual_seed(0)
    truth = torch.arange(float(D))
    model = DeepLinear(D, layers)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        x = torch.randn(B, D)
        loss = (model(x) - x @ truth).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return model, losses


class Run:
    """A training run that can be written down: its learning rate falls with the step, its data are random."""

    def __init__(self):
        torch.manual_seed(0)
        self.step = 0
        self.model = DeepLinear(8, 1)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=0.1)

    def advance(self, until):
        while self.step < until:
            for group in self.optimizer.param_groups:
                group["lr"] = 0.1 * (1 - self.step / 40)
            x = torch.randn(4, 8)
            loss = (self.model(x) - x.sum(dim=-1)).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.step += 1
        return self

    def save(self, path):
        torch.save(
            {
                "model": self.model.state_dict(),
                "optimizer": self.optimizer.state_dict(),
                "step": self.step,
                "random": torch.get_rng_state(),
            },
            path,
        )

    def load(self, path, leave_out=()):
        saved = torch.load(path)
        self.model.load_state_dict(saved["model"])
        if "optimizer" not in leave_out:
            self.optimizer.load_state_dict(saved["optimizer"])
        if "step" not in leave_out:
            self.step = saved["step"]
        if "random" not in leave_out:
            torch.set_rng_state(saved["random"])
        return self

    def weights(self):
        return torch.cat([p.detach().flatten() for p in self.model.parameters()])


def checkpointing():
    """What belongs in a checkpoint?"""
    text(r"""
A run that takes months will be stopped some day: by a full disk, a broken cable, a colleague. So from time to time you save
everything you need to go on, a *checkpoint*. How do you know that it is everything? Stop after 20 of 40 steps, resume, and
compare bit by bit with a run that was never stopped.
""")
    whole = Run().advance(40)  # @stepover
    half = Run().advance(20)  # @stepover
    half.save("run.pt")  # @stepover
    resumed = Run().load("run.pt").advance(40)  # @stepover
    identical = torch.equal(resumed.weights(), whole.weights())  # @stepover @inspect identical
    text("They are identical. Now leave something out, one thing at a time:")
    faults = {}
    for part in ["optimizer", "step", "random"]:
        careless = Run().load("run.pt", leave_out=[part]).advance(40)  # @stepover
        difference = careless.weights() - whole.weights()  # @stepover
        faults[part] = difference.abs().max().item()
    os.remove("run.pt")  # @hide
    show.table(list(faults.items()), columns=["left out", "largest difference of a weight"])  # @inspect faults
    all_matter = min(faults.values()) > 0.01  # @inspect all_matter
    slip(
        claim="A checkpoint is the model's parameters and the optimizer's state.",
        right="And the step, and the random state.",
        why="The step decides the learning rate, and the random state decides which data come next. Without them it is "
        "another run.",
    )
    try_this("In the code, let `half` advance to 10. `identical` stays True: a good checkpoint works wherever you stop.")
    check(
        "You resume a run, and its loss goes on falling smoothly. Is the checkpoint complete?",
        {
            "Yes": "A smooth curve looks convincing. But without the random state you train on other data, and that curve is "
            "just as smooth.",
            "We cannot tell": "Only a comparison with the run that was not stopped tells, bit by bit.",
        },
        answer="We cannot tell",
    )
    remember("A checkpoint holds the model, the optimizer, the step and the random state.")


def mixed_precision():
    """Can you train in 16 bits?"""
    text("""
Numbers of 16 bits take half the memory, and chips multiply them many times faster. So why not put everything into
float16? Because small steps get lost:
""")
    one = torch.tensor(1.0, dtype=torch.float16)
    after = (one + 0.0004).item()  # @inspect after
    text(r"""
The next float16 after 1 is about 1.001. If a step is less than half of that gap, the weight stays what it was, however
often you take the step. The remedy is *mixed precision*: compute in 16 bits, but keep a *master copy* of the weights in
float32 and update that. With float16, scale the loss as well.
""")
    exponent = 4  # @slider 0 20
    scale = 2.0**exponent
    runs = {}
    for name, compute, store, loss_scale in [
        ("float32", torch.float32, torch.float32, 1.0),
        ("bfloat16, float32 master", torch.bfloat16, torch.float32, 1.0),
        ("float16, float32 master", torch.float16, torch.float32, scale),
        ("E4M3, float32 master", torch.float8_e4m3fn, torch.float32, 1.0),
        ("float16 throughout", torch.float16, torch.float16, 1.0),
    ]:
        runs[name] = learn(compute, store, loss_scale)  # @stepover
    show.plot({name: run["losses"] for name, run in runs.items()}, xlabel="step", ylabel="loss", log="y")
    table = [(name, run["losses"][-1], run["bytes"], run["seconds"]) for name, run in runs.items()]
    show.table(table, columns=["run", "last loss", "bytes of weights and state", "seconds"])
    last = {name: loss for name, loss, _, _ in table}
    frozen = last["float16 throughout"] > 100 * last["float16, float32 master"]  # @inspect frozen
    text(r"""
The run with float16 throughout stops learning at once. Its optimizer adds up squares, their sum passes 65504 and becomes
infinite, and a step divided by infinity is zero. There is no error message. With a master copy, weights and state take as
many bytes as in float32; what shrinks are activations and what is multiplied. (You gain no time at this size: 16 bits pay
off with large matrices, on chips that have units for them.)
""")
    try_this("Set `exponent` to 12. Now scaled gradients pass 65504, every step is skipped, and that run learns nothing.")
    check(
        "You train with bfloat16 weights and gradients, AdamW in float32 and a float32 master copy. Bytes per parameter?",
        {
            "8": "Half of 16 would be nice. But only weights and gradients shrink, and the master copy is new.",
            "12": "You have 2 + 2 + 8. The master copy takes 4 more.",
            "16": "2 for the weights, 2 for the gradients, 8 for AdamW, 4 for the master copy: as much as everything in "
            "float32. You gain speed, and smaller activations.",
        },
        answer="16",
    )
    exercise(
        "`add_often` adds many small steps to 1, and gets nowhere. Let it return the right sum, still in float16.",
        add_often,
        AddOften,
    )
    remember("Compute in 16 bits, keep a master copy in float32, and with float16 scale the loss.")


def add_often(step, times):
    total = torch.tensor(1.0, dtype=torch.float16)
    for _ in range(times):
        total = total + step
    return total


def learn(compute, store, scale, D=16, B=8, steps=200, lr=3.0):
    """Learn 0, 1, …, D−1 with products in dtype `compute`, weights and AdaGrad's state in dtype `store`."""
    torch.manual_seed(0)
    truth = torch.arange(float(D))
    w = nn.Parameter(torch.zeros(D, dtype=store))
    g2 = torch.zeros(D, dtype=store)
    losses = []
    start = time.perf_counter()
    for _ in range(steps):
        x = torch.randn(B, D)
        y = rounded(x, compute) @ rounded(w, compute)
        loss = (y.float() - x @ truth).pow(2).sum()
        w.grad = None
        (loss * scale).backward()
        g = w.grad / scale
        if torch.isfinite(g).all():
            g2 += g**2
            w.data -= lr * g / (g2 + 1e-5).sqrt()
        losses.append(loss.item())
    state = w.numel() * w.element_size() + g2.numel() * g2.element_size()
    return {"losses": losses, "bytes": state, "seconds": time.perf_counter() - start}


def rounded(x, dtype):
    """x in dtype; 8-bit values are handed on in float32, for products of them need a GPU."""
    if torch.finfo(dtype).bits > 8:
        return x.to(dtype)
    return x + (x.to(dtype).float() - x).detach()
