"""nn.functional odds and ends: one_hot, pad, normalize, embedding, dropout, softmax stability, glu, gumbel."""
import torch
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(0)
print(F.one_hot(torch.tensor([0, 2, 1])), F.one_hot(torch.tensor([1, 3]), num_classes=5).shape)
x = torch.arange(6.0).view(2, 3)
print(F.pad(x, (1, 2)))
print(F.pad(x, (0, 0, 1, 0), value=-1.0))
print(F.pad(x[None], (1, 1), mode="replicate"), F.pad(x[None], (2, 0), mode="reflect"), sep="\n")
print(F.pad(x[None], (1, 1), mode="circular"))
print(F.normalize(x, dim=1))
print(F.relu(torch.tensor([-1.0, 2.0])), F.relu6(torch.tensor([7.0, 3.0])), F.hardtanh(torch.tensor([-3.0, 0.5])))
print(F.glu(torch.tensor([[1.0, 2.0, 0.0, 1.0]])), F.softsign(torch.tensor([1.0, -3.0])), F.mish(torch.tensor([1.0])))

big = torch.tensor([1000.0, 1001.0, 1002.0])
naive = big.exp() / big.exp().sum()
print("naive:", naive, "stable:", F.softmax(big, dim=0))
print("log:", F.log_softmax(big, dim=0), "logsumexp:", big.logsumexp(0))
print("temperature:", F.softmax(big / 10, dim=0), F.softmin(torch.tensor([1.0, 2.0]), dim=0))

table = torch.randn(4, 3)
ids = torch.tensor([[0, 3], [1, 1]])
print(F.embedding(ids, table).shape, torch.equal(F.embedding(ids, table), F.one_hot(ids, 4).float() @ table))
print(F.embedding_bag(ids, table, mode="mean"))
torch.manual_seed(1)
d = F.dropout(torch.ones(10), p=0.3)
print("dropout:", d, F.dropout(torch.ones(3), 0.9, training=False))
print("layer_norm:", F.layer_norm(x, (3,)))
print("rms_norm:", F.rms_norm(x, (3,), eps=1e-6))
print("linear:", F.linear(x, torch.ones(2, 3), torch.tensor([0.5, -0.5])))
b = F.batch_norm(x, torch.zeros(3), torch.ones(3), training=True)
print("batch_norm:", b)
c = F.conv1d(torch.arange(6.0).view(1, 1, 6), torch.tensor([[[1.0, 0.0, -1.0]]]))
print("conv1d:", c, F.conv1d(torch.arange(6.0).view(1, 1, 6), torch.ones(1, 1, 3), stride=2, padding=1))
im = torch.arange(16.0).view(1, 1, 4, 4)
print("max_pool:", F.max_pool2d(im, 2), "avg_pool:", F.avg_pool2d(im, 2))
print("conv2d edge:", F.conv2d(im, torch.tensor([[[[-1.0, 1.0]]]])).squeeze())
print("bilinear sim:", F.cosine_similarity(torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 1.0]])), F.pairwise_distance(x[:1], x[1:]))
print("unfold:", F.unfold(im, 2, stride=2).shape, torch.equal(F.fold(F.unfold(im, 2, stride=2), (4, 4), 2, stride=2), im))
torch.manual_seed(2)
y = F.gumbel_softmax(torch.zeros(2, 4), tau=0.5, hard=True)
print("gumbel hard rows:", y.sum(-1), y.shape)
print("logsigmoid:", F.logsigmoid(torch.tensor([-50.0, 0.0, 50.0])), "softplus:", F.softplus(torch.tensor([-1.0, 0.0, 30.0])))

# functional_call: evaluate a module with other parameters
lin = torch.nn.Linear(3, 1)
params = {"weight": torch.ones(1, 3), "bias": torch.zeros(1)}
print("functional_call:", functional_call(lin, params, (x,)))
before = dict(lin.named_parameters())
fast = {k: p - 0.1 * g for (k, p), g in zip(before.items(), torch.autograd.grad(lin(x).pow(2).mean(), list(before.values()), create_graph=True))}
inner = functional_call(lin, fast, (x,)).pow(2).mean()
print(f"MAML: before {lin(x).pow(2).mean().item():.4f} after {inner.item():.4f}")
inner.backward()
print("outer grad:", lin.weight.grad)
