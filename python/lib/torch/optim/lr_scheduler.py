"""Learning rates that change from step to step."""

import math as _math

from torch.optim.optimizer import Optimizer as _Optimizer


class LRScheduler:
    """Sets the learning rate of each group, now and at every step; `options` become attributes."""

    def __init__(self, optimizer, last_epoch=-1, **options):
        if not isinstance(optimizer, _Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.__dict__.update(options)
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        # What PyTorch counts, too: it is part of the state.
        self._step_count = 0
        self._is_initial = self._get_lr_called_within_step = False
        self.step()

    def step(self):
        self.last_epoch += 1
        self._step_count += 1
        for group, lr in zip(self.optimizer.param_groups, self.get_lr()):
            group["lr"] = lr
        self._last_lr = self._rates()

    def _rates(self):
        return [group["lr"] for group in self.optimizer.param_groups]

    def get_last_lr(self):
        return self._last_lr

    def get_lr(self):
        raise NotImplementedError

    def state_dict(self):
        """All but the optimizer and what a function decides."""
        state = {name: value for name, value in self.__dict__.items() if name not in ("optimizer", "lr_lambdas")}
        return state | {"lr_lambdas": [None] * len(self.lr_lambdas)} if hasattr(self, "lr_lambdas") else state

    def load_state_dict(self, state_dict):
        self.__dict__.update({name: value for name, value in state_dict.items() if name != "lr_lambdas"})


def _of_groups(optimizer, value):
    """A value for each group, of one for all."""
    return list(value) if isinstance(value, (list, tuple)) else [value] * len(optimizer.param_groups)


class LambdaLR(LRScheduler):
    """The initial rate times what a function gives for the number of the step."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        groups, factors = len(optimizer.param_groups), _of_groups(optimizer, lr_lambda)
        if len(factors) != groups:
            raise ValueError(f"Expected {groups} lr_lambdas, but got {len(factors)}")
        super().__init__(optimizer, last_epoch, lr_lambdas=factors)

    def get_lr(self):
        return [base * factor(self.last_epoch) for factor, base in zip(self.lr_lambdas, self.base_lrs)]


class StepLR(LRScheduler):
    """`gamma` times the rate, every `step_size` steps."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        super().__init__(optimizer, last_epoch, step_size=step_size, gamma=gamma)

    def get_lr(self):
        factor = 1 if self.last_epoch == 0 or self.last_epoch % self.step_size else self.gamma
        return [rate * factor for rate in self._rates()]


class ExponentialLR(LRScheduler):
    """`gamma` times the rate, every step."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        super().__init__(optimizer, last_epoch, gamma=gamma)

    def get_lr(self):
        factor = self.gamma if self.last_epoch else 1
        return [rate * factor for rate in self._rates()]


class ConstantLR(LRScheduler):
    """`factor` times the initial rate for `total_iters` steps, then the initial rate."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        super().__init__(optimizer, last_epoch, factor=factor, total_iters=total_iters)

    def get_lr(self):
        change = {0: self.factor, self.total_iters: 1 / self.factor}.get(self.last_epoch, 1)
        return [rate * change for rate in self._rates()]


class LinearLR(LRScheduler):
    """From one part of the initial rate to another within `total_iters` steps."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if not 0 <= end_factor <= 1:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        super().__init__(optimizer, last_epoch, start_factor=start_factor, end_factor=end_factor, total_iters=total_iters)

    def get_lr(self):
        """From one step to the next, so that schedules can be chained."""
        if self.last_epoch == 0:
            factor = self.start_factor
        elif self.last_epoch > self.total_iters:
            factor = 1
        else:
            whole, rise = self.total_iters * self.start_factor, self.end_factor - self.start_factor
            factor = 1 + rise / (whole + (self.last_epoch - 1) * rise)
        return [rate * factor for rate in self._rates()]


class SequentialLR(LRScheduler):
    """One schedule after the other; each begins anew at its milestone."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone "
                f"points, but got number of schedulers {len(schedulers)} and the number of milestones to be equal to "
                f"{len(milestones)}"
            )
        self._schedulers, self._milestones = schedulers, milestones
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"]
        # All of them have set the rates; that of the first one counts.
        schedulers[0].last_epoch -= 1
        schedulers[0].step()
        self.optimizer = optimizer
        self.last_epoch = last_epoch + 1
        self._last_lr = schedulers[0].get_last_lr()

    def step(self):
        self.last_epoch += 1
        number = sum(self.last_epoch >= milestone for milestone in self._milestones)
        current = self._schedulers[number]
        if number and self.last_epoch == self._milestones[number - 1]:
            for group in self.optimizer.param_groups:
                group["lr"] = group["initial_lr"]
            current.last_epoch = -1
        current.step()
        self._last_lr = current.get_last_lr()

    def state_dict(self):
        own = {name: self.__dict__[name] for name in ("_milestones", "last_epoch", "_last_lr")}
        return own | {"_schedulers": [scheduler.state_dict() for scheduler in self._schedulers]}

    def load_state_dict(self, state_dict):
        for scheduler, state in zip(self._schedulers, state_dict["_schedulers"]):
            scheduler.load_state_dict(state)
        self.__dict__.update({name: value for name, value in state_dict.items() if name != "_schedulers"})


