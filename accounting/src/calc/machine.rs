//! A machine's own roofline, from what was measured of it: the record of `napkin info --measure --json`.

use serde::Deserialize;

use super::fields::UNDER;
use super::{Calculator, Cell, Heat, HeatRow, Inputs, Point, Roof, Roofline, Sheet, Table};
use crate::error::line;
use crate::papers::reason;
use crate::{
    Bytes, BytesPerSec, DType, Derived, Error, Flop, FlopPerByte, FlopPerSec, Mfu, Result, Seconds, Sourced,
    Sparsity, Value,
};

pub(super) const MACHINE: Calculator = Calculator {
    id: "machine",
    title: "This machine",
    about: "The roofline of a device as it was measured, with operations below it",
    example: "napkin roofline --svg roofline.svg",
    fields: &[&UNDER],
    compute,
};

/// Under this key the record of a machine is handed over.
pub const MACHINE_DATA: &str = "machine";
/// Under this key further operations are handed over, a list of them.
pub const OPERATIONS_DATA: &str = "operations";

/// The version of the record that is read here.
const FORMAT: &str = "napkin-machine-1";

#[derive(Deserialize)]
struct Machine {
    format: String,
    date: String,
    adapter: String,
    backend: String,
    is_software: bool,
    fma: Vec<FmaRate>,
    bandwidth: Vec<Pass>,
    caches: Vec<Pass>,
    transfers: Vec<Transfer>,
    latencies: Vec<Latency>,
    products: Vec<Product>,
    operations: Vec<Operation>,
    skipped: Vec<Skipped>,
}

#[derive(Deserialize)]
struct FmaRate {
    dtype: String,
    threads: String,
    measured: Measured,
}

#[derive(Deserialize)]
struct Pass {
    access: String,
    threads: String,
    working_set_bytes: u64,
    measured: Measured,
}

#[derive(Deserialize)]
struct Transfer {
    direction: String,
    measured: Measured,
}

#[derive(Deserialize)]
struct Latency {
    cost: String,
    measured: Measured,
}

#[derive(Deserialize)]
struct Product {
    m: u64,
    n: u64,
    k: u64,
    dtype: String,
    measured: Measured,
}

#[derive(Deserialize)]
struct Operation {
    expression: String,
    dtype: String,
    shape: Vec<u64>,
    measured: Measured,
}

#[derive(Deserialize)]
struct Skipped {
    what: String,
    why: String,
}

#[derive(Deserialize)]
struct Measured {
    flop: u64,
    bytes: u64,
    fence: Timing,
    timestamp: Option<Timing>,
}

#[derive(Deserialize)]
struct Timing {
    median_secs: f64,
}

impl Measured {
    fn secs(&self) -> f64 {
        self.timestamp.as_ref().unwrap_or(&self.fence).median_secs
    }

    fn flop_per_sec(&self) -> f64 {
        self.flop as f64 / self.secs()
    }

    fn bytes_per_sec(&self) -> f64 {
        self.bytes as f64 / self.secs()
    }

    fn time(&self) -> Result<Value<Seconds>> {
        Sourced::measured(Seconds::new(self.secs()), "median time of a run").value("median_secs", "t")
    }

    fn rate(&self, name: &'static str, title: String) -> Result<Derived<FlopPerSec>> {
        let flop = Value::given("counted_flop", "C", "FLOPs of a run", Flop::new(self.flop as f64))?;
        Derived::new(name, "R", title, flop.expr() / &self.time()?, &[reason("measured")])
    }

    fn speed(&self, name: &'static str, title: String) -> Result<Derived<BytesPerSec>> {
        let bytes = Value::given("moved_bytes", "Q", "bytes of a run", Bytes::new(self.bytes as f64))?;
        Derived::new(name, "W", title, bytes.expr() / &self.time()?, &[reason("measured")])
    }
}

