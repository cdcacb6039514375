//! `napkin calc`: closed forms from accounting.

use napkin_accounting::{
    DType, Derivation, Derived, GpuHours, Mfu, Sparsity, TrainingTime, format, hardware, parse,
};
use serde::Serialize;

use crate::args::TimeArgs;
use crate::failure::Failure;
use crate::output;

#[derive(Serialize)]
struct TimeReport<'a> {
    params: f64,
    tokens: f64,
    gpu: &'a str,
    gpu_name: &'a str,
    gpus: f64,
    dtype: DType,
    sparse: bool,
    peak_flop_per_sec: f64,
    mfu: f64,
    mfu_remark: Option<&'static str>,
    total_flop: f64,
    flop_per_day: f64,
    days: f64,
    gpu_hours: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    derivation: Option<&'a Derived<GpuHours>>,
}

/// How long training takes.
pub(crate) fn time(args: &TimeArgs) -> Result<(), Failure> {
    let params = parse("--params", &args.params)?;
    let tokens = parse("--tokens", &args.tokens)?;
    let gpus = parse("--gpus", &args.gpus)?;
    let mfu: Mfu = parse("--mfu", &args.mfu)?;
    let named =
        |argument: &str, error: napkin_accounting::Error| Failure::Usage(format!("{argument}: {error}"));
    let dtype = DType::parse("--dtype", &args.dtype)?;
    let device = hardware::device(&args.gpu).map_err(|error| named("--gpu", error))?;
    let (sparsity, argument) =
        if args.sparse { (Sparsity::Sparse, "--sparse") } else { (Sparsity::Dense, "--dtype") };
    let peak = device.peak(dtype, sparsity).map_err(|error| named(argument, error))?;
    let run = TrainingTime::new(params, tokens, &peak, mfu, gpus)?;
    if let Some(remark) = mfu.remark() {
        output::note(&format!("note: {remark}"));
    }
    if args.python {
        return output::print(&(run.days.to_python() + "\n"));
    }
    if args.json {
        return output::print_json(&TimeReport {
            params: params.value(),
            tokens: tokens.value(),
            gpu: &device.id,
            gpu_name: &device.name,
            gpus: gpus.value(),
            dtype,
            sparse: args.sparse,
            peak_flop_per_sec: peak.flop_per_sec().value(),
            mfu: mfu.value(),
            mfu_remark: mfu.remark(),
            total_flop: run.total.value.to_f64(),
            flop_per_day: run.per_day.value.to_f64(),
            days: run.days.value.to_f64(),
            gpu_hours: run.gpu_hours.value.to_f64(),
            derivation: args.explain.then_some(&run.gpu_hours),
        });
    }
    let results: [&Derivation; 4] = [&run.total, &run.per_day, &run.days, &run.gpu_hours];
    let row = |d: &&Derivation| vec![d.title.clone().into_owned(), d.short(), format::exact(d.value, d.unit)];
    let mut text = output::table(&["", ">", ">"], &results.iter().map(row).collect::<Vec<_>>());
    if args.explain {
        text += &format!("\n{}\n", run.gpu_hours.to_text());
    }
    output::print(&text)
}
