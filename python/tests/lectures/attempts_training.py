"""Right and wrong attempts at the exercises of the last two parts of the lecture on resource accounting."""

import torch
import torch.nn.functional as F
from judged import judged
from resource_accounting_exercises import Accumulate, AddOften, AdamwBytes, LargestBatch, Through
from torch.utils.checkpoint import checkpoint


@judged(AdamwBytes)
def adamw_bytes(model):
    return sum(2 * p.numel() * p.element_size() for p in model.parameters())


@judged(AdamwBytes)
def adamw_bytes(model):
    kept = 0
    for _, p in model.named_parameters():
        first, second = torch.zeros_like(p), torch.zeros_like(p)
        kept += first.untyped_storage().nbytes() + second.untyped_storage().nbytes()
    return kept


@judged(AdamwBytes)
def adamw_bytes(model):
    return 2 * sum(len(p.flatten()) * torch.finfo(p.dtype).bits // 8 for p in model.parameters())


@judged(AdamwBytes, "This is one number for each parameter, and AdamW keeps two. For a layer in float32, 168 is right.")
def adamw_bytes(model):
    return sum(p.numel() * p.element_size() for p in model.parameters())


@judged(AdamwBytes, "You count numbers, not bytes.")
def adamw_bytes(model):
    return 2 * sum(p.numel() for p in model.parameters())


@judged(AdamwBytes, "This is the number of parameters.")
def adamw_bytes(model):
    return sum(p.numel() for p in model.parameters())


@judged(AdamwBytes, "This would be right if every number took 4 bytes.")
def adamw_bytes(model):
    return 8 * sum(p.numel() for p in model.parameters())


@judged(AdamwBytes, "For a layer in float32, it returns 144, but should return 168.")
def adamw_bytes(model):
    return sum(2 * p.numel() * p.element_size() for name, p in model.named_parameters() if "weight" in name)


@judged(AdamwBytes, "The dtype says how many it takes. For a layer in float32 and one in bfloat16, 200 is right.")
def adamw_bytes(model):
    size = next(model.parameters()).element_size()
    return sum(2 * p.numel() * size for p in model.parameters())


@judged(LargestBatch)
def largest_batch(memory, params, activations):
    if memory < 16 * params:
        return 0
    return int((memory - 16 * params) / (4 * activations))


@judged(LargestBatch)
def largest_batch(memory, params, activations):
    batch = 0
    while 4 * (4 * params + (batch + 1) * activations) <= memory:
        batch += 1
    return batch


@judged(LargestBatch)
def largest_batch(memory, params, activations):
    weights, gradients, averages = 4 * params, 4 * params, 8 * params
    batch, _ = divmod(memory - weights - gradients - averages, 4 * activations)
    return batch if batch > 0 else 0


@judged(LargestBatch, "With 10,000 bytes, 1,000 parameters and 50 activations it returns -30.")
def largest_batch(memory, params, activations):
    return (memory - 16 * params) // (4 * activations)


@judged(LargestBatch, "that takes 116,000 bytes, those of the model included. 420 is right.")
def largest_batch(memory, params, activations):
    return memory // (4 * activations)


@judged(LargestBatch, "It returns a float, but a batch is a whole number: divide with `//`.")
def largest_batch(memory, params, activations):
    return max(0, (memory - 16 * params) / (4 * activations))


@judged(LargestBatch, "it returns 840, and that takes 184,000 bytes")
def largest_batch(memory, params, activations):
    return max(0, (memory - 16 * params) // (2 * activations))


@judged(LargestBatch, "it returns 105, but there is room for more: 420 is right.")
def largest_batch(memory, params, activations):
    return max(0, (memory - 16 * params) // (16 * activations))


@judged(LargestBatch, "With 80,000,000,000 bytes, 1,000,000,000 parameters and 123,456 activations it returns 129,601")
def largest_batch(memory, params, activations):
    return max(0, -(-(memory - 16 * params) // (4 * activations)))


@judged(Through)
def through(blocks, x):
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False)
    return x


@judged(Through)
def through(blocks, x):
    for at in range(len(blocks)):
        x = checkpoint(lambda x, at=at: blocks[at](x), x, use_reentrant=False)
    return x


@judged(Through)
def through(blocks, x):
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=True)
    return x


@judged(Through, "At first it was")
def through(blocks, x):
    for block in blocks:
        x = block(x)
    return x


@judged(Through, "nothing leads back from it: `requires_grad` is False.")
def through(blocks, x):
    with torch.no_grad():
        for block in blocks:
            x = block(x)
    return x


@judged(Through, "The loss is the same, but the way back does not reach every parameter and `x`")
def through(blocks, x):
    for block in blocks:
        x = checkpoint(block, x.detach(), use_reentrant=False)
    return x


@judged(Through, "The shape is right, but element (0, 0) is")
def through(blocks, x):
    for block in blocks[1:]:
        x = checkpoint(block, x, use_reentrant=False)
    return x


@judged(Through, "It returns nothing")
def through(blocks, x):
    for block in blocks:
        x = checkpoint(block, x, use_reentrant=False)


@judged(Accumulate)
def accumulate(model, x, y):
    for rows, targets in zip(x.chunk(4), y.chunk(4)):
        (F.mse_loss(model(rows), targets) / 4).backward()


@judged(Accumulate)
def accumulate(model, x, y):
    for at in range(0, len(x), 4):
        faults = model(x[at : at + 4]) - y[at : at + 4]
        (faults.square().sum() / len(x)).backward()


@judged(Accumulate)
def accumulate(model, x, y):
    params = list(model.parameters())
    for rows, targets in zip(x.split(4), y.split(4)):
        loss = (model(rows) - targets).pow(2).mean()
        for p, grad in zip(params, torch.autograd.grad(loss, params)):
            p.grad = grad / 4 if p.grad is None else p.grad + grad / 4


@judged(Accumulate)
def accumulate(model, x, y):
    model.zero_grad()
    for row, target in zip(x, y):
        loss = (model(row) - target).pow(2).mean()
        loss.backward(torch.tensor(1 / 16))


@judged(Accumulate, "bytes are kept at once: a quarter of the batch takes")
def accumulate(model, x, y):
    (model(x) - y).pow(2).mean().backward()


@judged(Accumulate, "bytes are kept at once: a quarter of the batch takes")
def accumulate(model, x, y):
    loss = 0
    for rows, targets in zip(x.chunk(4), y.chunk(4)):
        loss = loss + (model(rows) - targets).pow(2).mean() / 4
    loss.backward()


@judged(Accumulate, "The gradients are 4 times too large")
def accumulate(model, x, y):
    for rows, targets in zip(x.chunk(4), y.chunk(4)):
        (model(rows) - targets).pow(2).mean().backward()


@judged(Accumulate, "These are the gradients of the last quarter alone")
def accumulate(model, x, y):
    for rows, targets in zip(x.chunk(4), y.chunk(4)):
        model.zero_grad()
        ((model(rows) - targets).pow(2).mean() / 4).backward()


@judged(Accumulate, "A parameter has no gradient")
def accumulate(model, x, y):
    for rows, targets in zip(x.chunk(4), y.chunk(4)):
        loss = (model(rows) - targets).pow(2).mean() / 4


@judged(Accumulate, "These are not the gradients of the whole batch")
def accumulate(model, x, y):
    for rows, targets in zip(x.chunk(4), y.chunk(4)):
        ((model(rows) - targets).mean() / 4).backward()


@judged(Accumulate, "The parameters have changed")
def accumulate(model, x, y):
    for rows, targets in zip(x.chunk(4), y.chunk(4)):
        ((model(rows) - targets).pow(2).mean() / 4).backward()
    torch.optim.SGD(model.parameters(), lr=0.1).step()


@judged(Accumulate, "RuntimeError: The size of tensor a (5) must match the size of tensor b (4)")
def accumulate(model, x, y):
    for rows, targets in zip(x.split(5), y.split(4)):
        ((model(rows) - targets).pow(2).mean() / 4).backward()


@judged(AddOften)
def add_often(step, times):
    return torch.tensor(1 + step * times, dtype=torch.float16)


@judged(AddOften)
def add_often(step, times):
    total = 1.0
    for _ in range(times):
        total += step
    return torch.tensor(total).half()


@judged(AddOften)
def add_often(step, times):
    # Kahan's sum, all of it in float16.
    step, total, lost = torch.tensor(step).half(), torch.tensor(1.0).half(), torch.tensor(0.0).half()
    for _ in range(times):
        part = step + lost
        after = total + part
        lost = part - (after - total)
        total = after
    return total


@judged(AddOften)
def add_often(step, times):
    return (1 + torch.full((times,), step).sum()).to(torch.float16)


@judged(AddOften, "After 1,000 steps of 0.0004 the sum is still 1: every step was rounded away.")
def add_often(step, times):
    total = torch.tensor(1.0, dtype=torch.float16)
    for _ in range(times):
        total = total + torch.tensor(step, dtype=torch.float16)
    return total


@judged(AddOften, "the dtype is torch.float32 and should be torch.float16. This is for 1,000 steps of 0.0004.")
def add_often(step, times):
    return torch.tensor(1 + step * times)


@judged(AddOften, "It returns a float, but should return a tensor of shape () in torch.float16.")
def add_often(step, times):
    return 1 + step * times


@judged(AddOften, "The shape is (1,), but should be ().")
def add_often(step, times):
    return torch.tensor([1 + step * times], dtype=torch.float16)


@judged(AddOften, "The shape is right, but the number is 1.2998047 and should be 1.4003906.")
def add_often(step, times):
    return torch.tensor(1.3, dtype=torch.float16)


@judged(AddOften, "the number is 0.39990234 and should be 1.4003906")
def add_often(step, times):
    return torch.tensor(step * times, dtype=torch.float16)
