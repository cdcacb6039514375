"""Resource accounting: what training a language model costs, in bytes and in FLOPs."""

from napkin import show, slip, text

from resource_accounting_compute import compute_accounting
from resource_accounting_flops import counting_flops
from resource_accounting_memory import memory_accounting
from resource_accounting_models import models
from resource_accounting_training import training


def main():
    napkin_maths()
    memory_accounting()
    compute_accounting()
    counting_flops()
    models()
    training()


def napkin_maths():
    """Why count?"""
    text(r"""
Training takes bytes and multiplications. Both can be counted before anything runs, on the back of a napkin, and then
have a price. Every line below runs: step through it, move the sliders, watch what follows.
""")
    gpu_hours = training_time()
    largest_model()
    reality(gpu_hours)
    cost(gpu_hours)


def training_time():
    """How long does training take?"""
    text(r"""
Every token meets every parameter three times: once on the way forward, twice on the way back. Each time costs a
multiplication and an addition. For $N$ parameters and $D$ tokens that makes $6ND$ floating-point operations: FLOPs.
""")
    params = 70e9  # @slider 1e8 1e13 @inspect params
    tokens = 15e12  # @slider 1e9 1e14 @inspect tokens
    total_flops = 6 * params * tokens  # @inspect total_flops
    text(r"""
The data sheet of an H100 promises 1979 TFLOP/s in bfloat16, for matrices with zeros in half of their places. Yours are
dense, so halve it. And nobody reaches the peak: the share that is reached is the *MFU*, model FLOPs utilisation. Half
is good.
""")
    peak = 1979e12 / 2  # @inspect peak
    mfu = 0.5  # @slider 0.05 1.0 0.01 @inspect mfu
    gpus = 1024  # @slider 1 100000 @inspect gpus
    flops_per_day = peak * mfu * gpus * 60 * 60 * 24  # @inspect flops_per_day
    days = total_flops / flops_per_day  # @predict For how many days are these GPUs busy? @inspect days
    gpu_hours = days * 24 * gpus  # @inspect gpu_hours
    show.calculator("time", params="70B", tokens="15T", gpu="h100-sxm", gpus=1024, mfu=0.5)
    slip(
        claim="1979e12 × 0.5 × 1024 × 86400 = 4.377e22 FLOPs a day.",
        right="That product is 8.755e22, and the training takes 71.96 days.",
        why="The half in it is the MFU. 4.377e22 needs a second half, for matrices that are dense.",
    )
    return gpu_hours


def largest_model():
    """What is the largest model that fits?"""
    text(r"""
While it trains, a parameter drags three companions along: its gradient, and two running averages that the optimizer
AdamW keeps. In float32 each takes 4 bytes, 16 in all. How many parameters fit into eight H100s?
""")
    gpus = 8  # @slider 1 1024
    memory = gpus * 80e9  # @inspect memory
    bytes_per_param = 4 + 4 + (4 + 4)  # @inspect bytes_per_param
    largest = memory / bytes_per_param  # @inspect largest
    text(r"""
Conventions move the answer: weights and gradients of 2 bytes each; or weights of 2 bytes with a float32 copy, and
float32 gradients; or memory in GiB ($2^{30}$ bytes) where the sheet said GB ($10^9$).
""")
    in_bf16 = memory / (2 + 2 + (4 + 4))  # @inspect in_bf16
    mixed = memory / (2 + 4 + 4 + (4 + 4))  # @inspect mixed
    with_gib = gpus * 80 * 2**30 / bytes_per_param  # @inspect with_gib
    one_gpu = 80e9 / bytes_per_param  # @inspect one_gpu
    show.calculator("size", gpu="h100-sxm", gpus=8, convention="fp32")
    text("Activations are left out. They grow with the batch, so this is an upper end.")
    slip(
        claim="At 16 bytes per parameter, one 80 GB device holds tens of billions of parameters.",
        right="It holds 5 billion.",
        why="80e9 / 16 = 5e9. Tens of billions takes the whole machine with its eight devices.",
    )


def reality(gpu_hours):
    """The napkin against reality"""
    text("Meta reports 7.0 million GPU-hours for Llama 3.1 70B, trained on 15 trillion tokens with H100s.")
    reported = 7.0e6  # @inspect reported
    share = gpu_hours / reported  # @inspect share
    text(r"""
The napkin says half. It is not wrong, only tidy: the report also pays for restarts, long contexts and what came after
pretraining. So do not call the quotient an MFU.
""")
    show.calculator("reality", mfu=0.5)


def cost(gpu_hours):
    """What does it cost?"""
    text("GPU-hours are a currency; the exchange rate changes monthly. Put your own price in.")
    dollars_per_hour = 3.0  # @slider 0.5 15 0.1
    dollars = gpu_hours * dollars_per_hour  # @inspect dollars
    text("An H100 draws at most 700 W. The building around it adds about a fifth, mostly cooling.")
    kilowatt = 0.7  # @slider 0.1 1.5 0.1
    overhead = 1.2  # @slider 1.0 2.0 0.05
    kilowatt_hours = gpu_hours * kilowatt * overhead  # @inspect kilowatt_hours


if __name__ == "__main__":
    main()
