"""`torch.utils.data`: data sets, and batches of them."""

from torch.utils.data.dataset import *
from torch.utils.data.dataloader import DataLoader, default_collate
from torch.utils.data.sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler
