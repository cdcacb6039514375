"""An import that nothing uses does no harm; the sentence comes with the first use."""

from typing import Optional

import matplotlib.pyplot as plt
import regex  # nothing below uses it
import torch.profiler
from tqdm import (
    tqdm,
    trange,
)
from transformers import AutoModel, PreTrainedModel
from torch.optim import LBFGS

try:
    import pandas as pd
except ImportError as error:
    pd = None
    print("caught:", error)

if True:
    try:
        import scipy.stats
    except Exception:
        print("caught")


def plot(losses: plt.Figure, model: AutoModel | None = None) -> Optional[plt.Axes]:
    import datasets

    plt.rcParams["figure.dpi"] = 100
    return datasets




def make():
    class Mine(PreTrainedModel):
        pass


print(pd, isinstance(3, PreTrainedModel), regex.__name__, hasattr(regex, "__file__"))
for use in (
    lambda: plot([]),
    lambda: plt.plot([1]),
    lambda: regex.compile("a").match("b"),
    lambda: list(tqdm(range(3))),
    lambda: [it for it in trange],
    lambda: AutoModel.from_pretrained("x"),
    lambda: LBFGS([]),
    lambda: torch.profiler.profile(),
    make,
):
    try:
        use()
    except ModuleNotFoundError as error:
        print(error.name, "|", error)
