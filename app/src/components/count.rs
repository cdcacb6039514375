//! A training step that really runs, beside what the formulas say of it.

use leptos::prelude::*;
use napkin_trace::{Command, DeviceKind, Event};

use crate::components::calculator::{Calculator, use_calculators};
use crate::workers::{Job, use_compute_worker};

/// What can be counted: the calculator, and what the button says.
const MODELS: [(&str, &str); 2] =
    [("count-linear", "Count the deep linear model"), ("count-transformer", "Count the small Transformer")];

/// Buttons that run a step and count it, and the calculators that compare; their assumptions are those of the
/// [`Calculators`](crate::components::calculator::Calculators) in the context.
#[component]
pub fn Count(
    /// `linear` or `transformer`; both if none is named.
    #[prop(into, optional)]
    model: String,
) -> impl IntoView {
    let (worker, calculators) = (use_compute_worker(), use_calculators());
    let job = Job::new(worker);
    let is_blocked = move || job.is_running() || worker.devices().is_none();
    let button = move |(calculator, label): (&'static str, &'static str)| {
        let count = move |_| {
            if untrack(is_blocked) {
                return;
            }
            let Some(step) = untrack(|| calculators.step(calculator)) else { return };
            let device = untrack(|| worker.choice()).map_or(DeviceKind::Cpu, |choice| choice.kind);
            let command = Command::CountStep { device, step: step.clone() };
            job.start(command, move |event| {
                if let Event::Counted(record) = event {
                    let both = format!("{{\"spec\":{step},\"record\":{record}}}");
                    calculators.give(calculator, calculator, both);
                }
            });
        };
        view! { <button type="button" aria-disabled=move || is_blocked().then_some("true") on:click=count>{label}</button> }
    };
    let state = move || match job.is_running() {
        true => Some("A step runs, and then some more for its gradients.".to_owned()),
        false => job.fault.get(),
    };
    let cancel = move |_| job.stop("Cancelled: nothing of it is kept.");
    let chosen: Vec<_> = MODELS.into_iter().filter(|(calculator, _)| calculator.ends_with(&model)).collect();
    let id = chosen.iter().map(|(calculator, _)| *calculator).collect::<Vec<_>>().join(" ");
    view! {
        <section class="part part-count">
            <h3>"Run a step and count it"</h3>
            <p class="buttons">
                {chosen.into_iter().map(button).collect_view()}
                <button type="button" aria-disabled=move || (!job.is_running()).then_some("true") on:click=cancel>
                    "Cancel"
                </button>
            </p>
            <p class="counting" role="status">{state}</p>
        </section>
        <Calculator id />
    }
}
