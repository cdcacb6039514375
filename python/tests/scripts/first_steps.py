"""What first tutorials show: tensors, gradients, a model, and its training, on data made on the spot."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

# Tensors.
data = [[1, 2], [3, 4]]
x_data = torch.tensor(data)
x_np = torch.from_numpy(np.array(data))
print(x_np, torch.ones_like(x_data), torch.rand_like(x_data, dtype=torch.float).shape)
shape = (2, 3,)
print(f"{torch.ones(shape)} \n {torch.zeros(shape)}")
tensor = torch.rand(3, 4)
print(f"Shape: {tensor.shape}, datatype: {tensor.dtype}, device: {tensor.device}")
if torch.accelerator.is_available():
    tensor = tensor.to(torch.accelerator.current_accelerator())
tensor = torch.ones(4, 4)
print(tensor[0], tensor[:, 0], tensor[..., -1])
tensor[:, 1] = 0
y1, y2, y3 = tensor @ tensor.T, tensor.matmul(tensor.T), torch.rand_like(tensor)
torch.matmul(tensor, tensor.T, out=y3)
print(torch.cat([tensor, tensor, tensor], dim=1).shape, y1.equal(y2), y3.equal(y1))
z3 = torch.rand_like(tensor)
torch.mul(tensor, tensor, out=z3)
agg = tensor.sum()
print(agg.item(), type(agg.item()), z3.equal(tensor * tensor), tensor.add_(5)[0])
t = torch.ones(5)
n = t.numpy()
t.add_(1)
print(t, n)
n = np.ones(5)
t = torch.from_numpy(n)
np.add(n, 1, out=n)
print(t, n)

# Gradients.
torch.manual_seed(0)
x, y = torch.ones(5), torch.zeros(3)
w = torch.randn(5, 3, requires_grad=True)
b = torch.randn(3, requires_grad=True)
z = torch.matmul(x, w) + b
loss = torch.nn.functional.binary_cross_entropy_with_logits(z, y)
print(f"Gradient function for z = {type(z.grad_fn).__name__}, for loss = {type(loss.grad_fn).__name__}")
loss.backward()
print(w.grad, b.grad)
with torch.no_grad():
    print((torch.matmul(x, w) + b).requires_grad, z.detach().requires_grad)
inp = torch.eye(4, 5, requires_grad=True)
out = (inp + 1).pow(2).t()
out.backward(torch.ones_like(out), retain_graph=True)
print(f"First call\n{inp.grad}")
out.backward(torch.ones_like(out), retain_graph=True)
print(f"\nSecond call\n{inp.grad}")
inp.grad.zero_()
out.backward(torch.ones_like(out), retain_graph=True)
print(f"\nCall after zeroing gradients\n{inp.grad}")

# A model.
device = torch.accelerator.current_accelerator().type if torch.accelerator.is_available() else "cpu"
print(f"Using {device} device")


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.linear_relu_stack = nn.Sequential(nn.Linear(6 * 6, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 4))

    def forward(self, x):
        return self.linear_relu_stack(self.flatten(x))


torch.manual_seed(1)
model = Network().to(device)
print(model)
pred_probab = nn.Softmax(dim=1)(model(torch.rand(3, 6, 6, device=device)))
print(f"Predicted class: {pred_probab.argmax(1)}", pred_probab.sum(1))
for name, param in model.named_parameters():
    print(f"Layer: {name} | Size: {param.size()} | Values : {param[:1].detach().flatten()[:2]} \n")


# Its training.
class Corners(Dataset):
    """Images that are bright in one corner, which is their class."""

    def __init__(self, count, transform=None):
        generator = torch.Generator().manual_seed(count)
        self.labels = torch.randint(4, (count,), generator=generator)
        self.images = torch.rand(count, 1, 6, 6, generator=generator)
        for image, label in zip(self.images, self.labels):
            row, column = divmod(int(label), 2)
            image[0, 3 * row : 3 * row + 3, 3 * column : 3 * column + 3] += 0.5
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        image, label = self.images[idx], int(self.labels[idx])
        return (self.transform(image) if self.transform else image), label


train_dataloader = DataLoader(Corners(160, lambda image: image - 0.5), batch_size=16, shuffle=True)
test_dataloader = DataLoader(Corners(48, lambda image: image - 0.5), batch_size=16)
features, labels = next(iter(train_dataloader))
print(f"Feature batch shape: {features.size()}, labels batch shape: {labels.size()}", labels.dtype)
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=5e-2, momentum=0.9)


def train_loop(dataloader, model, loss_fn, optimizer):
    size = len(dataloader.dataset)
    model.train()
    for batch, (X, y) in enumerate(dataloader):
        pred = model(X)
        loss = loss_fn(pred, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if batch % 5 == 0:
            loss, current = loss.item(), batch * dataloader.batch_size + len(X)
            print(f"loss: {loss:>7.4f}  [{current:>5d}/{size:>5d}]")


def test_loop(dataloader, model, loss_fn):
    model.eval()
    size, num_batches, test_loss, correct = len(dataloader.dataset), len(dataloader), 0, 0
    with torch.no_grad():
        for X, y in dataloader:
            pred = model(X)
            test_loss += loss_fn(pred, y).item()
            correct += (pred.argmax(1) == y).type(torch.float).sum().item()
    print(f"Test Error: \n Accuracy: {(100 * correct / size):>0.1f}%, Avg loss: {test_loss / num_batches:>8.4f} \n")


for t in range(3):
    print(f"Epoch {t + 1}\n-------------------------------")
    train_loop(train_dataloader, model, loss_fn, optimizer)
    test_loop(test_dataloader, model, loss_fn)
