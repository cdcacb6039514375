//! A training step that really runs, beside what the formulas say of it.

use leptos::prelude::*;
use napkin_notebook::DeviceKind;
use napkin_view::view;

use super::Cell;
use super::calculator::{sheet, use_sheets};
use super::machine::meter::Meter;
use super::machine::shelf::Shelf;
use crate::dom::Node;
use crate::state::{Outline, Step};
use crate::widgets::{Part, written};
use crate::worker_client::use_worker;

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "count", steps: STEPS },
    name: "Two and four",
    title: "Is it really six?",
    intro: &[
        written!(
            "Believe no formula that you can check. Here a training step runs in this page with its books open: every \
             product enters its FLOPs, every tensor its bytes and what it is held for. Beside them stands what the \
             formulas said before."
        ),
        written!(
            "Both follow the assumptions. Change one, count again, and both columns move; where they differ, a row says \
             by what."
        ),
    ],
    view: || view! { <Count/> },
};

const STEPS: &[Step] = &[
    Step {
        title: "A model on a napkin",
        text: written!(
            "Two layers of 4×4, a head of 4×1, two points. Six FLOPs per parameter and point would be 432; 368 are \
             needed, since nobody asks for the gradient of the data. Count it."
        ),
        part: "products",
        set: &[("calc.count-optimizer", "adagrad")],
    },
    Step {
        title: "A Transformer",
        text: written!(
            "The second form is a small GPT. Forward, gradients of what came in and gradients of weights cost the same, \
             product by product: two, and four. What 6·N·D lacks are scores; what it has too much are embeddings."
        ),
        part: "differences",
        set: &[],
    },
    Step {
        title: "Memory over time",
        text: written!(
            "Activations pile up during the forward pass and go as the backward pass uses them, while gradients come. \
             Parameters, gradients and optimizer state are what the formulas say, to the byte."
        ),
        part: "memory",
        set: &[],
    },
    Step {
        title: "Less memory, more FLOPs",
        text: written!(
            "With checkpoints a block keeps its input alone and runs once more in the backward pass: the mountain is \
             lower, and a column of products appears that are computed again."
        ),
        part: "products",
        set: &[("calc.count-checkpointing", "on")],
    },
    Step {
        title: "Gradients that can be trusted",
        text: written!(
            "While it counts, the page moves some parameters a little to either side and looks at the loss. The slope \
             and the gradient must agree, and the table says how well they do."
        ),
        part: "gradients",
        set: &[],
    },
];

/// What can be counted: the calculator, and what the button says.
const MODELS: [(&str, &str); 2] =
    [("count-linear", "Count the deep linear model"), ("count-transformer", "Count the small Transformer")];

#[component]
fn Count() -> Node {
    let (worker, sheets) = (use_worker(), use_sheets());
    let meter = Meter::new(worker, Shelf::new(sheets));
    let device = move || untrack(|| worker.choice()).map_or(DeviceKind::Cpu, |choice| choice.kind);
    let button = move |(calculator, label): (&'static str, &'static str)| {
        let count = move |_| {
            sheets.load();
            let Some(step) = sheets.step(calculator) else { return };
            let spec = step.clone();
            let take = move |record: String| {
                sheets.give(calculator, calculator, format!("{{\"spec\":{spec},\"record\":{record}}}"));
            };
            meter.count(device(), step, take);
        };
        view! {
            <button
                type="button"
                disabled=move || meter.running().is_some() || worker.devices().is_none()
                on:click=count
            >
                {label}
            </button>
        }
    };
    let state = move || {
        meter
            .running()
            .map_or_else(|| meter.said(), |_| "A step runs, and then some more for its gradients.".to_owned())
    };
    view! {
        <Part name="count" title="Run a step and count it">
            <p class="buttons">
                {MODELS.map(button).into_iter().collect::<Vec<_>>()}
                <button type="button" disabled=move || meter.running().is_none() on:click=move |_| meter.cancel()>
                    "Cancel"
                </button>
            </p>
            <p class="counting" role="status">{state}</p>
        </Part>
        {sheet("Two and four", "count-linear count-transformer")}
    }
}
