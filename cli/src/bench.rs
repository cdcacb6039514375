//! `napkin bench`: kernels timed on this machine, each checked against f64.

use napkin_engine::bench::{self, MatmulSpec, MatmulTiming};
use napkin_engine::measure::Timing;
use napkin_engine::room;
use napkin_engine::size::written;
use napkin_engine::{DType, Error};
use serde::Serialize;

use crate::args::MatmulArgs;
use crate::device::{self, Chosen};
use crate::failure::Failure;
use crate::numbers::{list, positive, whole};
use crate::{output, progress};

/// Milliseconds by the two clocks: the device's own, and this program's around submit and wait.
#[derive(Serialize)]
struct Clocks {
    timestamp: Option<f64>,
    fence: f64,
}

#[derive(Serialize)]
struct Row {
    m: usize,
    n: usize,
    k: usize,
    dtype: &'static str,
    device: &'static str,
    adapter: String,
    kernel: Option<String>,
    median_ms: Option<Clocks>,
    min_ms: Option<Clocks>,
    /// By the median of the timestamps, or by the fence where there are none.
    gflop_per_sec: Option<f64>,
    max_rel_err: Option<f64>,
    samples: Option<usize>,
    error: Option<String>,
}

/// Times square products of every size and dtype.
pub(crate) fn matmul(args: &MatmulArgs) -> Result<(), Failure> {
    let sizes = list(&args.n).map(|n| whole("--n", n, 1..=65_536)).collect::<Result<Vec<_>, _>>()?;
    let dtypes = list(&args.dtype).map(dtype).collect::<Result<Vec<_>, _>>()?;
    let budget_secs = f64::from(positive("--secs", &args.secs)?);
    let chosen = device::choose(&args.device)?;
    let specs = dtypes.iter().flat_map(|&dtype| sizes.iter().map(move |&n| (n as usize, dtype)));
    let specs: Vec<_> = specs.map(|(n, dtype)| MatmulSpec { m: n, n, k: n, dtype }).collect();
    let bar = progress::measuring(specs.len() as u64);
    let mut rows = Vec::new();
    for spec in specs {
        let label = format!("{}×{}×{} {}", spec.m, spec.k, spec.n, short_name(spec.dtype));
        rows.push(row(&chosen, spec, budget_secs, &|doing| bar.set_message(format!("{label}: {doing}"))));
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.json {
        output::print_json(&rows)?;
    } else {
        output::print(&to_text(&rows))?;
    }
    match rows.iter().find_map(|row| row.error.as_ref()) {
        Some(error) if rows.iter().all(|row| row.error.is_some()) => {
            Err(Failure::Work(format!("nothing could be timed: {error}")))
        }
        _ => Ok(()),
    }
}

pub(crate) fn dtype(name: &str) -> Result<DType, Failure> {
    DType::from_name(name).ok_or_else(|| {
        let known: Vec<&str> = DType::ALL.into_iter().map(short_name).collect();
        let rule = format!("a list of {}", known.join(", "));
        napkin_accounting::Error::input("--dtype", rule, name).into()
    })
}

pub(crate) const fn short_name(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "f32",
        DType::F16 => "f16",
        DType::BF16 => "bf16",
        DType::F8E4M3FN => "e4m3",
        DType::F8E5M2 => "e5m2",
        other => other.name(),
    }
}

/// A product that cannot be timed gives a row that says why.
fn row(chosen: &Chosen, spec: MatmulSpec, budget_secs: f64, say: &dyn Fn(&str)) -> Row {
    let timed = || {
        check_memory(chosen, spec)?;
        if let Some(gpu) = &chosen.gpu
            && !gpu.is_tuned(spec.m, spec.n, spec.k, spec.dtype)
        {
            say("choosing a kernel");
            pollster::block_on(gpu.tune(&[(spec.m, spec.n, spec.k)], spec.dtype))?;
        }
        say("timing");
        pollster::block_on(bench::matmul(chosen.device.backend(), spec, budget_secs))
    };
    let timing = timed();
    let of = |read: &dyn Fn(&MatmulTiming) -> f64| timing.as_ref().ok().map(read);
    let clocks = |t: &MatmulTiming, secs: fn(&Timing) -> f64| Clocks {
        timestamp: t.timestamp.as_ref().map(|timing| 1e3 * secs(timing)),
        fence: 1e3 * secs(&t.fence),
    };
    let secs = |t: &MatmulTiming| t.timestamp.unwrap_or(t.fence).median_secs;
    Row {
        m: spec.m,
        n: spec.n,
        k: spec.k,
        dtype: short_name(spec.dtype),
        device: chosen.kind.name(),
        adapter: chosen.adapter.clone(),
        kernel: timing.as_ref().ok().map(|t| t.kernel.clone()),
        median_ms: timing.as_ref().ok().map(|t| clocks(t, |timing| timing.median_secs)),
        min_ms: timing.as_ref().ok().map(|t| clocks(t, |timing| timing.min_secs)),
        gflop_per_sec: of(&|t| spec.flop() / secs(t) / 1e9),
        max_rel_err: of(&|t| t.max_rel_err),
        samples: timing.as_ref().ok().map(|t| t.fence.samples),
        error: timing.err().map(|error| error.to_string()),
    }
}

/// Refuses what this machine's memory does not hold: three matrices, and their copies in single
/// precision for the check.
fn check_memory(chosen: &Chosen, spec: MatmulSpec) -> Result<(), Error> {
    let MatmulSpec { m, n, k, dtype } = spec;
    let elements = (m as u128 * k as u128) + (k as u128 * n as u128) + (m as u128 * n as u128);
    let bytes = elements * (dtype.size_bytes() + size_of::<f32>()) as u128;
    match room::free_bytes() {
        Some(free) if bytes > u128::from(free) => {
            let rule = format!("this machine has {} of memory free", written(free.into()));
            let (m, k, n) = (spec.m, spec.k, spec.n);
            let what = format!("a product ({m}, {k}) @ ({k}, {n}) in {dtype} and its check");
            let device = chosen.kind.name().to_owned();
            Err(Error::OutOfMemory { bytes, what: Some(what), device, rule })
        }
        _ => Ok(()),
    }
}

fn to_text(rows: &[Row]) -> String {
    let number = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.3}"));
    let line = |row: &Row| {
        let mut cells = vec![format!("{}×{}×{}", row.m, row.k, row.n), row.dtype.to_owned()];
        let (median, min) = (row.median_ms.as_ref(), row.min_ms.as_ref());
        cells.extend([
            number(median.and_then(|ms| ms.timestamp)),
            number(min.and_then(|ms| ms.timestamp)),
            number(median.map(|ms| ms.fence)),
            number(min.map(|ms| ms.fence)),
            row.gflop_per_sec.map_or("–".to_owned(), |speed| format!("{speed:.1}")),
            row.max_rel_err.map_or("–".to_owned(), |error| format!("{error:.1e}")),
        ]);
        cells.push(row.kernel.clone().or_else(|| row.error.clone()).unwrap_or_default());
        cells
    };
    let headings =
        ["m×k×n", "dtype", ">gpu ms", ">min", ">wall ms", ">min", ">GFLOP/s", ">max rel err", "kernel"];
    output::table(&headings, &rows.iter().map(line).collect::<Vec<_>>())
}
