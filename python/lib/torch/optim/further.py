"""Rules beside those that most programs use."""

import _torch as _C
from torch.optim.optimizer import Optimizer
from torch.optim.rules import _betas, _check, _counted, _zeros


def _common(group, param, grad):
    """The gradient with its sign and the decay of weights."""
    grad = -grad if group["maximize"] else grad
    return grad.add(param, alpha=group["weight_decay"]) if group["weight_decay"] else grad


def _begin(state, param, *names):
    if not state:
        state["step"] = _C.tensor(0.0)
        for name in names:
            state[name] = _zeros(param)


class Adadelta(Optimizer):
    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-6, weight_decay=0, foreach=None, *, capturable=False, maximize=False, differentiable=False):
        _check(
            learning__rate=(lr, lr >= 0), rho__value=(rho, 0 <= rho <= 1), epsilon__value=(eps, eps >= 0),
            weight_decay__value=(weight_decay, weight_decay >= 0),
        )
        super().__init__(params, {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay, "maximize": maximize, "capturable": capturable,
            "foreach": foreach, "differentiable": differentiable,
        })

    def _update(self, param, grad, state, group):
        _begin(state, param, "square_avg", "acc_delta")
        _counted(state)
        grad = _common(group, param, grad)
        rho, squares, changes = group["rho"], state["square_avg"], state["acc_delta"]
        squares.mul_(rho).add_(grad * grad * (1 - rho))
        change = (changes + group["eps"]).sqrt() / (squares + group["eps"]).sqrt() * grad
        changes.mul_(rho).add_(change * change * (1 - rho))
        param.add_(change, alpha=-group["lr"])


class Adamax(Optimizer):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, foreach=None, *, maximize=False, differentiable=False, capturable=False):
        _check(learning__rate=(lr, lr >= 0), epsilon__value=(eps, eps >= 0))
        _betas(betas)
        _check(weight_decay__value=(weight_decay, weight_decay >= 0))
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "capturable": capturable,
        })

    def _update(self, param, grad, state, group):
        _begin(state, param, "exp_avg", "exp_inf")
        step = _counted(state)
        grad = _common(group, param, grad)
        beta1, beta2 = group["betas"]
        state["exp_avg"].lerp_(grad, 1 - beta1)
        largest = state["exp_inf"]
        largest.copy_((largest * beta2).maximum(grad.abs() + group["eps"]))
        param.addcdiv_(state["exp_avg"], largest, value=-group["lr"] / (1 - beta1**step))


class NAdam(Optimizer):
    def __init__(self, params, lr=2e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, momentum_decay=4e-3, decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False):
        _check(learning__rate=(lr, lr >= 0), epsilon__value=(eps, eps >= 0))
        _betas(betas)
        _check(
            weight_decay__value=(weight_decay, weight_decay >= 0), momentum_decay__value=(momentum_decay, momentum_decay >= 0)
        )
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "differentiable": differentiable,
        })

    def _update(self, param, grad, state, group):
        if not state:
            state["step"], state["mu_product"] = _C.tensor(0.0), _C.ones(())
            state["exp_avg"], state["exp_avg_sq"] = _zeros(param), _zeros(param)
        step = _counted(state)
        grad = _decayed(group, param, grad)
        beta1, beta2 = group["betas"]
        now, then = (beta1 * (1 - 0.5 * 0.96 ** (at * group["momentum_decay"])) for at in (step, step + 1))
        state["mu_product"] *= now
        product = state["mu_product"].item()
        mean, squares = state["exp_avg"].lerp_(grad, 1 - beta1), state["exp_avg_sq"]
        squares.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        size = (squares / (1 - beta2**step)).sqrt().add_(group["eps"])
        param.addcdiv_(grad, size, value=-group["lr"] * (1 - now) / (1 - product))
        param.addcdiv_(mean, size, value=-group["lr"] * then / (1 - product * then))


