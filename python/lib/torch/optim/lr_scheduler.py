"""Learning rates that change from step to step."""

import math as _math


class LRScheduler:
    """Sets the learning rate of each group, now and at every step."""

    def __init__(self, optimizer, last_epoch=-1):
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"])
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self.step()

    def step(self):
        self.last_epoch += 1
        for group, lr in zip(self.optimizer.param_groups, self.get_lr()):
            group["lr"] = lr
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def get_last_lr(self):
        return self._last_lr

    def get_lr(self):
        raise NotImplementedError

    def state_dict(self):
        return {name: value for name, value in self.__dict__.items() if name not in ("optimizer", "lr_lambdas")}

    def load_state_dict(self, state_dict):
        self.__dict__.update(state_dict)


class LambdaLR(LRScheduler):
    """The initial rate times what a function gives for the number of the step."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        groups = len(optimizer.param_groups)
        self.lr_lambdas = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * groups
        if len(self.lr_lambdas) != groups:
            raise ValueError(f"Expected {groups} lr_lambdas, but got {len(self.lr_lambdas)}")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [base * factor(self.last_epoch) for factor, base in zip(self.lr_lambdas, self.base_lrs)]


class StepLR(LRScheduler):
    """`gamma` times the rate, every `step_size` steps."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        rates = [group["lr"] for group in self.optimizer.param_groups]
        if self.last_epoch == 0 or self.last_epoch % self.step_size:
            return rates
        return [rate * self.gamma for rate in rates]


class MultiStepLR(LRScheduler):
    """`gamma` times the rate, at every milestone."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones = sorted(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        factor = self.gamma ** self.milestones.count(self.last_epoch)
        return [group["lr"] * factor for group in self.optimizer.param_groups]


class ExponentialLR(LRScheduler):
    """`gamma` times the rate, every step."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        factor = self.gamma if self.last_epoch else 1
        return [group["lr"] * factor for group in self.optimizer.param_groups]


class ConstantLR(LRScheduler):
    """`factor` times the initial rate for `total_iters` steps, then the initial rate."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        change = {0: self.factor, self.total_iters: 1 / self.factor}.get(self.last_epoch, 1)
        return [group["lr"] * change for group in self.optimizer.param_groups]


class LinearLR(LRScheduler):
    """From one part of the initial rate to another within `total_iters` steps."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if not 0 <= end_factor <= 1:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """From one step to the next, so that schedules can be chained."""
        if self.last_epoch == 0:
            factor = self.start_factor
        elif self.last_epoch > self.total_iters:
            factor = 1
        else:
            whole, rise = self.total_iters * self.start_factor, self.end_factor - self.start_factor
            factor = 1 + rise / (whole + (self.last_epoch - 1) * rise)
        return [group["lr"] * factor for group in self.optimizer.param_groups]


class PolynomialLR(LRScheduler):
    """From the initial rate to zero within `total_iters` steps, along a power."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        left = 1 - min(self.last_epoch, self.total_iters) / self.total_iters
        return [base * left**self.power for base in self.base_lrs]


class SequentialLR(LRScheduler):
    """One schedule after the other; each begins anew at its milestone."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points"
            )
        self.schedulers = schedulers
        self.milestones = milestones
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
        number = sum(self.last_epoch >= milestone for milestone in self.milestones)
        current = self.schedulers[number]
        if number and self.last_epoch == self.milestones[number - 1]:
            for group in self.optimizer.param_groups:
                group["lr"] = group["initial_lr"]
            current.last_epoch = -1
        current.step()
        self._last_lr = current.get_last_lr()


class ReduceLROnPlateau(LRScheduler):
    """`factor` times the rate where a figure has not become better for more than `patience` steps."""

    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0, min_lr=0, eps=1e-8):
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        self.optimizer = optimizer
        self.mode, self.factor, self.patience = mode, factor, patience
        self.threshold, self.threshold_mode = threshold, threshold_mode
        self.cooldown, self.min_lr, self.eps = cooldown, min_lr, eps
        self.best = float("inf") if mode == "min" else -float("inf")
        self.num_bad_epochs = self.cooldown_counter = self.last_epoch = 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

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
            for group in self.optimizer.param_groups:
                lower = max(group["lr"] * self.factor, self.min_lr)
                if group["lr"] - lower > self.eps:
                    group["lr"] = lower
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a wave down to `eta_min`, and again from the initial rate; each is `T_mult` times as long as the last one."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        place, length = self.last_epoch, self.T_0
        while place >= length:
            place, length = place - length, length * self.T_mult
        wave = (1 + _math.cos(_math.pi * place / length)) / 2
        return [self.eta_min + (base - self.eta_min) * wave for base in self.base_lrs]


class ChainedScheduler(LRScheduler):
    """Several schedules at once, each over what the others have made of the rate."""

    def __init__(self, schedulers, optimizer=None):
        self.schedulers = list(schedulers)
        self.optimizer = optimizer or self.schedulers[0].optimizer
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def step(self):
        for scheduler in self.schedulers:
            scheduler.step()
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]


class CosineAnnealingLR(LRScheduler):
    """From the initial rate to `eta_min` within `T_max` steps, along half a wave."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        wave = (1 + _math.cos(_math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * wave for base in self.base_lrs]
