//! How long training takes, and what it costs.

use super::sheet;
use crate::cells::Cell;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "time", steps: STEPS },
    name: "Training time",
    title: written!("How long does training take?"),
    intro: &[
        written!(
            "Three numbers settle it: how much work the training is, how much of it the cluster does in a day, and what \
         an hour of the cluster costs. None of them needs more than the back of a napkin."
        ),
        written!(
            "Every assumption can be changed; every figure opens on how it comes about. A GPU or a model that is not \
         in the lists can be described in a few lines, or by its `config.json`."
        ),
    ],
    view: || sheet("Training time", "time"),
};

const STEPS: &[Step] = &[
    Step {
        title: written!("Count the work"),
        text: written!(
            "Every token meets every parameter three times: once on the way forward, twice on the way back, and each \
             time with a multiplication and an addition. That makes *6·N·D*: for 70 billion parameters and 15 \
             trillion tokens 6.3e24 FLOPs."
        ),
        part: "work",
        set: &[],
    },
    Step {
        title: written!("Divide by the cluster"),
        text: written!(
            "1024 H100 at half of their dense peak do 4.377e22 FLOPs in a day. The work over that is 143.9 days, or \
             3.54 million GPU-hours."
        ),
        part: "days",
        set: &[],
    },
    Step {
        title: written!("Slower than promised"),
        text: written!(
            "*MFU* is the share of the promised rate that a training reaches; half is good. At 30% the same model \
             takes five thirds of the time, and of the money."
        ),
        part: "inputs",
        set: &[("calc.mfu", "0.3")],
    },
    Step {
        title: written!("The sparse trap"),
        text: written!(
            "Data sheets print the rate for 2:4 sparse matrices in large letters: 1979 TFLOP/s. Training is dense. \
             Plan with the printed number and the date is off by half: 71.96 days that will be 143.9."
        ),
        part: "days",
        set: &[("calc.sparse", "on")],
    },
    Step {
        title: written!("Money and energy"),
        text: written!(
            "GPU-hours are what a cloud sells. The energy is an upper end: what the devices are cooled for, and what \
             the building adds to that (*PUE*)."
        ),
        part: "cost",
        set: &[],
    },
    Step {
        title: written!("What was reported"),
        text: written!(
            "With a model from the list, parameters and tokens are its own. Llama 3.1 70B was reported with 7.0 \
             million GPU-hours, twice the napkin's figure: runs that failed and stages after the last token are in \
             it, so the ratio is no MFU."
        ),
        part: "reality",
        set: &[("calc.model", "llama-3.1-70b")],
    },
];
