"""`torch.optim`"""

from torch.optim.optimizer import Optimizer
from torch.optim.rules import SGD, Adagrad, Adam, AdamW, RMSprop
from torch.optim.muon import Muon
from torch.optim import lr_scheduler
from torch._module_names import place as _place

_place(__name__, globals(), {rule.lower(): rule for rule in "Adagrad Adam AdamW RMSprop SGD".split()})
Muon.__module__ = __name__
