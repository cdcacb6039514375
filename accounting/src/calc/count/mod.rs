//! A training step that has run, beside what the closed forms say of it. Nothing here runs one: without a record of it
//! the answer is what the forms say.

mod beside;
mod linear;
mod record;
mod transformer;

pub use linear::{LINEAR, LinearSizes};
pub use record::{Gradient, Held, Operation, Point, Record, Stage};
pub use transformer::{TRANSFORMER, TransformerSizes, architecture};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::{ACCUMULATE, COUNT_DTYPE, COUNT_OPTIMIZER};
use super::{Calculator, Inputs, Sheet};
use crate::error::line;
use crate::{DType, Error, Result};

/// A calculator whose answer can be counted.
#[derive(Debug)]
pub struct Counter {
    /// What it asks for, and what the forms answer.
    pub calculator: Calculator,
    /// The answer with counted columns, if there is a record.
    beside: fn(&Inputs, Option<&Record>) -> Result<Sheet>,
}

/// What was counted, and of which step: as JSON it is handed to a calculator under the calculator's own id.
#[derive(Deserialize)]
struct Given {
    /// As [`spec`] wrote it.
    spec: Value,
    record: Record,
}

/// The step that a calculator asks for, as JSON for whoever runs it.
///
/// # Errors
/// A sentence that names the field and the rule.
pub fn spec(id: &str, inputs: &Inputs) -> Result<String> {
    let spec = if id == LINEAR.calculator.id {
        serde_json::to_value(LinearSizes::read(inputs)?)
    } else {
        serde_json::to_value(TransformerSizes::read(inputs)?)
    };
    Ok(spec.unwrap_or_default().to_string())
}

/// The answer with the record that was handed over, if it is of this very step.
fn with_given(
    id: &str,
    inputs: &Inputs,
    answer: fn(&Inputs, Option<&Record>) -> Result<Sheet>,
) -> Result<Sheet> {
    let Some(json) = inputs.data(id) else { return answer(inputs, None) };
    let given: Given = serde_json::from_str(json)
        .map_err(|error| Error::Record { kind: "counted step", problem: line(&error.to_string()) })?;
    if given.spec.to_string() == spec(id, inputs)? {
        return answer(inputs, Some(&given.record));
    }
    let mut sheet = answer(inputs, None)?;
    sheet.note("Another step was counted. Count this one to see it beside the formulas.");
    Ok(sheet)
}

/// All of them.
pub static COUNTERS: [&Counter; 2] = [&LINEAR, &TRANSFORMER];

/// The one of that name.
#[must_use]
pub fn counter(id: &str) -> Option<&'static Counter> {
    COUNTERS.into_iter().find(|counter| counter.calculator.id == id)
}

impl Counter {
    /// What the forms say beside what was counted.
    ///
    /// # Errors
    /// A sentence that names the field and the rule.
    pub fn answer(&self, inputs: &Inputs, record: Option<&Record>) -> Result<Sheet> {
        (self.beside)(inputs, record)
    }
}

/// How a model is trained, whichever it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
