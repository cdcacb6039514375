//! A step that somebody has counted, as plain data. Whoever runs steps writes the same fields.

use serde::{Deserialize, Serialize};

/// A counted step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Values that are trained.
    pub parameters: u64,
    /// The loss before the step.
    pub loss: f64,
    /// What ran, in the order of first runs.
    pub operations: Vec<Operation>,
    /// What was held before the step.
    pub before: Held,
    /// What was held after it.
    pub after: Held,
    /// The most that was held at a time.
    pub peak_bytes: u64,
    /// What it was held for.
    pub at_peak: Held,
    /// The most that was held for each purpose, each at its own time.
    pub highest: Held,
    /// Changes of what was held, of which the timeline may have a part.
    pub changes: u64,
    /// What was held over time.
    pub timeline: Vec<Point>,
    /// Some gradients beside differences of losses.
    pub gradients: Vec<Gradient>,
    /// The largest relative error among them.
    pub worst_error: f64,
}

/// When in a step something ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The forward pass.
    Forward,
    /// The backward pass.
    Backward,
    /// What was computed again in the backward pass.
    Again,
    /// What became of gradients.
    Optimizer,
}

/// All runs of one operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// When.
    pub stage: Stage,
    /// For which part of the model; empty for none.
    pub part: String,
    /// Its name in PyTorch; `mm (dX)` and `mm (dW)` are products of a derivative.
    pub name: String,
    /// How often.
    pub calls: u64,
    /// FLOPs of matrix products.
    pub flops: u64,
    /// Bytes of elements read.
    pub read_bytes: u64,
    /// Bytes of elements written.
    pub written_bytes: u64,
}

/// Bytes that are held, by what for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Held {
    /// Parameters in their own format.
    pub parameters: u64,
    /// Their copy in the format of the products.
    pub copies: u64,
    /// Gradients of parameters.
    pub gradients: u64,
    /// What the optimizer remembers.
    pub optimizer_state: u64,
    /// What the step is given.
    pub data: u64,
    /// What is kept for the backward pass.
    pub activations: u64,
    /// Everything else.
    pub temporary: u64,
}

/// What was held after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// How many changes there had been.
    pub at: u64,
    /// When in the step.
    pub stage: Stage,
    /// For which part of the model.
    pub part: String,
    /// The operation that something was allocated for, or after which it was let go.
    pub operation: String,
    /// What was held.
    pub held: Held,
}

/// A gradient beside a central difference of the loss.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gradient {
    /// Name of the parameter.
    pub parameter: String,
    /// Which of its elements.
    pub element: u64,
    /// As the backward pass has it.
    pub gradient: f64,
    /// (loss(p + h) − loss(p − h)) / 2h.
    pub difference: f64,
}

impl Held {
    /// Each purpose with its bytes, what stays longest first.
    #[must_use]
    pub fn by_purpose(&self) -> [(&'static str, u64); 7] {
        [
            ("parameters", self.parameters),
            ("copy of the parameters", self.copies),
            ("optimizer state", self.optimizer_state),
            ("data", self.data),
            ("gradients", self.gradients),
            ("activations", self.activations),
            ("temporary", self.temporary),
        ]
    }
}

impl Stage {
    /// Its name for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
            Self::Again => "forward again",
            Self::Optimizer => "optimizer",
        }
    }
}
