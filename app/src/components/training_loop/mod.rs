//! A training loop, running: a deep linear model learns the weights 0, 1, …, D−1.

mod curve;
mod model;
mod session;
mod weights;

use leptos::prelude::*;
use napkin_accounting::{Unit, decimal, format};
use napkin_trace::trace::Training;
use napkin_trace::{LossPoint, TrainAction, TrainSpec, TrainState};

use crate::components::disclosure::Disclosure;
use crate::components::grid::Grid;
use crate::components::table::TableView;
use crate::controls::{Choose, NumberInput};
use crate::workers::{WorkerStatus, use_compute_worker};

use curve::Curve;
use model::Model;
use session::Session;
use weights::Weights;

/// Rows of the loss table; of more points a selection is shown.
const LOSS_ROWS: usize = 40;
const WEIGHT_ROWS: usize = 64;

/// What a button does.
type Press = fn(Session, Model);

/// A model to train, buttons that train it, its loss and its weights.
#[component]
pub fn TrainingLoop(
    /// What its fields begin with: the lecture's sizes, if nothing else.
    #[prop(optional)]
    start: Option<Training>,
) -> impl IntoView {
    let worker = use_compute_worker();
    let model = Model::new(worker, start);
    let session = Session::new(worker);
    let Session { job, progress, losses, .. } = session;
    // What the reader is told about the last model.
    let note = RwSignal::new(None::<String>);

    // A model that no longer fits the fields is no use: it is dropped, and the reader is told.
    Effect::new(move |last: Option<TrainSpec>| {
        let spec = model.spec();
        if last.is_some_and(|last| last != spec) && untrack(|| job.is_running()) {
            let steps = progress.with_untracked(|progress| progress.step);
            session.reset();
            note.set((steps > 0).then(|| {
                format!("The settings changed: the model of {steps} steps was dropped, and the next one starts anew.")
            }));
        }
        spec
    });
    // Until the worker says what there is to train on, a press of a button waits.
    let pressed = RwSignal::new(None::<Press>);
    Effect::new(move || {
        if worker.status() != WorkerStatus::Starting
            && let Some(press) = pressed.get()
        {
            pressed.set(None);
            press(session, model);
        }
    });

    let learned = Signal::derive(move || progress.with(|progress| progress.weights.clone()));
    let truth = Signal::derive(move || (0..model.dim.get() as usize).map(|i| i as f32).collect::<Vec<_>>());
    let description = Signal::derive(move || {
        losses.with(|points| match (points.first(), points.last()) {
            (Some(first), Some(last)) => {
                let at = |point: &LossPoint| {
                    format!("{} at step {}", decimal::scientific(point.loss.into(), 4), point.step)
                };
                format!("Loss over steps, from {} to {}.", at(first), at(last))
            }
            _ => "Loss over steps; no step taken yet.".to_owned(),
        })
    });
    let loss_caption = move || match losses.with(Vec::len) {
        count if count > LOSS_ROWS => format!("{LOSS_ROWS} of {count} measured losses"),
        count => format!("{count} measured losses"),
    };
    let loss_table = Signal::derive(move || {
        let points = losses.read();
        let row =
            |at: usize| vec![points[at].step.into(), decimal::scientific(points[at].loss.into(), 4).into()];
        let rows = selection(points.len()).into_iter().map(row).collect();
        Grid::new("The curve as a table", &["Step", "Loss"], rows)
    });
    let weight_caption = move || match truth.with(Vec::len) {
        count if count > WEIGHT_ROWS => format!("The first {WEIGHT_ROWS} of {count} weights"),
        count => format!("{count} weights"),
    };
    let weight_table = Signal::derive(move || {
        let learned = learned.get();
        let row = |(i, truth): (usize, f32)| {
            let weight = learned.get(i).map_or_else(|| "–".to_owned(), |weight| format!("{weight:.4}"));
            vec![i.into(), weight.into(), truth.into()]
        };
        let rows = truth.get().into_iter().enumerate().take(WEIGHT_ROWS).map(row).collect();
        Grid::new("The weights as a table", &["Input", "Learned", "True"], rows)
    });
    view! {
        <section class="part part-model">
            <h3>"The model and its optimizer"</h3>
            <div class="controls">
                <NumberInput param=model.dim />
                <NumberInput param=model.layers />
                <NumberInput param=model.batch />
                <Choose param=model.optimizer />
                <NumberInput param=model.learning_rate />
                <NumberInput param=model.seed />
                <NumberInput param=model.steps />
                <Choose param=model.device />
            </div>
        </section>
        <section class="part part-controls">
            <Buttons session note pressed />
            <p class="remark" role="status">
                {move || note.get().or_else(|| state_of(session, model, pressed.get().is_some()))}
            </p>
            <Readings session />
        </section>
        <section class="part part-curve">
            <h3>"Loss"</h3>
            <Curve losses description />
            <Disclosure summary="The curve as a table" class="table-view">
                <p class="note">{loss_caption}</p>
                <TableView grid=loss_table />
            </Disclosure>
        </section>
        <section class="part part-weights">
            <h3>"Learned weights against the true ones"</h3>
            <Weights learned truth />
            <Disclosure summary="The weights as a table" class="table-view">
                <p class="note">{weight_caption}</p>
                <TableView grid=weight_table />
            </Disclosure>
        </section>
    }
}

