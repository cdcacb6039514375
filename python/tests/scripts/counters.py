import torch
from torch.utils.flop_counter import FlopCounterMode

a, b = torch.ones(4, 8, requires_grad=True), torch.ones(8, 16)
with FlopCounterMode(display=False) as counter:
    c = a @ b
print(counter.get_total_flops())
with FlopCounterMode(display=False) as counter:
    (c * 1).sum().backward()
    torch.nn.functional.linear(a.detach(), torch.ones(2, 8))
print(counter.get_total_flops())
print(torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.memory_allocated())
