"""What operations make of whole numbers, truth values and bad arguments."""

import torch
from torch import nn
import torch.nn.functional as F
def t(name, f):
    try: print(name, f())
    except Exception as e: print(name, type(e).__name__, str(e).split("\n")[0])
T = torch.tensor
b = T([True, False]); i = T([1, 2]); x = T([1., -2.]); u = T([1, 2], dtype=torch.uint8)
for name in "tan atan asin acos asinh acosh atanh sinh cosh logit".split():
    t(name, lambda: (getattr(torch, name)(b), getattr(torch, name)(i), getattr(torch, name)(u)))
t("frac", lambda: torch.frac(i)); t("hypot", lambda: torch.hypot(i, i)); t("hypot", lambda: torch.hypot(T(3e20), T(4e20))); t("hypot", lambda: torch.hypot(x, x))
t("n2n", lambda: (i.nan_to_num(), b.nan_to_num())); t("diff", lambda: T([True, False, False]).diff()); t("copysign", lambda: (i.copysign(-1), b.copysign(x)))
t("pos", lambda: +b); t("rsub", lambda: 1 - b); t("rsub", lambda: torch.rsub(b, 1)); t("relu", lambda: b.relu())
t("hsplit", lambda: torch.arange(10).view(2, 5).hsplit(2)); t("vsplit", lambda: torch.arange(6).view(3, 2).vsplit(2)); t("dsplit", lambda: torch.ones(2, 2, 3).dsplit(2)); t("hsplit", lambda: torch.tensor(1).hsplit(2)); t("hsplit", lambda: torch.arange(6).hsplit([1, 3]))
t("chunk0", lambda: T(3).chunk(2)); t("split0", lambda: T(3).split(1))
t("cat", lambda: torch.cat([x, x], axis=0)); t("cat", lambda: torch.cat([x, x], out=torch.empty(4)))
t("bincount", lambda: torch.bincount(T([1.5]))); t("histc", lambda: torch.histc(i)); t("histc", lambda: torch.histc(x, 4))
t("onehot", lambda: F.one_hot(T([-1]))); t("onehot", lambda: F.one_hot(x)); t("onehot", lambda: F.one_hot(T([3]), 2)); t("onehot", lambda: F.one_hot(T([0, -1]), 3))
t("ss", lambda: torch.searchsorted(T([[1, 2]]), T([1]))); t("bs", lambda: torch.broadcast_shapes((2, 3), (3, 2))); t("bs", lambda: torch.broadcast_shapes((4,), (1, 3))); t("bs", lambda: torch.broadcast_shapes((4,), (1, 4), 2)) ; t("bs", lambda: torch.broadcast_shapes((3, 1), (1, 4)))
t("expand", lambda: torch.ones(3, 1, dtype=torch.int64).expand(4)); t("expand", lambda: torch.ones(3, 1).expand(4, 4)); t("expand", lambda: torch.ones(3).int().expand(-1, -1, 3))
t("strided", lambda: x.as_strided((3, 3), (-1, 1))); t("strided", lambda: torch.arange(6).as_strided_((2, 2), (1, 2)))
t("set_", lambda: torch.zeros(2).set_(torch.arange(3.))); t("put", lambda: torch.zeros(2, 2).put_(T([0, 3]), T([5., 6.]))); t("put", lambda: torch.zeros(4).put_(T([0, 0]), T([5., 6.]), accumulate=True))
t("real", lambda: (x.real is x, x.conj() is x, x.resolve_neg() is x, x.resolve_conj() is x, x.is_conj(), x.is_neg()))
t("index_reduce", lambda: torch.zeros(3).index_reduce(0, T([0, 0, 2]), T([1., 5., 3.]), "amax")); t("index_reduce", lambda: torch.ones(3).index_reduce_(0, T([0, 0, 2]), T([2., 5., 3.]), "prod")); t("index_reduce", lambda: torch.ones(3, 2).index_reduce_(0, T([0, 0, 2]), torch.ones(3, 2) * 4, "mean", include_self=False))
t("index_add", lambda: torch.zeros(3).index_add(0, T([5]), torch.ones(1))); t("index_fill", lambda: torch.zeros(3).index_fill(0, T([1]), T([1.])))
t("sin_", lambda: i.clone().sin_()); t("sig_", lambda: i.clone().sigmoid_()); t("tanh_", lambda: i.clone().tanh_()); t("cos_", lambda: i.clone().cos_()); t("log1p_", lambda: i.clone().log1p_()); t("add", lambda: i.add(1, alpha=1.5)); t("addi", lambda: i.add(i, alpha=2)); t("addb", lambda: i.sub(1.0, alpha=1.5))
t("round", lambda: torch.round(i, decimals=1)); t("round", lambda: torch.round(i, decimals=0))
t("count", lambda: torch.count_nonzero(torch.ones(2, 2), dim=(0, 1))); t("median", lambda: T([]).median()); t("max", lambda: T([]).max()); t("argmax", lambda: T([]).argmax()); t("mean", lambda: i.mean(dtype=torch.int64)); t("mean", lambda: i.mean()); t("to", lambda: x.to(int))
t("tensor", lambda: torch.tensor(2**64)); t("tensor", lambda: torch.tensor([2**70]))
t("pack", lambda: torch.tensor_split(torch.arange(7), 3)); t("poisson", lambda: (torch.manual_seed(0), torch.poisson(torch.full((2, 3), 4.0)))[1]); t("binomial", lambda: (torch.manual_seed(0), torch.binomial(torch.full((4,), 10.), torch.tensor([.1, .5, .3, .9])))[1])
t("view", lambda: x.view());
t("item", lambda: torch.ones(2).item()); t("uniform", lambda: x.clone().uniform_(3, 1)); t("bern", lambda: x.clone().bernoulli_(2.0)); t("exp", lambda: x.clone().exponential_(-1)); t("randint", lambda: torch.randint(0, 300, (2,), dtype=torch.uint8)); t("randint", lambda: torch.randint(-3, 4, (2,), dtype=torch.uint8)); t("randint", lambda: torch.randint(3, 3, (2,))); t("seed", lambda: torch.manual_seed(2**65)); t("seed", lambda: torch.manual_seed(-1) is not None); t("rng", lambda: torch.set_rng_state(torch.zeros(3))); t("normal", lambda: x.clone().normal_(0, -1)); t("multi", lambda: torch.multinomial(T([0., 0.]), 1)); t("geom", lambda: x.clone().geometric_(2.)); t("bern", lambda: torch.bernoulli(T([2.])))
g = torch.Generator().manual_seed(5); t("gen", lambda: (torch.equal(g.clone_state().get_state(), g.get_state()), isinstance(g.seed(), int)))
t("autocast", lambda: torch.get_autocast_dtype("cpu"))
