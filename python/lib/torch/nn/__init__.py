"""`torch.nn`"""

from torch.nn.parameter import Parameter
from torch.nn.module import Module
from torch.nn import functional, init, utils
from torch.nn.containers import ModuleDict, ModuleList, ParameterList, Sequential
from torch.nn.layers import *