def _decayed(group, param, grad):
    """The gradient; the decay of weights is in it, or has shrunk the parameter."""
    if not group["decoupled_weight_decay"]:
        return _common(group, param, grad)
    param.mul_(1 - group["lr"] * group["weight_decay"])
    return -grad if group["maximize"] else grad


class RAdam(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False):
        _check(learning__rate=(lr, lr >= 0), epsilon__value=(eps, eps >= 0))
        _betas(betas)
        _check(weight_decay__value=(weight_decay, weight_decay >= 0))
        super().__init__(params, {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "maximize": maximize, "foreach": foreach,
            "capturable": capturable, "decoupled_weight_decay": decoupled_weight_decay, "differentiable": differentiable,
        })

    def _update(self, param, grad, state, group):
        _begin(state, param, "exp_avg", "exp_avg_sq")
        step = _counted(state)
        grad = _decayed(group, param, grad)
        beta1, beta2 = group["betas"]
        state["exp_avg"].lerp_(grad, 1 - beta1)
        state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        change = state["exp_avg"] / (1 - beta1**step)
        rest = 1 - beta2**step
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * beta2**step / rest
        if length > 5:
            # How far the second moment can be trusted yet.
            trust = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            size = state["exp_avg_sq"].sqrt().add_(group["eps"])
            change = change * group["lr"] * (rest**0.5 / size) * trust**0.5
        else:
            change = change * group["lr"]
        param.add_(change, alpha=-1.0)


class ASGD(Optimizer):
    def __init__(self, params, lr=1e-2, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0, foreach=None, maximize=False, differentiable=False, capturable=False):
        _check(learning__rate=(lr, lr >= 0), weight_decay__value=(weight_decay, weight_decay >= 0))
        super().__init__(params, {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        })

    def _update(self, param, grad, state, group):
        if not state:
            state["step"], state["eta"], state["mu"] = _C.zeros(()), _C.tensor(float(group["lr"])), _C.ones(())
            state["ax"] = _zeros(param)
        step = _counted(state)
        grad = _common(group, param, grad)
        eta, mu = state["eta"].item(), state["mu"].item()
        param.mul_(1 - group["lambd"] * eta).add_(grad, alpha=-eta)
        if mu == 1:
            state["ax"].copy_(param)
        else:
            state["ax"].add_((param - state["ax"]) * mu)
        state["eta"].fill_(group["lr"] / (1 + group["lambd"] * group["lr"] * step) ** group["alpha"])
        state["mu"].fill_(1 / max(1, step - group["t0"]))


class Rprop(Optimizer):
    def __init__(self, params, lr=1e-2, etas=(0.5, 1.2), step_sizes=(1e-6, 50), *, capturable=False, foreach=None, maximize=False, differentiable=False):
        _check(learning__rate=(lr, lr >= 0))
        if not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(params, {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach, "maximize": maximize,
            "differentiable": differentiable, "capturable": capturable,
        })

    def _update(self, param, grad, state, group):
        if not state:
            state["step"] = _C.zeros(())
            state["prev"] = _zeros(param)
            state["step_size"] = _zeros(param)
            state["step_size"].fill_(group["lr"])
        _counted(state)
        grad = -grad if group["maximize"] else grad
        (less, more), (smallest, largest) = group["etas"], group["step_sizes"]
        turn = (grad * state["prev"]).sign()
        factor = _C.where(turn > 0, more, _C.where(turn < 0, less, 1.0))
        state["step_size"].mul_(factor).clamp_(smallest, largest)
        # Where the sign has changed, nothing happens this time.
        grad = _C.where(turn < 0, 0.0, grad)
        param.sub_(grad.sign() * state["step_size"])
        state["prev"].copy_(grad)


