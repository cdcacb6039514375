import torch

x = torch.zeros(4, 5)
x[0] = 1
x[:, 0] = 2
x[1, 1:4] = torch.tensor([7., 8., 9.])
x[-1, -1] = 3.5
x[2:, 2:4] = torch.tensor([[1.], [2.]])
print(x)

x[x == 0] = -1
print(x)
x[x > 5] *= 10
print(x)
x[[0, 3], [4, 0]] = torch.tensor([100., 200.])
print(x)
x[..., 1] += 0.5
print(x)
x[:, [0, 2]] = x[:, [2, 0]]
print(x)
x[torch.tensor([1, 2])] = torch.zeros(5)
print(x)
x[x < 0] = torch.tensor(0.25)
print(x)

m = torch.arange(9).reshape(3, 3)
m[torch.eye(3, dtype=torch.bool)] = torch.tensor([10, 20, 30])
print(m)
m[m < 5] = torch.arange(int((m < 5).sum()))
print(m)
m[1] = m[0]
m[0, 0] = 99
print(m)
m[0], m[2] = m[2].clone(), m[0].clone()
print(m)
m[::2, ::2] = 0
print(m)

# float into an integer tensor truncates
k = torch.zeros(3, dtype=torch.int64)
k[0] = 2.9
k[1] = -2.9
k[2] = True
print(k)

# index_put_ with and without accumulation
h = torch.zeros(5, dtype=torch.long)
where = torch.tensor([0, 1, 1, 3, 3, 3])
h[where] += 1
print(h)
h.zero_()
h.index_put_((where,), torch.ones(6, dtype=torch.long), accumulate=True)
print(h)
g = torch.zeros(2, 3)
g.index_put_((torch.tensor([0, 1]), torch.tensor([2, 0])), torch.tensor([5., 6.]))
print(g)
print(torch.index_put(g, (torch.tensor([1]),), torch.tensor(9.)), g[1])
