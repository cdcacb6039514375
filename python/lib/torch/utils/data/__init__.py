"""`torch.utils.data`: data sets, and batches of them."""

from torch.utils.data.datasets import *
from torch.utils.data.loader import DataLoader, default_collate
from torch.utils.data.samplers import (
    BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler,
)
