"""`torch.func`: functions of functions."""

import torch
from torch.autograd import functional as _functional

import _torch as _C


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """What the module gives with these tensors in place of its own."""
    given = parameter_and_buffer_dicts
    if not isinstance(given, dict):
        given = {name: tensor for part in given for name, tensor in part.items()}
    places = {}
    own = dict(module.named_modules())
    for name in given:
        path, _, last = name.rpartition(".")
        if path not in own or last not in own[path]._parameters and last not in own[path]._buffers:
            if strict:
                raise RuntimeError(f"Unexpected key(s): {name}.")
            continue
        places[name] = own[path]._parameters if last in own[path]._parameters else own[path]._buffers, last
    if strict:
        known = [*dict(module.named_parameters()), *dict(module.named_buffers())]
        missing = [name for name in known if name not in given]
        if missing:
            raise RuntimeError(f"Missing key(s): {', '.join(missing)}.")
    # Where one tensor has several names, all of them get what one of them gets.
    if tie_weights:
        tied = {id(tensors[last]): given[name] for name, (tensors, last) in places.items()}
        for path, part in own.items():
            for tensors in (part._parameters, part._buffers):
                for last, tensor in tensors.items():
                    name = f"{path}.{last}" if path else last
                    if name not in places and id(tensor) in tied:
                        places[name] = tensors, last
                        given = {**given, name: tied[id(tensor)]}
    before = {name: tensors[last] for name, (tensors, last) in places.items()}
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    try:
        for name, (tensors, last) in places.items():
            tensors[last] = given[name]
        return module(*args, **(kwargs or {}))
    finally:
        for name, (tensors, last) in places.items():
            tensors[last] = before[name]


def _chosen(args, argnums):
    return [args[at] for at in ((argnums,) if isinstance(argnums, int) else argnums)]


def _leaves(tree):
    if isinstance(tree, _C.TensorBase):
        return [tree]
    values = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, (tuple, list)) else ()
    return [leaf for value in values for leaf in _leaves(value)]


def _like(tree, leaves):
    """The tree with other leaves, which are taken in order."""
    if isinstance(tree, _C.TensorBase):
        return next(leaves)
    if isinstance(tree, dict):
        return {key: _like(value, leaves) for key, value in tree.items()}
    return type(tree)(_like(value, leaves) for value in tree) if isinstance(tree, (tuple, list)) else tree


def grad_and_value(func, argnums=0, has_aux=False):
    """A function that gives the derivative of one whose value is a number, and the value."""

    def derived(*args, **kwargs):
        is_within = torch.is_grad_enabled() and any(x.requires_grad for x in _leaves(args))
        with torch.enable_grad():
            fresh = [x.view_as(x) if x.requires_grad else x.detach().requires_grad_() for x in _leaves(_chosen(args, argnums))]
            asked = iter(fresh)
            given = list(args)
            for at in (argnums,) if isinstance(argnums, int) else argnums:
                given[at] = _like(args[at], asked)
            found = func(*given, **kwargs)
            value, aux = found if has_aux else (found, None)
            if value.dim():
                raise RuntimeError(
                    "Expected f(*args) to return a scalar tensor, got tensor with "
                    f"{value.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            slopes = torch.autograd.grad(value, fresh, create_graph=True, allow_unused=True, materialize_grads=True)
        slopes = iter(slopes if is_within else [slope.detach() for slope in slopes])
        value = value if is_within else value.detach()
        parts = tuple(_like(part, slopes) for part in _chosen(args, argnums))
        slope = parts[0] if isinstance(argnums, int) else parts
        return (slope, (value, aux)) if has_aux else (slope, value)

    return derived


def grad(func, argnums=0, has_aux=False):
    """A function that gives the derivative of one whose value is a number."""
    both = grad_and_value(func, argnums, has_aux)

    def derived(*args, **kwargs):
        slope, value = both(*args, **kwargs)
        return (slope, value[1]) if has_aux else slope

    return derived


def _of_one(func, jacobian, argnums):
    places = (argnums,) if isinstance(argnums, int) else argnums

    def derived(*args):
        def of_chosen(*chosen):
            given = list(args)
            for at, x in zip(places, chosen):
                given[at] = x
            return func(*given)

        found = jacobian(of_chosen, tuple(args[at] for at in places), create_graph=any(x.requires_grad for x in args))
        return found[0] if isinstance(argnums, int) else found

    return derived


def jacrev(func, argnums=0):
    """A function that gives all derivatives of all outputs of one tensor."""
    return _of_one(func, _functional.jacobian, argnums)


jacfwd = jacrev


def hessian(func, argnums=0):
    """A function that gives all second derivatives of a number."""
    return _of_one(func, lambda f, xs, create_graph: tuple(row[0] for row in _functional.hessian(f, xs)), argnums)


def vjp(func, *primals):
    """The value, and a function from weights of the outputs to the weighted sum of their derivatives."""
    fresh = [x.detach().requires_grad_() for x in primals]
    with torch.enable_grad():
        value = func(*fresh)

    def pull(cotangents):
        return torch.autograd.grad(value, fresh, cotangents, retain_graph=True, materialize_grads=True)

    return value.detach(), pull


def jvp(func, primals, tangents):
    """The value, and how it changes when the arguments change so."""
    return _functional.jvp(func, tuple(primals), tuple(tangents))


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """A function of what the given one takes with one more dimension: the results for each place, side by side."""

    def mapped(*args, **kwargs):
        dims = in_dims if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        sizes = {leaf.size(dim) for x, dim in zip(args, dims) if dim is not None for leaf in _leaves(x)}
        if len(sizes) != 1:
            raise ValueError(f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sorted(sizes)} for the mapped dimension")

        def at(place):
            parts = (
                x if dim is None else _like(x, iter([leaf.select(dim, place) for leaf in _leaves(x)]))
                for x, dim in zip(args, dims)
            )
            return func(*parts, **kwargs)

        found = [at(place) for place in range(sizes.pop())]
        columns = zip(*(_leaves(it) for it in found))
        return _like(found[0], iter([torch.stack(column, out_dims) for column in columns]))

    return mapped


def stack_module_state(models):
    """Parameters and buffers of modules of one kind, each name's tensors side by side."""
    names = [dict(model.named_parameters()) for model in models], [dict(model.named_buffers()) for model in models]
    return tuple(
        {name: torch.stack([one[name].detach() for one in each]).requires_grad_(each[0][name].requires_grad) for name in each[0]}
        for each in names
    )
