"""Steps on tensors, as PyTorch takes them; index.py makes them up.

A case is a list of tensors and a list of steps `[result, operation, tensor, arguments]`: an argument that is a string
beginning with `$` is a tensor by its name. The last result counts, and the gradients of the first tensors.
"""

import torch

from figures import told, twice, upstream, values

ERRORS = (RuntimeError, TypeError, IndexError, ValueError, ZeroDivisionError, NotImplementedError)


def items_of(items, tensors):
    out = []
    for item in items:
        kind = item[0]
        if kind == "at":
            out.append(item[1])
        elif kind == "slice":
            out.append(slice(*item[1:]))
        elif kind == "none":
            out.append(None)
        elif kind == "ellipsis":
            out.append(Ellipsis)
        elif kind == "bool":
            out.append(item[1])
        else:
            out.append(tensors[item[1]])
    return out[0] if len(out) == 1 else tuple(out)


def perform(op, x, args):
    if op == "index":
        return x[args[0]]
    if op == "set_index":
        x[args[0]] = args[1]
        return None
    if op == "index_put_":
        return x.index_put_(args[0], args[1], accumulate=args[2])
    if op == "div_rounded":
        return torch.div(x, args[0], rounding_mode=args[1])
    if op == "std_mean0":
        return torch.std_mean(x, dim=args[0] or None, correction=args[1], keepdim=args[2])[0]
    if op == "var_mean1":
        return torch.var_mean(x, dim=args[0] or None, correction=args[1], keepdim=args[2])[1]
    if op in ("max_dim", "min_dim", "median_dim"):
        return getattr(torch, op[:-4])(x, args[0], args[1]).values
    if op in ("max_place", "min_place"):
        return getattr(torch, op[:-6])(x, args[0], args[1]).indices
    if op in ("softplus", "logsigmoid", "leaky_relu", "elu", "hardtanh"):
        return getattr(torch.nn.functional, op)(x, *args)
    if op == "isclose":
        return torch.isclose(x, args[0], rtol=args[1], atol=args[2], equal_nan=args[3])
    if op == "nonzero":
        return x.nonzero()
    if op in ("tensor_split", "unbind", "split", "chunk"):
        *rest, which = args
        return getattr(torch, op)(x, *rest)[which]
    if op in ("addmm", "baddbmm"):
        return getattr(torch, op)(x, args[0], args[1], beta=args[2], alpha=args[3])
    if op in ("addcmul", "addcdiv"):
        return getattr(torch, op)(x, args[0], args[1], value=args[2])
    if op in ("index_add", "index_add_"):
        return getattr(x, op)(args[0], args[1], args[2], alpha=args[3])
    if op == "clamp_":
        return x.clamp_(args[0], args[1])
    if op == "requires_grad_":
        return x.requires_grad_(args[0])
    method = getattr(x, op, None)
    return method(*args) if method else getattr(torch, op)(x, *args)


def argument(op, given, names):
    """An argument as PyTorch takes it."""
    if isinstance(given, str) and given.startswith("$"):
        return names[given[1:]]
    if op in ("index", "set_index") and isinstance(given, list):
        return items_of(given, names)
    if op == "index_put_" and isinstance(given, list):
        return tuple(names[i] for i in given)
    return given


def leaf_of(x, grads):
    """A fresh leaf that lies in memory as that tensor does."""
    storage = torch.tensor([], dtype=x.dtype).set_(x.untyped_storage()).tolist()
    leaf = torch.tensor(storage, dtype=x.dtype).as_strided(x.shape, x.stride(), x.storage_offset()).detach()
    return leaf.requires_grad_(grads and x.dtype.is_floating_point)


def run(tensors, steps, grads=True):
    """Takes the steps on fresh leaves and tells what came of it."""
    entry = {"tensors": [told(x) for x in tensors], "steps": [[*step[:3], step[3:]] for step in steps], "grads": grads}
    leaves = [leaf_of(x, grads) for x in tensors]
    names = {f"t{i}": leaf for i, leaf in enumerate(leaves)}
    result = None
    try:
        for name, op, on, *args in steps:
            out = perform(op, names[on], [argument(op, given, names) for given in args])
            if name != "_":
                names[name] = result = out
        entry["out"] = {"dtype": str(result.dtype)[6:], "shape": list(result.shape), "values": values(result)}
        entry["grad_fn"] = result.grad_fn.name() if result.grad_fn is not None else None
        if result.requires_grad:
            second = twice(result, [names[f"t{i}"] for i in range(len(tensors))])
            if second is not None:
                entry["twice"] = second
            result.backward(upstream(result))
            entry["leaf_grads"] = [values(names[f"t{i}"].grad) if names[f"t{i}"].grad is not None else None
                                   for i in range(len(tensors))]
    except ERRORS as error:
        entry["error"] = str(error).split("\n")[0]
    return entry
