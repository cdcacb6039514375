"""The whole budget of our small GPT, and of a real model beside it."""

from napkin import check, remember, show, text, try_this
from resource_accounting_models import llama


def whole_budget(params, flops_per_token, activations):
    """What does it take all together?"""
    text(r"""
Let us fill in the whole sheet, for our small GPT and for Llama 3.1 8B. The numbers of our GPT come from the cells where you
found them: if you have changed one there, it has changed here, too. Both models are trained by AdamW and keep every number in
float32. Their products run at the peak of bfloat16, 989.5 TFLOP/s on an H100.

Llama has 2,500 times as many parameters, and reads texts of 8192 tokens. Count it in the same way. Its embedding at the
beginning is only looked up, and its 65 norms are no matrices. All other parameters take 6 FLOPs per token, and the scores
come on top:
""")
    llama_params = llama(layers=32, dim=4096, kv_heads=8, hidden=14336, vocab=128256)  # @stepover @inspect llama_params
    matrices = llama_params - 128256 * 4096 - 65 * 4096
    llama_flops = 6 * matrices + 3 * 32 * 2 * (2 * 8192 * 4096)  # @inspect llama_flops
    text(r"""
A block of Llama keeps 6 vectors of 4096 numbers for each token, a key and a value of 1024 each, 4 vectors of 14336 in its
feed-forward layer, and 34 numbers besides. It does not keep attention weights: a kernel named *FlashAttention* never
writes them. Now guess what one step with a single text takes, in GB:
""")
    in_blocks = 32 * 8192 * (6 * 4096 + 2 * 1024 + 4 * 14336 + 34)
    llama_activations = in_blocks + 2 * 8192 * (4096 + 128256)
    step_gb = (16 * llama_params + 4 * llama_activations) / 1e9  # @predict How many GB does this step of Llama take? @inspect step_gb
    text("Our GPT trains on 64 million letters, 20 for each parameter. Llama was trained on 15 trillion tokens.")
    mfu = 0.4  # @slider 0.05 1.0 0.05
    price = 3.0  # @slider 0.5 15 0.1
    per_hour = 989.5e12 * mfu * 60 * 60
    gpu_hours = llama_flops * 15e12 / per_hour  # @predict For how many hours would one H100 train Llama? @inspect gpu_hours
    gpt_seconds = flops_per_token * 64e6 / per_hour * 60 * 60  # @inspect gpt_seconds
    gpt = column(params, activations, flops_per_token, 16 * 128, 64e6, mfu, price)  # @stepover
    real = column(llama_params, llama_activations, llama_flops, 8192, 15e12, mfu, price)  # @stepover
    show.table([(row, gpt[row], real[row]) for row in gpt], columns=["budget", "our GPT", "Llama 3.1 8B"])
    text("""
And here is every formula of the lecture with its symbols, for these two models. Click a number to see how it is computed.
For a whole training run these formulas take 6ND, and leave the scores out.
""")
    show.calculator("formulas", model="llama-3.1-8b", sequence=8192, flash=True, gpus=1, mfu=0.4)
    try_this("Set `mfu` to 0.15. `gpu_hours` rises from 610,000 to 1.63 million; Meta reports 1.46 million for this model.")
    check(
        "What takes most of the memory in a step of our GPT?",
        {
            "The parameters": "A model *is* its parameters, and people quote their size. Here they are 13 MB of 225.",
            "The averages of AdamW": "They are twice as large as the parameters. But both are a number for each parameter, and a "
            "step has 2048 tokens.",
            "The activations": "173 MB of 225. The smaller the model and the larger the batch, the more it is activations that "
            "count.",
        },
        answer="The activations",
    )
    remember("Memory = 16 bytes × parameters + activations. Time = FLOPs per token × tokens ÷ (peak × MFU).")


# What the sheet says of a model that is trained on `tokens` tokens, on H100s.
def column(params, activations, flops_per_token, step_tokens, tokens, mfu, price):
    total = flops_per_token * tokens
    at_peak = total / 989.5e12
    hours = at_peak / mfu / 3600
    return {
        "parameters": plain(params),
        "weights": prefixed(4 * params, "B"),
        "gradients": prefixed(4 * params, "B"),
        "state of AdamW": prefixed(8 * params, "B"),
        "activations of a step": prefixed(4 * activations, "B"),
        "memory of a step": prefixed(16 * params + 4 * activations, "B"),
        "FLOPs of a token": prefixed(flops_per_token, "FLOP"),
        "FLOPs of a step": prefixed(flops_per_token * step_tokens, "FLOP"),
        "tokens": plain(tokens),
        "FLOPs of the training": prefixed(total, "FLOP"),
        "seconds at the peak of an H100": plain(at_peak),
        "seconds at this MFU": plain(at_peak / mfu),
        "GPU-hours": plain(hours),
        "dollars": plain(hours * price),
    }


# 12.84 MB: four digits, with the prefix that thousands have.
def prefixed(number, unit):
    power = 0
    while number >= 1000:
        number, power = number / 1000, power + 1
    return f"{number:.4g} {' kMGTPEZY'[power].strip()}{unit}"


def plain(number):
    return f"{number:,.0f}" if number >= 1000 else f"{number:.4g}"
