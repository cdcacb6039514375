//! Parameters and FLOPs of a Transformer.

use super::sheet;
use crate::cells::Cell;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "transformer", steps: STEPS },
    name: "Transformer",
    title: written!("A Transformer, component by component"),
    intro: &[
        written!(
            "The same counting, for models that people train: parameters to the unit and FLOPs of a step, for every \
             model of the list and for any `config.json` that you paste."
        ),
        written!(
            "Counts are those of the weights in a checkpoint. FLOPs are those of matrix products, as PyTorch's own \
             counter has them."
        ),
    ],
    view: || sheet("Transformer", "params flops"),
};

const STEPS: &[Step] = &[
    Step {
        title: written!("Where parameters are"),
        text: written!(
            "Of the 8.03 billion of Llama 3.1 8B seven tenths are in feed-forward parts: three matrices each, since a \
             gate multiplies the hidden values. Attention is a sixth: its keys and values have 8 heads where queries \
             have 32."
        ),
        part: "components",
        set: &[],
    },
    Step {
        title: written!("Small models are vocabulary"),
        text: written!(
            "GPT-2's embedding is 31% of its 124,439,808 parameters, and the head is the same matrix once more: it \
             counts once."
        ),
        part: "components",
        set: &[("calc.architecture", "gpt-2")],
    },
    Step {
        title: written!("Experts"),
        text: written!(
            "DeepSeek-V3 has 671 billion parameters, and a token meets 37.55 billion of them: 8 of 256 experts in \
             every block, one more for all. 6·N·D takes the smaller number."
        ),
        part: "components",
        set: &[("calc.architecture", "deepseek-v3")],
    },
    Step {
        title: written!("Two and four"),
        text: written!(
            "Forward is 2 FLOPs per parameter and token, backward 4. What 6·N·D has too much are embeddings, which \
             are looked up, and norms. What it leaves out are scores: queries times keys, in which no parameter takes \
             part."
        ),
        part: "differences",
        set: &[],
    },
    Step {
        title: written!("Long sequences"),
        text: written!(
            "Scores grow with the square of the length. At 4096 tokens they are an eighth of the forward pass, at \
             131,072 four fifths, and 6·N·D is short by a factor of five."
        ),
        part: "six",
        set: &[("calc.sequence", "131072")],
    },
    Step {
        title: written!("Computed again"),
        text: written!(
            "Whoever keeps only the inputs of blocks pays with a second forward pass: 8 FLOPs per parameter and token \
             instead of 6."
        ),
        part: "flops",
        set: &[("calc.recompute", "full")],
    },
];
