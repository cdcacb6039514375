"""The rules by which optimizers update a parameter."""

import _torch as _C
from torch.optim.optimizer import Optimizer


def _check(**limits):
    """Refuses what PyTorch refuses, in its words."""
    for label, (value, is_valid) in limits.items():
        if not is_valid:
            raise ValueError(f"Invalid {label.replace('__', ' ')}: {value}")


def _betas(betas):
    for number, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {number}: {beta}")


def _zeros(param):
    zeros = _C.zeros_like(param)
    zeros._is_state()
    return zeros


def _moved(rule, rows, group, options, states, kept_names, count_names=()):
    """Whether one kernel has moved all parameters: it takes what is float32 and contiguous."""
    params, grads = zip(*rows)
    kept = [state[name] for state in states for name in kept_names]
    counts = [state[name] for state in states for name in count_names]
    return _C._move(rule, float(group["lr"]), options, params, grads, kept, counts)


def _counted(state):
    """The number of this step, kept as PyTorch keeps it: as a tensor."""
    if "step" not in state:
        state["step"] = _C.tensor(0.0)
    state["step"] += 1
    return state["step"].item()


class SGD(Optimizer):
    def __init__(self, params, lr=1e-3, momentum=0, dampening=0, weight_decay=0, nesterov=False, *, maximize=False, foreach=None, differentiable=False, fused=None):
        _check(
            learning__rate=(lr, lr >= 0), momentum__value=(momentum, momentum >= 0), weight_decay__value=(weight_decay, weight_decay >= 0)
        )
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov,
            "maximize": maximize, "foreach": foreach, "differentiable": differentiable, "fused": fused,
        })

    def _move(self, rows, group):
        states = [self.state[param] for param, _ in rows] if group["momentum"] else []
        is_plain = rows and all("momentum_buffer" in state for state in states) and not group["maximize"]
        options = [group[name] for name in ("momentum", "dampening", "nesterov", "weight_decay")]
        if not (is_plain and _moved("sgd", rows, group, options, states, ["momentum_buffer"])):
            super()._move(rows, group)

    def _update(self, param, grad, group):
        grad = -grad if group["maximize"] else grad
        if group["weight_decay"]:
            grad = grad.add(param, alpha=group["weight_decay"])
        if group["momentum"]:
            state = self.state[param]
            kept = state.get("momentum_buffer")
            if kept is None:
                kept = state["momentum_buffer"] = grad.clone().detach()
                kept._is_state()
            else:
                kept.mul_(group["momentum"]).add_(grad, alpha=1 - group["dampening"])
            grad = grad.add(kept, alpha=group["momentum"]) if group["nesterov"] else kept
        param.add_(grad, alpha=-group["lr"])


class Adagrad(Optimizer):
    def __init__(self, params, lr=1e-2, lr_decay=0, weight_decay=0, initial_accumulator_value=0, eps=1e-10, foreach=None, *, maximize=False, differentiable=False, fused=None):
        _check(
            learning__rate=(lr, lr >= 0), lr_decay__value=(lr_decay, lr_decay >= 0), weight_decay__value=(weight_decay, weight_decay >= 0),
            initial_accumulator_value__value=(initial_accumulator_value, initial_accumulator_value >= 0), epsilon__value=(eps, eps >= 0),
        )
        super().__init__(params, {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "fused": fused,
        })
        for group in self.param_groups:
            for param in group["params"]:
                state = self.state[param]
                state["step"] = _C.tensor(0.0)
                state["sum"] = _zeros(param)
                state["sum"].fill_(initial_accumulator_value)

    def _update(self, param, grad, group):
        state = self.state[param]
        step = _counted(state)
        grad = -grad if group["maximize"] else grad
        if group["weight_decay"]:
            grad = grad.add(param, alpha=group["weight_decay"])
        state["sum"].add_(grad * grad)
        rate = group["lr"] / (1 + (step - 1) * group["lr_decay"])
        param.sub_(grad / state["sum"].sqrt().add_(group["eps"]), alpha=rate)


class RMSprop(Optimizer):
    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0, momentum=0, centered=False, capturable=False, foreach=None, maximize=False, differentiable=False):
        _check(
            learning__rate=(lr, lr >= 0), epsilon__value=(eps, eps >= 0), momentum__value=(momentum, momentum >= 0),
            weight_decay__value=(weight_decay, weight_decay >= 0), alpha__value=(alpha, alpha >= 0),
        )
        super().__init__(params, {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered, "weight_decay": weight_decay,
            "capturable": capturable, "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
        })

    def _update(self, param, grad, group):
        state = self.state[param]
        if not state:
            state["step"] = _C.tensor(0.0)
            state["square_avg"] = _zeros(param)
            if group["momentum"]:
                state["momentum_buffer"] = _zeros(param)
            if group["centered"]:
                state["grad_avg"] = _zeros(param)
        _counted(state)
        grad = -grad if group["maximize"] else grad
        if group["weight_decay"]:
            grad = grad.add(param, alpha=group["weight_decay"])
        alpha, squares = group["alpha"], state["square_avg"]
        squares.mul_(alpha).add_(grad * grad, alpha=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"]
            mean.mul_(alpha).add_(grad, alpha=1 - alpha)
            squares = squares - mean * mean
        change = grad / squares.sqrt().add_(group["eps"])
        if group["momentum"]:
            change = state["momentum_buffer"].mul_(group["momentum"]).add_(change)
        param.sub_(change, alpha=group["lr"])


class Adam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None, maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        _check(learning__rate=(lr, lr >= 0), epsilon__value=(eps, eps >= 0))
        _betas(betas)
        _check(weight_decay__value=(weight_decay, weight_decay >= 0))
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad, "maximize": maximize,
            "foreach": foreach, "capturable": capturable, "differentiable": differentiable, "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        })

    def _move(self, rows, group):
        states = [self.state[param] for param, _ in rows]
        for (param, _), state in zip(rows, states):
            if not state:
                state["step"] = _C.tensor(0.0)
                state["exp_avg"] = _zeros(param)
                state["exp_avg_sq"] = _zeros(param)
                if group["amsgrad"]:
                    state["max_exp_avg_sq"] = _zeros(param)
        rule = "adamw" if group["decoupled_weight_decay"] else "adam"
        options = [*group["betas"], group["eps"], group["weight_decay"]]
        is_plain = rows and not (group["maximize"] or group["amsgrad"])
        if not (is_plain and _moved(rule, rows, group, options, states, ["exp_avg", "exp_avg_sq"], ["step"])):
            super()._move(rows, group)

    def _update(self, param, grad, group):
        state = self.state[param]
        step = _counted(state)
        grad = -grad if group["maximize"] else grad
        if group["decoupled_weight_decay"]:
            param.mul_(1 - group["lr"] * group["weight_decay"])
        elif group["weight_decay"]:
            grad = grad.add(param, alpha=group["weight_decay"])
        beta1, beta2 = group["betas"]
        mean, squares = state["exp_avg"], state["exp_avg_sq"]
        mean.mul_(beta1).add_(grad, alpha=1 - beta1)
        squares.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
        if group["amsgrad"]:
            squares = state["max_exp_avg_sq"].copy_(state["max_exp_avg_sq"].maximum(squares))
        # Means that began with zeros are too small by this much.
        correction1, correction2 = 1 - beta1**step, 1 - beta2**step
        size = (squares.sqrt() / correction2**0.5).add_(group["eps"])
        param.sub_(mean / size, alpha=group["lr"] / correction1)


class AdamW(Adam):
    """Adam whose weight decay shrinks the parameters themselves."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, **options):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, **options, decoupled_weight_decay=True)
