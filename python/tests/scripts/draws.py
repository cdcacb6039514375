"""Random numbers to the last bit."""

import torch

print(torch.manual_seed(0) is torch.default_generator, torch.initial_seed())
print(torch.randn(40).view(torch.int32).tolist(), torch.randn(3, dtype=torch.bfloat16), torch.empty(17).normal_(2, 3)[-1].item())
print(torch.empty(3).exponential_(2), torch.empty(4).random_(5), torch.empty(2, dtype=torch.int64).random_(2, 9))
