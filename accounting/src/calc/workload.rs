//! The model that a calculator is asked about, and what goes through it.

use super::fields::{ARCHITECTURE, BATCH, RECOMPUTE, SEQUENCE};
use super::{ChosenModel, Inputs, Sheet};
use crate::{Error, Recompute, Result, Workload};

/// The model, without which there is nothing to compute.
pub(super) fn chosen(inputs: &Inputs) -> Result<ChosenModel> {
    inputs.model(&ARCHITECTURE)?.ok_or_else(|| Error::Missing {
        field: inputs.called(&ARCHITECTURE),
        what: "a model from the catalogue, or a config.json".into(),
    })
}

/// What goes through the model.
pub(super) fn workload(inputs: &Inputs, counts_masked: bool) -> Result<Workload> {
    Ok(Workload {
        batch: inputs.whole(&BATCH)?,
        tokens: inputs.whole(&SEQUENCE)?,
        counts_masked,
        recompute: match inputs.choice(&RECOMPUTE)? {
            "selective" => Recompute::Selective,
            "full" => Recompute::Full,
            _ => Recompute::None,
        },
    })
}

/// A model was made for sequences of some length.
pub(super) fn warn_of_length(sheet: &mut Sheet, model: &ChosenModel, tokens: u64) {
    if let Some(context) = model.architecture.context.filter(|&context| context < tokens) {
        sheet.warn(format!(
            "{} was made for sequences of up to {context} tokens; {tokens} are more.",
            model.name
        ));
    }
}