fn read<'a, T: Deserialize<'a>>(kind: &'static str, json: &'a str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| Error::Record { kind, problem: line(&error.to_string()) })
}

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let mut sheet = Sheet::default();
    let mut roofs = promised(inputs)?;
    let more: Vec<Operation> = match inputs.data(OPERATIONS_DATA) {
        Some(json) => read("list of operations", json)?,
        None => Vec::new(),
    };
    let Some(json) = inputs.data(MACHINE_DATA) else {
        let points = more.iter().filter_map(point).collect();
        if !roofs.is_empty() || !more.is_empty() {
            sheet = sheet.with("roofline", "", Roofline { roofs, points });
        }
        sheet.note("The device itself has not been measured yet.");
        return Ok(sheet);
    };
    let machine: Machine = read("machine's record", json)?;
    if machine.format != FORMAT {
        return Err(Error::input("the record's format", FORMAT, &machine.format));
    }
    let peaks = peaks(&machine)?;
    let best = fastest(&machine.bandwidth, |pass| pass.measured.bytes_per_sec());
    let bandwidth =
        best.map(|pass| pass.measured.speed("memory_bytes_per_sec", format!("memory, {}", told(pass))));
    let bandwidth = bandwidth.transpose()?;
    if let (Some((dtype, peak)), Some(bandwidth)) = (peaks.first(), &bandwidth) {
        let ridge: Derived<FlopPerByte> = Derived::new(
            "ridge_flop_per_byte",
            "I_0",
            format!("ridge point, {dtype}"),
            peak.expr() / bandwidth,
            &[crate::papers::ROOFLINE],
        )?;
        sheet = sheet.with("measured", "", vec![peak.clone().into(), bandwidth.clone().into(), ridge.into()]);
        for (dtype, peak) in peaks.iter().rev() {
            roofs.insert(
                0,
                Roof {
                    label: format!("{}, {dtype}", machine.adapter),
                    peak_flop_per_sec: peak.value.to_f64(),
                    bandwidth_bytes_per_sec: bandwidth.value.to_f64(),
                    is_measured: true,
                },
            );
        }
    }
    let all: Vec<&Operation> = machine.operations.iter().chain(&more).collect();
    let points: Vec<Point> = all.iter().filter_map(|operation| point(operation)).collect();
    sheet = sheet.with("roofline", "", Roofline { roofs, points }).with(
        "operations",
        "Operations",
        operations(&all, &peaks, bandwidth.as_ref())?,
    );
    if !machine.products.is_empty() {
        let (heat, exceeds) = mfu(&machine, &peaks)?;
        sheet = sheet.with("mfu", "MFU of products, by shape and format", heat);
        if exceeds {
            sheet.note(
                "An MFU above 1 here says that a product was faster than the chains of multiply-adds that measured the \
                 peak: clocks rise and fall with heat and load between two measurements, and hardware may have units \
                 for products that no chain of multiply-adds uses.",
            );
        }
    }
    sheet = sheet.with("memory", "Memory", memory(&machine)?);
    let launching = launching(&machine)?;
    if !launching.rows.is_empty() {
        sheet = sheet.with("launching", "Launching and moving", launching);
    }
    sheet.note(format!("Measured on {} through {}, {}.", machine.adapter, machine.backend, machine.date));
    if machine.is_software {
        sheet.warn(
            "This adapter is a program that acts as a GPU: its figures are those of the processor below it.",
        );
    }
    for Skipped { what, why } in &machine.skipped {
        sheet.note(format!("Not measured: {what}, since {why}."));
    }
    Ok(sheet)
}

/// The roofs that are laid under the measured ones.
///
/// # Errors
/// If a device is not known, or the catalogue has no peak or bandwidth of it.
pub fn promised(inputs: &Inputs) -> Result<Vec<Roof>> {
    let devices = inputs.devices(&UNDER)?;
    devices
        .into_iter()
        .map(|device| {
            let peak = [DType::Bf16, DType::Fp32].into_iter().find_map(|dtype| {
                Some((dtype, device.peak(dtype, Sparsity::Dense).ok()?.flop_per_sec().value()))
            });
            let (dtype, peak) =
                peak.ok_or_else(|| inputs.refuse(&UNDER, "devices with a peak in the catalogue"))?;
            let bandwidth = device.bandwidth().map_err(|error| inputs.about(&UNDER, error))?;
            Ok(Roof {
                label: format!("{}, {dtype}", device.name),
                peak_flop_per_sec: peak,
                bandwidth_bytes_per_sec: bandwidth.quantity.value(),
                is_measured: false,
            })
        })
        .collect()
}

/// What products in a dtype, by its name in PyTorch, are compared with on the machine of that record: the highest rate of
/// multiply-adds. Nothing where none was measured.
///
/// # Errors
/// If the text is no record of a machine.
pub fn peak(record: &str, dtype: &str) -> Result<Option<Sourced<FlopPerSec>>> {
    let machine: Machine = read("machine's record", record)?;
    let peaks = peaks(&machine)?;
    Ok(peak_of(&peaks, dtype).map(|peak| {
        let title = format!("{} on {}, {}", peak.title, machine.adapter, machine.date);
        Sourced::measured(peak.quantity(), title)
    }))
}

