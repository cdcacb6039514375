//! The napkin beside what was reported.

use super::sheet;
use crate::cells::Cell;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "reality", steps: STEPS },
    name: "Reality",
    title: written!("Napkin against reality"),
    intro: &[written!(
        "Some makers say how many GPU-hours their models took. Beside the napkin's figure stands what was left out of \
         it: restarts, longer contexts, what comes after pretraining, and an MFU that nobody promised."
    )],
    view: || sheet("Reality", "reality"),
};

const STEPS: &[Step] = &[
    Step {
        title: written!("Twice the napkin"),
        text: written!(
            "At an MFU of one half, Llama 3.1 70B needs 3.57 million GPU-hours. Its card reports 7 million. The ratio \
             is no MFU: what the hours were spent on is not told."
        ),
        part: "runs",
        set: &[],
    },
    Step {
        title: written!("What would make them equal"),
        text: written!(
            "Lower the MFU until the largest Llama comes out as reported. At a third it does, which is near to what \
             its makers measured in the runs themselves: 38 to 43%."
        ),
        part: "runs",
        set: &[("calc.mfu", "0.33")],
    },
    Step {
        title: written!("Landmarks"),
        text: written!(
            "GPT-3 took 3.14e23 FLOPs; GPT-4 is guessed at 2e25; at 1e26 a model had to be reported in the United \
             States, until 2025. Eight H100 do 4.788e21 in a week at their peak."
        ),
        part: "landmarks",
        set: &[],
    },
    Step {
        title: written!("Find the error"),
        text: written!(
            "The lecture says “8 H100s for 2 weeks” and multiplies the seconds of one. Two weeks are 9.575e21."
        ),
        part: "landmarks",
        set: &[],
    },
];
