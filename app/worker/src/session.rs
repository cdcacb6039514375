//! One training session: steps in chunks, with the loss read back now and then.

use napkin_engine::optim::Rule;
use napkin_engine::train::{LinearConfig, LinearTask};
use napkin_engine::{Device, Error, Result};
use napkin_notebook::{
    DeviceKind, LossPoint, OptimizerKind, RequestId, TrainProgress, TrainSpec, TrainState,
};

use crate::clock::now_secs;

/// Wall time of one chunk of steps, the longest that a "pause" has to wait (one step, if a step is longer).
const CHUNK_SECS: f64 = 0.03;
/// Shortest time between two reports of a running session.
const REPORT_SECS: f64 = 0.1;
/// A running session spends at most one part in this many on reports.
const REPORT_SHARE: f64 = 10.0;
/// The loss curve gets a point after every 1/50 of the steps so far: no curve has visible corners, and
/// 100 000 steps give some 430 points.
const POINTS_PER_E_FOLD: u64 = 50;

/// Parameters of the largest model: with gradients and optimizer state 1.5 GiB, of the 4 GiB that a wasm
/// program can address.
const MAX_PARAMS: usize = 1 << 27;

/// A model in training.
pub struct Session {
    id: RequestId,
    device: DeviceKind,
    task: LinearTask,
    state: TrainState,
    until_step: u64,
    losses: Vec<LossPoint>,
    next_point: u64,
    secs_per_step: f64,
    reported: Reported,
}

/// What the last report said, and what it cost.
struct Reported {
    at_secs: f64,
    took_secs: f64,
    step: u64,
    steps_per_sec: f64,
    with_true_weights: bool,
}

impl Session {
    /// A session at step 0, paused.
    ///
    /// # Errors
    /// If the configuration is out of range or does not fit into memory.
    pub fn new(id: RequestId, spec: &TrainSpec, device: &Device) -> Result<Self> {
        let rule = match spec.optimizer {
            OptimizerKind::Sgd => Rule::SGD,
            OptimizerKind::Adagrad => Rule::AdagradEpsInsideRoot { eps: 1e-5 },
        };
        let params = spec.dim.saturating_mul(spec.dim).saturating_mul(spec.layers).saturating_add(spec.dim);
        if spec.dim <= LinearConfig::MAX.0 && params > MAX_PARAMS {
            let message = format!(
                "{} layers of {} × {} and a head have {params} parameters; a worker has room for {MAX_PARAMS} with \
                 their gradients",
                spec.layers, spec.dim, spec.dim
            );
            return Err(Error::Value { op: "train", message });
        }
        let config = LinearConfig {
            dim: spec.dim,
            layers: spec.layers,
            batch: spec.batch,
            lr: spec.learning_rate,
            rule,
            seed: spec.seed,
        };
        Ok(Self {
            id,
            device: spec.device,
            task: LinearTask::new(config, device)?,
            state: TrainState::Paused,
            until_step: 0,
            losses: Vec::new(),
            next_point: 1,
            secs_per_step: 0.0,
            reported: Reported {
                at_secs: now_secs(),
                took_secs: 0.0,
                step: 0,
                steps_per_sec: 0.0,
                with_true_weights: false,
            },
        })
    }

    /// The request that loaded the session; its reports answer that one.
    #[must_use]
    pub fn id(&self) -> RequestId {
        self.id
    }

    /// Where it runs.
    #[must_use]
    pub fn device(&self) -> DeviceKind {
        self.device
    }

    /// Whether [`Session::advance`] is to be called again.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.state == TrainState::Running
    }

    /// Starts taking steps, up to that one. A diverged session stays as it is.
    pub fn run(&mut self, until_step: u64) {
        if self.state == TrainState::Paused && self.task.steps() < until_step {
            self.until_step = until_step;
            self.state = TrainState::Running;
            self.reported.at_secs = now_secs();
            self.reported.step = self.task.steps();
        }
    }

    /// Stops taking steps.
    pub fn pause(&mut self) {
        if self.is_running() {
            self.state = TrainState::Paused;
        }
    }

    /// Takes exactly one step and records its loss. A diverged session stays as it is.
    ///
    /// # Errors
    /// If the device fails.
    pub async fn step(&mut self) -> Result<()> {
        self.pause();
        if self.state == TrainState::Paused {
            self.task.step()?;
            self.next_point = self.task.steps();
            self.look().await?;
            // One step tells nothing about steps per second: most of the time went into waiting for the reader.
            self.reported.step = self.task.steps();
        }
        Ok(())
    }

    /// Takes as many steps as fit into a chunk; true when a report is due.
    ///
    /// # Errors
    /// If the device fails.
    pub async fn advance(&mut self) -> Result<bool> {
        let start_secs = now_secs();
        let first = self.task.steps();
        // On the GPU a step returns before it is done: the count bounds the queue, the clock bounds the CPU.
        let fitting = if self.secs_per_step > 0.0 { (CHUNK_SECS / self.secs_per_step) as u64 } else { 1 };
        let last = (first + fitting.max(1)).min(self.next_point.max(first + 1)).min(self.until_step);
        while self.task.steps() < last {
            self.task.step()?;
            if now_secs() - start_secs > CHUNK_SECS {
                break;
            }
        }
        self.look().await?;
        let now = now_secs();
        self.secs_per_step = (now - start_secs) / (self.task.steps() - first).max(1) as f64;
        if self.task.steps() >= self.until_step {
            self.pause();
        }
        let pause_secs = REPORT_SECS.max(REPORT_SHARE * self.reported.took_secs);
        Ok(!self.is_running() || now - self.reported.at_secs >= pause_secs)
    }

    /// Waits for the last step and reads its loss: the point on the curve, and whether to go on.
    async fn look(&mut self) -> Result<()> {
        let step = self.task.steps();
        let Some(loss) = self.task.loss().await? else { return Ok(()) };
        if !loss.is_finite() {
            self.state = TrainState::Diverged { step };
        } else if step >= self.next_point || step == self.until_step {
            self.losses.push(LossPoint { step, loss });
            self.next_point = step + (step / POINTS_PER_E_FOLD).max(1);
        }
        Ok(())
    }

    /// What is new since the last report, and what is current.
    ///
    /// # Errors
    /// If the device fails.
    pub async fn report(&mut self) -> Result<TrainProgress> {
        let start_secs = now_secs();
        let step = self.task.steps();
        let elapsed_secs = start_secs - self.reported.at_secs;
        let taken = step - self.reported.step;
        if taken > 0 && elapsed_secs > 0.0 {
            self.reported.steps_per_sec = taken as f64 / elapsed_secs;
        }
        let mut weights = self.task.weights().await?;
        if !weights.iter().all(|w| w.is_finite()) {
            weights.clear();
        }
        let true_weights =
            if self.reported.with_true_weights { Vec::new() } else { self.task.true_weights().to_vec() };
        self.reported.with_true_weights = true;
        self.reported.step = step;
        self.reported.at_secs = now_secs();
        self.reported.took_secs = self.reported.at_secs - start_secs;
        Ok(TrainProgress {
            step,
            losses: std::mem::take(&mut self.losses),
            weights,
            true_weights,
            steps_per_sec: self.reported.steps_per_sec,
            state: self.state,
        })
    }
}
