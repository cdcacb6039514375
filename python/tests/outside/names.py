"""What is said of names that are outside what Napkin has."""

import importlib

import numpy
import torch
from _outside import rows

STATEMENTS = r"""
from torch.optim import LBFGS
torch.nn.Conv2d(1, 2, 3)
from torch.nn.utils.parametrizations import weight_norm
from torch.distributions.normal import Normal
torch.eye(2).svd()
torch.nn.Parameter(torch.ones(1)).lgamma()
torch.ones(2).index_fill_(0, torch.tensor([0]), 1)
torch.nn.Linear(1, 1).register_full_backward_hook(print)
from einops import rearrange, pack
torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1, 1))
torch.distributed.init_process_group("gloo")
import pandas.plotting
torch.foo
from torch import foo
import torch.foo
from torch.nn import Foo
torch.optim.Foo
torch.ones(1).foo
numpy.foo
import numpy.foo
import foo
"\N{BULLET}"
"\N{CJK UNIFIED IDEOGRAPH-4E00}"
"""
for statement in STATEMENTS.strip().splitlines():
    try:
        exec(statement)
    except Exception as error:
        print(f"{statement}\n    {type(error).__name__}: {error}")
    else:
        print(statement, "is there")

# None of the table is there, and whichever way it is asked for, the sentence is about it.
for name in rows():
    module, _, last = name.rpartition(".")
    if module in ("torch.distributed", "torch.nn.parallel", "torch.nn.Module"):
        continue
    ways = [lambda: importlib.import_module(name)]
    if module:
        ways.append(lambda: getattr(importlib.import_module(module), last))
    for ask in ways:
        try:
            ask()
        except (AttributeError, ImportError) as error:
            if not str(error).startswith(f"{name} ("):
                print(name, error)
        else:
            print(name, "is there")
print([hasattr(torch, name) for name in ("compile", "vmap", "foo", "__path__", "__nothing__")])
print(getattr(torch.nn, "Conv2d", None), [hasattr(torch.ones(1), name) for name in ("sum", "svd", "foo")])
