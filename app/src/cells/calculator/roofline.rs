//! What bounds operations on a device.

use super::sheet;
use crate::cells::Cell;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "roofline", steps: STEPS },
    name: "Roofline",
    title: written!("Arithmetic or memory?"),
    intro: &[
        written!(
            "A device waits for one of two things: its arithmetic, or its memory. Which one follows from a single number \
             of the computation, its *arithmetic intensity*: FLOPs per byte moved."
        ),
        written!(
            "Below the ridge of the roof every byte is waited for, and a faster multiplier changes nothing. Above it the \
             multipliers are busy."
        ),
    ],
    view: || sheet("Roofline", "roofline"),
};

const STEPS: &[Step] = &[
    Step {
        title: written!("The ridge"),
        text: written!(
            "In the second in which 3.35e12 bytes arrive an H100 can do 989.5e12 FLOPs in bfloat16. Whoever does \
             fewer than 295.4 with each byte waits for memory."
        ),
        part: "ridge",
        set: &[],
    },
    Step {
        title: written!("Nearly everything is below"),
        text: written!(
            "relu does a quarter of a FLOP per byte, a dot product a half, a matrix times a vector one. Softmax and \
             norms are not much better. They all run at a hundredth of the peak, or less."
        ),
        part: "operations",
        set: &[],
    },
    Step {
        title: written!("Products are not"),
        text: written!(
            "A product of two n×n matrices uses every element n times: n/3 FLOPs per byte. At n = 1024 it is above \
             the ridge, at 512 below. Change n and watch its point cross."
        ),
        part: "roofline",
        set: &[("calc.n", "512")],
    },
    Step {
        title: written!("One token at a time"),
        text: written!(
            "A model that writes token by token moves all its weights for one token: about one FLOP per byte. More \
             sequences at once share the weights, and the point climbs."
        ),
        part: "operations",
        set: &[("calc.decoded", "llama-3.1-8b"), ("calc.batch", "64")],
    },
    Step {
        title: written!("Flash"),
        text: written!(
            "Attention that writes its matrix to memory is bound by it. Attention that never writes it is the same \
             arithmetic far above the ridge: that is all that FlashAttention does."
        ),
        part: "operations",
        set: &[("calc.n", "4096")],
    },
];
