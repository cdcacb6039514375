//! FLOPs and time: what a product costs, and how fast it is here.

mod here;
mod product;

use napkin_view::view;

use super::Cell;
use super::calculator::sheet;
use crate::state::{Outline, Step};
use crate::widgets::written;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "flops", steps: STEPS },
    name: "FLOPs",
    title: written!("FLOPs, and how long they take"),
    intro: &[
        written!(
            "A *FLOP* is one multiplication or addition of floating-point numbers. *FLOPs* is how many of them a \
         computation needs, *FLOP/s* is how many a machine does in a second."
        ),
        written!(
            "Nearly all of them are in matrix products. Count those, divide by what the hardware does, and you know how \
         long to wait."
        ),
    ],
    view: || view! { {sheet("FLOPs", "matmul")} <here::Here/> },
};

const STEPS: &[Step] = &[
    Step {
        title: written!("One product"),
        text: written!(
            "`x` has B rows of D numbers, `w` has D rows of K. Each of the B·K results sums D products: \
                   one multiplication and one addition for every triple, so *2·B·D·K* floating-point operations."
        ),
        part: "work",
        set: &[],
    },
    Step {
        title: written!("A large one"),
        text: written!(
            "The shapes grow, the formula stays: 8.8 TFLOP for one line of Python. The FLOPs grow faster than \
                   the bytes, so the product moves from the slope of the roofline to its roof."
        ),
        part: "work",
        set: &[("calc.b", "16384"), ("calc.d", "32768"), ("calc.k", "8192")],
    },
    Step {
        title: written!("On this machine"),
        text: written!(
            "A promise is not a measurement. Time the product on the hardware under this page and see how \
                   many FLOP/s come out."
        ),
        part: "here",
        set: &[("calc.b", "512"), ("calc.d", "512"), ("calc.k", "512"), ("calc.dtype", "fp32")],
    },
];
