//! Which device does it: a field to choose it, buttons for both, and the one in use.

use leptos::prelude::*;
use napkin_trace::DeviceKind;

use crate::state::{Choice, ChoiceRule, Param};
use crate::workers::{ComputeWorker, WorkerStatus, use_compute_worker};

pub const DEVICE: ChoiceRule = ChoiceRule {
    label: "Device",
    options: &[("auto", "Whichever suits this machine"), ("cpu", "CPU"), ("gpu", "GPU")],
};

/// The device that the reader chose, else the machine's; tracked.
pub fn wanted_device(chosen: Param<Choice>, worker: ComputeWorker) -> DeviceKind {
    let chosen = DeviceKind::from_id(&chosen.text());
    chosen.or_else(|| worker.choice().map(|choice| choice.kind)).unwrap_or(DeviceKind::Cpu)
}

/// What it calls itself, after what it is unless that says so: `GPU · Apple M2`.
pub fn device_name(kind: DeviceKind, name: &str) -> String {
    let label = kind.label();
    if name.starts_with(label) { name.to_owned() } else { format!("{label} · {name}") }
}

/// A button for each device; that of a GPU that is not there does nothing. One that is blocked for a while keeps the focus.
#[component]
pub fn DeviceButtons(
    /// What they do: "Measure the".
    what: &'static str,
    is_blocked: impl Fn() -> bool + Copy + Send + Sync + 'static,
    on_press: impl Fn(DeviceKind) + Copy + 'static,
) -> impl IntoView {
    let worker = use_compute_worker();
    let button = move |kind: DeviceKind| {
        view! {
            <button
                type="button"
                class:is-main=move || worker.choice().is_some_and(|choice| choice.kind == kind)
                disabled=move || kind == DeviceKind::Gpu && worker.gpu_fault().is_some()
                aria-disabled=move || is_blocked().then_some("true")
                on:click=move |_| {
                    if !untrack(is_blocked) {
                        on_press(kind);
                    }
                }
            >
                {format!("{what} {}", kind.label())}
            </button>
        }
    };
    [DeviceKind::Gpu, DeviceKind::Cpu].map(button)
}

/// The device in use, with the reason behind it.
#[component]
pub fn DeviceBadge() -> impl IntoView {
    let worker = use_compute_worker();
    let chosen = move || {
        let (devices, choice) = worker.devices().zip(worker.choice())?;
        Some((device_name(choice.kind, &devices.get(choice.kind).ok()?.name), choice.why))
    };
    let badge = Memo::new(move |_| match worker.status() {
        WorkerStatus::Starting => {
            ("Engine loading…".to_owned(), "The engine runs beside the page and is on its way.".to_owned())
        }
        WorkerStatus::Broken(reason) => ("Engine stopped".to_owned(), reason),
        WorkerStatus::Ready => chosen().unwrap_or_default(),
    });
    view! {
        <details class="device">
            <summary>
                <span class="device-dot" aria-hidden="true"></span>
                <span role="status">{move || badge.get().0}</span>
            </summary>
            <p>{move || badge.get().1}</p>
            {move || worker.notice.get().map(|notice| view! { <p>{notice}</p> })}
        </details>
    }
}
