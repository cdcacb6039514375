"""Tensors, and what is done to them."""

import torch


def main():
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])  # @inspect x
    y = x[1]  # @inspect y
    z = x.T  # @inspect z
    x[0, 0] = 9.0  # @inspect x y
    w = torch.ones(3, requires_grad=True)  # @inspect w
    out = x @ w  # @inspect out
    total = out.sum()
    total.backward()
    grad = w.grad  # @inspect grad
    count = torch.tensor(7)  # @inspect count
    mask = x > 4  # @inspect mask
    huge = torch.zeros(1000, 1000)
    column = huge[:, 1]
    return column


main()
