"""An import that nothing uses does no harm; the sentence comes with the first use."""

from typing import Optional

import torchvision.transforms as plt
import sklearn  # nothing below uses it
import torch.profiler
from datasets import (
    Dataset,
    load_dataset,
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


print(pd, isinstance(3, PreTrainedModel), sklearn.__name__, hasattr(sklearn, "__file__"))
for use in (
    lambda: plot([]),
    lambda: plt.plot([1]),
    lambda: sklearn.linear_model("a").fit("b"),
    lambda: list(Dataset(range(3))),
    lambda: [it for it in load_dataset],
    lambda: AutoModel.from_pretrained("x"),
    lambda: LBFGS([]),
    lambda: torch.profiler.profile(),
    make,
):
    try:
        use()
    except ModuleNotFoundError as error:
        print(error.name, "|", error)
