//! This machine's own roofline, measured in the page.

mod records;

use leptos::prelude::*;
use napkin_accounting::calc::machine::{MACHINE_DATA, OPERATIONS_DATA};
use napkin_trace::{Command, DeviceKind, Event, SurveyProgress};

use crate::components::calculator::{Calculator, use_calculators};
use crate::components::device::{DEVICE, DeviceButtons, wanted_device};
use crate::components::save;
use crate::controls::{Choose, Draft, Field};
use crate::page::use_announcer;
use crate::state::{Choice, ChoiceRule, TextRule, query, use_scope};
use crate::workers::{ComputeWorker, Job, WorkerStatus, use_compute_worker};

pub use records::{Records, use_records};

use records::{DeviceRecord, key_of};

const CALCULATOR: &str = "machine";
/// Samples of each measurement of a survey, in milliseconds; `?samples=` overrides it.
const MEASUREMENT_MS: u32 = 60;

const EXPRESSION: TextRule = TextRule { label: "Expression", check: |_| Ok(()) };
const DTYPE: ChoiceRule = ChoiceRule {
    label: "dtype",
    options: &[("float32", "float32"), ("float16", "float16"), ("bfloat16", "bfloat16")],
};

/// Measures this machine and shows its roofline, by way of the
/// [`Calculators`](crate::components::calculator::Calculators) in the context.
#[component]
pub fn Machine() -> impl IntoView {
    let (worker, records, calculators) = (use_compute_worker(), use_records(), use_calculators());
    let [survey, operation] = [Job::new(worker), Job::new(worker)];
    // One measurement at a time.
    let is_blocked =
        Signal::derive(move || survey.is_running() || operation.is_running() || worker.devices().is_none());
    let progress = RwSignal::new(None::<SurveyProgress>);
    Effect::new(move || {
        let shown = records.shown().unwrap_or_default();
        calculators.give(CALCULATOR, OPERATIONS_DATA, shown.operations_list());
        let partial = progress.get().filter(|progress| survey.is_running() && progress.done > 0);
        calculators.give(CALCULATOR, MACHINE_DATA, partial.map_or(shown.record, |progress| progress.record));
    });
    view! {
        <Survey job=survey is_blocked progress />
        <Results />
        <Expression job=operation is_blocked />
        <Calculator id=CALCULATOR />
    }
}

/// The day as `2026-11-25`.
pub(super) fn today() -> String {
    String::from(js_sys::Date::new_0().to_iso_string()).chars().take(10).collect()
}

fn key(worker: ComputeWorker, device: DeviceKind) -> String {
    let devices = untrack(|| worker.devices());
    let known = devices.and_then(|devices| devices.get(device).ok().map(key_of));
    known.unwrap_or_else(|| format!("{}/", device.id()))
}

/// Buttons that measure, and how far it is.
#[component]
pub(super) fn Survey(
    job: Job,
    is_blocked: Signal<bool>,
    progress: RwSignal<Option<SurveyProgress>>,
) -> impl IntoView {
    let (worker, records) = (use_compute_worker(), use_records());
    // How the last survey ended, where it ended well.
    let ending = RwSignal::new("");
    let survey = move |device: DeviceKind| {
        let wanted = query::value_of("samples").and_then(|text| text.parse().ok());
        let command = Command::Survey {
            device,
            date: today(),
            measurement_ms: wanted.unwrap_or(MEASUREMENT_MS).clamp(1, 10_000),
        };
        let key = key(worker, device);
        ending.set("");
        progress.set(None);
        job.start(command, move |event| match event {
            Event::Survey(last) if last.what.is_empty() => {
                ending.set(match records.update(|kept| kept.device(&key).record = last.record) {
                    true => "Measured. This browser keeps the result.",
                    false => "Measured. This browser keeps nothing beyond this visit: save the result if you need it.",
                });
            }
            Event::Survey(now) => progress.set(Some(now)),
            _ => {}
        });
    };
    let cancel = move |_| job.stop("Cancelled: nothing of it is kept.");
    let done = move || progress.get().map_or(0, |progress| progress.done).to_string();
    let of = move || progress.get().map_or(1, |progress| progress.of).to_string();
    let what = move || match progress.get() {
        Some(progress) => format!("{} of {}: {}", progress.done + 1, progress.of, progress.what),
        None => "Measuring…".to_owned(),
    };
    let message = move || match (job.fault.get(), worker.status()) {
        (Some(reason), _) | (None, WorkerStatus::Broken(reason)) => reason,
        _ if !ending.get().is_empty() => ending.get().to_owned(),
        _ => worker.gpu_fault().unwrap_or_default(),
    };
    view! {
        <section class="part part-measure">
            <h3>"Measure"</h3>
            <p class="buttons">
                <DeviceButtons what="Measure the" is_blocked=move || is_blocked.get() on_press=survey />
                <button type="button" aria-disabled=move || (!job.is_running()).then_some("true") on:click=cancel>
                    "Cancel"
                </button>
            </p>
            <div class="progress" hidden=move || !job.is_running()>
                <progress aria-label="Measurements" max=of value=done></progress>
                <p>{what}</p>
            </div>
            <p class="remark" role="status">{message}</p>
        </section>
    }
}