/// At most [`LOSS_ROWS`] of the indices below `count`, evenly spread, first and last among them.
fn selection(count: usize) -> Vec<usize> {
    let rows = count.min(LOSS_ROWS);
    (0..rows).map(|row| row * (count - 1) / (rows - 1).max(1)).collect()
}

#[component]
fn Buttons(
    session: Session,
    note: RwSignal<Option<String>>,
    /// Where a button leaves what it does.
    pressed: RwSignal<Option<Press>>,
) -> impl IntoView {
    let press = move |action: Press| {
        note.set(None);
        pressed.set(Some(action));
    };
    let (job, is_running) = (session.job, move || session.is_running());
    let is_blocked =
        move || job.is_running() && matches!(session.state.get(), None | Some(TrainState::Diverged { .. }));
    let run = move |_| match untrack(is_running) {
        true => job.steer(TrainAction::Pause),
        false if untrack(is_blocked) => {}
        false => press(|session, model| {
            session.go_on(untrack(|| model.spec()), Some(model.steps.get_untracked() as u64));
        }),
    };
    let is_busy = move || is_running() || is_blocked();
    let step = move |_| {
        if !untrack(is_busy) {
            press(|session, model| session.go_on(untrack(|| model.spec()), None));
        }
    };
    let reset = move |_| {
        session.reset();
        note.set(None);
    };
    view! {
        <p class="buttons">
            <button type="button" class="is-main" aria-disabled=move || is_blocked().then_some("true") on:click=run>
                {move || if is_running() { "Pause" } else { "Run" }}
            </button>
            <button type="button" aria-disabled=move || is_busy().then_some("true") on:click=step>
                "Step"
            </button>
            <button type="button" aria-disabled=move || (!job.is_running()).then_some("true") on:click=reset>"Reset"</button>
        </p>
    }
}

/// The state of things in a sentence.
fn state_of(session: Session, model: Model, is_waiting: bool) -> Option<String> {
    if let Some(fault) = session.job.fault.get() {
        return Some(fault);
    }
    match session.state.get().filter(|_| session.job.is_running()) {
        None if session.job.is_running() || is_waiting => Some("The worker builds the model…".to_owned()),
        None => model.device_remark(),
        Some(TrainState::Diverged { step }) => Some(format!(
            "At step {step} the loss was no longer a finite number: every step overshot further than the one before. \
             Take a smaller learning rate, or AdaGrad, and start again."
        )),
        Some(_) => None,
    }
}

#[component]
fn Readings(session: Session) -> impl IntoView {
    let step = move || session.progress.with(|progress| progress.step);
    let loss = move || {
        let last = session.losses.with(|points| points.last().map(|point| point.loss));
        last.map_or_else(|| "–".to_owned(), |loss| format::short(f64::from(loss), Unit::NONE))
    };
    let rate = move || match session.progress.with(|progress| progress.steps_per_sec) {
        0.0 => "–".to_owned(),
        rate if rate < 10.0 => format!("{rate:.2}"),
        rate => format!("{rate:.0}"),
    };
    view! {
        <dl class="readings">
            <div><dt>"Step"</dt><dd>{step}</dd></div>
            <div><dt>"Loss"</dt><dd>{loss}</dd></div>
            <div><dt>"Steps per second"</dt><dd>{rate}</dd></div>
        </dl>
    }
}

#[cfg(test)]
mod tests {
    use super::selection;

    #[test]
    fn selections_keep_both_ends() {
        assert_eq!((selection(0), selection(1), selection(3)), (vec![], vec![0], vec![0, 1, 2]));
        let most = selection(41);
        assert_eq!((most.len(), most[0], most[39]), (40, 0, 40));
        assert!(most.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
