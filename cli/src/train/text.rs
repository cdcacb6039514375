//! `napkin train text`: a character-level GPT learns a file.

use std::collections::VecDeque;
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use napkin_accounting::{Error, Unit, format};
use napkin_engine::backend::Pending;
use napkin_engine::checkpoint::Checkpoint;
use napkin_engine::random::Generator;
use napkin_engine::train::{TextConfig, TextTask, check_loss};
use napkin_engine::{DType, Scalar};
use serde::Serialize;

use crate::args::{ModelArgs, TextArgs};
use crate::device;
use crate::failure::Failure;
use crate::numbers::{positive, whole};
use crate::{output, progress};

/// Steps whose losses are on their way while the next ones are queued.
const IN_FLIGHT: usize = 2;

/// Points of the run at which the held-out text is tried, and batches each time.
const TRIALS: u64 = 10;
const TRIAL_BATCHES: usize = 8;

/// Losses that a report holds.
const LOSSES: u64 = 100;

#[derive(Serialize)]
struct Report<'a> {
    device: &'static str,
    adapter: &'a str,
    num_params: usize,
    vocab_size: usize,
    /// The step that the run went on from.
    first_step: u64,
    steps: u64,
    duration_secs: f64,
    tokens_per_sec: f64,
    /// Step and loss of its batch, before its update, in nats per character.
    losses: &'a [(u64, f32)],
    /// The same on text that is not trained on.
    held_out_losses: &'a [(u64, f32)],
    sample: &'a str,
}

/// Trains, then prints losses, speed, and what the model writes.
pub(crate) fn text(args: &TextArgs) -> Result<(), Failure> {
    if let Some(path) = &args.checkpoint {
        output::check_folder("--checkpoint", path)?;
    }
    let text = read(&args.file)?;
    let dropout = args.dropout.trim().parse().ok().filter(|share| (0.0..1.0).contains(share));
    let dropout = dropout.ok_or_else(|| {
        Failure::from(Error::input("--dropout", "a number from 0 to below 1", &args.dropout))
    })?;
    let [.., accumulate] = TextConfig::MAX;
    let config = TextConfig {
        accumulate: size("--accumulate", &args.accumulate, accumulate)?,
        lr: positive("--lr", &args.lr)?,
        warmup: whole("--warmup", &args.warmup, 0..=1_000_000_000)?,
        steps: whole("--steps", &args.steps, 1..=1_000_000_000)?,
        dropout,
        seed: whole("--seed", &args.seed, 0..=u64::MAX)?,
        ..model(&args.model)?
    };
    let every = whole("--every", &args.every, 1..=1_000_000_000)?;
    let sample = whole("--sample", &args.sample, 0..=100_000)? as usize;
    let checkpoint = args.checkpoint.as_deref();
    if let Some(path) = checkpoint.filter(|path| !args.resume && path.exists()) {
        let message = format!("--checkpoint: {} exists; --resume goes on from it", path.display());
        return Err(Failure::Usage(message));
    }
    let chosen = device::choose(&args.device)?;
    let mut task = TextTask::new(config, &text, &chosen.device)?;
    if let Some(path) = checkpoint.filter(|_| args.resume) {
        pollster::block_on(task.resume(&Checkpoint::open(path)?))?;
        output::note(&format!("goes on from step {}", task.steps()));
    }
    let first_step = task.steps();
    let mut run = Run { steps: config.steps, every, checkpoint, saved: first_step, ..Run::default() };
    pollster::block_on(run.train(&mut task))?;
    let written = pollster::block_on(task.sample("\n", sample, 0.8, &mut Generator::new(config.seed)))
        .or_else(|_| pollster::block_on(task.sample("", sample, 0.8, &mut Generator::new(config.seed))))?;
    let tokens = (task.steps() - first_step) as f64 * task.tokens_per_step() as f64;
    let report = Report {
        device: chosen.kind.name(),
        adapter: &chosen.adapter,
        num_params: task.num_params(),
        vocab_size: task.vocab_size(),
        first_step,
        steps: task.steps(),
        duration_secs: run.duration.as_secs_f64(),
        tokens_per_sec: if tokens > 0.0 { tokens / run.duration.as_secs_f64() } else { 0.0 },
        losses: &run.losses,
        held_out_losses: &run.held_out,
        sample: written.trim_start_matches('\n'),
    };
    if args.json { output::print_json(&report) } else { output::print(&to_text(&report)) }
}

/// What a model can compute in.
const DTYPES: [(&str, DType); 4] =
    [("f32", DType::F32), ("f16", DType::F16), ("bf16", DType::BF16), ("fp8", DType::F8E4M3FN)];

