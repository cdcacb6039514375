//! A model across devices.

use super::sheet;
use crate::cells::Cell;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "parallel", steps: STEPS },
    name: "Across devices",
    title: written!("Spread over many devices"),
    intro: &[written!(
        "What does not fit on one device is split: the batch over copies, every matrix over neighbours, the blocks over a \
         pipeline, experts over all. Each way saves memory and sends bytes."
    )],
    view: || sheet("Across devices", "parallel"),
};

const STEPS: &[Step] = &[
    Step {
        title: written!("Copies"),
        text: written!(
            "Eight copies of an 8 billion model each hold all of it: 189.1 GB, which fits nowhere, and send their \
             gradients around in every step."
        ),
        part: "parts",
        set: &[],
    },
    Step {
        title: written!("Whose state is it?"),
        text: written!(
            "Every copy's optimizer would do the same work on the same state. ZeRO gives each an eighth of it, and \
             nothing more is sent. Stage 2 splits gradients, stage 3 weights; then half as much again is sent."
        ),
        part: "traffic",
        set: &[("calc.zero", "3")],
    },
    Step {
        title: written!("Neighbours"),
        text: written!(
            "Tensor parallelism splits every matrix over devices that share fast links, and sums results four times in \
             every block. It is the only way that makes one sequence faster."
        ),
        part: "traffic",
        set: &[
            ("calc.architecture", "llama-3.1-70b"),
            ("calc.tp", "8"),
            ("calc.zero", "3"),
            ("calc.recompute", "full"),
        ],
    },
    Step {
        title: written!("A pipeline"),
        text: written!(
            "Stages of blocks pass activations on, and little of them. But they wait for each other at both ends of a \
             step: with 4 stages and 16 microbatches for a sixth of it."
        ),
        part: "bubble",
        set: &[
            ("calc.architecture", "llama-3.1-70b"),
            ("calc.tp", "8"),
            ("calc.pp", "4"),
            ("calc.microbatches", "16"),
            ("calc.zero", "1"),
            ("calc.recompute", "full"),
        ],
    },
];
