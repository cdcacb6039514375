import torch
from helper_module import shown

shown(torch.zeros(2, 3), torch.ones(2, dtype=torch.int32), torch.full((2, 2), 3.5), torch.eye(3), torch.eye(2, 3, dtype=torch.long))
shown(torch.arange(5), torch.arange(2, 10, 3), torch.arange(5, 0, -2), torch.arange(0, 1, 0.1), torch.arange(1.5, 4))
shown(torch.linspace(0, 1, 5), torch.linspace(10, -10, 4), torch.linspace(0, 10, 1), torch.linspace(0, 9, 4, dtype=torch.int64))
shown(torch.empty(0), torch.empty(2, 0).shape, torch.empty((3, 4)).shape, torch.empty(2, 3, dtype=torch.int8).dtype)
x = torch.tensor([[1, 2], [3, 4]], dtype=torch.int16)
shown(torch.zeros_like(x), torch.ones_like(x, dtype=torch.float32), torch.full_like(x, 7), torch.empty_like(x).shape)
shown(x.new_zeros(2), x.new_ones((1, 2)), x.new_full((2,), 5), x.new_tensor([1, 2, 3]), x.new_empty(2, 2).dtype)
shown(torch.tensor([[1, 2, 3]] * 2), torch.tensor(range(4)), torch.tensor((1., 2.)), torch.tensor([[[1]]]).shape)
shown(torch.as_tensor([1, 2]), torch.as_tensor(x) is x, torch.asarray([1.5]), torch.Tensor([1, 2]), torch.Tensor(2, 3).shape)
shown(torch.FloatTensor([1, 2]), torch.LongTensor([3, 4]), torch.IntTensor([[1]]), torch.BoolTensor([0, 1]), torch.DoubleTensor([0.1]), torch.ByteTensor([255]))
shown(torch.tensor([torch.tensor(1), torch.tensor(2)]), torch.tensor([float(v) for v in range(3)]))

# copy semantics
data = [1, 2, 3]
t = torch.tensor(data)
data[0] = 100
c = t.clone()
d = t.detach()
alias = t
t[0] = -1
shown(t, c, d, alias is t, data)
shown(t.data_ptr() == d.data_ptr(), t.data_ptr() == c.data_ptr())

# conversions back to Python
shown(t.tolist(), x.tolist(), torch.tensor(2.5).item(), torch.tensor([True]).item(), torch.tensor([[1.1]]).tolist())
shown(type(torch.tensor(1).item()), type(torch.tensor(1.).item()), type(torch.tensor(True).item()), type(t.shape), type(t))
shown(int(torch.tensor(3.9)), float(torch.tensor(2)), bool(torch.tensor(0)), complex(1, 0) == 1, torch.tensor(5).__index__())
shown([10, 20, 30][torch.tensor(1)], "ab" * torch.tensor(2).item(), list(range(torch.tensor(3))))
shown(t.shape == (3,), t.size() == torch.Size([3]), x.shape[0], *x.shape, x.numel(), torch.numel(x), len(x))
shown(torch.is_tensor(t), isinstance(t, torch.Tensor), isinstance(t, torch.LongTensor), torch.is_tensor([1]))
shown(torch.Size([2, 3]) + torch.Size([4]), torch.Size([2, 3, 4])[1:], torch.Size([2, 3]).numel(), tuple(torch.Size([5])))
shown(hash(t) == hash(t), t == alias, (t == alias).all().item(), 2 in t, 99 in t)
shown(torch.tensor([1e-3, 5]), torch.tensor(3, dtype=torch.float64) / 7)
for step in (0.3, 0.1):
    shown(step, torch.arange(0, 1, step).numel(), torch.arange(0, 1, step)[-1].item(), torch.linspace(0, 1, 4)[1].item())
