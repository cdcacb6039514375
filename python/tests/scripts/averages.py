"""EMA of weights, early stopping with best-checkpoint restore, SWA averaging."""
import copy
import torch
import torch.nn as nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


class EMA:
    def __init__(self, model, decay=0.9):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)
        for s, b in zip(self.shadow.buffers(), model.buffers()):
            s.copy_(b)


class EarlyStopping:
    def __init__(self, patience=3, min_delta=0.0):
        self.patience, self.min_delta = patience, min_delta
        self.best, self.bad, self.state = float("inf"), 0, None

    def __call__(self, loss, model):
        if loss < self.best - self.min_delta:
            self.best, self.bad = loss, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


torch.manual_seed(0)
Xtr, Xva = torch.randn(20, 8), torch.randn(40, 8)
w = torch.randn(8, 1)
ytr, yva = Xtr @ w + 0.8 * torch.randn(20, 1), Xva @ w + 0.8 * torch.randn(40, 1)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))
ema = EMA(model)
swa = AveragedModel(model)
swa_ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
stopper = EarlyStopping(patience=4, min_delta=1e-3)
opt = torch.optim.Adam(model.parameters(), lr=0.02)
mse = nn.MSELoss()


@torch.no_grad()
def val(m):
    m.eval()
    v = mse(m(Xva), yva).item()
    m.train()
    return v


for epoch in range(100):
    opt.zero_grad()
    loss = mse(model(Xtr), ytr)
    loss.backward()
    opt.step()
    ema.update(model)
    swa.update_parameters(model)
    swa_ema.update_parameters(model)
    v = val(model)
    if epoch % 4 == 0:
        print(f"epoch {epoch:2d} train {loss.item():.4f} val {v:.4f} ema {val(ema.shadow):.4f} swa {val(swa):.4f} bad {stopper.bad}")
    if stopper(v, model):
        print(f"early stop at epoch {epoch}, best {stopper.best:.4f}")
        break
model.load_state_dict(stopper.state)
print(f"restored val {val(model):.4f}")
print("averaged:", swa.n_averaged.item(), f"swa val {val(swa):.4f} swa-ema val {val(swa_ema):.4f}")
print("shadow trainable:", any(p.requires_grad for p in ema.shadow.parameters()))

# EMA formula on a scalar
avg, decay = 0.0, 0.9
t = torch.tensor(0.0)
for i in range(1, 8):
    avg = decay * avg + (1 - decay) * i
    t.lerp_(torch.tensor(float(i)), 1 - decay)
    print(f"{i}: ema {t.item():.4f} python {avg:.4f} corrected {avg / (1 - decay ** i):.4f}")
