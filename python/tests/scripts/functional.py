"""nn.functional: one_hot, pad, normalize, embedding, dropout, the stability of softmax, glu, norms."""
import torch
import torch.nn.functional as F

torch.manual_seed(0)
print(F.one_hot(torch.tensor([0, 2, 1])), F.one_hot(torch.tensor([1, 3]), num_classes=5).shape)
x = torch.arange(6.0).view(2, 3)
print(F.pad(x, (1, 2)))
print(F.pad(x, (0, 0, 1, 0), value=-1.0))
print(F.normalize(x, dim=1))
print(F.relu(torch.tensor([-1.0, 2.0])), F.hardtanh(torch.tensor([-3.0, 0.5])))
print(F.glu(torch.tensor([[1.0, 2.0, 0.0, 1.0]])))

big = torch.tensor([1000.0, 1001.0, 1002.0])
naive = big.exp() / big.exp().sum()
print("naive:", naive, "stable:", F.softmax(big, dim=0))
print("log:", F.log_softmax(big, dim=0), "logsumexp:", big.logsumexp(0))
print("temperature:", F.softmax(big / 10, dim=0))

table = torch.randn(4, 3)
ids = torch.tensor([[0, 3], [1, 1]])
print(F.embedding(ids, table).shape, torch.equal(F.embedding(ids, table), F.one_hot(ids, 4).float() @ table))
torch.manual_seed(1)
d = F.dropout(torch.ones(10), p=0.3)
print("dropout:", d, F.dropout(torch.ones(3), 0.9, training=False))
print("layer_norm:", F.layer_norm(x, (3,)))
print("rms_norm:", F.rms_norm(x, (3,), eps=1e-6))
print("linear:", F.linear(x, torch.ones(2, 3), torch.tensor([0.5, -0.5])))
b = F.batch_norm(x, torch.zeros(3), torch.ones(3), training=True)
print("batch_norm:", b)
print("bilinear sim:", F.cosine_similarity(torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 1.0]])))
print("logsigmoid:", F.logsigmoid(torch.tensor([-50.0, 0.0, 50.0])), "softplus:", F.softplus(torch.tensor([-1.0, 0.0, 30.0])))
