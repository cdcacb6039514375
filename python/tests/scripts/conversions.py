"""Dtypes, devices and where elements lie."""

import torch
from helper_module import attempt, shown

x = torch.arange(6.0).view(2, 3)
shown(x.to(torch.float64).dtype, x.to("cpu", torch.float16).dtype, x.to(dtype=torch.int32).tolist(), x.to(x.long()).dtype, x.to(torch.float16, non_blocking=True).dtype)
shown(x.half().dtype, x.bfloat16().dtype, x.double().dtype, x.long().dtype, x.int().dtype, x.bool().tolist())
shown(x.cpu() is x, x.float() is x, x.to("cpu") is x, x.to(torch.device("cpu"), copy=True) is x, x.to(torch.float32, copy=True) is x)
shown(x.stride(), x.t().stride(), x[1, 1:].storage_offset(), x.t().is_contiguous(), x.t().contiguous().is_contiguous())
shown(x.element_size(), x.nelement(), x.nbytes, x.half().nbytes, x.tolist(), x[0, 1].item(), x.long().tolist())
shown(x.type(), x.device, x.is_cuda, x.is_cpu, x.is_floating_point(), x.long().is_floating_point(), x.get_device())
y = x.view(3, 2)
shown(x.data_ptr() == y.data_ptr(), x[1].data_ptr() - x.data_ptr(), x.untyped_storage().data_ptr() == y.untyped_storage().data_ptr())
shown(x[1].untyped_storage().nbytes(), x.clone().data_ptr() == x.data_ptr())
shown(torch.promote_types(torch.float16, torch.bfloat16), x == None, x != "a", torch.float32.itemsize, x.is_sparse, x.is_quantized, x.layout)
shown(torch.full_like(x, 2), torch.pi, torch.ones(2, device="cpu"), torch.rand_like(x, device="cpu").shape, x.new_ones(2).device)
model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Linear(3, 2)).to("cpu")
shown({p.device for p in model.parameters()}, [p.dtype for p in model.double().parameters()], model.half()[0].bias.dtype)
shown(torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.memory_allocated())
attempt(lambda: bool(x), lambda: len(x[0, 0]))
