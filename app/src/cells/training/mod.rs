//! The training loop, live: a deep linear model learns the weights 0, 1, …, D−1.

mod curve;
mod model;
mod session;
mod tables;
mod weights;

use crate::dom::Node;
use crate::signals::{RwSignal, Signal, StoredValue, effect};
use leptos::prelude::*;
use napkin_accounting::{Unit, decimal, format};
use napkin_notebook::TrainState;
use napkin_view::view;

use super::Cell;
use crate::state::{Outline, Step};
use crate::widgets::{Choose, NumberInput, Part, written};
use crate::worker_client::use_worker;

use model::ModelParams;
use session::{Phase, Session};

/// The cell.
pub const CELL: Cell = Cell {
    outline: Outline { id: "training", steps: STEPS },
    name: "Training loop",
    title: written!("A training loop, running"),
    intro: &[
        written!(
            "The model is a chain of square matrices with one column at the end: `x @ w1 @ w2 @ … @ head`. No \
         activation stands between them, so all of it together is one weight per input, and you can see whether \
         the right ones are learned: the data are made with the weights 0, 1, …, D−1."
        ),
        written!(
            "A step draws a batch, predicts, takes the mean squared error, goes backward for the gradients and lets \
         the optimizer move every weight a little. This is the engine's real loop: nothing is replayed."
        ),
    ],
    view: || view! { <Training/> },
};

const STEPS: &[Step] = &[
    Step {
        title: written!("One step"),
        text: written!(
            "Press *Step* and watch the loss. The batch is only four points, so the loss jumps from step to \
               step even while the model gets better."
        ),
        part: "controls",
        set: &[],
    },
    Step {
        title: written!("Two thousand"),
        text: written!(
            "Press *Run*. The loss falls by orders of magnitude, which is why its axis counts powers of ten, and \
               the bars grow to their marks."
        ),
        part: "curve",
        set: &[],
    },
    Step {
        title: written!("A longer stride"),
        text: written!(
            "AdaGrad divides each gradient by the root of all squared gradients before it, so it can take a \
               learning rate ten times as large and is done in a few hundred steps."
        ),
        part: "curve",
        set: &[("lr", "0.1")],
    },
    Step {
        title: written!("Too long"),
        text: written!(
            "Plain SGD takes the gradient as it is. At this learning rate each step overshoots further than the \
               one before, and within ten steps the loss has left the numbers. Try a tenth of it."
        ),
        part: "controls",
        set: &[("optimizer", "sgd"), ("lr", "0.01")],
    },
    Step {
        title: written!("Wider"),
        text: written!(
            "With D = 256 and batches of 256 a step is real work, and steps per second begin to depend on the \
               device. A GPU wants large products: small ones leave it waiting for the next command."
        ),
        part: "model",
        set: &[("dim", "256"), ("batch", "256"), ("lr", "0.03")],
    },
];

