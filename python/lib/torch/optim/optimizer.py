"""What all optimizers are: groups of parameters with their options, and a state of each parameter."""

import _torch as _C
from torch.autograd import enable_grad, no_grad


class _Required:
    def __repr__(self):
        return "<required parameter>"


required = _Required()


class _State(dict):
    """The state of a parameter is empty until something is put into it."""

    def __missing__(self, parameter):
        self[parameter] = {}
        return self[parameter]


_ADDED = (
    "`backward()` adds to the gradients that are there, and those of the step before still are. If you do not mean to add "
    "them up, call `zero_grad()` of the optimizer before each `backward()`."
)


class Optimizer:
    # What the first gradient was at the last step, and for how many steps on end it was added to.
    _seen, _added = None, 0

    def __init__(self, params, defaults):
        if isinstance(params, _C.TensorBase):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                "torch.FloatTensor"
            )
        self.defaults = defaults
        self.state = _State()
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        params = [params] if isinstance(params, _C.TensorBase) else list(params)
        # Of named parameters the names are of no use here.
        params = [param[1] if isinstance(param, tuple) else param for param in params]
        for param in params:
            if not isinstance(param, _C.TensorBase):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {type(param).__name__}")
            if not (param.is_leaf or param.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
        known = {id(param) for group in self.param_groups for param in group["params"]}
        if any(id(param) in known for param in params):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append({**param_group, "params": params, **_missing(self.defaults, param_group)})

    def zero_grad(self, set_to_none=True):
        for group in self.param_groups:
            for param in group["params"]:
                if set_to_none or param.grad is None:
                    param.grad = None
                else:
                    param.grad.zero_()

    def step(self, closure=None):
        """One update of every parameter that has a gradient, by the rule of the class."""
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        self._look()
        for group in self.param_groups:
            grads = [(param, param.grad) for param in group["params"]]
            self._move([(param, grad) for param, grad in grads if grad is not None], group)
        return loss

    def _look(self):
        """Tells who looks at the program that gradients are added to those of the step before, which nobody may mean.

        A gradient that was added to once since the last step, in the same memory, was not set to zero between.
        """
        grad = self.param_groups[0]["params"][0].grad
        seen = None if grad is None else (grad.data_ptr(), grad._version)
        before, self._seen = self._seen, seen
        is_added = None not in (before, seen) and (before[0], before[1] + 1) == seen
        self._added = self._added + 1 if is_added else 0
        if self._added == 2:
            import _napkin

            _napkin.render("card", {"head": "Look again", "text": _ADDED, "choices": []})

    def _move(self, rows, group):
        """One update of parameters, each with its gradient."""
        with no_grad():
            for param, grad in rows:
                self._update(param, grad, group)

    def _update(self, param, grad, group):
        raise NotImplementedError

    def state_dict(self):
        """Parameters are named by their numbers."""
        numbers = {}
        groups = []
        for group in self.param_groups:
            for param in group["params"]:
                numbers.setdefault(id(param), len(numbers))
            groups.append({**_options(group), "params": [numbers[id(param)] for param in group["params"]]})
        state = {numbers[id(param)]: dict(kept) for param, kept in self.state.items() if kept}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict):
        groups = state_dict["param_groups"]
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(ours["params"]) != len(group["params"]) for ours, group in zip(self.param_groups, groups)):
            raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's group")
        self.state = _State()
        for ours, group in zip(self.param_groups, groups):
            ours.update(_options(group))
            for param, number in zip(ours["params"], group["params"]):
                if number in state_dict["state"]:
                    kept = state_dict["state"][number]
                    self.state[param] = {name: _copied(value, name, param) for name, value in kept.items()}

    def __repr__(self):
        text = f"{type(self).__name__} ("
        for number, group in enumerate(self.param_groups):
            text += f"\nParameter Group {number}\n"
            for name in sorted(group):
                if name != "params":
                    text += f"    {name}: {group[name]}\n"
        return text + ")"


def _options(group):
    return {name: value for name, value in group.items() if name != "params"}


def _missing(defaults, group):
    return {name: value for name, value in defaults.items() if name not in group}


def _copied(value, name, param):
    """A tensor of a saved state, where and in the dtype that the parameter has; a count of steps stays as it is. As in
    PyTorch it is the same tensor if that is so already."""
    if not isinstance(value, _C.TensorBase):
        return value
    value = value if name == "step" else value.to(param.device, param.dtype)
    value._is_state()
    return value
