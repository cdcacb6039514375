//! What was counted, as plain data.

use serde::Serialize;

use crate::ledger::{ByTag, Ledger, Moment, OperationTotals, Phase, Tag, Timeline};

/// A counted step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Counted {
    /// Values that are trained.
    pub parameters: u64,
    /// The loss before the step, averaged over its micro-batches.
    pub loss: f64,
    /// What ran, in the order of first runs.
    pub operations: Vec<Operation>,
    /// What was held before the step.
    pub before: Held,
    /// What was held after it: gradients stay until somebody drops them.
    pub after: Held,
    /// The most that was held at a time.
    pub peak_bytes: u64,
    /// What it was held for.
    pub at_peak: Held,
    /// The most that was held for each purpose, each at its own time.
    pub highest: Held,
    /// Changes of what was held, of which `timeline` has a part.
    pub changes: u64,
    /// What was held over time, from before the first change to the last.
    pub timeline: Vec<Point>,
    /// Some gradients of the step beside differences of losses.
    pub gradients: Vec<Gradient>,
    /// The largest relative error among them.
    pub worst_error: f64,
}

/// When in a step something ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The forward pass.
    Forward,
    /// The backward pass.
    Backward,
    /// What checkpoints computed again in the backward pass.
    Again,
    /// What became of gradients.
    Optimizer,
}

/// All runs of one operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Operation {
    /// When.
    pub stage: Stage,
    /// For which part of the model: `attn`; empty for none.
    pub part: &'static str,
    /// Its name in PyTorch; `mm (dX)` and `mm (dW)` are products of a derivative.
    pub name: &'static str,
    /// How often.
    pub calls: u64,
    /// FLOPs of matrix products: `2·m·n·k` each.
    pub flops: u64,
    /// Bytes of elements read.
    pub read_bytes: u64,
    /// Bytes of elements written.
    pub written_bytes: u64,
}

/// Bytes that are held, by what for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Held {
    /// Parameters in their own format.
    pub parameters: u64,
    /// Their copy in the format of the products, where that is another.
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Point {
    /// How many changes there had been.
    pub at: u64,
    /// When in the step.
    pub stage: Stage,
    /// For which part of the model.
    pub part: &'static str,
    /// The operation that something was allocated for, or after which it was let go.
    pub operation: &'static str,
    /// What was held.
    pub held: Held,
}

/// A gradient beside a central difference of the loss in float64.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gradient {
    /// Name of the parameter.
    pub parameter: String,
    /// Which of its elements, counted through all dimensions.
    pub element: u64,
    /// As the backward pass has it.
    pub gradient: f64,
    /// (loss(p + h) − loss(p − h)) / 2h; 0 where that is within rounding.
    pub difference: f64,
}

impl Gradient {
    /// How far both are apart, relative to the larger.
    #[must_use]
    pub fn relative_error(&self) -> f64 {
        let size = self.gradient.abs().max(self.difference.abs());
        if size == 0.0 { 0.0 } else { (self.gradient - self.difference).abs() / size }
    }
}

impl Counted {
    /// What a ledger has counted since it was reset and its timeline started.
    pub(super) fn of(ledger: &Ledger, timeline: Timeline, parameters: usize) -> Self {
        let totals = ledger.totals();
        let ends = [timeline.moments.first(), timeline.moments.last()];
        let [before, after] = ends.map(|end| end.map(|moment| (&moment.held).into()).unwrap_or_default());
        Self {
            parameters: parameters as u64,
            loss: f64::NAN,
            operations: ledger.by_operation().iter().map(Into::into).collect(),
            before,
            after,
            peak_bytes: totals.peak_bytes,
            at_peak: (&totals.at_peak).into(),
            highest: (&timeline.highest).into(),
            changes: timeline.changes,
            timeline: timeline.moments.iter().map(Into::into).collect(),
            gradients: Vec::new(),
            worst_error: 0.0,
        }
    }
}

impl From<Phase> for Stage {
    fn from(phase: Phase) -> Self {
        match phase {
            Phase::Forward => Self::Forward,
            Phase::Backward => Self::Backward,
            Phase::Recompute => Self::Again,
            Phase::Optimizer => Self::Optimizer,
        }
    }
}

impl From<&OperationTotals> for Operation {
    fn from(of: &OperationTotals) -> Self {
        let &OperationTotals { phase, part, name, calls, matmul_flops, read_bytes, written_bytes } = of;
        Self { stage: phase.into(), part, name, calls, flops: matmul_flops, read_bytes, written_bytes }
    }
}

impl From<&ByTag> for Held {
    fn from(held: &ByTag) -> Self {
        Self {
            parameters: held.of(Tag::Parameter),
            copies: held.of(Tag::Copy),
            gradients: held.of(Tag::Gradient),
            optimizer_state: held.of(Tag::OptimizerState),
            data: held.of(Tag::Data),
            activations: held.of(Tag::Activation),
            temporary: held.of(Tag::Temporary),
        }
    }
}

impl From<&Moment> for Point {
    fn from(moment: &Moment) -> Self {
        let &Moment { at, ref held, phase, part, operation } = moment;
        Self { at, stage: phase.into(), part, operation, held: held.into() }
    }
}
