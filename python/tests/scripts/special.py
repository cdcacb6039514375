"""Functions of mathematics, windows and paddings."""

import torch
print(torch.searchsorted(torch.tensor([1,3,5]), 4), torch.searchsorted(torch.tensor([1,3,5]), torch.tensor(4)), torch.searchsorted(torch.tensor([[1,3,5],[2,4,6]]), torch.tensor([[3],[3]]), right=True), torch.searchsorted(torch.tensor([1,3,5]), torch.tensor([[3,9]]), side="right"), torch.searchsorted(torch.tensor([1,3,5]), 3, out_int32=True))
print(torch.hann_window(4), torch.hamming_window(4, periodic=False), torch.bartlett_window(5), torch.hann_window(5,False))
x=torch.arange(6.).view(1,2,3)
import torch.nn.functional as F
print(F.pad(x,(1,2),mode="replicate")); print(F.pad(x,(2,1),mode="reflect")); print(F.pad(x,(1,2),mode="circular")); print(F.pad(x[None],(1,1,1,1),mode="replicate"))
print(torch.erfc(torch.tensor([0.1,0.5,1,1.5,2,2.5,3,4,5,-1,-3])).tolist())
print(torch.digamma(torch.tensor([0.1,0.5,1.,2.,10.,25.,-0.5,-1.5,0.])).tolist())
print(torch.lgamma(torch.tensor([0.1,0.5,1.,2.,10.,25.,-0.5,-1.5,0.,3.])).tolist())
print(torch.erfinv(torch.tensor([0.1,0.5,-0.9,0.999,1.,-1.])).tolist())
print(torch.special.entr(torch.tensor([0.,.5,1.])), torch.special.i0(torch.tensor([0.,1.,3.])), torch.special.ndtr(torch.tensor([0.,1.])))
