"""The exercises of the lecture: hints, a solution, and a check that says what is wrong with an attempt."""

import copy

import torch
import torch.utils.checkpoint
from exercise_checks import KeptForBackward, copies, differs, kind
from torch import nn
from torch.utils.flop_counter import FlopCounterMode


class DaysOfTraining:
    hints = [
        "The sheet's number holds for matrices in which two of every four entries are zero.",
        "With dense matrices a chip reaches half of what the sheet says.",
    ]

    def solution(params, tokens, gpus, sheet_peak, mfu):
        dense_peak = sheet_peak / 2
        return 6 * params * tokens / (gpus * mfu * dense_peak) / 86400

    def check(days_of_training):
        for params, tokens, gpus, sheet_peak, mfu in [
            (70e9, 15e12, 1024, 1979e12, 0.4),
            (8e9, 2e12, 512, 624e12, 0.35),
        ]:
            days = 6 * params * tokens / (gpus * sheet_peak / 2 * mfu) / 86400
            mistakes = [
                (days / 2, "This is half of the time: you divide by the sparse peak, and our matrices are dense."),
                (days * 2, "This is twice the time: has the peak been halved twice?"),
                (days * 86400, "These are seconds. A day has 86,400 of them."),
                (days * 24, "These are hours. A day has 24 of them."),
                (days * mfu, "The MFU is missing: no program reaches the peak."),
                (days / 3, "This is only the way forward: a parameter and a token take 6 FLOPs in all."),
            ]
            example = f"For {params:.0e} parameters, {tokens:.1e} tokens and {gpus} GPUs"
            fault = differs(days_of_training(params, tokens, gpus, sheet_peak, mfu), days, example, mistakes)
            if fault:
                return fault


class SixteenBits:
    hints = [
        "`x.to(torch.float16)` makes `inf` of whatever is too large: `torch.isfinite` tells you where.",
        "Look for the largest number of `x`, and ask `torch.finfo` for the largest number of the format.",
    ]

    def solution(x):
        fits = x.abs().max() <= torch.finfo(torch.float16).max
        return x.to(torch.float16 if fits else torch.bfloat16)

    def check(sixteen_bits):
        for numbers in [[1.001, 65504.0], [1.0, 70000.0], [-70000.0, 1.0, 2.0], [65536.0, 3.0]]:
            x = torch.tensor(numbers)
            y = sixteen_bits(x)
            if not isinstance(y, torch.Tensor):
                return differs(y, x)
            if y.dtype not in (torch.float16, torch.bfloat16):
                return f"Of {numbers} it makes {y.dtype}, and that has not 16 bits."
            if not torch.isfinite(y).all():
                return f"Of {numbers} it makes {y.tolist()}: float16 ends at 65504."
            if y.dtype == torch.bfloat16 and max(map(abs, numbers)) <= 65504:
                return f"{numbers} fit into float16, which is finer: in bfloat16, 1.001 becomes {y[0].item()}."
            right = torch.tensor(numbers).to(torch.bfloat16 if y.dtype == torch.bfloat16 else torch.float16)
            if not torch.isfinite(right).all():
                return f"Of {numbers} it makes {y.tolist()} in float16, which ends at 65504."
            fault = differs(y, right)
            if fault:
                return fault
            if not torch.equal(y, right):
                return f"Of {numbers} it makes {y.tolist()}, and not {right.tolist()}."


class Position:
    hints = [
        "Each dimension adds something of its own, and there may be any number of them.",
        "`zip(index, stride)` goes through both lists together.",
    ]

    def solution(index, stride):
        return sum(i * s for i, s in zip(index, stride))

    def check(position):
        grid = torch.arange(24.0)
        for x, index in [
            (grid.reshape(4, 6), (3, 2)),
            (grid.reshape(4, 6).T, (2, 3)),
            (grid.reshape(2, 3, 4), (1, 2, 3)),
            (grid.reshape(2, 3, 2, 2).permute(3, 1, 0, 2), (1, 2, 1, 0)),
            (grid[::3], (5,)),
        ]:
            right = int(x[index].item())
            example = f"For element {index} of a tensor with stride {x.stride()}"
            fault = differs(position(index, x.stride()), right, example)
            if fault:
                return fault


