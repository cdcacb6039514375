"""Resource accounting: what training a language model costs, in bytes and in FLOPs."""

from napkin import check, exercise, remember, show, slip, text, try_this

from resource_accounting_budget import whole_budget
from resource_accounting_compute import compute_accounting
from resource_accounting_exercises import DaysOfTraining  # @stepover
from resource_accounting_flops import counting_flops
from resource_accounting_memory import memory_accounting
from resource_accounting_models import models
from resource_accounting_training import training


def main():
    napkin_maths()
    memory_accounting()
    compute_accounting()
    flops_per_token = counting_flops()
    params = models()
    activations = training()
    whole_budget(params, flops_per_token, activations)


def napkin_maths():
    """Why count?"""
    text(r"""
Before you train a model you want to know three things: how long it takes, whether it fits, and what it costs. You can
find all three with a few multiplications on the back of a napkin. Every line of code below runs: move a slider, or step
through line by line, and watch the numbers follow.

One small model goes with us all the way: our GPT, with 4 blocks of width 256. It reads 128 letters at a time, and its
alphabet has 65. We count it piece by piece, and in the last cell there is its whole budget, beside that of Llama 3.1 8B.
""")
    gpu_hours = training_time()
    largest_model()
    reality(gpu_hours)
    cost(gpu_hours)


