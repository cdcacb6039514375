"""`torch.optim`"""

from torch.optim.optimizer import Optimizer
from torch.optim.rules import SGD, Adagrad, Adam, AdamW, RMSprop
from torch.optim.further import ASGD, Adadelta, Adafactor, Adamax, Muon, NAdam, RAdam, Rprop
from torch.optim.lbfgs import LBFGS
from torch.optim import lr_scheduler
