"""Averages of a model's weights over its training (Izmailov et al. 2018, "Averaging weights leads to wider optima")."""

import copy as _copy
import math as _math

import torch
from torch.nn import Module
from torch.nn.convolutions import _BatchNorm
from torch.optim.lr_scheduler import LRScheduler


def get_ema_multi_avg_fn(decay=0.999):
    @torch.no_grad()
    def ema_update(ema_param_list, current_param_list, _):
        for ema, current in zip(ema_param_list, current_param_list):
            ema.lerp_(current, 1 - decay)

    return ema_update


def get_swa_multi_avg_fn():
    @torch.no_grad()
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        for averaged, current in zip(averaged_param_list, current_param_list):
            averaged.lerp_(current, 1 / (float(num_averaged) + 1))

    return swa_update


def get_ema_avg_fn(decay=0.999):
    @torch.no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    @torch.no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of a model whose parameters are the average of what `update_parameters` was shown."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = _copy.deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        def tensors(of):
            return [*of.parameters(), *(of.buffers() if self.use_buffers else ())]

        own = tensors(self.module)
        theirs = [x.detach().to(mine.device) for x, mine in zip(tensors(model), own)]
        with torch.no_grad():
            if self.n_averaged == 0:
                for mine, other in zip(own, theirs):
                    mine.copy_(other)
            elif self.avg_fn is None:
                real = [(mine, other) for mine, other in zip(own, theirs) if mine.is_floating_point()]
                average = self.multi_avg_fn or get_swa_multi_avg_fn()
                average([mine for mine, _ in real], [other for _, other in real], self.n_averaged)
            else:
                for mine, other in zip(own, theirs):
                    mine.copy_(self.avg_fn(mine, other, self.n_averaged))
            if not self.use_buffers:
                for mine, other in zip(self.module.buffers(), model.buffers()):
                    mine.copy_(other)
            self.n_averaged += 1


@torch.no_grad()
def update_bn(loader, model, device=None):
    """Statistics of batch norms anew, from what the loader gives."""
    norms = [it for it in model.modules() if isinstance(it, _BatchNorm)]
    before = [it.momentum for it in norms]
    if not norms:
        return
    was_training = model.training
    model.train()
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
    for batch in loader:
        batch = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(batch if device is None else batch.to(device))
    for norm, momentum in zip(norms, before):
        norm.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """From the rate that there is to another one, and then that."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must by one of 'cos' or 'linear', instead got {anneal_strategy}")
        rates = swa_lr if isinstance(swa_lr, (list, tuple)) else [swa_lr] * len(optimizer.param_groups)
        for group, rate in zip(optimizer.param_groups, rates):
            group["swa_lr"] = rate
        self.anneal_epochs = anneal_epochs
        self._anneal = (lambda t: (1 - _math.cos(_math.pi * t)) / 2) if anneal_strategy == "cos" else (lambda t: t)
        super().__init__(optimizer, last_epoch)

    def _share(self, step):
        return self._anneal(max(0, min(1, step / max(1, self.anneal_epochs))))

    def get_lr(self):
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(max(0, step - 1)), self._share(step)
        return [
            now * group["swa_lr"]
            + (1 - now) * (group["swa_lr"] if before == 1 else (group["lr"] - before * group["swa_lr"]) / (1 - before))
            for group in self.optimizer.param_groups
        ]
