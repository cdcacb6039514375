"""Derivatives beside differences of values."""

import torch

import _torch as _C


class GradcheckError(RuntimeError):
    """A derivative that the values contradict."""


def _tuple(given):
    return (given,) if isinstance(given, _C.TensorBase) else tuple(given)


def gradcheck(
    func,
    inputs,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    fast_mode=False,
):
    """Whether the derivatives of a function of tensors agree with central differences, which float64 allows to tell."""
    inputs = _tuple(inputs)
    asked = [at for at, x in enumerate(inputs) if isinstance(x, _C.TensorBase) and x.requires_grad]
    if not asked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them have requires_grad=True."
        )

    def outputs():
        return _tuple(func(*inputs))

    try:
        for number, output in enumerate(outputs()):
            if output.requires_grad:
                _check_output(lambda number=number: outputs()[number], number, output, inputs, asked, eps, atol, rtol)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_output(again, number, output, inputs, asked, eps, atol, rtol):
    rows = []
    for at in range(output.numel()):
        seed = torch.zeros_like(output).flatten()
        seed[at] = 1
        rows.append(
            torch.autograd.grad(
                output, [inputs[at] for at in asked], seed.view(output.shape), retain_graph=True, allow_unused=True
            )
        )
    for place, at in enumerate(asked):
        x = inputs[at]
        found = [torch.zeros_like(x) if row[place] is None else row[place] for row in rows]
        analytical = torch.stack([row.reshape(-1) for row in found], 1) if found else x.new_zeros(x.numel(), 0)
        columns = []
        with torch.no_grad():
            flat = x.view(-1)
            for element in range(x.numel()):
                before = flat[element].item()
                flat[element] = before + eps
                above = again().detach().clone()
                flat[element] = before - eps
                below = again().detach().clone()
                flat[element] = before
                columns.append(((above - below) / (2 * eps)).reshape(-1))
        numerical = torch.stack(columns) if columns else analytical
        if not torch.allclose(analytical, numerical.to(analytical.dtype), rtol, atol):
            raise GradcheckError(
                f"Jacobian mismatch for output {number} with respect to input {at},\n"
                f"numerical:{numerical}\nanalytical:{analytical}\n"
            )


def gradgradcheck(func, inputs, grad_outputs=None, **options):
    """The same of the derivatives themselves."""
    inputs = _tuple(inputs)
    asked = [x for x in inputs if isinstance(x, _C.TensorBase) and x.requires_grad]

    def slopes(*given):
        # Differences are taken without recording.
        with torch.enable_grad():
            found = _tuple(func(*given))
            return torch.autograd.grad(found, asked, [torch.ones_like(x) for x in found], create_graph=True)

    return gradcheck(slopes, inputs, **options)
