"""Right and wrong attempts at the exercises of the first three parts of the lecture on resource accounting."""

import functools

import torch
from judged import judged
from resource_accounting_exercises import AttentionFlops, DaysOfTraining, OddColumns, Position, SixteenBits


@judged(DaysOfTraining)
def days_of_training(params, tokens, gpus, sheet_peak, mfu):
    return 12 * params * tokens / (gpus * sheet_peak * mfu * 24 * 3600)


@judged(DaysOfTraining)
def days_of_training(params, tokens, gpus, sheet_peak, mfu):
    dense_peak = 0.5 * sheet_peak
    seconds = 6 * params * tokens / dense_peak
    return seconds / mfu / gpus / 60 / 60 / 24


@judged(DaysOfTraining)
def days_of_training(params, tokens, gpus, sheet_peak, mfu):
    a_day = gpus * (sheet_peak // 2) * mfu * 86_400
    return torch.tensor(6 * params * tokens / a_day)


@judged(DaysOfTraining, "you divide by the sparse peak, and our matrices are dense. For 7e+10 parameters, 1.5e+13 tokens")
def days_of_training(params, tokens, gpus, sheet_peak, mfu):
    return 6 * params * tokens / (gpus * mfu * sheet_peak) / 86400


@judged(DaysOfTraining, "These are seconds. A day has 86,400 of them.")
def days_of_training(params, tokens, gpus, sheet_peak, mfu):
    return 6 * params * tokens / (gpus * mfu * sheet_peak / 2)


@judged(DaysOfTraining, "These are hours.")
def days_of_training(params, tokens, gpus, sheet_peak, mfu):
    return 6 * params * tokens / (gpus * mfu * sheet_peak / 2) / 3600


@judged(DaysOfTraining, "The MFU is missing: no program reaches the peak.")
def days_of_training(params, tokens, gpus, sheet_peak, mfu):
    return 6 * params * tokens / (gpus * sheet_peak / 2) / 86400


@judged(DaysOfTraining, "This is only the way forward")
def days_of_training(params, tokens, gpus, sheet_peak, mfu):
    return 2 * params * tokens / (gpus * mfu * sheet_peak / 2) / 86400


@judged(DaysOfTraining, "This is twice the time")
def days_of_training(params, tokens, gpus, sheet_peak, mfu):
    return 6 * params * tokens / (gpus * mfu * sheet_peak / 4) / 86400


@judged(DaysOfTraining, "For 8e+09 parameters, 2.0e+12 tokens and 512 GPUs, it returns")
def days_of_training(params, tokens, gpus, sheet_peak, mfu):
    return 6 * params * tokens / (gpus * mfu * 989.5e12) / 86400


@judged(SixteenBits)
def sixteen_bits(x):
    y = x.to(torch.float16)
    return y if torch.isfinite(y).all() else x.to(torch.bfloat16)


@judged(SixteenBits)
def sixteen_bits(x):
    if max(abs(number) for number in x.tolist()) > 65504:
        return x.bfloat16()
    return x.half()


@judged(SixteenBits)
def sixteen_bits(x):
    most = torch.finfo(torch.float16).max
    return x.bfloat16() if ((x > most) | (x < -most)).any() else x.half()


@judged(SixteenBits, "float16 ends at 65504")
def sixteen_bits(x):
    return x.half()


@judged(SixteenBits, "fit into float16, which is finer: in bfloat16, 1.001 becomes 1.0.")
def sixteen_bits(x):
    return x.bfloat16()


@judged(SixteenBits, "Of [-70000.0, 1.0, 2.0] it makes [-inf, 1.0, 2.0]")
def sixteen_bits(x):
    return x.half() if x.max() <= 65504 else x.bfloat16()


@judged(SixteenBits, "Of [1.0, 70000.0] it makes [1.0, 65504.0] in float16, which ends at 65504.")
def sixteen_bits(x):
    return x.clamp(-65504, 65504).half()


@judged(SixteenBits, "it makes torch.float32, and that has not 16 bits.")
def sixteen_bits(x):
    return x


@judged(SixteenBits, "Of [65536.0, 3.0] it makes [inf, 3.0]")
def sixteen_bits(x):
    return x.half() if x.abs().max() < 70000 else x.bfloat16()


@judged(SixteenBits, "Of [1.001, 65504.0] it makes [1.0, 65504.0], and not [1.0009765625, 65504.0].")
def sixteen_bits(x):
    return x.round().half() if x.abs().max() <= 65504 else x.bfloat16()


@judged(SixteenBits, "The shape is (1,), but should be (2,).")
def sixteen_bits(x):
    return x[:1].half() if x.abs().max() <= 65504 else x.bfloat16()


@judged(SixteenBits, "fit into float16")
def sixteen_bits(x):
    return x.half() if x.abs().max() < 65504 else x.bfloat16()


@judged(Position)
def position(index, stride):
    place = 0
    for dim in range(len(stride)):
        place += index[dim] * stride[dim]
    return place


@judged(Position)
def position(index, stride):
    return (torch.tensor(index) * torch.tensor(stride)).sum()


@judged(Position)
def position(index, stride):
    return functools.reduce(lambda place, pair: place + pair[0] * pair[1], zip(index, stride), 0)


def within(index, stride):
    return index[0] * stride[0] + within(index[1:], stride[1:]) if index else 0


@judged(Position)
def position(index, stride):
    return within(index, stride)


@judged(Position, "IndexError: tuple index out of range")
def position(index, stride):
    return index[0] * stride[0] + index[1] * stride[1] + index[2] * stride[2]


@judged(Position, "IndexError: tuple index out of range")
def position(index, stride):
    return index[0] * stride[0] + index[1] * stride[1] + within(index[2:], stride[2:])


@judged(Position, "For element (1, 2, 3) of a tensor with stride (12, 4, 1), it returns 20, but should return 23.")
def position(index, stride):
    return sum(i * s for i, s in zip(index[:2], stride))


@judged(Position, "For element (3, 2) of a tensor with stride (6, 1), it returns 15, but should return 20.")
def position(index, stride):
    return sum(i * s for i, s in zip(index, stride[::-1]))


@judged(Position, "For element (2, 3) of a tensor with stride (1, 6), it returns 15, but should return 20.")
def position(index, stride):
    return sum(i * s for i, s in zip(index, sorted(stride, reverse=True)))


@judged(Position, "It returns a list, but should return a number: 20.")
def position(index, stride):
    return [i * s for i, s in zip(index, stride)]


@judged(Position, "TypeError")
def position(index):
    return sum(index)


@judged(OddColumns)
def odd_columns(x):
    return x[:, 1::2]


@judged(OddColumns)
def odd_columns(x):
    return x.T[1::2].T


@judged(OddColumns)
def odd_columns(x):
    rows, columns = x.shape
    return x.as_strided((rows, columns // 2), (x.stride(0), 2 * x.stride(1)), x.stride(1))


@judged(OddColumns)
def odd_columns(x):
    return x.unfold(1, 2, 2)[:, :, 1]


@judged(OddColumns, "The shape is right, but this copies")
def odd_columns(x):
    return x[:, range(1, x.shape[1], 2)]


@judged(OddColumns, "The shape is right, but element (0, 0) is 0 and should be 1.")
def odd_columns(x):
    return x[:, : x.shape[1] - 1 : 2]


@judged(OddColumns, "The shape is (1, 6), but should be (2, 3).")
def odd_columns(x):
    return x[1::2]


@judged(OddColumns, "The shape is (3, 3), but should be (3, 4).")
def odd_columns(x):
    return x[:, 1:6:2]


@judged(OddColumns, "RuntimeError: shape '[3, -1, 2]' is invalid for input of size 27")
def odd_columns(x):
    return x.view(x.shape[0], -1, 2)[:, :, 1]


@judged(OddColumns, "element (0, 0) is 1 and should be 6.")
def odd_columns(x):
    rows, columns = x.shape
    return x.as_strided((rows, columns // 2), (columns, 2), 1)


@judged(OddColumns, "The result is right, but the matrix that was given has changed.")
def odd_columns(x):
    some = x.shape[1] // 2
    x[:, :some] = x[:, 1::2].clone()
    return x[:, :some]


@judged(OddColumns, "It returns a list, but should return a tensor of shape (2, 3) in torch.float32.")
def odd_columns(x):
    return [x[:, at] for at in range(1, x.shape[1], 2)]


@judged(AttentionFlops)
def attention_flops(batch, heads, seq, head_dim):
    return 4 * batch * heads * seq**2 * head_dim


@judged(AttentionFlops)
def attention_flops(batch, heads, seq, head_dim):
    flops = 0
    for m, k, n in [(seq, head_dim, seq), (seq, seq, head_dim)]:
        flops += batch * heads * 2 * m * k * n
    return flops


@judged(AttentionFlops)
def attention_flops(batch, heads, seq, head_dim):
    a_score = 2 * head_dim
    a_number = 2 * seq
    return batch * heads * (seq * seq * a_score + seq * head_dim * a_number)


@judged(AttentionFlops, "This is half of what the counter finds.")
def attention_flops(batch, heads, seq, head_dim):
    return 2 * batch * heads * seq * seq * head_dim


@judged(AttentionFlops, "This is a quarter of what the counter finds")
def attention_flops(batch, heads, seq, head_dim):
    return batch * heads * seq * seq * head_dim


@judged(AttentionFlops, "Each query meets every key: the length comes in twice. For (batch, heads, seq, head_dim) =")
def attention_flops(batch, heads, seq, head_dim):
    return 4 * batch * heads * seq * head_dim


@judged(AttentionFlops, "= (1, 1, 10, 3), it returns 360, but should return 1,200.")
def attention_flops(batch, heads, seq, head_dim):
    return 4 * batch * heads * seq * head_dim**2


@judged(AttentionFlops, "= (3, 5, 7, 6), it returns 3,528, but should return 17,640.")
def attention_flops(batch, heads, seq, head_dim):
    return 4 * batch * seq**2 * head_dim
