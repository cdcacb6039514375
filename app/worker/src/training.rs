//! One training session: steps in chunks, with the loss read back now and then.

use napkin_engine::optim::Rule;
use napkin_engine::train::{LinearConfig, LinearTask};
use napkin_engine::{Device, Error, Result};
use napkin_trace::{
    DeviceKind, LossPoint, OptimizerKind, RequestId, TrainAction, TrainProgress, TrainSpec, TrainState,
};
use web_time::Instant;

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
    /// The request that loaded the session; its reports answer that one.
    pub id: RequestId,
    /// Where it runs.
    pub device: DeviceKind,
    task: LinearTask,
    state: TrainState,
    until_step: u64,
    losses: Vec<LossPoint>,
    next_point: u64,
    secs_per_step: f64,
    steps_per_sec: f64,
    /// When the last report was made, or the run began; how long the report took, and the step then.
    reported: (Instant, f64, u64),
}

impl Session {
    /// A session at step 0, paused; an error if the configuration is out of range or does not fit into memory.
    pub fn new(id: RequestId, spec: &TrainSpec, device: &Device) -> Result<Self> {
        let &TrainSpec { dim, layers, batch, learning_rate: lr, seed, .. } = spec;
        let params = dim.saturating_mul(dim).saturating_mul(layers).saturating_add(dim);
        if dim <= LinearConfig::MAX.0 && params > MAX_PARAMS {
            let message = format!(
                "{layers} layers of {dim} × {dim} and a head have {params} parameters; a worker has room for \
                 {MAX_PARAMS} with their gradients"
            );
            return Err(Error::Value { op: "train", message });
        }
        let rule = match spec.optimizer {
            OptimizerKind::Sgd => Rule::SGD,
            OptimizerKind::Adagrad => Rule::AdagradEpsInsideRoot { eps: 1e-5 },
        };
        Ok(Self {
            id,
            device: spec.device,
            task: LinearTask::new(LinearConfig { dim, layers, batch, lr, rule, seed }, device)?,
            state: TrainState::Paused,
            until_step: 0,
            losses: Vec::new(),
            next_point: 1,
            secs_per_step: 0.0,
            steps_per_sec: 0.0,
            reported: (Instant::now(), 0.0, 0),
        })
    }

    /// Whether [`Session::advance`] is to be called again.
    pub fn is_running(&self) -> bool {
        self.state == TrainState::Running
    }

    /// Does what the page says, and reports. A diverged session stays as it is.
    pub async fn act(&mut self, action: &TrainAction) -> Result<TrainProgress> {
        let step = self.task.steps();
        match *action {
            TrainAction::Run { until_step } if self.state == TrainState::Paused && step < until_step => {
                self.until_step = until_step;
                self.state = TrainState::Running;
                self.reported = (Instant::now(), self.reported.1, step);
            }
            TrainAction::Load(_) | TrainAction::Run { .. } => {}
            TrainAction::Pause => self.pause(),
            TrainAction::Step => {
                self.pause();
                if self.state == TrainState::Paused {
                    self.task.step()?;
                    self.next_point = step + 1;
                    self.look().await?;
                    // One step tells nothing about steps per second: most of the time went into waiting for the reader.
                    self.reported.2 = step + 1;
                }
            }
        }
        self.report().await
    }

    fn pause(&mut self) {
        if self.is_running() {
            self.state = TrainState::Paused;
        }
    }

    /// Takes as many steps as fit into a chunk, and reports when that is due.
    pub async fn advance(&mut self) -> Result<Option<TrainProgress>> {
        let start = Instant::now();
        let first = self.task.steps();
        // On the GPU a step returns before it is done: the count bounds the queue, the clock bounds the CPU.
        let fitting = if self.secs_per_step > 0.0 { (CHUNK_SECS / self.secs_per_step) as u64 } else { 1 };
        let last = (first + fitting.max(1)).min(self.next_point.max(first + 1)).min(self.until_step);
        while self.task.steps() < last {
            self.task.step()?;
            if start.elapsed().as_secs_f64() > CHUNK_SECS {
                break;
            }
        }
        self.look().await?;
        self.secs_per_step = start.elapsed().as_secs_f64() / (self.task.steps() - first).max(1) as f64;
        if self.task.steps() >= self.until_step {
            self.pause();
        }
        let (at, took_secs, _) = self.reported;
        let is_due = at.elapsed().as_secs_f64() >= REPORT_SECS.max(REPORT_SHARE * took_secs);
        if self.is_running() && !is_due { Ok(None) } else { self.report().await.map(Some) }
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
    async fn report(&mut self) -> Result<TrainProgress> {
        let start = Instant::now();
        let step = self.task.steps();
        let (at, _, before) = self.reported;
        let secs = (start - at).as_secs_f64();
        if step > before && secs > 0.0 {
            self.steps_per_sec = (step - before) as f64 / secs;
        }
        let mut weights = self.task.weights().await?;
        if !weights.iter().all(|weight| weight.is_finite()) {
            weights.clear();
        }
        self.reported = (Instant::now(), start.elapsed().as_secs_f64(), step);
        Ok(TrainProgress {
            step,
            losses: std::mem::take(&mut self.losses),
            weights,
            steps_per_sec: self.steps_per_sec,
            state: self.state,
        })
    }
}