/// Which device is shown, and what to do with its record.
#[component]
fn Results() -> impl IntoView {
    let (records, announcer) = (use_records(), use_announcer());
    let id = use_scope().id("shown");
    let is_surveyed = move || records.shown().is_some_and(|shown| !shown.record.is_empty());
    let options = move || {
        let shown = records.shown().unwrap_or_default().key;
        let option = |DeviceRecord { key, .. }: DeviceRecord| {
            let (kind, name) = key.split_once('/').unwrap_or_default();
            let words = if kind == "gpu" { format!("GPU · {name}") } else { name.to_owned() };
            let is_shown = key == shown;
            view! { <option value=key selected=is_shown>{words}</option> }
        };
        records.devices().into_iter().map(option).collect_view()
    };
    let save_record = move |_| {
        let record = untrack(|| records.shown()).and_then(|shown| shown.export()).unwrap_or_default();
        save(announcer, "napkin-machine.json", &record);
    };
    let forget = move |_| {
        let shown = untrack(|| records.shown()).unwrap_or_default().key;
        records.update(|kept| kept.devices.retain(|device| device.key != shown));
    };
    view! {
        <div class="controls kept" hidden=move || records.shown().is_none()>
            <div class="choose">
                <label for=id.clone()>"Shown below"</label>
                <select
                    id=id
                    on:change=move |event| {
                        records.update(|kept| kept.shown = event_target_value(&event));
                    }
                >
                    {options}
                </select>
            </div>
            <p class="buttons">
                <button type="button" disabled=move || !is_surveyed() on:click=save_record>
                    "Save the record"
                </button>
                <button type="button" on:click=forget>"Forget it"</button>
            </p>
        </div>
    }
}

/// An expression to type, and those that were measured.
#[component]
fn Expression(job: Job, is_blocked: Signal<bool>) -> impl IntoView {
    let (worker, records, scope) = (use_compute_worker(), use_records(), use_scope());
    let expression = scope.param("expression", "softmax(1024x1024)".to_owned(), EXPRESSION);
    let dtype = scope.param("measured-dtype", Choice(0), DTYPE);
    let device = scope.param("measured-device", Choice(0), DEVICE);
    let draft = Draft::new(Signal::derive(move || expression.text()), move |text| {
        job.fault.set(None);
        expression.read(text)
    });
    let measure = move |_| {
        if is_blocked.get_untracked() {
            return;
        }
        let (device, dtype) = untrack(|| (wanted_device(device, worker), dtype.text()));
        let (key, expression) = (key(worker, device), expression.get_untracked());
        let label = format!("{} {dtype}", expression.split_whitespace().collect::<Vec<_>>().join(" "));
        let command = Command::MeasureOperation { device, expression, dtype };
        job.start(command, move |event| {
            if let Event::Operation(record) = event {
                records.update(|kept| kept.device(&key).operations.push((label.clone(), record)));
            }
        });
    };
    let measured = move || {
        let shown = records.shown().unwrap_or_default();
        let row = |(at, (label, _)): (usize, (String, String))| {
            let key = shown.key.clone();
            let remove = move |_| {
                records.update(|kept| drop(kept.device(&key).operations.remove(at)));
            };
            view! {
                <li>
                    <code>{label.clone()}</code>
                    <button type="button" aria-label=format!("Remove {label}") on:click=remove>
                        "Remove"
                    </button>
                </li>
            }
        };
        shown.operations.into_iter().enumerate().map(row).collect_view()
    };
    view! {
        <section class="part part-expression">
            <h3>"An expression of your own"</h3>
            <Field id=expression.id() label="Expression" draft fault=job.fault />
            <div class="controls">
                <Choose param=dtype />
                <Choose param=device />
            </div>
            <p class="buttons">
                <button type="button" aria-disabled=move || is_blocked.get().then_some("true") on:click=measure>"Measure it"</button>
            </p>
            <ul class="measured-expressions">{measured}</ul>
        </section>
    }
}
