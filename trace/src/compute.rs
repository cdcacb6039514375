//! What the page and the compute worker say to each other, as JavaScript objects of the same form.

use serde::{Deserialize, Serialize};

use crate::{DeviceKind, Devices, RequestId};

/// What the page can ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// Time one product of random matrices; answered by [`Event::Matmul`].
    TimeMatmul(MatmulSpec),
    /// Time the product of two square matrices of reproducible numbers and send it; answered by [`Event::Bench`].
    BenchMatmul {
        /// Where.
        device: DeviceKind,
        /// Rows and columns of both matrices.
        n: usize,
        /// Of the left matrix and of the right one.
        seeds: [u32; 2],
    },
    /// Time training steps on reproducible numbers; answered by [`Event::BenchStep`].
    BenchStep {
        /// Where.
        device: DeviceKind,
        /// What is trained.
        model: BenchModel,
    },
    /// What another worker told in [`Event::Tuned`]. A text of another GPU is ignored; where this worker knows more than the
    /// text, it says all of it in an [`Event::Tuned`].
    UseTuning(String),
    /// Steer the training session; every change is reported by [`Event::Training`] under the id of the request that
    /// loaded the session.
    Train(TrainAction),
    /// Measure a device; answered by [`Event::Survey`] before each measurement and after the last. Training waits until
    /// it is done; everything else is answered between two measurements.
    Survey {
        /// What is measured.
        device: DeviceKind,
        /// The day: `2026-11-21`. A worker has no calendar of its own.
        date: String,
        /// Samples of each measurement take about so long, in milliseconds.
        measurement_ms: u32,
    },
    /// Time an expression over shapes, such as `softmax(1024x1024)`; answered by [`Event::Operation`].
    MeasureOperation {
        /// Where it runs.
        device: DeviceKind,
        /// As it was typed.
        expression: String,
        /// Of its inputs, by its name in PyTorch.
        dtype: String,
    },
    /// Run a training step and count what it does; answered by [`Event::Counted`].
    CountStep {
        /// Where it runs.
        device: DeviceKind,
        /// Its sizes as JSON, as accounting writes and the engine reads them.
        step: String,
    },
    /// End the survey or the training session that this request began; answered by [`Event::Cancelled`] as soon as
    /// the worker hears it, whether there was anything to end or not.
    Cancel(RequestId),
}

/// What the worker can say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The first message of a worker: what it can compute on. Nothing may be sent to it before.
    Ready(Devices),
    /// Answer to [`Command::TimeMatmul`].
    Matmul(MatmulTiming),
    /// Answer to [`Command::BenchMatmul`].
    Bench(BenchResult),
    /// Answer to [`Command::BenchStep`].
    BenchStep(StepTimes),
    /// The state of the training session.
    Training(TrainProgress),
    /// How far a survey is.
    Survey(SurveyProgress),
    /// The timed expression: a record of the engine's `measure` as JSON.
    Operation(String),
    /// The counted step: the engine's record as JSON.
    Counted(String),
    /// Answer to [`Command::Cancel`].
    Cancelled,
    /// The request could not be carried out, as a sentence for the reader; the worker lives on.
    Failed(String),
    /// Which kernels are the fastest on this GPU, worth keeping for [`Command::UseTuning`] on the next visit.
    Tuned(String),
    /// The GPU went away (driver reset, suspended machine), with the browser's reason. Work on it fails until the worker
    /// is replaced.
    GpuLost(String),
    /// The worker died of this and must be replaced.
    Crashed(String),
}

impl Event {
    /// Whether the request that this answers gets no further answer.
    pub fn is_last(&self) -> bool {
        match self {
            Self::Training(_) => false,
            Self::Survey(progress) => progress.what.is_empty(),
            _ => true,
        }
    }
}

/// A product `(m, k) @ (k, n)` to be timed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatmulSpec {
    /// Where.
    pub device: DeviceKind,
    /// Rows of the result.
    pub m: usize,
    /// Columns of the result.
    pub n: usize,
    /// Elements in each dot product.
    pub k: usize,
    /// PyTorch's name of the element type, `float32`.
    pub dtype: String,
}

