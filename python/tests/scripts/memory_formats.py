"""When does .view() work and when do you need .reshape()?"""
import torch

x = torch.arange(12).reshape(3, 4)
y = x.transpose(0, 1)

for name, t in {"x": x, "x.T": y, "x[:, 1:]": x[:, 1:], "x[1:]": x[1:], "x[::2]": x[::2]}.items():
    try:
        flat = t.view(-1)
        print(name, "-> view ok", flat.tolist())
    except RuntimeError as e:
        print(name, "-> view failed:", e)
        print("   reshape:", t.reshape(-1).tolist())

print(x.size(), x.size(0), x.size(-1), x.dim(), x.ndim, x.numel())
print(x.view(2, -1).shape, x.view(-1, 2).shape, x.view(1, -1, 1).shape)
print(x.view(torch.Size([6, 2])).shape, x.view((2, 6)).shape, x.view([12]).shape)
print(x.view_as(torch.zeros(6, 2)).shape, x.reshape_as(torch.zeros(2, 2, 3)).shape)

for shape in [(5, 3), (-1, -1), (-1, 5), (7,)]:
    try:
        x.view(*shape)
    except RuntimeError as e:
        print(shape, "->", e)
    try:
        x.reshape(shape)
    except RuntimeError as e:
        print(shape, "->", e)

z = torch.zeros(2, 3, 4, 5)
print(z.stride(), z.transpose(1, 3).stride(), z.permute(0, 2, 3, 1).stride())
print(z.permute(3, 2, 1, 0).shape, z.movedim(0, -1).shape, z.swapaxes(0, 2).shape)
print(z.flatten(1).shape, z.flatten(1, 2).shape, z.flatten(-2).shape)
print(z.unflatten(3, (5, 1)).shape, z.flatten().unflatten(0, (6, -1)).shape)
print(z.mT.shape, z.squeeze(0).shape, z[:1].squeeze(0).shape, z.unsqueeze(-1).shape)
print(torch.atleast_2d(torch.tensor(3)).shape, torch.atleast_3d(torch.ones(2)).shape)

a = torch.ones(4, 1, 1, 3)
print(a.squeeze().shape, a.squeeze(1).shape, a.squeeze((1, 2)).shape, a.squeeze(0).shape)
print(a.is_contiguous(), a.transpose(1, 2).is_contiguous(), a.transpose(0, 1).is_contiguous())

cl = torch.zeros(2, 3, 4, 4).to(memory_format=torch.channels_last)
print(cl.stride(), cl.is_contiguous(), cl.is_contiguous(memory_format=torch.channels_last))
print((cl + 1).stride(), cl.contiguous().stride(), torch.zeros_like(cl).stride())
print(y.clone().stride(), torch.ones_like(y).stride(), (y * 2).stride(), y.contiguous().stride())
print(x.view(torch.int32).shape, x.float().view(torch.int32)[0])
print(torch.tensor([1.0]).view(torch.int32).item(), hex(torch.tensor(-2.0).view(torch.int32).item() & 0xffffffff))
print(torch.arange(4, dtype=torch.uint8).view(torch.int16), torch.arange(4, dtype=torch.uint8).view(torch.int32))
