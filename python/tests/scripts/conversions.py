import torch
from helper_module import attempt

x = torch.arange(6.0).view(2, 3)
print(x.to(torch.float64).dtype, x.to("cpu") is x, x.to("cpu", torch.float16).dtype, x.to(dtype=torch.int32))
print(x.half().dtype, x.bfloat16().dtype, x.double().dtype, x.long(), x.int().dtype, x.bool())
print(x.cpu() is x, x.float() is x, x.to(torch.float32, copy=True) is x, x.to(x.long()).dtype)
print(x.stride(), x.t().stride(), x[1, 1:].storage_offset(), x.t().is_contiguous(), x.t().contiguous().is_contiguous())
print(x.element_size(), x.nelement(), x.nbytes, x.half().nbytes, x.tolist(), x[0, 1].item(), x.long().tolist())
print(x.type(), x.device, x.is_cuda, x.is_floating_point(), x.long().is_floating_point(), x.get_device())
y = x.view(3, 2)
print(x.data_ptr() == y.data_ptr(), x[1].data_ptr() - x.data_ptr(), x.untyped_storage().data_ptr() == y.untyped_storage().data_ptr())
print(x[1].untyped_storage().nbytes(), x.clone().data_ptr() == x.data_ptr())
print(x.new_zeros(2), x.new_ones(1, 2), x.long().new_full((2,), 7), x.new_tensor([1, 2]))
print(torch.promote_types(torch.float16, torch.bfloat16), x == None, x != "a", torch.is_tensor(x))
print(torch.as_tensor([1.5, 2]), torch.full_like(x, 2), torch.diag(torch.tensor([1.0, 2.0])), torch.pi)
attempt(lambda: bool(x), lambda: len(x[0, 0]))