def training_time():
    """How long does training take?"""
    text(r"""
A *parameter* is one of the numbers that training adjusts, and a *token* is a piece of a word from the text that the
model learns from. Every token meets every parameter three times: once on the way forward, when the model predicts, and
twice on the way back, when it finds out how to improve. Each time costs one multiplication and one addition, so $N$
parameters and $D$ tokens take $6ND$ floating-point operations, *FLOPs* for short.
""")
    params = 70e9  # @slider 1e8 1e13 @inspect params
    tokens = 15e12  # @slider 1e9 1e14 @inspect tokens
    total_flops = 6 * params * tokens  # @inspect total_flops
    text(r"""
How fast is a GPU? The data sheet of an H100 promises 1979 TFLOP/s for numbers in the 16-bit format bfloat16, but only if
half of the entries of a matrix are zero. Our matrices are *dense*, without such zeros, so we halve it. No program reaches
even that. The share that it reaches is called *MFU*, model FLOPs utilisation, and 0.5 is a good one.
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
        right="That product is 8.755e22, and the training would take 71.96 days.",
        why="The 0.5 in it is the MFU. To get 4.377e22 you have to halve once more, because the matrices are dense.",
    )
    try_this("Set `mfu` to 0.4, which is nearer to what large runs report. `days` rises by a quarter, from 144 to 180.")
    check(
        "A data sheet says “1,979 TFLOP/s bfloat16, with sparsity”. Which peak do you divide by for ordinary matrices?",
        {
            "1,979 TFLOP/s": "It is the largest number on the sheet, so it catches the eye. But it holds only for matrices "
            "in which two of every four entries are zero, and ordinary weights are not like that.",
            "989.5 TFLOP/s": "“With sparsity” doubles the number. Half of it is the dense peak.",
            "495 TFLOP/s": "You halved twice. The second half may be your MFU, but that is a property of your program, "
            "not of the chip: keep the two apart.",
        },
        answer="989.5 TFLOP/s",
    )
    exercise(
        "`days_of_training` takes the peak as data sheets print it: with sparsity. Our matrices are dense. Correct it.",
        days_of_training,
        DaysOfTraining,
    )
    remember("Training takes $6ND$ FLOPs. Divide by GPUs × dense peak × MFU, and you have the seconds.")
    return gpu_hours  # @hide


def days_of_training(params, tokens, gpus, sheet_peak, mfu):
    flops_per_second = gpus * mfu * sheet_peak
    return 6 * params * tokens / flops_per_second / 86400


def largest_model():
    """What is the largest model that fits?"""
    text(r"""
During training each parameter needs more room than its own. There is its *gradient*, which says in which direction to
change it, and there are two running averages that the optimizer AdamW keeps. In float32 each of the four numbers takes
4 bytes, which makes 16 bytes per parameter. How many parameters fit into eight H100s with 80 GB each?
""")
    gpus = 8  # @slider 1 1024
    memory = gpus * 80e9  # @inspect memory
    bytes_per_param = 4 + 4 + (4 + 4)  # @inspect bytes_per_param
    largest = memory / bytes_per_param  # @inspect largest
    text(r"""
Others count differently, and get another answer. Some keep weights and gradients in 2 bytes each (12 bytes in all). Some
keep weights in 2 bytes together with a float32 copy, and gradients in float32 (18 bytes). And some read 80 GB ($10^9$
bytes) as 80 GiB ($2^{30}$ bytes), which is 7% more.
""")
    in_bf16 = memory / (2 + 2 + (4 + 4))  # @inspect in_bf16
    mixed = memory / (2 + 4 + 4 + (4 + 4))  # @inspect mixed
    with_gib = gpus * 80 * 2**30 / bytes_per_param  # @inspect with_gib
    one_gpu = 80e9 / bytes_per_param  # @inspect one_gpu
    show.calculator("size", gpu="h100-sxm", gpus=8, convention="fp32")
    text("""
We have left out the *activations*, the intermediate results that the way back needs. They grow with the amount of data
that you process at once, so what really fits is smaller.
""")
    slip(
        claim="At 16 bytes per parameter, one 80 GB device holds tens of billions of parameters.",
        right="It holds 5 billion.",
        why="80e9 / 16 = 5e9. For tens of billions you need the whole machine with its eight devices.",
    )
    try_this("Raise `gpus` until `largest` reaches 405 billion, as in the largest Llama 3.1. It takes 81 GPUs.")
    check(
        "A tool reports that 75 GiB of memory are in use. How many GB is that?",
        {
            "69.8 GB": "You went the wrong way. A GiB is larger than a GB, so you need more GB for the same memory.",
            "75 GB": "The two names look alike, and many tools write one and mean the other. A GiB has $2^{30}$ bytes, a GB "
            "has $10^9$.",
            "80.5 GB": "75 × $2^{30}$ bytes are 80.5 × $10^9$ bytes. The two units are 7% apart.",
        },
        answer="80.5 GB",
    )
    remember("Training with AdamW in float32 takes 16 bytes per parameter, and the activations come on top.")


def reality(gpu_hours):
    """How close is the napkin to reality?"""
    text("""
Let us compare with a run that was really made. Meta reports 7.0 million GPU-hours for Llama 3.1 70B, trained on
15 trillion tokens with H100s. A *GPU-hour* is one GPU busy for one hour.
""")
    reported = 7.0e6  # @inspect reported
    share = gpu_hours / reported  # @inspect share
    text(r"""
Our napkin says half of that. Both numbers are right, but they do not count the same: the report also contains restarts
after failures, training on longer texts, and all that came after the main run.
""")
    show.calculator("reality", mfu=0.5)
    try_this("Go back to the first cell and set `mfu` to 0.25. Then `share` here is 1.01: the napkin meets the report.")
    check(
        "The napkin used an MFU of 0.5 and found half of the reported hours. Did Meta reach an MFU of 25%?",
        {
            "Yes": "0.5 × 0.505 is 25%, so it seems to follow. But an MFU compares the FLOPs of a run with the time of that "
            "run, and these hours contain more than one run.",
            "We cannot tell": "The hours contain other work, too. Call the quotient “reported GPU-hours”, and keep MFU for "
            "steps that were timed.",
        },
        answer="We cannot tell",
    )
    remember("A napkin finds the size of the answer. The real bill is larger: in this run, twice as large.")


def cost(gpu_hours):
    """What does it cost?"""
    text("""
The cost is the number of GPU-hours times the price of one. Prices differ between providers and change every month, so
put in your own.
""")
    dollars_per_hour = 3.0  # @slider 0.5 15 0.1
    dollars = gpu_hours * dollars_per_hour  # @inspect dollars
    text("""
Electricity works the same way. An H100 draws at most 700 W, which is 0.7 kW, and the building around it adds about a
fifth, mostly for cooling.
""")
    kilowatt = 0.7  # @slider 0.1 1.5 0.1
    overhead = 1.2  # @slider 1.0 2.0 0.05
    kilowatt_hours = gpu_hours * kilowatt * overhead  # @inspect kilowatt_hours
    try_this("Set `dollars_per_hour` to 2. The bill falls from 10.6 to 7.1 million dollars.")
    check(
        "You rent twice as many GPUs and keep the same MFU. What happens to the bill?",
        {
            "It doubles": "Twice as many GPUs cost twice as much per hour. But they finish in half the time.",
            "It stays the same": "Twice the GPUs for half the time is the same number of GPU-hours.",
            "It halves": "The time halves. But in that time you pay for twice as many GPUs.",
        },
        answer="It stays the same",
    )
    remember("Cost = GPU-hours × price of an hour.")


if __name__ == "__main__":
    main()