/// The highest rate of multiply-adds by dtype, in the order of the record.
fn peaks(machine: &Machine) -> Result<Vec<(String, Derived<FlopPerSec>)>> {
    let mut dtypes: Vec<&str> = Vec::new();
    for rate in &machine.fma {
        if !dtypes.contains(&rate.dtype.as_str()) {
            dtypes.push(&rate.dtype);
        }
    }
    let best = |dtype: &str| {
        let of_dtype = machine.fma.iter().filter(|rate| rate.dtype == dtype);
        of_dtype.max_by(|a, b| a.measured.flop_per_sec().total_cmp(&b.measured.flop_per_sec()))
    };
    let rates = dtypes.into_iter().filter_map(|dtype| Some((dtype, best(dtype)?)));
    rates
        .map(|(dtype, rate)| {
            let who = if rate.threads == "one" { ", one thread" } else { "" };
            let title = format!("multiply-adds, {dtype}{who}");
            Ok((dtype.to_owned(), rate.measured.rate("peak_flop_per_sec", title)?))
        })
        .collect()
}

fn fastest<T>(of: &[T], speed: impl Fn(&T) -> f64) -> Option<&T> {
    of.iter().max_by(|a, b| speed(a).total_cmp(&speed(b)))
}

fn told(pass: &Pass) -> String {
    let who = if pass.threads == "one" { ", one thread" } else { "" };
    format!("{} of {}{who}", pass.access, crate::format::binary_bytes(pass.working_set_bytes as f64))
}

/// FLOPs of an operation: those of its products as they were counted, else those that its elements need.
fn flop(operation: &Operation) -> Option<u64> {
    if operation.measured.flop > 0 {
        return Some(operation.measured.flop);
    }
    let name = operation.expression.split('(').next().unwrap_or_default().trim();
    let (_, per_element) = PER_ELEMENT.iter().find(|(of, _)| *of == name)?;
    let elements = operation.shape.iter().try_fold(1_u64, |all, size| all.checked_mul(*size))?;
    Some(elements.saturating_mul(*per_element))
}

/// FLOPs per element of the result, an exponential, a root or an error function counted as one.
const PER_ELEMENT: [(&str, u64); 15] = [
    ("relu", 1),
    ("abs", 1),
    ("neg", 1),
    ("exp", 1),
    ("sqrt", 1),
    ("add", 1),
    ("sub", 1),
    ("mul", 1),
    ("div", 1),
    ("sigmoid", 3),
    ("silu", 4),
    ("gelu", 5),
    ("softmax", 5),
    ("layer_norm", 7),
    ("rms_norm", 4),
];

fn point(operation: &Operation) -> Option<Point> {
    let flop = flop(operation)? as f64;
    Some(Point {
        label: format!("{} {}", operation.expression, operation.dtype),
        intensity_flop_per_byte: flop / operation.measured.bytes as f64,
        flop_per_sec: flop / operation.measured.secs(),
        is_measured: true,
    })
}

/// Operations with what their roof allows.
fn operations(
    all: &[&Operation],
    peaks: &[(String, Derived<FlopPerSec>)],
    bandwidth: Option<&Derived<BytesPerSec>>,
) -> Result<Table> {
    let mut table = Table::new(&["operation", "FLOP/byte", "FLOP/s", "bytes/s", "time", "of its roof"]);
    for operation in all {
        let measured = &operation.measured;
        let speed =
            measured.speed("operation_bytes_per_sec", format!("bytes moved by {}", operation.expression))?;
        let time: Derived<Seconds> =
            Derived::new("operation_secs", "t", operation.expression.clone(), measured.time()?.expr(), &[])?;
        let dash = || Cell::from("–");
        let (mut intensity, mut rate, mut share) = (dash(), dash(), dash());
        if let Some(flop) = flop(operation) {
            let flop = Value::given("flop", "C", "FLOPs", Flop::new(flop as f64))?;
            let bytes =
                Value::given("moved_bytes", "Q", "bytes of a run", Bytes::new(measured.bytes as f64))?;
            let of_bytes: Derived<FlopPerByte> = Derived::new(
                "intensity_flop_per_byte",
                "I",
                format!("arithmetic intensity of {}", operation.expression),
                flop.expr() / &bytes,
                &[],
            )?;
            let reached: Derived<FlopPerSec> = Derived::new(
                "operation_flop_per_sec",
                "R",
                format!("rate of {}", operation.expression),
                flop.expr() / &measured.time()?,
                &[],
            )?;
            if let (Some(peak), Some(bandwidth)) = (peak_of(peaks, &operation.dtype), bandwidth) {
                let roof = peak.expr().min(of_bytes.expr() * bandwidth);
                let of_roof: Derived<Mfu> = Derived::new(
                    "share_of_roof",
                    "u",
                    format!("share of its roof, {}", operation.expression),
                    reached.expr() / roof,
                    &[crate::papers::ROOFLINE],
                )?;
                share = Cell::from(&of_roof);
            }
            intensity = Cell::from(&of_bytes);
            rate = Cell::from(&reached);
        }
        let label = format!("{} {}", operation.expression, operation.dtype);
        table.row(label, vec![intensity, rate, Cell::from(&speed), Cell::from(&time), share]);
    }
    Ok(table)
}