class OddColumns:
    hints = [
        "A slice can have a step: `x[:, ::2]` are the columns 0, 2, 4, …",
        "It can begin somewhere, too: `start::step`.",
    ]

    def solution(x):
        return x[:, 1::2]

    def check(odd_columns):
        wide, tall = torch.arange(12.0).reshape(2, 6), torch.arange(24.0).reshape(4, 6).T
        for x in [wide, torch.arange(27.0).reshape(3, 9), tall]:
            before = x.clone()
            y = odd_columns(x)
            fault = differs(y, before[:, list(range(1, x.shape[1], 2))]) or copies(y, x)
            if fault:
                return fault
            if not torch.equal(x, before):
                return "The result is right, but the matrix that was given has changed."


class AttentionFlops:
    hints = [
        "There are two products: queries with keys, and the resulting weights with values.",
        "Queries with keys: (seq, head_dim) @ (head_dim, seq), for each head of each sequence.",
    ]

    def solution(batch, heads, seq, head_dim):
        scores = 2 * batch * heads * seq * head_dim * seq
        mixing = 2 * batch * heads * seq * seq * head_dim
        return scores + mixing

    def check(attention_flops):
        for sizes in [(1, 1, 10, 3), (3, 5, 7, 6)]:
            q, k, v = torch.ones(3, *sizes)
            with FlopCounterMode(display=False) as counter:
                (q @ k.transpose(-2, -1)) @ v
            counted = counter.get_total_flops()
            half = "This is half of what the counter finds. There are two products, and each multiplication comes with an addition."
            mistakes = [
                (counted / 2, half),
                (counted / 4, "This is a quarter of what the counter finds: count both products, and additions, too."),
                (counted / sizes[2], "Each query meets every key: the length comes in twice."),
            ]
            example = f"For (batch, heads, seq, head_dim) = {sizes}"
            fault = differs(attention_flops(*sizes), counted, example, mistakes)
            if fault:
                return fault


class AdamwBytes:
    hints = [
        "AdamW keeps two numbers for each parameter: an average of its gradients, and one of their squares.",
        "They have the dtype of their parameter: `p.element_size()` is the number of bytes.",
    ]

    def solution(model):
        kept = 0
        for p in model.parameters():
            kept += 2 * p.numel() * p.element_size()
        return kept

    def check(adamw_bytes):
        half = torch.bfloat16
        for name, model in [
            ("a layer in float32", nn.Linear(6, 3)),
            ("two layers in bfloat16", nn.Sequential(nn.Linear(5, 4), nn.Linear(4, 2)).to(half)),
            ("a layer in float32 and one in bfloat16", nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2).to(half))),
        ]:
            optimizer = torch.optim.AdamW(model.parameters())
            for p in model.parameters():
                p.grad = torch.ones_like(p)
            optimizer.step()
            # A counter of steps, one number for each tensor, is left out.
            kept = [s for state in optimizer.state.values() for s in state.values() if isinstance(s, torch.Tensor)]
            counted = sum(s.numel() * s.element_size() for s in kept if s.numel() > 1)
            params = sum(p.numel() for p in model.parameters())
            mistakes = [
                (counted / 2, "This is one number for each parameter, and AdamW keeps two."),
                (2 * params, "You count numbers, not bytes."),
                (params, "This is the number of parameters. AdamW keeps two numbers for each, and they take bytes."),
                (8 * params, "This would be right if every number took 4 bytes. The dtype says how many it takes."),
            ]
            fault = differs(adamw_bytes(model), counted, f"For {name}", mistakes)
            if fault:
                return fault


