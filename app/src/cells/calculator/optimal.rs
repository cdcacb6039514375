//! The best split of a budget.

use super::sheet;
use crate::cells::Cell;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "optimal", steps: STEPS },
    name: "Budget",
    title: written!("How to spend a budget"),
    intro: &[written!(
        "6·N·D is a product: the same FLOPs train a large model on few tokens or a small one on many. Which is better was \
         measured by training hundreds of models."
    )],
    view: || sheet("Budget", "optimal"),
};

const STEPS: &[Step] = &[
    Step {
        title: written!("Twenty tokens for every parameter"),
        text: written!(
            "The rule of thumb after Chinchilla. The budget of the first cell, 6.3e24 FLOPs, would go into 229.1 \
             billion parameters and 4.583 trillion tokens."
        ),
        part: "split",
        set: &[],
    },
    Step {
        title: written!("GPT-3 was too large"),
        text: written!(
            "Its 3.14e23 FLOPs made 175 billion parameters and 300 billion tokens, less than two for each. The rule says \
             51.15 billion and 1.023 trillion."
        ),
        part: "both",
        set: &[("calc.flop", "3.14e23")],
    },
    Step {
        title: written!("Models that are used"),
        text: written!(
            "The rule is for training alone. Whoever writes with a model pays for its size with every token, so models \
             are made smaller and trained longer: 70 billion parameters on 15 trillion tokens are 214 for each."
        ),
        part: "split",
        set: &[("calc.tokens-per-param", "214")],
    },
];
