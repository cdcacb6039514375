"""`torch.optim`"""

from torch.optim.optimizer import Optimizer
from torch.optim.rules import SGD, Adagrad, Adam, AdamW, RMSprop
from torch.optim.further import ASGD, Adadelta, Adafactor, Adamax, Muon, NAdam, RAdam, Rprop
from torch.optim.lbfgs import LBFGS
from torch.optim import lr_scheduler
from torch._places import place as _place

_RULES = "ASGD Adadelta Adagrad Adam AdamW Adamax NAdam RAdam RMSprop Rprop SGD"
_place(__name__, globals(), {rule.lower(): rule for rule in _RULES.split()})
Adafactor.__module__ = Muon.__module__ = __name__
