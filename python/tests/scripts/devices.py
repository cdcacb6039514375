import torch

device = torch.device("cuda" if False else "cpu")
print(device, repr(device), str(device), device.type, device.index)
print(torch.device("cpu") == device, torch.device("cpu:0"), torch.device("cpu", 0), torch.device("cpu") == torch.device("cpu:0"))
print(torch.device("cuda:1"), torch.device("cuda", 1).index, torch.device(type="cuda").type)

x = torch.zeros(2, 3, device=device)
print(x.device, x.is_cuda, x.is_cpu, x.get_device(), x.device.type == "cpu")
print(x.to("cpu") is x, x.cpu() is x, x.to(device) is x, x.to(device, copy=True) is x)
y = x.to(device=device, dtype=torch.float64)
print(y.dtype, y.device, y.to(x).dtype, y.to("cpu", torch.int32).dtype, y.to(torch.float16, non_blocking=True).dtype)
print(torch.ones(2, device="cpu"), torch.arange(3, device=device), torch.rand_like(x, device="cpu").shape)
print(x.new_ones(2).device, torch.zeros_like(x).device, torch.tensor([1], device="cpu").device)

model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU(), torch.nn.Linear(3, 2)).to(device)
print(next(model.parameters()).device, {p.device for p in model.parameters()})
print([p.dtype for p in model.double().parameters()], model.float()[0].weight.dtype, model.half()[0].bias.dtype)
model.float()

with torch.device("cpu"):
    print(torch.zeros(1).device)

# meta tensors have shapes but no data
m = torch.empty(1000, 1000, device="meta")
print(m.shape, m.device, m.is_meta, m.numel() * m.element_size())
print((m @ m).shape, (m + 1).dtype, m.sum(0).shape, m[:10].T.shape, m)
print(torch.zeros(2, device="meta", dtype=torch.int32))
for bad in ["gpu", "cpu0", "cuda:x", ""]:
    try:
        print(torch.device(bad))
    except RuntimeError as e:
        print(type(e).__name__, str(e).split(":")[0][:90])
try:
    torch.empty(2, device="meta").item()
except RuntimeError as e:
    print(type(e).__name__)
try:
    torch.empty(2, device="meta") + torch.ones(2)
except RuntimeError as e:
    print(e)
lookup = {torch.device("cpu"): "host", torch.device("cuda:0"): "gpu 0"}
print(lookup[x.device], lookup.get(torch.device("cuda", 0)), torch.get_default_device())
print(torch.float32.itemsize, torch.zeros(1).is_sparse, torch.zeros(1).is_quantized, x.layout, x.requires_grad, x.grad)
print(torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.memory_allocated())
