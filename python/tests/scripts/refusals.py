import torch

x = torch.tensor([1., 2., 3.])
i = torch.tensor([1, 2, 3])
w = torch.tensor([1., 2.], requires_grad=True)


def attempt(label, fn):
    try:
        r = fn()
    except Exception as e:
        msg = str(e).split("\n")[0]
        print(f"[{label}] {type(e).__name__}: {msg}")
    else:
        print(f"[{label}] no error: {r}")


attempt("std of ints", lambda: i.std())
attempt("mm dtypes", lambda: torch.ones(2, 2) @ torch.ones(2, 2).double())
attempt("mm int float", lambda: torch.ones(2, 2) @ torch.ones(2, 2).long())
attempt("dot dtypes", lambda: torch.dot(x, i))
attempt("gather idx", lambda: x.gather(0, torch.tensor([0.])))
attempt("scatter type", lambda: torch.zeros(3).scatter_(0, i - 1, i))
attempt("bool minus", lambda: torch.tensor([True]) - torch.tensor([False]))
attempt("tensor(None)", lambda: torch.tensor(None))
attempt("tensor(str)", lambda: torch.tensor("hello"))
attempt("tensor(['a'])", lambda: torch.tensor(["a"]))
attempt("mixed depth", lambda: torch.tensor([1, [2]]))
attempt("add list", lambda: x + [1, 2, 3])
attempt("add None", lambda: x + None)
attempt("set requires_grad", lambda: i.requires_grad_())
attempt("negative size", lambda: torch.zeros(-1))
attempt("randint", lambda: torch.randint(5, 5, (2,)))
attempt("randperm", lambda: torch.randperm(-1))
attempt("multinomial", lambda: torch.multinomial(torch.ones(3), 4))
attempt("bernoulli", lambda: torch.bernoulli(torch.tensor([1.5])))
attempt("unknown device", lambda: torch.zeros(1, device="gpu"))
attempt("einsum", lambda: torch.einsum("ij,jk->ik", torch.ones(2, 3), torch.ones(2, 3)))
attempt("einsum operands", lambda: torch.einsum("ij,jk", torch.ones(2, 3)))
attempt("bincount", lambda: torch.bincount(torch.tensor([-1, 1])))