/// What timing a product gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatmulTiming {
    /// What was timed.
    pub spec: MatmulSpec,
    /// The device, as it calls itself.
    pub adapter: String,
    /// The kernel that ran.
    pub kernel: String,
    /// Seconds per product, median over the runs, waiting for the device included.
    pub median_secs: f64,
    /// Seconds of the fastest run.
    pub min_secs: f64,
    /// The same by the GPU's own clock, where it has one: launching and waiting left out.
    pub timestamp_median_secs: Option<f64>,
    /// Largest difference from the same product in f64, relative to the largest magnitude in it.
    pub max_rel_err: f64,
}

/// How long one product took, and the product.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchResult {
    /// Milliseconds of one warm product, waiting for it included, transfers left out.
    pub ms: f64,
    /// The kernel that ran.
    pub kernel: String,
    /// The device, as it calls itself.
    pub adapter: String,
    /// Its elements, f32 in little-endian order.
    #[serde(with = "serde_bytes")]
    pub product: Vec<u8>,
}

/// A model whose training steps are timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BenchModel {
    /// Deep linear: two layers of 64 × 64 and a head, by SGD.
    Linear,
    /// An MLP of two layers, 64 → 256 → 64 with relu, by Adam.
    Mlp,
    /// A GPT-2 of two blocks, width 64, by Adam.
    Gpt,
}

impl BenchModel {
    /// All of them, by their names outside.
    pub const ALL: [(&str, Self); 3] = [("linear", Self::Linear), ("mlp", Self::Mlp), ("gpt", Self::Gpt)];
}

/// How long training steps took, and what they learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepTimes {
    /// Milliseconds of a step, one figure for each sample of many: waiting for the last one is included.
    pub ms: Vec<f64>,
    /// Losses of the first steps, each before its update.
    pub losses: Vec<f32>,
    /// The device, as it calls itself.
    pub adapter: String,
}

/// How far a survey is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurveyProgress {
    /// What is measured next; empty when all is done.
    pub what: String,
    /// Measurements done.
    pub done: u32,
    /// Measurements in all.
    pub of: u32,
    /// All that has been measured, a record of the engine's `measure` as JSON.
    pub record: String,
}

/// Which rule turns gradients into steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum OptimizerKind {
    /// `p −= lr · g`.
    Sgd,
    /// `s += g²; p −= lr · g / √(s + 1e-5)`.
    Adagrad,
}

/// A deep linear model on linear data, and how to train it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainSpec {
    /// Inputs, width of every layer, and number of true weights.
    pub dim: usize,
    /// Square layers before the head.
    pub layers: usize,
    /// Examples per step.
    pub batch: usize,
    /// Length of a step.
    pub learning_rate: f32,
    /// Which rule.
    pub optimizer: OptimizerKind,
    /// Of the initial weights and of the data; the same seed gives the same run.
    pub seed: u64,
    /// Where.
    pub device: DeviceKind,
}

/// What the page can tell the training session, of which there is one at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum TrainAction {
    /// Drop the session and begin a new one at step 0, paused.
    Load(TrainSpec),
    /// Take steps until so many have been taken since the session was loaded, or until told otherwise.
    Run {
        /// Step at which to pause.
        until_step: u64,
    },
    /// Stop after the current chunk of steps.
    Pause,
    /// Take one step and pause.
    Step,
}

/// The loss of one step's batch, before the step changed the weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LossPoint {
    /// Steps taken, this one included.
    pub step: u64,
    /// Mean squared error over the batch; finite.
    pub loss: f32,
}

/// What the session is doing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TrainState {
    /// Waiting for a word.
    #[default]
    Paused,
    /// Taking steps.
    Running,
    /// The loss left the numbers (NaN or infinite): steps that come after make no sense.
    Diverged {
        /// The step at which it was seen.
        step: u64,
    },
}

/// A report of the session: what is new since the last one, and what is current.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainProgress {
    /// Steps taken since the session was loaded.
    pub step: u64,
    /// New points of the loss curve: some hundred in all, however long the run.
    pub losses: Vec<LossPoint>,
    /// What the model has learned: the product of all its layers, `dim` values. Empty when not finite.
    pub weights: Vec<f32>,
    /// Steps per second of running, 0 before the first.
    pub steps_per_sec: f64,
    /// What it is doing now.
    pub state: TrainState,
}
