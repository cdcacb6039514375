//! Which device does it: a field to choose it, and buttons for both.

use leptos::prelude::*;
use napkin_trace::DeviceKind;

use crate::state::{Choice, ChoiceRule, Param};
use crate::workers::{ComputeWorker, use_compute_worker};

pub const DEVICE: ChoiceRule = ChoiceRule {
    label: "Device",
    options: &[("auto", "Whichever suits this machine"), ("cpu", "CPU"), ("gpu", "GPU")],
};

/// The device that the reader chose, else the machine's; tracked.
pub fn wanted_device(chosen: Param<Choice>, worker: ComputeWorker) -> DeviceKind {
    let chosen = DeviceKind::from_id(&chosen.text());
    chosen.or_else(|| worker.choice().map(|choice| choice.kind)).unwrap_or(DeviceKind::Cpu)
}

/// A button for each device; that of a GPU that is not there does nothing.
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
                disabled=move || is_blocked() || (kind == DeviceKind::Gpu && worker.gpu_fault().is_some())
                on:click=move |_| on_press(kind)
            >
                {format!("{what} {}", kind.label())}
            </button>
        }
    };
    [DeviceKind::Gpu, DeviceKind::Cpu].map(button)
}
