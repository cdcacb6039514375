"""`torch.optim`"""

from torch.optim.optimizer import Optimizer
from torch.optim.rules import SGD, Adagrad, Adam, AdamW, RMSprop
from torch.optim import lr_scheduler
