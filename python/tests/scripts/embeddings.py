"""Embedding tables, weight tying, dropout."""
import torch
from helper_module import attempt, shown
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)
emb = nn.Embedding(6, 3, padding_idx=0)
shown(emb, emb.weight[0])
ids = torch.tensor([[1, 2, 0], [5, 2, 0]])
out = emb(ids)
shown(out.shape, out)
out.sum().backward()
shown(emb.weight.grad)
neg = nn.Embedding(5, 2, padding_idx=-1)
shown(neg.padding_idx, neg.weight[-1])
pre = nn.Embedding.from_pretrained(torch.arange(6.0).reshape(3, 2))
shown(pre.weight.requires_grad, pre(torch.tensor(2)))
attempt(lambda: emb(torch.tensor([6])), lambda: emb(torch.tensor([1.0])), lambda: nn.Embedding(3, 2, padding_idx=3), lambda: emb(torch.tensor([-1])))


class Tied(nn.Module):
    def __init__(self, v, d):
        super().__init__()
        self.emb = nn.Embedding(v, d)
        self.out = nn.Linear(d, v, bias=False)
        self.out.weight = self.emb.weight

    def forward(self, t):
        return self.out(self.emb(t))


t = Tied(5, 3)
shown(len(list(t.parameters())), sum(p.numel() for p in t.parameters()), list(t.state_dict()))
shown([n for n, _ in t.named_parameters(remove_duplicate=False)])
F.cross_entropy(t(torch.tensor([1, 2])), torch.tensor([2, 3])).backward()
shown(t.emb.weight.grad is t.out.weight.grad, (t.emb.weight.grad != 0).sum().item())
x = torch.ones(6, requires_grad=True)
y = F.dropout(x, 0.5)
y.sum().backward()
shown(torch.equal(x.grad, y.detach()))
shown(F.one_hot(torch.tensor([0, 2, 1]), 4), F.embedding(ids, torch.eye(6)).shape)
