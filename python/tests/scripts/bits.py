"""Bit manipulation, in Python and with integer tensors."""
import torch

x = torch.tensor([0, 1, 2, 3, 12, 37, 64, 255])
print("bin   ", [f"{v:08b}" for v in x.tolist()])
print("x & -x", x & -x)
print("clear ", x & (x - 1))
print("pow2? ", (x > 0) & ((x & (x - 1)) == 0))
print("x ^ 15", x ^ 15, ~x)
print("shifts", x << 2, x >> 1)

def popcount(v: torch.Tensor) -> torch.Tensor:
    count = torch.zeros_like(v)
    while v.any():
        count += v & 1
        v = v >> 1
    return count

print(popcount(x), [v.bit_length() for v in x.tolist()], [bin(v).count("1") for v in x.tolist()])

# packing booleans into bytes
flags = torch.tensor([1, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0]).view(-1, 8)
weights = 1 << torch.arange(7, -1, -1)
packed = (flags * weights).sum(1).to(torch.uint8)
print(packed, packed.dtype, packed.element_size())
unpacked = (packed.unsqueeze(1) >> torch.arange(7, -1, -1, dtype=torch.uint8)) & 1
print(torch.equal(unpacked.long(), flags))
print(int("0b1011", 2), int("ff", 16), f"{255:#x} {255:o} {10:#b}", (5).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"))
