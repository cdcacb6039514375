//! The memory of a step.

use super::sheet;
use crate::cells::Cell;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "memory", steps: STEPS },
    name: "Memory of a step",
    title: written!("Where does the memory go?"),
    intro: &[written!(
        "Weights, gradients and optimizer state are there in every step, whatever comes in. Activations grow with what \
         comes in: they are what the forward pass leaves for the backward pass."
    )],
    view: || sheet("Memory of a step", "linear memory"),
};

const STEPS: &[Step] = &[
    Step {
        title: written!("A model on a napkin"),
        text: written!(
            "Two layers of 4×4 and a head of 4×1, two points at a time, AdaGrad: 36 parameters, 36 gradients, 36 sums \
             of squares, 16 activations. 124 numbers, 496 bytes."
        ),
        part: "linear-parts",
        set: &[],
    },
    Step {
        title: written!("The same sum for 8 billion"),
        text: written!(
            "Llama 3.1 8B under AdamW: 16 bytes per parameter are 128.5 GB before the first token. One sequence of \
             4096 tokens adds 60.64 GB."
        ),
        part: "chart",
        set: &[],
    },
    Step {
        title: written!("The square"),
        text: written!(
            "Most of that are the weights of attention: a number per pair of tokens and head, in every block. \
             FlashAttention never has them in memory: 26.3 GB."
        ),
        part: "activations",
        set: &[("calc.flash", "on")],
    },
    Step {
        title: written!("Compute it again"),
        text: written!(
            "Keep the input of each block, and run the block once more when its turn comes. 5.344 GB remain, for a \
             third more arithmetic; the logits are most of it now."
        ),
        part: "activations",
        set: &[("calc.recompute", "full")],
    },
    Step {
        title: written!("Smaller state"),
        text: written!(
            "Muon keeps one number for a matrix's element where AdamW keeps two; 8-bit AdamW keeps two bytes where it \
             kept eight."
        ),
        part: "parts",
        set: &[("calc.optimizer", "adamw-8bit")],
    },
];
