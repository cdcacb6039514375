"""safetensors: what is written is read again, here and by the library."""

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load, load_file, load_model, save, save_file, save_model
from torch import nn

torch.manual_seed(0)

weights = {
    "layer.weight": torch.randn(2, 3),
    "layer.bias": torch.zeros(2, dtype=torch.float64),
    "half": torch.tensor([1.5, -2.25], dtype=torch.bfloat16),
    "eight": torch.tensor([448.0, -0.5]).to(torch.float8_e4m3fn),
    "steps": torch.arange(4),
    "mask": torch.tensor([[True, False]]),
    "scalar": torch.tensor(7, dtype=torch.int32),
    "none": torch.empty(0, 5),
}
save_file(weights, "weights.safetensors", metadata={"made": "here", "by": "a test"})
read = load_file("weights.safetensors")
for name in sorted(read):
    same = torch.equal(read[name].float(), weights[name].float())
    print(name, read[name].dtype, tuple(read[name].shape), same)

with safe_open("weights.safetensors", framework="pt", device="cpu") as f:
    print(sorted(f.keys()), sorted(f.metadata().items()))
    print(f.get_tensor("layer.weight"))

# Of the library's own hand.
data = bytes.fromhex(
    "08010000000000007b225f5f6d657461646174615f5f223a7b22666f726d6174223a227074227d2c2262223a7b2264747970"
    "65223a22493634222c227368617065223a5b335d2c22646174615f6f666673657473223a5b302c32345d7d2c2261223a7b22"
    "6474797065223a2242463136222c227368617065223a5b312c325d2c22646174615f6f666673657473223a5b32342c32385d"
    "7d2c226538223a7b226474797065223a2246385f45344d33222c227368617065223a5b325d2c22646174615f6f6666736574"
    "73223a5b32382c33305d7d2c22666c6167223a7b226474797065223a22424f4f4c222c227368617065223a5b5d2c22646174"
    "615f6f666673657473223a5b33302c33315d7d7d2020000000000000000001000000000000000200000000000000c03f00c0"
    "7eb001"
)
for name, tensor in sorted(load(data).items()):
    print(name, tensor.dtype, tensor.float().tolist() if tensor.dtype != torch.bool else tensor.item())
print(sorted(load(save({"x": torch.ones(2, 2)})).items()))


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(4, 2)
        self.head = nn.Linear(2, 4, bias=False)
        self.head.weight = self.embed.weight


model, other = Tied(), Tied()
save_model(model, "model.safetensors")
with safe_open("model.safetensors", framework="pt") as f:
    print(list(f.keys()), f.metadata())
print(load_model(other, "model.safetensors"))
print(torch.equal(model.head.weight, other.head.weight), other.head.weight is other.embed.weight)

for what, act in {
    "shared": lambda: save({"a": model.embed.weight, "b": model.head.weight}),
    "strided": lambda: save({"a": torch.randn(3, 2).t()}),
    "list": lambda: save([torch.ones(1)]),
    "number": lambda: save({"a": 1.0}),
    "short": lambda: load(data[:20]),
    "cut": lambda: load(data[:-1]),
    "long": lambda: load(data + b"x"),
    "foreign": lambda: load(b"\x80\x02}q\x00X\x01\x00\x00\x00aq\x01K\x01s."),
}.items():
    try:
        act()
    except (RuntimeError, ValueError, SafetensorError) as error:
        print(what, type(error).__name__)
    else:
        print(what, "passed")
