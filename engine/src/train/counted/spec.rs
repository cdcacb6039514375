//! A step as somebody asks for it, in plain data.

use serde::Deserialize;

use super::{Counted, LinearStep, OptimizerKind, Training, TransformerStep};
use crate::device::Device;
use crate::dtype::DType;
use crate::error::{Error, Result};

/// The sizes of a step: a small Transformer's if it has heads, else the deep linear model's.
#[derive(Debug, Clone, Deserialize)]
pub struct Spec {
    batch: usize,
    dim: usize,
    layers: usize,
    #[serde(default)]
    bias: bool,
    heads: Option<usize>,
    vocab: Option<usize>,
    context: Option<usize>,
    #[serde(default)]
    checkpointing: bool,
    dtype: String,
    optimizer: String,
    accumulate: usize,
}

/// A step that can be counted.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// Of the deep linear model.
    Linear(LinearStep),
    /// Of a small Transformer.
    Transformer(TransformerStep),
}

impl Spec {
    /// The step, if it can be counted.
    ///
    /// # Errors
    /// If a size is out of range, all together take too long, or there is no such dtype or optimizer: the message names
    /// the field and the rule.
    pub fn step(&self) -> Result<Step> {
        let &Self { batch, dim, layers, bias, checkpointing, accumulate, .. } = self;
        let unknown = |field: &str, text: &str| {
            let message = format!("{field} must be one that the engine trains with; got {text:?}");
            Error::Value { op: "count", message }
        };
        let dtype = match self.dtype.as_str() {
            "fp32" => DType::F32,
            "bf16" => DType::BF16,
            "fp16" => DType::F16,
            other => return Err(unknown("dtype", other)),
        };
        let found = OptimizerKind::ALL.iter().find(|(name, _)| *name == self.optimizer);
        let &(_, optimizer) = found.ok_or_else(|| unknown("optimizer", &self.optimizer))?;
        let training = Training { dtype, optimizer, accumulate, ..Training::default() };
        let (Some(heads), Some(vocab), Some(context)) = (self.heads, self.vocab, self.context) else {
            let step = LinearStep { dim, layers, batch, bias, training };
            step.check()?;
            return Ok(Step::Linear(step));
        };
        let step = TransformerStep { layers, heads, dim, vocab, context, batch, checkpointing, training };
        step.check()?;
        Ok(Step::Transformer(step))
    }
}

impl Step {
    /// Runs it and says what it did.
    ///
    /// # Errors
    /// If the device cannot run it.
    pub async fn count(&self, device: &Device) -> Result<Counted> {
        match self {
            Self::Linear(step) => step.count(device).await,
            Self::Transformer(step) => step.count(device).await,
        }
    }
}
