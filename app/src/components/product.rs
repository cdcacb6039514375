//! A product of two matrices: what it costs by closed form, and how fast it is on this machine.

use leptos::prelude::*;
use napkin_accounting::calc::fields::{B, D, DTYPE, K};
use napkin_accounting::calc::{Field, machine};
use napkin_accounting::{Count, FlopPerSec, Provenance, Quantity, Unit, decimal, parse};
use napkin_trace::trace::Json;
use napkin_trace::{Command, DeviceKind, Event, MatmulSpec, MatmulTiming};

use crate::components::ProvenanceSign;
use crate::components::calculator::{Calculator, Calculators, use_calculators};
use crate::components::device::{DeviceButtons, device_name};
use crate::components::grid::Grid;
use crate::components::machine::use_records;
use crate::components::table::TableView;
use crate::workers::{Job, use_compute_worker};

const KEPT: usize = 8;
/// What the worker multiplies in: an assumption's id, and PyTorch's name.
pub const DTYPES: [(&str, &str); 4] =
    [("fp32", "float32"), ("fp16", "float16"), ("bf16", "bfloat16"), ("fp8", "float8_e4m3fn")];

/// Heads of the measurements, and what the numbers below count.
const COLUMNS: [(&str, Unit); 10] = [
    ("Device", Unit::NONE),
    ("B × D × K", Unit::NONE),
    ("dtype", Unit::NONE),
    ("Reached", FlopPerSec::UNIT),
    ("MFU", Unit::NONE),
    ("Median time", Unit::SECOND),
    ("Fastest", Unit::SECOND),
    ("GPU's own clock", Unit::SECOND),
    ("Largest error", Unit::NONE),
    ("Kernel", Unit::NONE),
];

/// A product with its FLOPs, bytes and time, and buttons that time it on this machine. Its sizes are those of the
/// [`Calculators`] in the context.
#[component]
pub fn Product() -> impl IntoView {
    let (worker, calculators) = (use_compute_worker(), use_calculators());
    let job = Job::new(worker);
    let device = RwSignal::new(DeviceKind::Cpu);
    let done = RwSignal::new(Vec::<MatmulTiming>::new());
    let start = move |kind: DeviceKind| {
        let spec = match untrack(|| spec(calculators, kind)) {
            Ok(spec) => spec,
            Err(reason) => return job.refuse(reason),
        };
        device.set(kind);
        job.start(Command::TimeMatmul(spec), move |event| {
            if let Event::Matmul(timing) = event {
                done.update(|done| {
                    done.insert(0, timing);
                    done.truncate(KEPT);
                });
            }
        });
    };
    let state = move || match (job.is_running(), job.fault.get()) {
        (true, _) => format!("Timing on the {}…", device.get().label()),
        (false, Some(reason)) => reason,
        (false, None) => worker.gpu_fault().unwrap_or_default(),
    };
    let line = move || match spec(calculators, DeviceKind::Cpu) {
        Ok(MatmulSpec { m, n, k, dtype, .. }) => {
            format!("torch.ones({m}, {k}, dtype=torch.{dtype}) @ torch.ones({k}, {n}, dtype=torch.{dtype})")
        }
        Err(reason) => reason,
    };
    view! {
        <Calculator id="matmul" />
        <section class="part part-here">
            <h3>"How fast it is on this machine"</h3>
            <p class="code-line">
                <code>{line}</code>
            </p>
            <p class="buttons">
                <DeviceButtons what="Time it on the" is_blocked=move || job.is_running() on_press=start />
                <button
                    type="button"
                    aria-disabled=move || (!job.is_running()).then_some("true")
                    on:click=move |_| job.stop("Stopped.")
                >
                    "Stop"
                </button>
            </p>
            <p class="remark" class:is-bad=move || job.fault.read().is_some() role="status">{state}</p>
            <Table done />
        </section>
    }
}

/// The product as the worker takes it, or why it cannot; tracked.
fn spec(calculators: Calculators, device: DeviceKind) -> Result<MatmulSpec, String> {
    let text = |field: &Field| calculators.text(field.key).unwrap_or_else(|| field.default.to_owned());
    let size = |field: &Field| {
        let count: Result<Count, _> = parse(field.label, &text(field));
        count.map(|count| count.value() as usize).map_err(|error| format!("{error}."))
    };
    let dtype = text(&DTYPE);
    let (_, torch) = DTYPES
        .iter()
        .find(|(id, _)| id.eq_ignore_ascii_case(&dtype))
        .ok_or_else(|| format!("This machine multiplies in no {dtype}: PyTorch has no such dtype."))?;
    Ok(MatmulSpec { device, m: size(&B)?, n: size(&K)?, k: size(&D)?, dtype: (*torch).to_owned() })
}

#[component]
fn Table(done: RwSignal<Vec<MatmulTiming>>) -> impl IntoView {
    let (worker, records) = (use_compute_worker(), use_records());
    // The share of the peak that was measured of the device; nothing before it has been.
    let mfu = move |spec: &MatmulSpec, flop_per_sec: f64| {
        let devices = worker.devices()?;
        let record = records.of_device(devices.get(spec.device).ok()?)?;
        let peak = machine::peak(&record, &spec.dtype).ok()??;
        Some(format!("{:.2}", flop_per_sec / peak.quantity.value()))
    };
    let row = move |timing: MatmulTiming| -> Vec<Json> {
        let MatmulSpec { m, n, k, device, dtype } = &timing.spec;
        let flop_per_sec = 2.0 * *m as f64 * *k as f64 * *n as f64 / timing.median_secs;
        let missing = || Json::from("–");
        vec![
            device_name(*device, &timing.adapter).into(),
            format!("{m} × {k} × {n}").into(),
            dtype.as_str().into(),
            flop_per_sec.into(),
            mfu(&timing.spec, flop_per_sec).map_or_else(missing, Json::from),
            timing.median_secs.into(),
            timing.min_secs.into(),
            timing.timestamp_median_secs.map_or_else(missing, Json::from),
            decimal::scientific(timing.max_rel_err, 1).into(),
            timing.kernel.into(),
        ]
    };
    let grid = Signal::derive(move || Grid {
        title: "Measured products".to_owned(),
        columns: COLUMNS.map(|(name, unit)| (name.to_owned(), unit)).into(),
        rows: done.get().into_iter().map(row).collect(),
    });
    view! {
        <div hidden=move || done.with(Vec::is_empty)>
            <TableView grid />
            <p class="note">
                <ProvenanceSign of=Provenance::Measured />
                " Measured on your device. MFU is the share of the peak that “This machine” has measured here."
            </p>
        </div>
    }
}
