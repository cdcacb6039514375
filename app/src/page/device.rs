//! What runs where.

use crate::dom::Node;
use leptos::prelude::*;
use napkin_view::view;

use crate::{WorkerStatus, use_worker};

/// The device in use, with the reason behind it.
#[component]
pub fn DeviceBadge() -> Node {
    let worker = use_worker();
    let name = move || match worker.status() {
        WorkerStatus::Starting => "Engine loading…".to_owned(),
        WorkerStatus::Broken(_) => "Engine stopped".to_owned(),
        WorkerStatus::Ready(devices) => worker.choice().map_or_else(String::new, |choice| {
            let name = devices.get(choice.kind).map(|device| device.name.clone()).unwrap_or_default();
            if name.starts_with(choice.kind.label()) {
                name
            } else {
                format!("{} · {name}", choice.kind.label())
            }
        }),
    };
    let why = move || match worker.status() {
        WorkerStatus::Starting => "The engine runs beside the page and is on its way.".to_owned(),
        WorkerStatus::Broken(reason) => reason,
        WorkerStatus::Ready(_) => worker.choice().map_or_else(String::new, |choice| choice.why),
    };
    view! {
        <details class="device">
            <summary><span class="device-dot" aria-hidden="true"></span><span role="status">{name}</span></summary>
            <p>{why}</p>
            {move || worker.notice().map(|notice| view! { <p>{notice}</p> })}
        </details>
    }
}
