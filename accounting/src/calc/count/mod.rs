//! A training step that has run, beside what the closed forms say of it. Nothing here runs one: its record is handed
//! over under the calculator's id, by [`Inputs::with_data`], and without one the answer is what the forms say.

mod beside;
mod linear;
mod record;
mod transformer;

pub use linear::{LINEAR, LinearSizes};
pub use record::{Gradient, Held, Operation, Point, Record, Stage};
pub use transformer::{TRANSFORMER, TransformerSizes, architecture};

use super::Inputs;
use super::fields::{ACCUMULATE, COUNT_DTYPE, COUNT_OPTIMIZER};
use crate::error::line;
use crate::{DType, Error, Result};

/// The record that was handed over under that key, if there is one.
fn record(inputs: &Inputs, key: &str) -> Result<Option<Record>> {
    let read = |json: &str| {
        let kind = "record of a counted step";
        serde_json::from_str(json).map_err(|error| Error::Record { kind, problem: line(&error.to_string()) })
    };
    inputs.data(key).map(read).transpose()
}

/// How a model is trained, whichever it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Training {
    /// What forward and backward compute in: `fp32`, `bf16` or `fp16`.
    pub dtype: &'static str,
    /// The optimizer's id.
    pub optimizer: &'static str,
    /// Micro-batches of a step.
    pub accumulate: u64,
}

impl Training {
    fn read(inputs: &Inputs) -> Result<Self> {
        let (dtype, optimizer) = (inputs.choice(&COUNT_DTYPE)?, inputs.choice(&COUNT_OPTIMIZER)?);
        Ok(Self { dtype, optimizer, accumulate: inputs.whole(&ACCUMULATE)? })
    }

    /// Bytes of an element that goes through the model.
    fn element_bytes(self) -> Result<f64> {
        Ok(DType::parse("dtype", self.dtype)?.bytes_per_element())
    }

    fn is_half(self) -> bool {
        self.dtype != "fp32"
    }

    fn is_muon(self) -> bool {
        self.optimizer == "muon"
    }
}