class LargestBatch:
    hints = [
        "Before the first example comes, 16 bytes per parameter are taken.",
        "What is left is for activations: 4 bytes each. Can what is left be below 0?",
    ]

    def solution(memory, params, activations):
        left = memory - 16 * params
        return max(0, left // (4 * activations))

    def check(largest_batch):
        for memory, params, activations in [(100_000, 1000, 50), (80 * 10**9, 10**9, 123_456), (10_000, 1000, 50)]:
            batch = largest_batch(memory, params, activations)
            if isinstance(batch, bool) or not isinstance(batch, int):
                return f"It returns {kind(batch)}, but a batch is a whole number: divide with `//`."
            needed = 16 * params + 4 * activations * batch
            sizes = f"{memory:,} bytes, {params:,} parameters and {activations:,} activations"
            most = max(0, (memory - 16 * params) // (4 * activations))
            if batch < 0:
                return f"With {sizes} it returns {batch}. If not even the model fits, the batch is 0."
            if batch > most:
                return (
                    f"With {sizes} it returns {batch:,}, and that takes {needed:,} bytes, those of the model included. "
                    f"{most:,} is right."
                )
            if batch < most:
                return f"With {sizes} it returns {batch:,}, but there is room for more: {most:,} is right."


class Through:
    hints = [
        "`torch.utils.checkpoint.checkpoint` keeps the input of a block, and nothing of what is inside.",
        "It calls the block for you: give it the block, not its result, then what the block takes, and `use_reentrant=False`.",
    ]

    def solution(blocks, x):
        for block in blocks:
            x = torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)
        return x

    def check(through):
        torch.manual_seed(0)
        blocks = nn.ModuleList(nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 8)) for _ in range(4))
        x = torch.randn(16, 8, requires_grad=True)
        gradients, kept = [], []
        for run in [Through.all_kept, through]:
            blocks.zero_grad()
            x.grad = None
            with KeptForBackward(blocks):
                y = run(blocks, x)
                fault = differs(y, Through.all_kept(blocks, x)) if run is through else None
                if fault:
                    return fault
                if not y.requires_grad:
                    return "The result is right, but nothing leads back from it: `requires_grad` is False."
            with KeptForBackward(blocks) as counter:
                run(blocks, x).pow(2).mean().backward()
            kept.append(counter.most)
            gradients.append([p.grad for p in [*blocks.parameters(), x]])
        for right, got in zip(*gradients):
            if got is None:
                return "The loss is the same, but the way back does not reach every parameter and `x`: a gradient is missing."
            if not torch.allclose(got, right, rtol=1e-3, atol=1e-6):
                return "The loss is the same, but the gradients are not."
        if kept[1] > kept[0] / 2:
            return (
                f"The loss is the same, but {kept[1]:,} bytes are kept for the way back at once. At first it was "
                f"{kept[0]:,}, and half of that is enough."
            )

    def all_kept(blocks, x):
        for block in blocks:
            x = block(x)
        return x


class Accumulate:
    hints = [
        "`backward()` adds to the gradients that are there, so call it once for each quarter: `x.chunk(4)`.",
        "The mean over all rows is the mean of the four means: divide the loss of each quarter by 4.",
    ]

    def solution(model, x, y):
        for rows, targets in zip(x.chunk(4), y.chunk(4)):
            loss = (model(rows) - targets).pow(2).mean() / 4
            loss.backward()

    def check(accumulate):
        torch.manual_seed(0)
        model = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 1))
        x, y = torch.randn(16, 8), torch.randn(16, 1)
        whole = copy.deepcopy(model)
        with KeptForBackward(whole) as at_once:
            (whole(x) - y).pow(2).mean().backward()
        with KeptForBackward(model) as counter:
            accumulate(model, x, y)
        last = copy.deepcopy(whole)
        last.zero_grad()
        (last(x[12:]) - y[12:]).pow(2).mean().backward()
        for p, right, of_last in zip(model.parameters(), whole.parameters(), last.parameters()):
            if p.grad is None:
                return "A parameter has no gradient: was `backward()` called?"
            if not torch.equal(p, right):
                return "The parameters have changed, and only their gradients should be found."
            if torch.allclose(p.grad, 4 * right.grad, rtol=1e-3, atol=1e-6):
                return "The gradients are 4 times too large: the means of four quarters have been added up."
            if any(torch.allclose(p.grad, of_last.grad / by, rtol=1e-3, atol=1e-6) for by in [1, 4]):
                return "These are the gradients of the last quarter alone: what the others gave is gone."
            if not torch.allclose(p.grad, right.grad, rtol=1e-3, atol=1e-6):
                return "These are not the gradients of the whole batch of 16 rows."
        if counter.most > 0.3 * at_once.most:
            return f"The gradients are right, but {counter.most:,} bytes are kept at once: a quarter of the batch takes {at_once.most // 4:,}."


class AddOften:
    hints = [
        "Between 1 and the next float16 lie 0.00098. What is less than half of that is rounded away, each time anew.",
        "Keep the sum in float32, and make a float16 of it once, at the end.",
    ]

    def solution(step, times):
        total = torch.tensor(1.0)
        for _ in range(times):
            total = total + step
        return total.to(torch.float16)

    def check(add_often):
        for step, times in [(0.0004, 1000), (0.0001, 3000)]:
            total = add_often(step, times)
            if isinstance(total, torch.Tensor) and total.dtype == torch.float16 and total.numel() == 1 and total == 1:
                return f"After {times:,} steps of {step} the sum is still 1: every step was rounded away."
            right = torch.tensor(1 + step * times, dtype=torch.float16)
            fault = differs(total, right)
            if fault:
                return f"{fault} This is for {times:,} steps of {step}."
