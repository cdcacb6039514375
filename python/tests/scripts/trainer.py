"""A trainer with callbacks, a data set of sequences to sort, and the model that it trains."""

from collections import defaultdict

import torch
import torch.nn as nn
from torch.nn import functional as F
from torch.utils.data import Dataset
from torch.utils.data.dataloader import DataLoader


class Settings:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)

    def __str__(self):
        return "\n".join(f"{name}: {value}" for name, value in sorted(self.__dict__.items()))


class Sorting(Dataset):
    """Digits, and behind them the same digits in order; what comes before the answer is not asked for."""

    def __init__(self, split, length=4, digits=3):
        self.split, self.length, self.digits = split, length, digits

    def __len__(self):
        return 10000

    def __getitem__(self, idx):
        while True:
            inp = torch.randint(self.digits, size=(self.length,), dtype=torch.long)
            if ("test" if int(inp.sum()) % 4 == 0 else "train") == self.split:
                break
        sol = torch.sort(inp)[0]
        cat = torch.cat((inp, sol), dim=0)
        x, y = cat[:-1].clone(), cat[1:].clone()
        y[: self.length - 1] = -1
        return x, y


class Model(nn.Module):
    def __init__(self, digits, block, width=24):
        super().__init__()
        self.tokens, self.places = nn.Embedding(digits, width), nn.Embedding(block, width)
        self.attention = nn.MultiheadAttention(width, 3, batch_first=True)
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mlp = nn.ModuleDict(dict(c_fc=nn.Linear(width, 48), act=nn.GELU("tanh"), c_proj=nn.Linear(48, width)))
        self.head = nn.Linear(width, digits, bias=False)

    def forward(self, idx, targets=None):
        t = idx.size(1)
        x = self.tokens(idx) + self.places(torch.arange(t, device=idx.device).unsqueeze(0))
        mask = torch.triu(torch.ones(t, t, dtype=torch.bool), diagonal=1)
        h = self.ln_1(x)
        x = x + self.attention(h, h, h, attn_mask=mask, need_weights=False)[0]
        x = x + self.mlp.c_proj(self.mlp.act(self.mlp.c_fc(self.ln_2(x))))
        logits = self.head(x)
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)


class Trainer:
    def __init__(self, config, model, train_dataset):
        self.config, self.model, self.train_dataset = config, model, train_dataset
        self.optimizer, self.callbacks = None, defaultdict(list)
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model = self.model.to(self.device)
        self.iter_num = 0

    def add_callback(self, onevent, callback):
        self.callbacks[onevent].append(callback)

    def trigger_callbacks(self, onevent):
        for callback in self.callbacks.get(onevent, []):
            callback(self)

    def run(self):
        model, config = self.model, self.config
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=config.learning_rate, betas=config.betas)
        loader = DataLoader(
            self.train_dataset,
            sampler=torch.utils.data.RandomSampler(self.train_dataset, replacement=True, num_samples=int(1e10)),
            shuffle=False,
            pin_memory=torch.cuda.is_available(),
            batch_size=config.batch_size,
            num_workers=config.num_workers,
        )
        model.train()
        data_iter = iter(loader)
        while True:
            try:
                batch = next(data_iter)
            except StopIteration:
                data_iter = iter(loader)
                batch = next(data_iter)
            x, y = [t.to(self.device) for t in batch]
            logits, self.loss = model(x, y)
            model.zero_grad(set_to_none=True)
            self.loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), config.grad_norm_clip)
            self.optimizer.step()
            self.trigger_callbacks("on_batch_end")
            self.iter_num += 1
            if config.max_iters is not None and self.iter_num >= config.max_iters:
                break


torch.manual_seed(3407)
train, test = Sorting("train"), Sorting("test")
x, y = train[0]
for a, b in zip(x, y):
    print(int(a), int(b))
config = Settings(learning_rate=5e-3, betas=(0.9, 0.95), max_iters=100, batch_size=16, num_workers=0, grad_norm_clip=1.0)
print(config)
trainer = Trainer(config, Model(3, 7), train)


def batch_end_callback(trainer):
    if trainer.iter_num % 20 == 0:
        print(f"iter {trainer.iter_num}: train loss {trainer.loss.item():.4f}")


trainer.add_callback("on_batch_end", batch_end_callback)
trainer.run()
model = trainer.model
model.eval()
right = 0
for x, y in DataLoader(test, batch_size=20):
    asked = x[:, :4]
    answer = asked
    with torch.no_grad():
        for _ in range(4):
            logits, _ = model(answer)
            answer = torch.cat([answer, logits[:, -1].argmax(-1, keepdim=True)], dim=1)
    right += int((answer[:, 4:] == asked.sort(1)[0]).all(1).sum())
    break
print(f"{right} of 20 sorted")
