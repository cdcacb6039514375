"""Views, strides and storage."""

import torch
from helper_module import attempt, shown

x = torch.arange(24).reshape(2, 3, 4)
for name, y in {
    "x": x,
    "x.T of 2-D": x[0].T,
    "x.mT": x.mT,
    "permute": x.permute(2, 0, 1),
    "transpose": x.transpose(0, -1),
    "movedim": x.movedim(0, 2),
    "swapaxes": x.swapaxes(0, 1),
    "select": x.select(1, 2),
    "narrow": x.narrow(2, 1, 2),
    "slice": x[:, ::2, 1:],
    "diagonal": x.diagonal(dim1=1, dim2=2),
    "unsqueeze": x.unsqueeze(-1),
    "squeeze": x[:1].squeeze(0),
    "expand": x[:1].expand(5, 3, 4),
    "expand -1": x[:, :1].expand(-1, 2, -1),
    "flatten": x.flatten(1),
    "unflatten": x.unflatten(2, (2, 2)),
    "view -1": x.view(6, -1),
    "as_strided": x.as_strided((3, 3), (1, 2), 4),
    "unfold": x.unfold(2, 2, 1),
    "broadcast_to": x[0].broadcast_to(2, 3, 4),
    "expand_as": x[:1].expand_as(x),
    "reshape_as": x.mT.reshape_as(torch.empty(2, 12)),
    "view_as": x.view_as(torch.empty(4, 6)),
    "real flip": x.flip(0),
    "ravel": x.ravel(),
    "contiguous": x.mT.contiguous(),
    "clone": x.mT.clone(),
    "reshape": x.mT.reshape(2, 12),
    "None": x[None, ..., None],
    "detach": x.detach(),
}.items():
    shown(
        name,
        tuple(y.shape),
        y.stride(),
        y.storage_offset(),
        y.is_contiguous(),
        y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr(),
        y.data_ptr() - x.data_ptr() if y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr() else "own",
        y.sum().item(),
    )

shown(x.untyped_storage().nbytes(), x.nbytes, x.element_size(), len(x.untyped_storage()))
a, b, c = x.unbind(1)
shown(a.stride(), b.storage_offset(), c)
shown([tuple(p.shape) for p in x.split(2, dim=2)], [tuple(p.shape) for p in x.split([1, 3], dim=2)])
shown([tuple(p.shape) for p in x.chunk(3, dim=2)], [tuple(p.shape) for p in torch.tensor_split(x, 3, dim=2)])

y = x[0]
y[1, 1] = 100
x[0].T[3, 2] = -1
shown(x)
y += 1000
shown(x[0, 0])

z = torch.zeros(3, 3)
z.diagonal().fill_(7)
z[:, 1].add_(1)
z.view(-1)[::4].mul_(2)
shown(z)
w = torch.arange(4, dtype=torch.int32)
shown(w.view(torch.uint8), w.view(torch.int64), w.view(torch.float32))
shown(torch.tensor(1.0).view(torch.int32).item() == 0x3F800000)

attempt(
    lambda: x.view(5, 5),
    lambda: x.mT.view(24),
    lambda: x.view(-1, -1),
    lambda: x.view(7, -1),
    lambda: x.expand(3, 3, 4),
    lambda: x.permute(0, 1),
    lambda: x.permute(0, 0, 1),
    lambda: x.transpose(0, 3),
    lambda: x.squeeze(5),
    lambda: x.reshape(25),
    lambda: x.narrow(0, 1, 2),
    lambda: x.select(0, 2),
    lambda: x.size(3),
    lambda: x.size(-4),
    lambda: x.unflatten(2, (3, -1)),
    lambda: x.split(0),
    lambda: x.as_strided((100,), (1,)),
    lambda: x.stride(3),
    lambda: x.flatten(2, 1),
)
x = torch.arange(4.0).view(2, 2)
shown(x.clone(memory_format=torch.contiguous_format).stride(), x.layout)
shown(torch.LongTensor([1, 2]), torch.FloatTensor(2, 3).shape, isinstance(x, torch.FloatTensor), isinstance(x, torch.LongTensor), x.type("torch.IntTensor"))
shown(torch.zeros(3).index_put_((torch.tensor([0, 0]),), torch.ones(2), accumulate=True))
shown(torch.argwhere(x > 1))
