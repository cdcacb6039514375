//! The largest model that fits.

use super::sheet;
use crate::cells::Cell;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "size", steps: STEPS },
    name: "Largest model",
    title: written!("How large a model fits?"),
    intro: &[written!(
        "Training keeps more than the weights. Every parameter has a gradient, and an optimizer remembers numbers of its \
         own beside it. Divide the memory by the bytes of all that, and the largest model is what comes out."
    )],
    view: || sheet("Largest model", "size"),
};

const STEPS: &[Step] = &[
    Step {
        title: written!("Sixteen bytes"),
        text: written!(
            "In float32 a weight is 4 bytes, its gradient 4, and Adam's two moments 8. Eight H100 with 80 GB each \
             hold 40 billion parameters, and not one activation."
        ),
        part: "largest",
        set: &[],
    },
    Step {
        title: written!("Twelve, or eighteen"),
        text: written!(
            "Weights and gradients in bfloat16 leave 12 bytes: 53.33 billion parameters. With a float32 copy for the \
             optimizer it is 18, and 35.56 billion. Half precision is no half of the memory."
        ),
        part: "conventions",
        set: &[("calc.convention", "mixed")],
    },
    Step {
        title: written!("GB and GiB"),
        text: written!(
            "Take the 80 GB as 80 · 2³⁰ bytes and 40 billion become 42.95: seven percent out of nothing but a \
             letter. Data sheets mean 10⁹."
        ),
        part: "largest",
        set: &[("calc.gib", "on")],
    },
    Step {
        title: written!("Find the error"),
        text: written!(
            "Notes in circulation say that one such device holds “tens of billions” of parameters at 16 bytes. It \
             holds 5 billion."
        ),
        part: "largest",
        set: &[("calc.node-gpus", "1")],
    },
];
