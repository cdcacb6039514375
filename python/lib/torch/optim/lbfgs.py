"""Newton's step, of which the last gradients tell the curvature."""

from collections import namedtuple

import _torch as _C
from torch.autograd import enable_grad, no_grad
from torch.optim.optimizer import Optimizer
from torch.optim.rules import _check


class LBFGS(Optimizer):
    """Each step asks the closure several times. Source: Nocedal and Wright, Numerical Optimization, algorithm 7.4."""

    def __init__(self, params, lr=1, max_iter=20, max_eval=None, tolerance_grad=1e-7, tolerance_change=1e-9, history_size=100, line_search_fn=None):
        _check(learning__rate=(lr, lr >= 0))
        super().__init__(params, {
            "lr": lr, "max_iter": max_iter, "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change, "history_size": history_size,
            "line_search_fn": line_search_fn, "maximize": False,
        })
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def _flat(self):
        params = self.param_groups[0]["params"]
        return _C.cat([(_C.zeros_like(p) if p.grad is None else p.grad).view(-1) for p in params])

    def _move(self, size, direction):
        start = 0
        for param in self.param_groups[0]["params"]:
            end = start + param.numel()
            param.add_(direction[start:end].view_as(param), alpha=float(size))
            start = end

    @no_grad
    def step(self, closure):
        ask = enable_grad()(closure)
        group = self.param_groups[0]
        if group["line_search_fn"] not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        state = self.state[group["params"][0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first = ask()
        loss, grad, asked = float(first), self._flat(), 1
        state["func_evals"] += 1
        if grad.abs().max() <= group["tolerance_grad"]:
            return first
        for number in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = self._direction(state, grad, group)
            state["prev_flat_grad"], state["prev_loss"] = grad, loss
            size = group["lr"] * (min(1.0, 1.0 / grad.abs().sum()) if state["n_iter"] == 1 else 1)
            state["d"], state["t"] = direction, size
            slope = grad.dot(direction)
            if slope > -group["tolerance_change"]:
                break
            more = 0
            if group["line_search_fn"] == "strong_wolfe":
                at, begin = self._asking(ask, direction), _Point(0, loss, grad, slope)
                found, more = _line_search(at, begin, size, direction.abs().max(), group["max_eval"] - asked)
                loss, grad, size = found.loss, found.grad, found.size
                state["t"] = size
                self._move(size, direction)
            else:
                self._move(size, direction)
                if number != group["max_iter"]:
                    loss, grad, more = float(ask()), self._flat(), 1
            asked += more
            state["func_evals"] += more
            change = (direction * size).abs().max()
            if (
                asked >= group["max_eval"] or grad.abs().max() <= group["tolerance_grad"]
                or change <= group["tolerance_change"] or abs(loss - state["prev_loss"]) < group["tolerance_change"]
            ):
                break
        return first

    def _asking(self, ask, direction):
        """What the closure says at a distance from here, to which the parameters return."""
        params = self.param_groups[0]["params"]
        here = [param.clone() for param in params]

        def at(size):
            self._move(size, direction)
            loss, grad = float(ask()), self._flat()
            for param, value in zip(params, here):
                param.copy_(value)
            return _Point(size, loss, grad, grad.dot(direction))

        return at

    def _direction(self, state, grad, group):
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return -grad
        turned, moved = grad - state["prev_flat_grad"], state["d"] * state["t"]
        product = turned.dot(moved)
        if product > 1e-10:
            for name, value in (("old_dirs", turned), ("old_stps", moved), ("ro", 1.0 / product)):
                state[name].append(value)
                del state[name][: -group["history_size"]]
            state["H_diag"] = product / turned.dot(turned)
        state.setdefault("al", [None] * group["history_size"])
        kept = list(zip(state["old_dirs"], state["old_stps"], state["ro"]))
        direction = -grad
        for place in reversed(range(len(kept))):
            turned, moved, ratio = kept[place]
            state["al"][place] = moved.dot(direction) * ratio
            direction = direction - turned * state["al"][place]
        direction = direction * state["H_diag"]
        for place, (turned, moved, ratio) in enumerate(kept):
            direction = direction + moved * (state["al"][place] - turned.dot(direction) * ratio)
        return direction


# A place on the line: its distance from the beginning, the loss, its gradient, and its slope along the line.
_Point = namedtuple("_Point", "size loss grad slope")

_DECREASE, _CURVATURE = 1e-4, 0.9


def _line_search(at, begin, size, largest, limit):
    """A point that fulfils the strong Wolfe conditions, and how often the loss was asked for: Nocedal and Wright,
    algorithms 3.5 and 3.6, with their constants. `largest` is the direction's largest element; `limit` says how often
    it may ask after the first time."""
    before, now, asked = begin, at(size), 1

    def is_flat(point):
        return abs(point.slope) <= -_CURVATURE * begin.slope

    def is_high(point):
        return point.loss > begin.loss + _DECREASE * point.size * begin.slope

    # Go on until a minimum must lie between the last two.
    while asked <= limit:
        if is_high(now) or asked > 2 and now.loss >= before.loss:
            break
        if is_flat(now):
            return now, asked
        if now.slope >= 0:
            break
        bounds = (now.size + 0.01 * (now.size - before.size), now.size * 10)
        before, now = now, at(_lowest(before, now, bounds))
        asked += 1
    else:
        before = begin
    # Then narrow it down.
    ends, was_near = [before, now], False
    low = 0 if before.loss <= now.loss else 1
    while asked <= limit:
        nearest, farthest = sorted(end.size for end in ends)
        if (farthest - nearest) * largest < 1e-9:
            break
        size, margin = _lowest(*ends, (nearest, farthest)), 0.1 * (farthest - nearest)
        is_near = min(farthest - size, size - nearest) < margin
        # Twice in a row close to an end is no progress: a tenth of the way must do.
        if is_near and (was_near or size >= farthest or size <= nearest):
            size = farthest - margin if abs(size - farthest) < abs(size - nearest) else nearest + margin
            is_near = False
        was_near = is_near
        now = at(size)
        asked += 1
        if is_high(now) or now.loss >= ends[low].loss:
            ends[1 - low] = now
            low = 0 if ends[0].loss <= ends[1].loss else 1
            continue
        if is_flat(now):
            return now, asked
        if now.slope * (ends[1 - low].size - ends[low].size) >= 0:
            ends[1 - low] = ends[low]
        ends[low] = now
    return ends[low], asked


def _lowest(one, other, bounds):
    """Where the cubic through two points with their slopes is lowest, within bounds: Nocedal and Wright, (3.59)."""
    left, right = (one, other) if one.size <= other.size else (other, one)
    mean = one.slope + other.slope - 3 * (one.loss - other.loss) / (one.size - other.size)
    square = mean**2 - one.slope * other.slope
    if square < 0:
        return (bounds[0] + bounds[1]) / 2
    root = square.sqrt()
    share = (right.slope + root - mean) / (right.slope - left.slope + 2 * root)
    return min(max(right.size - (right.size - left.size) * share, bounds[0]), bounds[1])
