//! `napkin bench step`: a training step of a small Transformer, timed and counted.

use std::time::Instant;

use napkin_accounting::{Unit, format};
use napkin_engine::ledger::{Tag, Totals};
use napkin_engine::train::TextTask;
use serde::Serialize;

use crate::args::StepArgs;
use crate::device::{self, Chosen};
use crate::failure::Failure;
use crate::numbers::whole;
use crate::output;
use crate::train::model;

/// Steps that are not timed: they compile kernels and fill pools.
const WARM_UP: u64 = 2;

/// Characters that the text is made of, as many as Shakespeare's plays have.
const VOCABULARY: u8 = 65;

#[derive(Serialize)]
struct Report<'a> {
    device: &'static str,
    adapter: &'a str,
    num_params: usize,
    tokens_per_step: usize,
    median_ms: f64,
    min_ms: f64,
    /// FLOPs of products, counted from the shapes that ran.
    matmul_flops: u64,
    matmul_gflop_per_sec: f64,
    /// Operations that the ledger counted.
    operations: u64,
    read_bytes: u64,
    written_bytes: u64,
    /// Kernels and command buffers, on a GPU.
    dispatches: Option<f64>,
    submissions: Option<f64>,
    peak_bytes: u64,
    parameter_bytes: u64,
    gradient_bytes: u64,
    optimizer_state_bytes: u64,
    activation_bytes: u64,
    /// Parameters in the format of the products.
    copy_bytes: u64,
    temporary_bytes: u64,
    loss: f64,
}

/// Times steps and prints what one of them takes.
pub(crate) fn step(args: &StepArgs) -> Result<(), Failure> {
    let config = model(&args.model)?;
    let steps = whole("--steps", &args.steps, 1..=1_000_000)?;
    let chosen = device::choose(&args.device)?;
    let text = noise(40 * config.context.max(100) + 1000);
    let mut task = TextTask::new(config, &text, &chosen.device)?;
    let report = pollster::block_on(measure(&mut task, &chosen, steps))?;
    if args.json { output::print_json(&report) } else { output::print(&to_text(&report)) }
}

async fn measure<'a>(task: &mut TextTask, chosen: &'a Chosen, steps: u64) -> Result<Report<'a>, Failure> {
    for _ in 0..WARM_UP {
        task.step().await?.await?;
    }
    chosen.device.synchronize().await?;
    let ledger = chosen.device.ledger();
    ledger.reset();
    let work = chosen.gpu.as_ref().map(napkin_engine::gpu::Gpu::work);
    let (mut durations, mut loss) = (Vec::new(), f64::NAN);
    for _ in 0..steps {
        let start = Instant::now();
        loss = task.step().await?.await?.as_f64();
        durations.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let totals: Totals = ledger.totals();
    let each = |total: u64| total as f64 / steps as f64;
    let done = chosen.gpu.as_ref().zip(work).map(|(gpu, before)| (gpu.work(), before));
    durations.sort_by(f64::total_cmp);
    let median_ms = durations[durations.len() / 2];
    Ok(Report {
        device: chosen.kind.name(),
        adapter: &chosen.adapter,
        num_params: task.num_params(),
        tokens_per_step: task.tokens_per_step(),
        median_ms,
        min_ms: durations[0],
        matmul_flops: totals.matmul_flops / steps,
        matmul_gflop_per_sec: each(totals.matmul_flops) / median_ms / 1e6,
        operations: totals.ops / steps,
        read_bytes: totals.read_bytes / steps,
        written_bytes: totals.written_bytes / steps,
        dispatches: done.map(|(after, before)| each(after.dispatches - before.dispatches)),
        submissions: done.map(|(after, before)| each(after.submissions - before.submissions)),
        peak_bytes: totals.peak_bytes,
        parameter_bytes: totals.at_peak.of(Tag::Parameter),
        gradient_bytes: totals.at_peak.of(Tag::Gradient),
        optimizer_state_bytes: totals.at_peak.of(Tag::OptimizerState),
        activation_bytes: totals.at_peak.of(Tag::Activation),
        copy_bytes: totals.at_peak.of(Tag::Copy),
        temporary_bytes: totals.at_peak.of(Tag::Temporary),
        loss,
    })
}

/// A text without sense that has all its characters: time does not depend on what is learned.
fn noise(count: usize) -> String {
    let mut state = 1u32;
    let mut character = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'0' + (state >> 24) as u8 % VOCABULARY)
    };
    (0..count).map(|_| character()).collect()
}

fn to_text(report: &Report<'_>) -> String {
    let bytes = |value: u64| format::short(value as f64, Unit::BYTE);
    let mut rows = vec![
        output::fact("step, median", format!("{:.2} ms", report.median_ms)),
        output::fact("step, fastest", format!("{:.2} ms", report.min_ms)),
        output::fact("FLOPs of products", format::short(report.matmul_flops as f64, Unit::FLOP)),
        output::fact("", format!("{:.1} GFLOP/s", report.matmul_gflop_per_sec)),
        output::fact("operations", report.operations.to_string()),
        output::fact("bytes read", bytes(report.read_bytes)),
        output::fact("bytes written", bytes(report.written_bytes)),
    ];
    if let (Some(dispatches), Some(submissions)) = (report.dispatches, report.submissions) {
        rows.push(output::fact("kernels", format!("{dispatches:.1}")));
        rows.push(output::fact("submissions", format!("{submissions:.1}")));
    }
    rows.extend([
        output::fact("peak memory", bytes(report.peak_bytes)),
        output::fact("  parameters", format!("{} = 4 · {}", report.parameter_bytes, report.num_params)),
        output::fact("  gradients", report.gradient_bytes.to_string()),
        output::fact("  optimizer state", report.optimizer_state_bytes.to_string()),
        output::fact("  activations", bytes(report.activation_bytes)),
        output::fact("  copy of parameters", bytes(report.copy_bytes)),
        output::fact("  temporary", bytes(report.temporary_bytes)),
    ]);
    output::table(&["", ">"], &rows)
}
