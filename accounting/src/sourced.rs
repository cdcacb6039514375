//! Quantities of the catalogues, which know where they are from.

use crate::catalogue::{Figure, Mark};
use crate::expr::Input;
use crate::{Provenance, Quantity, Result, Source, Value};

/// A quantity with its sources.
#[derive(Debug, Clone)]
pub struct Sourced<Q> {
    /// How much.
    pub quantity: Q,
    /// What it is, and whose.
    pub title: String,
    /// Where it is from.
    pub sources: Vec<Source>,
    /// How far to trust it, if somebody has said.
    pub mark: Option<Mark>,
    /// Who says so, if not whoever asks.
    pub provenance: Option<Provenance>,
}

impl<Q: Quantity> Sourced<Q> {
    /// What is in no catalogue; the title says whose it is.
    #[must_use]
    pub fn new(quantity: Q, title: impl Into<String>) -> Self {
        Self { quantity, title: title.into(), sources: Vec::new(), mark: None, provenance: None }
    }

    /// What a clock said on the reader's device; the title says of what.
    #[must_use]
    pub fn measured(quantity: Q, title: impl Into<String>) -> Self {
        Self { provenance: Some(Provenance::Measured), ..Self::new(quantity, title) }
    }

    /// A figure of a catalogue.
    #[must_use]
    pub fn figure(figure: &Figure, title: impl Into<String>) -> Self {
        let quantity = Q::of(figure.value.into());
        let (sources, provenance) = (figure.cite(), Some(Provenance::Quoted));
        Self { quantity, title: title.into(), sources, mark: Some(figure.mark), provenance }
    }

    /// For use in formulas under that Python name and symbol.
    ///
    /// # Errors
    /// A sentence if it is negative or not finite.
    pub fn value(&self, name: &'static str, symbol: &'static str) -> Result<Value<Q>> {
        Value::input(Input {
            name,
            symbol,
            title: self.title.clone(),
            value: self.quantity.number(),
            unit: Q::UNIT,
            sources: self.sources.clone(),
            mark: self.mark,
            provenance: self.provenance,
        })
    }
}
