//! The best split of a budget of compute.

use super::fields::{BUDGET, TOKENS_PER_PARAM};
use super::{Calculator, Cell, Inputs, Sheet, Table};
use crate::Result;
use crate::forms::chinchilla::{FIT, by_fit, by_ratio};

pub(super) const OPTIMAL: Calculator = Calculator {
    id: "optimal",
    title: "Parameters and tokens for a budget",
    about: "The compute-optimal split of a budget of FLOPs between parameters and tokens, after Chinchilla",
    example: "napkin calc optimal --flop 1e24",
    fields: &[&BUDGET, &TOKENS_PER_PARAM],
    compute,
};

fn compute(inputs: &Inputs) -> Result<Sheet> {
    let budget = inputs.value(&BUDGET)?;
    let ratio = by_ratio(&budget, &inputs.value(&TOKENS_PER_PARAM)?)?;
    let (fitted, loss) = by_fit(&budget, &FIT)?;
    let mut table = Table::new(&["by", "parameters", "tokens"]);
    table.row("tokens per parameter", vec![Cell::from(&ratio.params), Cell::from(&ratio.tokens)]);
    table.row("least fitted loss", vec![Cell::from(&fitted.params), Cell::from(&fitted.tokens)]);
    let mut sheet = Sheet::default()
        .with("split", "", vec![ratio.params.into(), ratio.tokens.into()])
        .with("both", "Two ways", table)
        .with("loss", "", vec![loss.into()]);
    sheet
        .note("Models that many will use are trained on far more tokens: reading costs what training saved.");
    Ok(sheet)
}