/// The peak for a dtype; what has none of its own is computed in float32.
fn peak_of<'a>(peaks: &'a [(String, Derived<FlopPerSec>)], dtype: &str) -> Option<&'a Derived<FlopPerSec>> {
    let of = |wanted: &str| peaks.iter().find(|(of, _)| of == wanted).map(|(_, peak)| peak);
    of(dtype).or_else(|| of("float32")).or_else(|| peaks.first().map(|(_, peak)| peak))
}

impl Product {
    /// Rows of the first factor, what both share, columns of the second.
    fn shape(&self) -> [u64; 3] {
        [self.m, self.k, self.n]
    }
}

/// Squares by their side, others by all three sizes.
fn factors([m, k, n]: [u64; 3]) -> String {
    if m == k && k == n { n.to_string() } else { format!("{m}×{k}×{n}") }
}

/// MFU by shape and dtype, and whether one exceeds 1.
fn mfu(machine: &Machine, peaks: &[(String, Derived<FlopPerSec>)]) -> Result<(Heat, bool)> {
    let mut shapes: Vec<[u64; 3]> = machine.products.iter().map(Product::shape).collect();
    shapes.sort_unstable_by_key(|&[m, k, n]| (m != k || k != n, k, m));
    shapes.dedup();
    let mut dtypes: Vec<&str> = Vec::new();
    for product in &machine.products {
        if !dtypes.contains(&product.dtype.as_str()) {
            dtypes.push(&product.dtype);
        }
    }
    let mut exceeds = false;
    let mut rows = Vec::new();
    for dtype in dtypes {
        let mut cells = Vec::new();
        for &shape in &shapes {
            let product =
                machine.products.iter().find(|product| product.shape() == shape && product.dtype == dtype);
            let share = match (product, peak_of(peaks, dtype)) {
                (Some(product), Some(peak)) => {
                    let title = format!("product of {}, {dtype}", factors(shape));
                    let rate = product.measured.rate("product_flop_per_sec", title.clone())?;
                    // A roof's peak has the names of its own run: only its value goes on.
                    let peak =
                        Value::given("measured_peak_flop_per_sec", "P", peak.title.clone(), peak.quantity())?;
                    let share: Derived<Mfu> = Derived::new(
                        "mfu",
                        "u",
                        format!("MFU of a {title}"),
                        rate.expr() / &peak,
                        &[crate::papers::PALM],
                    )?;
                    exceeds |= share.value.to_f64() > 1.0;
                    Some(share.into())
                }
                _ => None,
            };
            cells.push(share);
        }
        rows.push(HeatRow { label: dtype.to_owned(), cells });
    }
    Ok((Heat { columns: shapes.into_iter().map(factors).collect(), rows }, exceeds))
}

fn memory(machine: &Machine) -> Result<Table> {
    let mut table = Table::new(&["memory", "bytes/s"]);
    for pass in &machine.bandwidth {
        let speed = pass.measured.speed("pass_bytes_per_sec", told(pass))?;
        table.row(told(pass), vec![Cell::from(&speed)]);
    }
    for pass in &machine.caches {
        let title = format!("cache, {}", told(pass));
        let speed = pass.measured.speed("cache_bytes_per_sec", title.clone())?;
        table.row(title, vec![Cell::from(&speed)]);
    }
    Ok(table)
}

fn launching(machine: &Machine) -> Result<Table> {
    let mut table = Table::new(&["", "time", "bytes/s"]);
    for latency in &machine.latencies {
        let what = match latency.cost.as_str() {
            "round_trip" => "a small kernel, waited for",
            "dispatch" => "one more kernel in a submission",
            "submission" => "one more submission",
            other => other,
        };
        let time: Derived<Seconds> =
            Derived::new("latency_secs", "t", what.to_owned(), latency.measured.time()?.expr(), &[])?;
        table.row(what, vec![Cell::from(&time), "–".into()]);
    }
    for transfer in &machine.transfers {
        let way = if transfer.direction == "host_to_device" { "to the device" } else { "from the device" };
        let what = format!("{} {way}", crate::format::binary_bytes(transfer.measured.bytes as f64));
        let time: Derived<Seconds> =
            Derived::new("transfer_secs", "t", what.clone(), transfer.measured.time()?.expr(), &[])?;
        let speed = transfer.measured.speed("transfer_bytes_per_sec", what.clone())?;
        table.row(what, vec![Cell::from(&time), Cell::from(&speed)]);
    }
    Ok(table)
}
