import torch

x = torch.tensor([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])
print(torch.median(x, 1), torch.sort(x, dim=1, descending=True), x.topk(2), sep="\n")
values, indices = x.max(1)
print(values, indices, x.max(1).values, x.argsort(1), torch.max(x, torch.tensor(2.5)))
print(torch.linalg.matrix_norm(x, 1), torch.linalg.matrix_norm(x), torch.linalg.vector_norm(x, 3))
print(torch.split(x, 2, dim=1), x.split([1, 2], 1)[1], x.chunk(2), x.unbind(1)[0], sep="\n")
print(torch.einsum("ij,kj->ik", x, x), x.roll(1), x.roll(1, 1), torch.roll(x, (1, 1), (0, 1)))
print(x.softmax(-1), torch.log_softmax(x, 0), x.cumsum(1), torch.var_mean(x, 1), x.std(), x.logsumexp(1))
print(torch.softmax(x.half(), 1, dtype=torch.float32).dtype, x.argmax(), x.any(), x.prod(1), 7 % torch.tensor([4, 5]), 7 // torch.tensor([2.0, 3.0]))
torch.manual_seed(0)
x = torch.rand(1000)
print(x.std().item(), x.var(unbiased=False).item(), x.half().std(), x.view(10, 100).var(1)[:3].tolist(), torch.linspace(-1, 1, 21)[8:13].tolist(), torch.tensor([4.0]).exp())