/// The model that the arguments describe.
pub(crate) fn model(args: &ModelArgs) -> Result<TextConfig, Failure> {
    let [layers, heads, dim, context, batch, _] = TextConfig::MAX;
    let config = TextConfig {
        layers: size("--layers", &args.layers, layers)?,
        heads: size("--heads", &args.heads, heads)?,
        dim: size("--dim", &args.dim, dim)?,
        context: size("--context", &args.context, context)?,
        batch: size("--batch", &args.batch, batch)?,
        dtype: DTYPES
            .into_iter()
            .find_map(|(name, dtype)| (name == args.dtype).then_some(dtype))
            .ok_or_else(|| Error::input("--dtype", "f32, f16, bf16 or fp8", &args.dtype))?,
        ..TextConfig::default()
    };
    if !config.dim.is_multiple_of(config.heads) {
        let rule = format!("a multiple of --heads, which is {}", config.heads);
        return Err(Error::input("--dim", rule, &args.dim).into());
    }
    Ok(config)
}

/// A number of things, at least one.
fn size(argument: &str, text: &str, most: usize) -> Result<usize, Failure> {
    whole(argument, text, 1..=most as u64).map(|n| n as usize)
}

fn read(path: &Path) -> Result<String, Failure> {
    let fault = |why: String| Failure::Work(format!("{}: {why}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| fault(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| {
        fault(format!("is no text in UTF-8: byte {} fits nowhere", error.utf8_error().valid_up_to()))
    })
}

/// A run on its way.
#[derive(Default)]
struct Run<'a> {
    steps: u64,
    every: u64,
    checkpoint: Option<&'a Path>,
    /// The step of the last checkpoint.
    saved: u64,
    in_flight: VecDeque<(u64, Pending<'static, Scalar>)>,
    losses: Vec<(u64, f32)>,
    held_out: Vec<(u64, f32)>,
    duration: Duration,
}

impl Run<'_> {
    async fn train(&mut self, task: &mut TextTask) -> Result<(), Failure> {
        let bar = progress::training(self.steps).with_position(task.steps());
        let trial = self.steps.div_ceil(TRIALS);
        while task.steps() < self.steps {
            let start = Instant::now();
            let loss = task.step().await.map_err(|error| self.failed(&bar, &error))?;
            self.in_flight.push_back((task.steps(), loss));
            let is_last = task.steps() == self.steps;
            let saves = self.checkpoint.filter(|_| is_last || task.steps().is_multiple_of(self.every));
            let tries = is_last || task.steps().is_multiple_of(trial);
            // A checkpoint is never overwritten by a run that has gone wrong.
            let left = if saves.is_some() || tries { 0 } else { IN_FLIGHT };
            while self.in_flight.len() > left {
                self.look(&bar).await?;
            }
            self.duration += start.elapsed();
            if let Some(path) = saves {
                task.contents().save(path).await.map_err(|error| self.failed(&bar, &error))?;
                self.saved = task.steps();
            }
            if tries {
                let loss = task.held_out_loss(TRIAL_BATCHES).await;
                self.held_out.push((task.steps(), loss.map_err(|error| self.failed(&bar, &error))?));
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Says what is left of the run.
    fn failed(&self, bar: &ProgressBar, error: &napkin_engine::Error) -> Failure {
        bar.finish_and_clear();
        let kept = match self.checkpoint {
            Some(path) if self.saved > 0 => format!("; {} holds step {}", path.display(), self.saved),
            _ => String::new(),
        };
        Failure::Work(format!("{error}{kept}"))
    }

    /// Waits for the oldest loss.
    async fn look(&mut self, bar: &ProgressBar) -> Result<(), Failure> {
        let Some((step, loss)) = self.in_flight.pop_front() else { return Ok(()) };
        let loss = loss.await.map_err(|error| self.failed(bar, &error))?.as_f64() as f32;
        bar.set_position(step);
        bar.set_message(format!("loss {}", short(f64::from(loss))));
        check_loss(step, f64::from(loss)).map_err(|error| self.failed(bar, &error))?;
        if step == 1 || step == self.steps || step.is_multiple_of(self.steps.div_ceil(LOSSES)) {
            self.losses.push((step, loss));
        }
        Ok(())
    }
}

fn short(value: f64) -> String {
    format::short(value, Unit::NONE)
}

fn to_text(report: &Report<'_>) -> String {
    let row = |&(step, held_out): &(u64, f32)| {
        // The loss of the batch nearest to it.
        let near = report.losses.iter().min_by_key(|(at, _)| at.abs_diff(step));
        let loss = near.map_or_else(String::new, |(_, loss)| format!("{loss:.4}"));
        vec![step.to_string(), loss, format!("{held_out:.4}")]
    };
    let rows: Vec<_> = report.held_out_losses.iter().map(row).collect();
    let mut text = output::table(&[">step", ">loss", ">held out"], &rows);
    if !report.sample.is_empty() {
        text += &format!("\n{}\n", report.sample);
    }
    text += &format!(
        "\n{} parameters, {} characters in the vocabulary, {} characters/s\n",
        report.num_params,
        report.vocab_size,
        short(report.tokens_per_sec),
    );
    text
}
