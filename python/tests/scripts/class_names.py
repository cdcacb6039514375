"""Where classes say they are from."""

import torch
from torch import nn, optim
import torch.nn.modules.linear as L
from torch.nn.modules import Linear
from torch.optim.adam import Adam
print(type(nn.Linear(2, 2)), nn.CrossEntropyLoss, nn.Module, nn.Sequential, nn.ReLU, nn.MultiheadAttention, nn.LayerNorm, nn.Dropout, nn.Parameter, L.Linear is nn.Linear is Linear)
print(optim.SGD, optim.AdamW, optim.Muon, optim.Optimizer, Adam is optim.Adam, optim.lr_scheduler.StepLR)
import copy
print(copy.deepcopy(nn.Linear(2, 3)))
