//! FLOPs and time: what a product costs, and how fast it is here.

mod here;
mod product;

use std::sync::Arc;

use crate::dom::Node;
use crate::signals::Signal;
use leptos::prelude::*;
use napkin_accounting::{Derivation, format};
use napkin_view::view;

use super::Cell;
use crate::state::{Outline, Step};
use crate::widgets::{Shown, written};

use product::ProductParams;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "flops", steps: STEPS },
    name: "FLOPs",
    title: "FLOPs, and how long they take",
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
    view: || view! { <Flops/> },
};

const STEPS: &[Step] = &[
    Step {
        title: "One product",
        text: written!(
            "`x` has B rows of D numbers, `w` has D rows of K. Each of the B·K results sums D products: \
                   one multiplication and one addition for every triple, so *2·B·D·K* floating-point operations."
        ),
        part: "product",
        set: &[],
    },
    Step {
        title: "A large one",
        text: written!(
            "The shapes grow, the formula stays: 8.8 TFLOP for one line of Python. In 16 bits the FLOPs are \
                   the same and the bytes are half."
        ),
        part: "product",
        set: &[("b", "16384"), ("d", "32768"), ("k", "8192"), ("dtype", "bf16")],
    },
    Step {
        title: "On this machine",
        text: written!(
            "A promise is not a measurement. Time the product on the hardware under this page and see how \
                   many FLOP/s come out."
        ),
        part: "here",
        set: &[("b", "512"), ("d", "512"), ("k", "512")],
    },
];

#[component]
fn Flops() -> Node {
    let params = ProductParams::new();
    view! {
        <product::Product params/>
        <here::Here params/>
    }
}

/// A result for a large figure, or the sentence that says why there is none.
fn figure(of: Signal<Result<Arc<Derivation>, String>>) -> Signal<Result<Shown, String>> {
    Signal::derive(move || {
        of.with(|of| match of {
            Ok(d) => Ok(Shown { short: d.short(), exact: format::exact(d.value, d.unit) }),
            Err(sentence) => Err(sentence.clone()),
        })
    })
}
