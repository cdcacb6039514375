//! What runs where.

use leptos::prelude::*;

use crate::workers::{WorkerStatus, use_compute_worker};

/// The device in use, with the reason behind it.
#[component]
pub fn DeviceBadge() -> impl IntoView {
    let worker = use_compute_worker();
    let chosen = move || {
        let (devices, choice) = worker.devices().zip(worker.choice())?;
        let name = devices.get(choice.kind).ok()?.name.clone();
        let label = choice.kind.label();
        let name = if name.starts_with(label) { name } else { format!("{label} · {name}") };
        Some((name, choice.why))
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
            {move || worker.notice().map(|notice| view! { <p>{notice}</p> })}
        </details>
    }
}
