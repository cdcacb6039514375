"""LBFGS with its line search, in double precision: from several starts, with several options."""

import torch
fns = {
 "rosen": lambda p: 100*(p[1]-p[0]**2)**2 + (1-p[0])**2,
 "beale": lambda p: (1.5-p[0]+p[0]*p[1])**2+(2.25-p[0]+p[0]*p[1]**2)**2+(2.625-p[0]+p[0]*p[1]**3)**2,
 "himmel": lambda p: (p[0]**2+p[1]-11)**2+(p[0]+p[1]**2-7)**2,
 "quart": lambda p: (p**4).sum() + (p[0]-3*p[1])**2,
 "abs": lambda p: (p.abs()+0.1*p**2).sum(),
}
for name, f in fns.items():
    for start in ([-1.2, 1.0], [3.0, -2.0], [0.1, 0.1]):
        for lr, hist in ((1, 100), (0.5, 2), (10.0, 5)):
            p = torch.tensor(start, dtype=torch.float64, requires_grad=True)
            opt = torch.optim.LBFGS([p], lr=lr, history_size=hist, max_iter=7, line_search_fn="strong_wolfe")
            n = 0
            def c():
                global n
                n += 1
                opt.zero_grad(); l = f(p); l.backward(); return l
            out = [f"{opt.step(c).item():.4g}" for _ in range(3)]
            print(name, start, lr, out, n, opt.state[p]["n_iter"], [f"{v:.5g}" for v in p.tolist()])
state = opt.state_dict()["state"][0]
print(sorted(state), state["func_evals"], type(state["prev_loss"]).__name__)
print(opt.defaults)
try:
    torch.optim.LBFGS([p], line_search_fn="wolfe").step(c)
except RuntimeError as error:
    print(error)
