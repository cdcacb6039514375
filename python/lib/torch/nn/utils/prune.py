"""Masks over parameters: what is pruned is 0 at every call, while the parameter itself stays as `NAME_orig`."""

import _torch as _C
from torch.autograd import no_grad


class BasePruningMethod:
    """Before each call of a module, its tensor is made from the parameter and the mask. Methods say in `compute_mask(t,
    default_mask)` which elements are kept."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount=None):
        self.amount = amount

    def __call__(self, module, _=None):
        setattr(module, self._tensor_name, self.apply_mask(module))

    def apply_mask(self, module):
        original = getattr(module, self._tensor_name + "_orig")
        return getattr(module, self._tensor_name + "_mask").to(original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        method = cls(*args, **kwargs)
        method._tensor_name = name
        is_first = _method_of(module, name) is None
        parameter = module._parameters[name if is_first else name + "_orig"]
        before = _C.ones_like(parameter) if is_first else getattr(module, name + "_mask")
        with no_grad():
            mask = method._further((parameter if importance_scores is None else importance_scores).detach(), before.detach())
        if is_first:
            del module._parameters[name]
            module.register_parameter(name + "_orig", parameter)
        module.register_buffer(name + "_mask", mask)
        if is_first:
            method._handle = module.register_forward_pre_hook(method)
        method(module)
        return method

    def _further(self, scores, mask):
        """Of what earlier masks have left, this one chooses."""
        if self.PRUNING_TYPE == "global":
            return self.compute_mask(scores, mask)
        found = mask.clone()
        if self.PRUNING_TYPE == "unstructured":
            left = mask == 1
        elif mask.dim() < 2:
            return self.compute_mask(scores, mask)
        else:
            others = [dim for dim in range(mask.dim()) if dim != self.dim % mask.dim()]
            left = [slice(None)] * mask.dim()
            left[self.dim % mask.dim()] = mask.sum(others) != 0
            left = tuple(left)
        found[left] = self.compute_mask(scores[left], mask[left])
        return found

    def prune(self, t, default_mask=None, importance_scores=None):
        """The tensor, masked."""
        mask = _C.ones_like(t) if default_mask is None else default_mask
        return t * self._further(t if importance_scores is None else importance_scores, mask)


class Identity(BasePruningMethod):
    def compute_mask(self, t, default_mask):
        return default_mask


class CustomFromMask(BasePruningMethod):
    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        return default_mask * self.mask.to(default_mask.dtype)


class RandomUnstructured(BasePruningMethod):
    def _chosen(self, t, count):
        return _C.rand_like(t).topk(count).indices

    def compute_mask(self, t, default_mask):
        mask, count = default_mask.clone(), _count(self.amount, t.numel())
        if count:
            mask.view(-1)[self._chosen(t.reshape(-1), count)] = 0
        return mask


class L1Unstructured(RandomUnstructured):
    def _chosen(self, t, count):
        return t.abs().topk(count, largest=False).indices


class RandomStructured(BasePruningMethod):
    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        super().__init__(amount)
        self.dim = dim

    def _kept(self, t, channels, count):
        scores = _C.rand(channels)
        return scores > scores.kthvalue(count).values

    def compute_mask(self, t, default_mask):
        if t.dim() < 2:
            raise ValueError(
                "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                f"{t.shape} with {t.dim()} dims"
            )
        channels = t.shape[self.dim]
        count = _count(self.amount, channels)
        if count == 0:
            return default_mask
        shape = [1] * t.dim()
        shape[self.dim] = channels
        return default_mask * self._kept(t, channels, count).reshape(shape).to(t.dtype)


class LnStructured(RandomStructured):
    def __init__(self, amount, n, dim=-1):
        super().__init__(amount, dim)
        self.n = n

    def _kept(self, t, channels, count):
        norms = t.norm(self.n, [dim for dim in range(t.dim()) if dim != self.dim % t.dim()])
        kept = _C.zeros(channels)
        kept[norms.topk(channels - count).indices] = 1
        return kept


def _count(amount, of):
    """How many of them go: a share, or a number."""
    is_share = isinstance(amount, float)
    if amount < 0 or is_share and amount > 1:
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")
    if not is_share and amount > of:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={of}")
    return round(amount * of) if is_share else amount


def _method_of(module, name):
    methods = [hook for hook, _ in module._hooks[0] if isinstance(hook, BasePruningMethod)]
    return next((method for method in methods if method._tensor_name == name), None)


def identity(module, name):
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Chooses among the elements of all parameters, which are given as pairs of a module and a name."""
    parameters, scores = list(parameters), importance_scores or {}
    given = [scores.get(pair, getattr(*pair)).detach() for pair in parameters]
    masks = [getattr(module, name + "_mask", _C.ones_like(one)) for (module, name), one in zip(parameters, given)]
    method = pruning_method(**kwargs)
    whole = method._further(_C.cat([one.reshape(-1) for one in given]), _C.cat([mask.reshape(-1) for mask in masks]))
    for (module, name), mask in zip(parameters, whole.split([one.numel() for one in given])):
        custom_from_mask(module, name, mask.view_as(getattr(module, name)))


def remove(module, name):
    """Makes the masked tensor the parameter."""
    method = _method_of(module, name)
    if method is None:
        raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
    method._handle.remove()
    original = module._parameters.pop(name + "_orig")
    original.data = getattr(module, name).detach()
    delattr(module, name)
    del module._buffers[name + "_mask"]
    module.register_parameter(name, original)
    return module


def is_pruned(module):
    return any(isinstance(hook, BasePruningMethod) for part in module.modules() for hook, _ in part._hooks[0])
