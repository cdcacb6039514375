"""Training loops: one that learns, one that survives, and one in fewer bits."""

import os
import time

import torch
from napkin import show, slip, text
from torch import nn

from resource_accounting_models import DeepLinear


def training_loop():
    """The training loop"""
    text(r"""
Random points, and for each the sum of its coordinates with weights $0, 1, \dots, D-1$. The model must find the weights.
Draw a batch, compare, go back, step, repeat: that is all of training.
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
    text("Without biases, what a linear model makes of the unit vectors are its weights.")
    learned = model(torch.eye(D)).detach()  # @stepover @inspect learned
    farthest = (learned - torch.arange(float(D))).abs().max().item()
    learned_well = farthest < 0.1  # @inspect learned_well
    text("The same loop, to run, pause and step through yourself:")
    show.training(dim=D, layers=layers, batch=B, lr=lr, optimizer="sgd", steps=steps)
    text("The learning rate decides. Too small and nothing happens; too large and too much does.")
    curves = {}
    for rate in [0.001, 0.01, 0.03, 0.3]:
        curves[str(rate)] = train(D, B, layers, 60, rate)[1]  # @stepover
    show.plot(curves, title="Learning rates compared", xlabel="step", ylabel="loss", log="y")
    slip(
        claim="`train(lr=0.1, num_layers=2)`, then `train(lr=0.01, num_layers=2)`, to compare learning rates.",
        right="Both runs were the same.",
        why="That `train` took `lr` and `num_layers`, and then used fixed values. Equal curves are a reason to look.",
    )
    text("One more trap. Four targets, and four right predictions with a dimension too many:")
    targets = torch.tensor([1.0, 2, 3, 4])
    predictions = targets.reshape(4, 1)
    differences = (predictions - targets).shape  # @inspect differences
    wrong_loss = (predictions - targets).pow(2).mean().item()  # @inspect wrong_loss
    right_loss = (predictions.squeeze(-1) - targets).pow(2).mean().item()  # @inspect right_loss
    slip(
        claim="A prediction of shape () and targets of shape (4,): the loss runs, so it is right.",
        right="It is wrong: each target is compared with the same prediction.",
        why="Broadcasting stretches whatever fits, in silence. Compare shapes before you subtract.",
    )


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
    """Checkpoints"""
    text(r"""
Long runs get killed: by a full disk, a bad cable, a colleague. So write everything down from time to time. The test: stop
after 20 of 40 steps, resume, and compare bit by bit with a run that was never stopped.
""")
    whole = Run().advance(40)  # @stepover
    half = Run().advance(20)  # @stepover
    half.save("run.pt")  # @stepover
    resumed = Run().load("run.pt").advance(40)  # @stepover
    identical = torch.equal(resumed.weights(), whole.weights())  # @stepover @inspect identical
    text("Now leave something out:")
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
        why="The step sets the learning rate, the random state the data that come next. Without them it is another run.",
    )


def mixed_precision():
    """Mixed precision"""
    text("Sixteen bits halve memory and multiply speed. So why not put everything into float16? This is why:")
    one = torch.tensor(1.0, dtype=torch.float16)
    after = (one + 0.0004).item()  # @inspect after
    text(r"""
From 1 to the next float16 it is 0.001. An update below half of that vanishes, however often it is made. The cure is a
*master copy* of the weights in float32: compute in 16 bits, update in 32, and scale the loss, as above.
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
float16 throughout stops learning at once. AdaGrad's sum of squares passes 65504 and is infinite, and a step divided by
infinity is no step. Nothing complains. Nor is anything gained at this size: 16 bits pay when matrices are large and
the chip has units for them.
""")


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
