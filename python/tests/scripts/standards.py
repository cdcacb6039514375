"""What has no dtype of its own gets the default one."""

import torch

torch.set_default_dtype(torch.float64)
print(torch.Tensor([1, 2]), torch.linspace(0, 1, 3))
print(torch.ones(2), torch.rand(1).dtype, torch.tensor(1.5).dtype, torch.arange(2.0).dtype, torch.arange(2).dtype)
print(torch.ones(2).float(), torch.ones(2).half(), torch.nn.Linear(2, 2).weight.dtype)
print((torch.ones(2, dtype=torch.int32) / 2).dtype, torch.ones(2, dtype=torch.int32).mean(dtype=torch.float32))
torch.set_default_dtype(torch.float32)
print(torch.Tensor([1, 2]).dtype)
