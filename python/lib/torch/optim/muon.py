"""Muon, for the matrices of hidden layers."""

import _torch as _C
from torch.optim.optimizer import Optimizer
from torch.optim.rules import _zeros


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

    def _update(self, param, grad, group):
        state = self.state[param]
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
