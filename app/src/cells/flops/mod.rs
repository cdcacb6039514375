//! FLOPs and time: what a product costs, how fast it is here, and what training costs.

mod here;
mod product;
mod run;

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
    name: "FLOPs and time",
    title: "FLOPs, and how long they take",
    intro: &[
        written!(
            "A *FLOP* is one multiplication or addition of floating-point numbers. *FLOPs* is how many of them a \
         computation needs, *FLOP/s* is how many a machine does in a second."
        ),
        written!(
            "Nearly all of them are in matrix products. Count those, divide by what the hardware does, and you know on \
         the back of a napkin how long a training run takes."
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
    Step {
        title: "Training a model",
        text: written!(
            "Every token meets every parameter three times: forward, and twice on the way back. That makes \
                   *6·N·D* for N parameters and D tokens, here 70 billion and 15 trillion."
        ),
        part: "run",
        set: &[],
    },
    Step {
        title: "Slower than promised",
        text: written!(
            "No training reaches the peak of its hardware. MFU is the share that it does reach; 50% is good. \
                   At 30% the same model takes five thirds of the time."
        ),
        part: "run",
        set: &[("mfu", "0.3")],
    },
    Step {
        title: "Dense or sparse",
        text: written!(
            "Data sheets like to print the rate for 2:4 sparse matrices, which is twice the dense one. Training \
                   is dense: plan with the sparse figure and the date is off by half."
        ),
        part: "run",
        set: &[("sparse", "1")],
    },
];

#[component]
fn Flops() -> Node {
    let params = ProductParams::new();
    view! {
        <product::Product params/>
        <here::Here params/>
        <run::Run/>
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
