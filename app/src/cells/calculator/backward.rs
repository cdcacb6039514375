//! FLOPs of the backward pass.

use super::sheet;
use crate::cells::Cell;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "backward", steps: STEPS },
    name: "Backward",
    title: written!("What does the backward pass cost?"),
    intro: &[written!(
        "Two layers without activations: `h1 = x @ w1`, `h2 = h1 @ w2`, and a loss of h2. Forward is two products. \
         Backward has two for each of them: one for the gradient of the weight, one for the gradient of what came in."
    )],
    view: || sheet("Backward", "backward"),
};

const STEPS: &[Step] = &[
    Step {
        title: written!("Forward"),
        text: written!(
            "`x` is B×D, `w1` D×D, `w2` D×K: *2BD² + 2BDK*, for B = 1024, D = 256, K = 64 that is 167,772,160 FLOPs."
        ),
        part: "total",
        set: &[],
    },
    Step {
        title: written!("The gradient of a weight"),
        text: written!(
            "`w2.grad = h1.T @ h2.grad`: D rows, K columns, sums over B. The same three numbers as forward, so the \
             same 33,554,432 FLOPs."
        ),
        part: "gradients",
        set: &[],
    },
    Step {
        title: written!("The gradient of what came in"),
        text: written!(
            "`h1.grad = h2.grad @ w2.T`: once more the same. The second layer is at 67,108,864: twice its forward \
             pass."
        ),
        part: "stages",
        set: &[],
    },
    Step {
        title: written!("Both layers"),
        text: written!(
            "The first layer likewise: 335,544,320 in all, exactly twice forward. With the forward pass that makes \
             three, times two FLOPs per multiplication and addition: the *6* of 6·N·D."
        ),
        part: "total",
        set: &[],
    },
    Step {
        title: written!("One product nobody needs"),
        text: written!(
            "x is data. Unless you ask for its gradient a framework leaves that product out, and 201,326,592 remain. \
             It happens once per model, in the first layer."
        ),
        part: "stages",
        set: &[],
    },
];
