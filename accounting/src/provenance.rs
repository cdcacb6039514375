//! Where a figure is from: three words, and a sign for each, that page and terminal have in common.

use crate::{Derivation, Expr};

/// Where a figure is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// By a formula, from what is given.
    Computed,
    /// By a clock, on the reader's device.
    Measured,
    /// From a paper or a data sheet.
    Quoted,
}

impl Provenance {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Computed, Self::Measured, Self::Quoted];

    /// What is said of a figure.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Computed => "computed here",
            Self::Measured => "measured on your device",
            Self::Quoted => "quoted",
        }
    }

    /// The same as a letter, told from the others without colour.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Computed => "●",
            Self::Measured => "▨",
            Self::Quoted => "❝",
        }
    }
}

impl Derivation {
    /// Where it is from. A time is measured, and so is a rate that only it and counts make.
    #[must_use]
    pub fn provenance(&self) -> Provenance {
        let inputs = self.inputs();
        let is_from = |provenance| inputs.iter().any(|input| input.provenance == Some(provenance));
        match &self.expr {
            Expr::Input(input) => input.provenance.unwrap_or(Provenance::Computed),
            _ if is_from(Provenance::Measured) && self.steps().is_empty() => Provenance::Measured,
            _ => Provenance::Computed,
        }
    }
}
