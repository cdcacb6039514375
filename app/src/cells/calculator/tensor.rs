//! Bytes of a tensor.

use super::sheet;
use crate::cells::Cell;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "tensor", steps: STEPS },
    name: "Bytes of a tensor",
    title: written!("How many bytes is a tensor?"),
    intro: &[written!(
        "Everything that training keeps is a tensor: parameters, gradients, optimizer state, activations. Its size is \
         the number of its elements times the bytes of one, and nothing else."
    )],
    view: || sheet("Bytes of a tensor", "tensor"),
};

const STEPS: &[Step] = &[
    Step {
        title: written!("Four by eight"),
        text: written!("32 elements of 4 bytes: 128 bytes. float32 is what you get if you do not ask."),
        part: "bytes",
        set: &[],
    },
    Step {
        title: written!("One matrix of GPT-3"),
        text: written!(
            "A matrix of a feed-forward layer of GPT-3 has 49152 × 12288 elements. In float32 that is 2304 MiB, one \
             matrix of 192. Notes that call those 2304 MiB fp16 are off by two."
        ),
        part: "bytes",
        set: &[("calc.shape", "49152x12288")],
    },
    Step {
        title: written!("Half, quarter, eighth"),
        text: written!(
            "Sixteen bits halve it, eight halve it again. Four bits need scales: a byte for every 32 elements \
             (*MXFP4*), or for every 16 and one more per tensor (*NVFP4*)."
        ),
        part: "formats",
        set: &[("calc.shape", "49152x12288"), ("calc.tensor-dtype", "mxfp4")],
    },
];