class ReduceLROnPlateau(LRScheduler):
    """`factor` times the rate where a figure has not become better for more than `patience` steps."""

    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8):
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        self.optimizer = optimizer
        for what, value, known in (("mode", mode, ("min", "max")), ("threshold mode", threshold_mode, ("rel", "abs"))):
            if value not in known:
                raise ValueError(f"{what} {value} is unknown!")
        self.mode, self.factor, self.patience = mode, factor, patience
        self.threshold, self.threshold_mode = threshold, threshold_mode
        self.cooldown, self.eps = cooldown, eps
        self.min_lrs = _of_groups(optimizer, min_lr)
        self.best = float("inf") if mode == "min" else -float("inf")
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0
        self._last_lr = self._rates()

    @property
    def in_cooldown(self):
        return self.cooldown_counter > 0

    def _is_better(self, figure):
        sign = 1 if self.mode == "min" else -1
        margin = self.threshold * (abs(self.best) if self.threshold_mode == "rel" else 1)
        return sign * figure < sign * self.best - (margin if margin != float("inf") else 0)

    def step(self, metrics):
        self.last_epoch += 1
        figure = float(metrics)
        if self._is_better(figure):
            self.best, self.num_bad_epochs = figure, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown_counter - 1, 0
        if self.num_bad_epochs > self.patience:
            for number, group in enumerate(self.optimizer.param_groups):
                lower = max(group["lr"] * self.factor, self.min_lrs[number])
                if group["lr"] - lower > self.eps:
                    group["lr"] = lower
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = self._rates()


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a wave down to `eta_min`, and again from the initial rate; each is `T_mult` times as long as the last one."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        self.T_0, self.T_i, self.T_mult, self.eta_min, self.T_cur = T_0, T_0, T_mult, eta_min, last_epoch
        super().__init__(optimizer, last_epoch)

    def step(self, epoch=None):
        """To the next epoch, or to one that is given, which need not be whole."""
        if epoch is not None and epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        self.T_cur = self.last_epoch + 1 if epoch is None else epoch
        self.last_epoch = _math.floor(self.T_cur) - 1
        super().step()

    def get_lr(self):
        place, length = self.T_cur, self.T_0
        while place >= length:
            place, length = place - length, length * self.T_mult
        self.T_cur, self.T_i = place, length
        wave = (1 + _math.cos(_math.pi * place / length)) / 2
        return [self.eta_min + (base - self.eta_min) * wave for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """From the initial rate to `eta_min` within `T_max` steps, along half a wave."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        super().__init__(optimizer, last_epoch, T_max=T_max, eta_min=eta_min)

    def get_lr(self):
        """From one step to the next, so that schedules can be chained."""
        rates = self._rates()
        if self.last_epoch == 0:
            return rates
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            # At the bottom there is nothing to multiply.
            rise = (1 - _math.cos(_math.pi / self.T_max)) / 2
            return [rate + (base - self.eta_min) * rise for base, rate in zip(self.base_lrs, rates)]
        now, before = (1 + _math.cos(_math.pi * step / self.T_max) for step in (self.last_epoch, self.last_epoch - 1))
        return [now / before * (rate - self.eta_min) + self.eta_min for rate in rates]


class OneCycleLR(LRScheduler):
    """Up to `max_lr` and down to almost nothing, once; momentum does the opposite."""

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=1e4, three_phase=False, last_epoch=-1):
        if total_steps is None and None in (epochs, steps_per_epoch):
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        self.total_steps = epochs * steps_per_epoch if total_steps is None else total_steps
        if self.total_steps <= 0 or not isinstance(self.total_steps, int):
            raise ValueError(f"Expected positive integer total_steps, but got {total_steps}")
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        rates = ["initial_lr", "max_lr", *(["initial_lr"] if three_phase else []), "min_lr"]
        momenta = ["max_momentum", "base_momentum", "max_momentum", "max_momentum"]
        ends = [float(number * pct_start * self.total_steps) - number for number in range(1, len(rates) - 1)]
        self._schedule_phases = [
            {
                "end_step": end, "start_lr": rates[number], "end_lr": rates[number + 1], "start_momentum": momenta[number],
                "end_momentum": momenta[number + 1],
            }
            for number, end in enumerate([*ends, self.total_steps - 1])
        ]
        self._anneal_func_type = anneal_strategy
        for group, top in zip(optimizer.param_groups, _of_groups(optimizer, max_lr)):
            group["initial_lr"], group["max_lr"] = top / div_factor, top
            group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(optimizer, base_momentum, max_momentum)
        super().__init__(optimizer, last_epoch)

    def _begin_momentum(self, optimizer, lowest, highest):
        if not {"momentum", "betas"} & optimizer.defaults.keys():
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in optimizer.defaults
        lowest, highest = _of_groups(optimizer, lowest), _of_groups(optimizer, highest)
        for group, low, high in zip(optimizer.param_groups, lowest, highest):
            group["base_momentum"], group["max_momentum"] = low, high
            self._set_momentum(group, high)

    def _set_momentum(self, group, value):
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value

    def _between(self, start, end, share):
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (1 + _math.cos(_math.pi * share))

    def get_lr(self):
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"Tried to step {self.last_epoch} times. The specified number of total steps is {self.total_steps}"
            )
        begin, last = 0.0, self._schedule_phases[-1]
        for phase in self._schedule_phases:
            if self.last_epoch <= phase["end_step"] or phase is last:
                break
            begin = phase["end_step"]
        share = (self.last_epoch - begin) / (phase["end_step"] - begin)
        rates = []
        for group in self.optimizer.param_groups:
            rates.append(self._between(group[phase["start_lr"]], group[phase["end_lr"]], share))
            if self.cycle_momentum:
                momenta = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._set_momentum(group, self._between(*momenta, share))
        return rates
