//! How fast the product is on this machine, by measurement.

use crate::dom::Node;
use crate::signals::RwSignal;
use leptos::prelude::*;
use napkin_accounting::{FlopPerSec, Quantity, Unit, decimal, format};
use napkin_notebook::{Command, DeviceKind, MatmulTiming, News};
use napkin_view::view;

use super::product::{code, spec};
use crate::state::State;
use crate::widgets::Part;
use crate::worker_client::{WorkerClient, use_worker};

/// Measurements that stay on the page.
const KEPT: usize = 8;

/// What the reader sees of the measurements.
#[derive(Clone, Copy)]
struct Timings {
    worker: WorkerClient,
    done: RwSignal<Vec<MatmulTiming>>,
    running: RwSignal<Option<DeviceKind>>,
    fault: RwSignal<Option<String>>,
}

impl Timings {
    fn start(self, device: DeviceKind, state: State) {
        self.fault.set(None);
        let spec = match untrack(|| spec(state, device)) {
            Ok(spec) => spec,
            Err(reason) => return self.fault.set(Some(reason)),
        };
        self.running.set(Some(device));
        self.worker.ask(Command::TimeMatmul(spec), move |answer| {
            self.running.set(None);
            match answer {
                Ok((News::Matmul(timing), _)) => self.done.update(|done| {
                    done.insert(0, timing);
                    done.truncate(KEPT);
                }),
                Ok(_) => {}
                Err(reason) => self.fault.set(Some(reason)),
            }
        });
    }
}

/// Buttons that time the product, and what came out.
#[component]
pub fn Here() -> Node {
    let state: State = expect_context();
    let timings = Timings {
        worker: use_worker(),
        done: RwSignal::new(Vec::new()),
        running: RwSignal::new(None),
        fault: RwSignal::new(None),
    };
    let no_gpu = move || timings.worker.devices().and_then(|devices| devices.gpu.err());
    let button = move |kind: DeviceKind| {
        let is_disabled =
            move || timings.running.get().is_some() || (kind == DeviceKind::Gpu && no_gpu().is_some());
        view! {
            <button
                type="button"
                class:is-main=move || timings.worker.choice().is_some_and(|choice| choice.kind == kind)
                disabled=is_disabled
                on:click=move |_| timings.start(kind, state)
            >
                {format!("Time it on the {}", kind.label())}
            </button>
        }
    };
    let stop = move |_| timings.worker.restart("Stopped; the worker was started again.");
    let news = move || match (timings.running.get(), timings.fault.get()) {
        (Some(kind), _) => format!("Timing on the {}…", kind.label()),
        (None, Some(reason)) => reason,
        (None, None) => no_gpu().unwrap_or_default(),
    };
    let line = move || spec(state, DeviceKind::Cpu).map_or_else(|reason| reason, |spec| code(&spec));
    view! {
        <Part name="here" title="How fast it is on this machine">
            <p class="code-line"><code>{line}</code></p>
            <p class="buttons">
                {button(DeviceKind::Gpu)}
                {button(DeviceKind::Cpu)}
                <button type="button" disabled=move || timings.running.get().is_none() on:click=stop>"Stop"</button>
            </p>
            <p class="remark" class:is-bad=move || timings.fault.with(Option::is_some) role="status">{news}</p>
            <Table timings/>
        </Part>
    }
}

/// The measurements, the latest on top.
#[component]
fn Table(timings: Timings) -> Node {
    let rows = move || timings.done.with(|done| done.iter().map(row).collect::<Vec<_>>());
    let is_empty = move || timings.done.with(Vec::is_empty);
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label="Measured products" hidden=is_empty>
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Device"</th>
                        <th scope="col">"B × D × K"</th>
                        <th scope="col">"dtype"</th>
                        <th scope="col">"Reached"</th>
                        <th scope="col">"Median time"</th>
                        <th scope="col">"Fastest"</th>
                        <th scope="col">"GPU's own clock"</th>
                        <th scope="col">"Largest error"</th>
                        <th scope="col">"Kernel"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

fn row(timing: &MatmulTiming) -> Node {
    let spec = &timing.spec;
    let flop = 2.0 * spec.m as f64 * spec.k as f64 * spec.n as f64;
    let rate = format::short(flop / timing.median_secs, FlopPerSec::UNIT);
    let time = |secs: f64| format::short(secs, Unit::SECOND);
    let error = decimal::scientific(timing.max_rel_err, 1);
    let sizes = format!("{} × {} × {}", spec.m, spec.k, spec.n);
    let device = match timing.adapter.starts_with(spec.device.label()) {
        true => timing.adapter.clone(),
        false => format!("{} · {}", spec.device.label(), timing.adapter),
    };
    view! {
        <tr>
            <th scope="row">{device}</th>
            <td>{sizes}</td>
            <td>{spec.dtype.clone()}</td>
            <td><strong>{rate}</strong></td>
            <td>{time(timing.median_secs)}</td>
            <td>{time(timing.min_secs)}</td>
            <td>{timing.timestamp_median_secs.map_or_else(|| "–".to_owned(), time)}</td>
            <td>{error}</td>
            <td><code>{timing.kernel.clone()}</code></td>
        </tr>
    }
}