#[component]
fn Training() -> Node {
    let worker = use_worker();
    let params = ModelParams::new(worker);
    let session = Session::new(worker);
    let note = RwSignal::new(None::<String>);

    // A model that no longer fits the fields is no use: it is dropped, and the reader is told.
    effect(move |last: Option<model::Fields>| {
        let fields = params.fields();
        if last.is_some_and(|last| last != fields) {
            let steps = session.progress().with_untracked(|progress| progress.step);
            if session.reset() {
                note.set((steps > 0).then(|| {
                    format!("The settings changed: the model of {steps} steps was dropped, and the next one starts anew.")
                }));
            }
        }
        fields
    });
    pause_while_hidden(session);

    let is_running = move || session.is_running();
    let start = move |go: fn(Session, ModelParams)| {
        note.set(None);
        go(session, params);
    };
    let toggle = move |_| {
        if session.is_running() {
            session.pause();
        } else {
            start(|session, params| session.run(&params.spec(), params.steps_per_run()));
        }
    };
    let reset = move |_| {
        session.reset();
        note.set(None);
    };
    let is_done = move || matches!(session.phase(), Phase::Loaded(TrainState::Diverged { .. }));
    let is_loading = move || session.phase() == Phase::Loading;
    view! {
        <Part name="model" title="The model and its optimizer">
            <div class="controls">
                <NumberInput param=params.dim/>
                <NumberInput param=params.layers/>
                <NumberInput param=params.batch/>
                <Choose param=params.optimizer/>
                <NumberInput param=params.learning_rate/>
                <NumberInput param=params.seed/>
                <NumberInput param=params.steps/>
                <Choose param=params.device/>
            </div>
        </Part>
        <Part name="controls">
            <p class="buttons">
                <button type="button" class="is-main" disabled=move || is_done() || is_loading() on:click=toggle>
                    {move || if is_running() { "Pause" } else { "Run" }}
                </button>
                <button
                    type="button"
                    disabled=move || is_running() || is_done() || is_loading()
                    on:click=move |_| start(|session, params| session.step(&params.spec()))
                >
                    "Step"
                </button>
                <button type="button" disabled=move || session.phase() == Phase::Empty on:click=reset>"Reset"</button>
            </p>
            <p class="remark" role="status">{move || note.get().or_else(|| said(session, params))}</p>
            <Readings session/>
        </Part>
        <Part name="curve" title="Loss">
            <curve::Curve losses=session.losses() words=Signal::derive(move || curve_words(session))/>
            <tables::LossTable losses=session.losses()/>
        </Part>
        <Part name="weights" title="Learned weights against the true ones">
            <weights::Weights
                learned=Signal::derive(move || session.progress().with(|p| p.weights.clone()))
                truth=Signal::derive(move || truth(session, params))
            />
            <tables::WeightTable
                learned=Signal::derive(move || session.progress().with(|p| p.weights.clone()))
                truth=Signal::derive(move || truth(session, params))
            />
        </Part>
    }
}

/// The true weights: what the engine says, or before it has said them what the cell's text says.
fn truth(session: Session, params: ModelParams) -> Vec<f32> {
    let told = session.progress().with(|progress| progress.true_weights.clone());
    if told.is_empty() { (0..params.fields().dim).map(|i| i as f32).collect() } else { told }
}

/// The state of things in a sentence.
fn said(session: Session, params: ModelParams) -> Option<String> {
    if let Some(fault) = session.fault() {
        return Some(fault);
    }
    match session.phase() {
        Phase::Empty => params.device_remark(),
        Phase::Loading => Some("The worker builds the model…".to_owned()),
        Phase::Loaded(TrainState::Diverged { step }) => Some(format!(
            "At step {step} the loss was no longer a finite number: every step overshot further than the one before. \
             Take a smaller learning rate, or AdaGrad, and start again."
        )),
        Phase::Loaded(_) => None,
    }
}

fn curve_words(session: Session) -> String {
    session.losses().with(|points| match (points.first(), points.last()) {
        (Some(first), Some(last)) => format!(
            "Loss over steps, from {} at step {} to {} at step {}.",
            decimal::scientific(first.loss.into(), 4),
            first.step,
            decimal::scientific(last.loss.into(), 4),
            last.step
        ),
        _ => "Loss over steps; no step taken yet.".to_owned(),
    })
}

/// Step, loss and steps per second, as they change.
#[component]
fn Readings(session: Session) -> Node {
    let step = move || session.progress().with(|progress| progress.step).to_string();
    let loss = move || {
        let last = session.losses().with(|points| points.last().map(|point| point.loss));
        last.map_or_else(|| "–".to_owned(), |loss| format::short(f64::from(loss), Unit::NONE))
    };
    let rate = move || match session.progress().with(|progress| progress.steps_per_sec) {
        0.0 => "–".to_owned(),
        rate if rate < 10.0 => decimal::fixed(rate, 2),
        rate => decimal::fixed(rate, 0),
    };
    view! {
        <dl class="readings">
            <div><dt>"Step"</dt><dd>{step}</dd></div>
            <div><dt>"Loss"</dt><dd>{loss}</dd></div>
            <div><dt>"Steps per second"</dt><dd>{rate}</dd></div>
        </dl>
    }
}

/// A page that nobody sees takes no steps; it goes on where it stopped when it is seen again.
fn pause_while_hidden(session: Session) {
    let was_running = StoredValue::new(false);
    effect(move |_| {
        let handle = window_event_listener_untyped("visibilitychange", move |_| {
            if document().hidden() {
                was_running.set_value(untrack(|| session.is_running()));
                session.pause();
            } else if was_running.get_value() {
                was_running.set_value(false);
                session.resume();
            }
        });
        on_cleanup(move || handle.remove());
    });
}
