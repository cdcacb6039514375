//! What the reader can choose about the training.

use napkin_accounting::{Count, Ratio};
use napkin_trace::trace::Training;
use napkin_trace::{OptimizerKind, TrainSpec};

use crate::components::device::{DEVICE, wanted_device};
use crate::state::{Choice, ChoiceRule, NumberRule, Param, Scale, use_scope};
use crate::workers::ComputeWorker;

const DIM: NumberRule = NumberRule::of::<Count>("D, width", 1.0, 4096.0, Scale::Doubling(1));
const LAYERS: NumberRule = NumberRule::of::<Count>("Layers", 0.0, 64.0, Scale::Linear(1.0));
const BATCH: NumberRule = NumberRule::of::<Count>("Batch", 1.0, 65_536.0, Scale::Doubling(1));
const RATE: NumberRule = NumberRule::of::<Ratio>("Learning rate", 1e-6, 100.0, Scale::Decades);
const SEED: NumberRule = NumberRule::of::<Count>("Seed", 1.0, 1_000_000.0, Scale::Decades);
const STEPS: NumberRule = NumberRule::of::<Count>("Steps per run", 1.0, 1e9, Scale::Decades);
const OPTIMIZER: ChoiceRule =
    ChoiceRule { label: "Optimizer", options: &[("adagrad", "AdaGrad"), ("sgd", "SGD")] };

#[derive(Clone, Copy)]
pub struct Model {
    pub dim: Param<f64>,
    pub layers: Param<f64>,
    pub batch: Param<f64>,
    pub learning_rate: Param<f64>,
    pub optimizer: Param<Choice>,
    pub seed: Param<f64>,
    pub steps: Param<f64>,
    pub device: Param<Choice>,
    worker: ComputeWorker,
}

impl Model {
    /// Fields that begin with `start`, or with the lecture's sizes. What lies beyond what a field takes is brought to
    /// the nearest that it does.
    pub fn new(worker: ComputeWorker, start: Option<Training>) -> Self {
        let lecture = || Training {
            dim: 16,
            layers: 2,
            batch: 4,
            lr: 0.01,
            optimizer: "adagrad".to_owned(),
            seed: 1,
            steps: 2000,
        };
        let start = start.unwrap_or_else(lecture);
        let scope = use_scope();
        let number = |name: &str, start: f64, rule: NumberRule| {
            scope.param(name, start.max(rule.slider.min).min(rule.slider.max), rule)
        };
        Self {
            dim: number("dim", start.dim as f64, DIM),
            layers: number("layers", start.layers as f64, LAYERS),
            batch: number("batch", start.batch as f64, BATCH),
            learning_rate: number("lr", start.lr, RATE),
            optimizer: scope.param("optimizer", Choice(usize::from(start.optimizer == "sgd")), OPTIMIZER),
            seed: number("seed", start.seed as f64, SEED),
            steps: number("steps", start.steps as f64, STEPS),
            device: scope.param("device", Choice(0), DEVICE),
            worker,
        }
    }

    /// The model that the fields describe: all but the number of steps; tracked.
    pub fn spec(self) -> TrainSpec {
        TrainSpec {
            dim: self.dim.get() as usize,
            layers: self.layers.get() as usize,
            batch: self.batch.get() as usize,
            learning_rate: self.learning_rate.get() as f32,
            optimizer: [OptimizerKind::Adagrad, OptimizerKind::Sgd][self.optimizer.get().0],
            seed: self.seed.get() as u64,
            device: wanted_device(self.device, self.worker),
        }
    }

    /// Where the model will be trained, and why there; tracked.
    pub fn device_remark(self) -> Option<String> {
        let devices = self.worker.devices()?;
        if self.device.text() == "auto" {
            return self.worker.choice().map(|choice| choice.why);
        }
        Some(match devices.get(wanted_device(self.device, self.worker)) {
            Ok(device) => format!("Trains on {}.", device.name),
            Err(reason) => reason,
        })
    }
}
