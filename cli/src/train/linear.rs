//! `napkin train linear`: the page's training loop.

use std::time::{Duration, Instant};

use napkin_accounting::{Unit, format};
use napkin_engine::optim::Rule;
use napkin_engine::train::{LinearConfig, LinearTask};
use serde::Serialize;

use crate::args::{LinearArgs, OptimizerKind};
use crate::device;
use crate::failure::Failure;
use crate::numbers::{positive, whole};
use crate::{output, progress};

/// Losses that are read back and shown; each read waits for the device.
const LOSSES: u64 = 100;

#[derive(Serialize)]
struct Report<'a> {
    device: &'static str,
    adapter: &'a str,
    dim: usize,
    layers: usize,
    batch: usize,
    lr: f32,
    optimizer: &'static str,
    seed: u64,
    steps: u64,
    num_params: usize,
    duration_secs: f64,
    steps_per_sec: f64,
    /// Whether the loss left the finite numbers, which ends the run.
    diverged: bool,
    /// Step and loss of its batch, before its update; a loss that is not finite is null in JSON.
    losses: &'a [(u64, f32)],
    weights: &'a [f32],
    true_weights: &'a [f32],
    max_weight_error: f32,
}

/// Trains, then prints losses, speed and weights.
pub(crate) fn linear(args: &LinearArgs) -> Result<(), Failure> {
    let (max_dim, max_layers, max_batch) = LinearConfig::MAX;
    let size = |argument, text: &str, first, last: usize| whole(argument, text, first..=last as u64);
    let rule = match args.optimizer {
        OptimizerKind::Sgd => Rule::SGD,
        OptimizerKind::Adagrad => Rule::AdagradEpsInsideRoot { eps: 1e-5 },
    };
    let config = LinearConfig {
        dim: size("--dim", &args.dim, 1, max_dim)? as usize,
        layers: size("--layers", &args.layers, 0, max_layers)? as usize,
        batch: size("--batch", &args.batch, 1, max_batch)? as usize,
        lr: positive("--lr", &args.lr)?,
        rule,
        seed: whole("--seed", &args.seed, 0..=u64::MAX)?,
    };
    let steps = whole("--steps", &args.steps, 1..=1_000_000_000)?;
    let chosen = device::choose(&args.device)?;
    let mut task = LinearTask::new(config, &chosen.device)?;
    let (losses, duration) = pollster::block_on(run(&mut task, steps))?;
    let weights = pollster::block_on(task.weights())?;
    let errors = weights.iter().zip(task.true_weights()).map(|(learned, truth)| (learned - truth).abs());
    let report = Report {
        device: chosen.kind.name(),
        adapter: &chosen.adapter,
        dim: config.dim,
        layers: config.layers,
        batch: config.batch,
        lr: config.lr,
        optimizer: args.optimizer.name(),
        seed: config.seed,
        steps: task.steps(),
        num_params: task.num_params(),
        duration_secs: duration.as_secs_f64(),
        steps_per_sec: task.steps() as f64 / duration.as_secs_f64(),
        diverged: losses.last().is_some_and(|(_, loss)| !loss.is_finite()),
        losses: &losses,
        weights: &weights,
        true_weights: task.true_weights(),
        max_weight_error: errors
            .fold(0.0, |worst, error| if error.is_nan() { error } else { worst.max(error) }),
    };
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&to_text(&report))?;
    }
    if report.diverged {
        let steps = report.steps;
        let told =
            format!("the loss left the finite numbers within {steps} steps; a smaller --lr may keep it");
        return Err(Failure::Work(told));
    }
    Ok(())
}

/// All steps, or until the loss is no number any more; returns the losses that were read and the time that it took.
async fn run(task: &mut LinearTask, steps: u64) -> Result<(Vec<(u64, f32)>, Duration), Failure> {
    let bar = progress::training(steps);
    let every = steps.div_ceil(LOSSES);
    let mut losses = Vec::new();
    let start = Instant::now();
    for step in 1..=steps {
        task.step()?;
        if (step == 1 || step % every == 0 || step == steps)
            && let Some(loss) = task.loss().await?
        {
            losses.push((step, loss));
            bar.set_position(step);
            bar.set_message(format!("loss {}", short(f64::from(loss))));
            if !loss.is_finite() {
                break;
            }
        }
    }
    let duration = start.elapsed();
    bar.finish_and_clear();
    Ok((losses, duration))
}

fn short(value: f64) -> String {
    format::short(value, Unit::NONE)
}

fn to_text(report: &Report<'_>) -> String {
    // Ten losses and at most 32 weights tell the story; --json has all.
    let shown = report.losses.len().div_ceil(10).max(1);
    let last = report.losses.len().saturating_sub(1);
    let some = report.losses.iter().enumerate().filter(|(i, _)| i % shown == 0 || *i == last);
    let losses: Vec<_> =
        some.map(|(_, (step, loss))| vec![step.to_string(), short(f64::from(*loss))]).collect();
    let weights = report.weights.iter().zip(report.true_weights).enumerate().take(32);
    let rows: Vec<_> = weights
        .map(|(i, (learned, truth))| vec![i.to_string(), format!("{learned:.4}"), format!("{truth}")])
        .collect();
    let mut text = output::table(&[">step", ">loss"], &losses);
    text += "\n";
    text += &output::table(&[">weight", ">learned", ">true"], &rows);
    if report.weights.len() > rows.len() {
        text += &format!("… and {} more\n", report.weights.len() - rows.len());
    }
    text += &format!(
        "\n{} parameters, {} steps/s, largest error of a weight {}\n",
        report.num_params,
        short(report.steps_per_sec),
        short(f64::from(report.max_weight_error)),
    );
    text
}
