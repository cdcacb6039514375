"""`torch.optim`"""

from torch.optim.optimizer import Optimizer
from torch.optim.rules import SGD, Adagrad, Adam, AdamW, RMSprop
from torch.optim.further import ASGD, LBFGS, Adadelta, Adafactor, Adamax, Muon, NAdam, RAdam, Rprop
from torch.optim import lr_scheduler
