//! The training session: one at a time, steered by the page.

use serde::{Deserialize, Serialize};

use crate::DeviceKind;

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

/// What the page can tell the session.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TrainState {
    /// Waiting for a word.
    Paused,
    /// Taking steps.
    Running,
    /// The loss left the numbers (NaN or infinite): steps that come after make no sense.
    Diverged {
        /// The step at which it was seen.
        step: u64,
    },
}

/// News of the session: what is new since the last news, and what is current.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainProgress {
    /// Steps taken since the session was loaded.
    pub step: u64,
    /// New points of the loss curve. Not every step is read back: the gap between points grows with the
    /// number of steps taken, so that a curve has some hundred points however long the run.
    pub losses: Vec<LossPoint>,
    /// What the model has learned: the product of all its layers, `dim` values. Empty when not finite.
    pub weights: Vec<f32>,
    /// What there was to learn, `dim` values; empty unless the session was just loaded.
    pub true_weights: Vec<f32>,
    /// Steps per second of running, 0 before the first.
    pub steps_per_sec: f64,
    /// What it is doing now.
    pub state: TrainState,
}
