//! What the reader can choose about the training.

use leptos::prelude::*;
use napkin_accounting::{Count, Number, Quantity, Rule, Unit};
use napkin_notebook::{DeviceKind, OptimizerKind, TrainSpec};

use crate::state::{Choice, ChoiceRule, NumberRule, Param, Scale, use_cell};
use crate::worker_client::WorkerClient;

const DIM: NumberRule = NumberRule::of::<Count>("D, width", 1.0, 4096.0, Scale::Doubling(1));
const LAYERS: NumberRule = NumberRule::of::<Count>("Layers", 1.0, 64.0, Scale::Linear(1.0));
const BATCH: NumberRule = NumberRule::of::<Count>("Batch", 1.0, 65_536.0, Scale::Doubling(1));
const RATE: NumberRule = NumberRule::of::<LearningRate>("Learning rate", 1e-6, 100.0, Scale::Decades);
const SEED: NumberRule = NumberRule::of::<Count>("Seed", 1.0, 1_000_000.0, Scale::Decades);
const STEPS: NumberRule = NumberRule::of::<Count>("Steps per run", 1.0, 1e9, Scale::Decades);
const OPTIMIZER: ChoiceRule =
    ChoiceRule { label: "Optimizer", options: &[("adagrad", "AdaGrad"), ("sgd", "SGD")] };
const DEVICE: ChoiceRule = ChoiceRule {
    label: "Device",
    options: &[("auto", "Whichever suits this machine"), ("cpu", "CPU"), ("gpu", "GPU")],
};

/// The length of an optimizer's step.
#[derive(Clone, Copy)]
struct LearningRate(Number);

impl Quantity for LearningRate {
    const UNIT: Unit = Unit::NONE;
    const RULE: Rule = Rule::Positive;

    fn of(number: Number) -> Self {
        Self(number)
    }

    fn number(self) -> Number {
        self.0
    }
}

/// The cell's parameters.
#[derive(Clone, Copy)]
pub struct ModelParams {
    pub dim: Param<f64>,
    pub layers: Param<f64>,
    pub batch: Param<f64>,
    pub learning_rate: Param<f64>,
    pub optimizer: Param<Choice>,
    pub seed: Param<f64>,
    pub steps: Param<f64>,
    pub device: Param<Choice>,
    worker: WorkerClient,
}

/// What makes another model: all but the number of steps.
pub type Fields = TrainSpec;

impl ModelParams {
    /// The lecture's sizes: D = 16, two layers, batches of 4.
    pub fn new(worker: WorkerClient) -> Self {
        let cell = use_cell();
        Self {
            dim: cell.number("dim", 16.0, DIM),
            layers: cell.number("layers", 2.0, LAYERS),
            batch: cell.number("batch", 4.0, BATCH),
            learning_rate: cell.number("lr", 0.01, RATE),
            optimizer: cell.choice("optimizer", 0, OPTIMIZER),
            seed: cell.number("seed", 1.0, SEED),
            steps: cell.number("steps", 2000.0, STEPS),
            device: cell.choice("device", 0, DEVICE),
            worker,
        }
    }

    /// What the fields say; tracked.
    pub fn fields(self) -> Fields {
        let optimizer =
            if self.optimizer.text() == "sgd" { OptimizerKind::Sgd } else { OptimizerKind::Adagrad };
        TrainSpec {
            dim: self.dim.get() as usize,
            layers: self.layers.get() as usize,
            batch: self.batch.get() as usize,
            learning_rate: self.learning_rate.get() as f32,
            optimizer,
            seed: self.seed.get() as u64,
            device: self.device_kind(),
        }
    }

    /// What the fields say, once.
    pub fn spec(self) -> TrainSpec {
        untrack(|| self.fields())
    }

    /// How many steps a press of "Run" takes, once.
    pub fn steps_per_run(self) -> u64 {
        self.steps.get_untracked() as u64
    }

    /// The device that the reader chose, else the machine's.
    fn device_kind(self) -> DeviceKind {
        let chosen = DeviceKind::from_id(&self.device.text());
        chosen.or_else(|| self.worker.choice().map(|choice| choice.kind)).unwrap_or(DeviceKind::Cpu)
    }

    /// Where the model will be trained, and why there; tracked.
    pub fn device_remark(self) -> Option<String> {
        let devices = self.worker.devices()?;
        match DeviceKind::from_id(&self.device.text()) {
            None => self.worker.choice().map(|choice| choice.why),
            Some(kind) => Some(match devices.get(kind) {
                Ok(device) => format!("Trains on {}.", device.name),
                Err(reason) => reason,
            }),
        }
    }
}
