"""`torch.nn`"""

from torch.nn.parameter import Buffer, Parameter
from torch.nn.module import Module
from torch.nn import functional, init, utils
from torch.nn.containers import ModuleDict, ModuleList, ParameterList, Sequential
from torch.nn.activations import *
from torch.nn.layers import *
from torch.nn.losses import *
from torch.nn.attention import *
from torch.nn import modules, parallel
