//! A training step that really runs, beside what the formulas say of it.

use leptos::prelude::*;
use napkin_notebook::{Command, CountSpec, DeviceKind, News};
use napkin_view::view;

use super::Cell;
use super::calculator::{sheet, use_sheets};
use crate::dom::Node;
use crate::signals::RwSignal;
use crate::state::{Outline, Step};
use crate::widgets::{Part, written};
use crate::worker_client::{use_meter, use_worker};

const ID: &str = "count";

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: ID, steps: STEPS },
    name: "Two and four",
    title: written!("Is it really six?"),
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
        title: written!("A model on a napkin"),
        text: written!(
            "Two layers of 4×4, a head of 4×1, two points. Six FLOPs per parameter and point would be 432; 368 are \
             needed, since nobody asks for the gradient of the data. Count it."
        ),
        part: "count-linear/products",
        set: &[],
    },
    Step {
        title: written!("A Transformer"),
        text: written!(
            "The second form is a small GPT. Forward, gradients of what came in and gradients of weights cost the same, \
             product by product: two, and four. What 6·N·D lacks are scores; what it has too much are embeddings."
        ),
        part: "count-transformer/differences",
        set: &[],
    },
    Step {
        title: written!("Memory over time"),
        text: written!(
            "Activations pile up during the forward pass and go as the backward pass uses them, while gradients come. \
             Parameters, gradients and optimizer state are what the formulas say, to the byte."
        ),
        part: "count-transformer/timeline",
        set: &[],
    },
    Step {
        title: written!("Less memory, more FLOPs"),
        text: written!(
            "With checkpoints a block keeps its input alone and runs once more in the backward pass: the mountain is \
             lower, and a column of products appears that are computed again."
        ),
        part: "count-transformer/products",
        set: &[("calc.count-checkpointing", "on")],
    },
    Step {
        title: written!("Gradients that can be trusted"),
        text: written!(
            "While it counts, the page moves some parameters a little to either side and looks at the loss. The slope \
             and the gradient must agree, and the table says how well they do."
        ),
        part: "count-transformer/gradients",
        set: &[],
    },
];

/// What can be counted: the calculator, and what the button says.
const MODELS: [(&str, &str); 2] =
    [("count-linear", "Count the deep linear model"), ("count-transformer", "Count the small Transformer")];

#[component]
fn Count() -> Node {
    let (worker, meter, sheets) = (use_worker(), use_meter(), use_sheets());
    let said = RwSignal::new(String::new());
    let device = move || untrack(|| worker.choice()).map_or(DeviceKind::Cpu, |choice| choice.kind);
    let button = move |(calculator, label): (&'static str, &'static str)| {
        let count = move |_| {
            sheets.load();
            let Some(step) = sheets.step(calculator) else { return };
            said.set(String::new());
            let command = Command::CountStep(CountSpec { device: device(), step: step.clone() });
            meter.ask(ID, command, move |answer| match answer {
                Ok((News::Counted { record }, _)) => {
                    let both = format!("{{\"spec\":{step},\"record\":{record}}}");
                    sheets.give(calculator, calculator, both);
                }
                Ok(_) => {}
                Err(reason) => said.set(reason),
            });
        };
        view! {
            <button type="button" disabled=move || meter.is_busy() on:click=count>{label}</button>
        }
    };
    let state = move || match meter.is_busy_for(ID) {
        true => "A step runs, and then some more for its gradients.".to_owned(),
        false => said.get(),
    };
    let cancel = move |_| {
        meter.cancel();
        said.set("Cancelled: nothing of it is kept.".to_owned());
    };
    view! {
        <Part name="count" title="Run a step and count it">
            <p class="buttons">
                {MODELS.map(button).into_iter().collect::<Vec<_>>()}
                <button type="button" disabled=move || !meter.is_busy_for(ID) on:click=cancel>"Cancel"</button>
            </p>
            <p class="counting" role="status">{state}</p>
        </Part>
        {sheet("Two and four", "count-linear count-transformer")}
    }
}