class Adafactor(Optimizer):
    def __init__(self, params, lr=1e-2, beta2_decay=-0.8, eps=(None, 1e-3), d=1.0, weight_decay=0.0, *, foreach=None, maximize=False):
        for name, value, is_valid in (("Learning rate", lr, lr >= 0), ("weight_decay", weight_decay, weight_decay >= 0)):
            if not is_valid:
                raise ValueError(f"{name} should be >= 0 but is: {value}")
        super().__init__(params, {
            "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay, "foreach": foreach,
            "maximize": maximize,
        })

    def _update(self, param, grad, state, group):
        if not state:
            state["step"] = _C.tensor(0.0)
            if grad.dim() > 1:
                state["row_var"] = grad.new_zeros([*grad.shape[:-1], 1])
                state["col_var"] = grad.new_zeros([*grad.shape[:-2], 1, grad.shape[-1]])
            else:
                state["variance"] = _zeros(param)
        step = _counted(state)
        grad = -grad if group["maximize"] else grad
        floor, least = group["eps"]
        floor = _C._finfo(param.dtype)[2] if floor is None else floor
        share = step ** group["beta2_decay"]
        rate = max(least, param.norm().item() / param.numel() ** 0.5) * min(group["lr"], step**-0.5)
        param.mul_(1 - group["lr"] * group["weight_decay"])
        if grad.dim() > 1:
            # Of the squares only means over rows and columns are kept; their product stands for all.
            rows, columns = state["row_var"], state["col_var"]
            rows.lerp_((grad * grad).mean(-1, True), share)
            columns.lerp_((grad * grad).mean(-2, True), share)
            squares = (rows @ columns) / rows.mean(-2, True).clamp(min=floor)
        else:
            squares = state["variance"].lerp_(grad * grad, share)
        change = squares.clamp(min=floor * floor).rsqrt() * grad
        excess = max(1.0, change.norm().item() / (change.numel() ** 0.5 * group["d"]))
        param.add_(change, alpha=-rate / excess)


class Muon(Optimizer):
    """Momentum whose matrix is made nearly orthogonal (Jordan et al. 2024)."""

    def __init__(self, params, lr=1e-3, weight_decay=0.1, momentum=0.95, nesterov=True, ns_coefficients=(3.4445, -4.775, 2.0315), eps=1e-7, ns_steps=5, adjust_lr_fn=None):
        if adjust_lr_fn not in (None, "original", "match_rms_adamw", "spectral_unclamped"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        super().__init__(params, {
            "lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov,
            "ns_coefficients": ns_coefficients, "eps": eps, "ns_steps": ns_steps, "adjust_lr_fn": adjust_lr_fn,
        })
        for group in self.param_groups:
            for param in group["params"]:
                if param.dim() != 2:
                    raise ValueError(
                        f"Muon only supports 2D parameters whereas we found a parameter with size: {param.size()}"
                    )

    def _update(self, param, grad, state, group):
        if not state:
            state["momentum_buffer"] = _zeros(param)
        kept = state["momentum_buffer"].lerp_(grad, 1 - group["momentum"])
        change = grad.lerp(kept, group["momentum"]) if group["nesterov"] else kept
        change = _orthogonal(change, group["ns_coefficients"], group["ns_steps"], group["eps"])
        rows, columns = param.shape
        factor = {
            "match_rms_adamw": 0.2 * max(rows, columns) ** 0.5, "spectral_unclamped": (rows / columns) ** 0.5
        }.get(group["adjust_lr_fn"], max(1, rows / columns) ** 0.5)
        param.mul_(1 - group["lr"] * group["weight_decay"])
        param.add_(change.to(param.dtype), alpha=-group["lr"] * factor)


def _orthogonal(matrix, coefficients, steps, eps):
    """Newton and Schulz' iteration in bfloat16: singular values of about 1."""
    a, b, c = coefficients
    is_tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.bfloat16()
    x = x.T if is_tall else x
    x = x / x.norm().clamp(min=eps)
    for _ in range(steps):
        square = x @ x.T
        # Sums are in float32, as a product's are.
        wide = square.float()
        square = _C.addmm(wide, wide, wide, beta=b, alpha=c).bfloat16()
        wide = x.float()
        x = _C.addmm(wide, square.float(), wide, beta=a).bfloat16()
    return x.T if is_tall else x
